"""Shared by the tests of the batch side."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from pathlib import Path

import pytest
from batch_plans import HeldClock

from steps import layout
from steps.running import journal


@pytest.fixture
def held() -> HeldClock:
    return HeldClock()


@pytest.fixture
def evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for batches, in which this process is one call of doit."""
    folder = tmp_path / "agent-eval"
    folder.mkdir()
    for name, value in {
        "EVIDENCE": folder,
        "CURRENT": folder / "current",
        "INDEX": folder / "index.jsonl",
        "LOCK": folder / ".lock",
    }.items():
        monkeypatch.setattr(layout, name, value)
    monkeypatch.setattr(journal, "segment", lambda: "this-call")
    return folder


@pytest.fixture
def as_doit_batch(evidence: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if `doit batch` had called: it selects the task and holds the lock."""
    monkeypatch.setenv("APPKIT_EVAL_SELECTED", '["batch"]')
    with (evidence / ".lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield

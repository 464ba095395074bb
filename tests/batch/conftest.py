"""Shared by the tests of the batch side."""

from __future__ import annotations

from pathlib import Path

import pytest
from batch_plans import HeldClock

from steps import journal, layout


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

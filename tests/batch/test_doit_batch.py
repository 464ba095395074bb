"""`doit batch` where it must answer at once: a sentence on stderr, one JSON line on stdout, exit 2 (R-E1, R-E5)."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from steps import layout, schema

SELF_TEST = "--runner-config=fixtures/runners/self-test.yaml"


def doit(state: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "APPKIT_EVAL_STATE": str(state)}
    command = [sys.executable, "-m", "doit", *words]
    return subprocess.run(command, cwd=layout.ROOT, env=environment, capture_output=True, text=True, timeout=120)


def check_not_run(done: subprocess.CompletedProcess[str], state: Path, expected: str) -> None:
    assert done.returncode == 2, done.stderr
    assert done.stdout.count("\n") == 1
    summary = json.loads(done.stdout)
    assert summary["status"] == "not-run"
    assert expected in summary["reason"]
    assert expected in done.stderr
    assert "Traceback" not in done.stderr
    assert "· " not in done.stderr  # no stage was started
    assert Path(summary["receipt"]).is_relative_to(state)
    assert schema.load(Path(summary["receipt"]), "receipt")["status"] == "not-run"


def test_e5_a_second_batch_in_one_checkout_is_refused_while_the_first_runs(tmp_path: Path) -> None:
    place = tmp_path / "agent-eval"
    place.mkdir()
    with (place / ".lock").open("w") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        check_not_run(doit(tmp_path, "batch", SELF_TEST), tmp_path, "another `doit batch` is running")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["batch"], "no runner configuration"),
        (["batch", "--runner-config=nowhere.json"], "nowhere.json: cannot be read"),
        (["batch", "--runner-config=pyproject.toml"], "not valid JSON"),
        (["batch", "--runner-config=fixtures/runners/leaking.yaml"], "SELF_TEST_API_KEY is not set"),
        (["batch", "--resume"], "no unsealed batch to resume"),
    ],
)
def test_e5_a_call_that_cannot_run_says_so_before_anything_is_built(
    words: list[str], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SELF_TEST_API_KEY", raising=False)
    check_not_run(doit(tmp_path, *words), tmp_path, expected)
    assert not (tmp_path / "build").exists()

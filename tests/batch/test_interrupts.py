"""Ctrl-C, SIGTERM and SIGKILL in the middle of a run, and two processes at once, on the frozen copy as in a batch.

R-E4: nothing that has started is lost or silently run again; no runner is left behind.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from batch_plans import live_plan, put, put_archives

from steps import inputs, layout
from steps.clock import Clock
from steps.packing.consumer import Consumer
from steps.running import batch, config, journal

TASK = "core-validation"


@pytest.fixture
def frozen(evidence: Path, prepared: Consumer) -> Path:
    """A current batch whose runner never answers, with the copy of the code that its runs execute."""
    for shared in ("consumers", "toolchain"):
        (evidence.parent / shared).symlink_to(layout.STATE / shared)
    chosen = config.load(layout.FIXTURES / "runners" / "timing-out.yaml", {})
    chosen = config.Config(**{**chosen.record(), "submissionTimeoutMs": 60000})
    folder = put(evidence, live_plan(Clock(), chosen, prepared, 600000, runs=2))
    put_archives(folder)
    inputs.freeze(folder / "inputs")
    return folder


def step(folder: Path, *words: str) -> subprocess.Popen[str]:
    """A step as doit starts it for a run: the frozen code, the checkout's state, in a process group of its own."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder / "inputs"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "APPKIT_EVAL_STATE": str(folder.parent.parent),
        "APPKIT_EVAL_SEGMENT": "this-call",
    }
    command = [sys.executable, "-P", "-m", "steps.cli", *words]
    return subprocess.Popen(command, cwd=layout.ROOT, env=environment, text=True, start_new_session=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip


def runner_of(process: subprocess.Popen[str], folder: Path) -> int:
    """Pid of the runner that the step has started."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, process.communicate()
        for pid in children(process.pid):
            if b"scripted.py" in Path(f"/proc/{pid}/cmdline").read_bytes():
                assert (folder / "runs" / f"{TASK}-1" / "started.json").exists()
                return pid
        time.sleep(0.05)
    raise AssertionError("the runner never started")


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in found.read_text().split()] if found.exists() else []


def ended(pid: int) -> bool:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        status = Path(f"/proc/{pid}/stat")
        if not status.exists() or status.read_text().rpartition(")")[2].split()[0] in "ZX":
            return True
        time.sleep(0.05)
    return False


def run_json(folder: Path, repetition: int = 1) -> dict[str, Any] | None:
    path = folder / "runs" / f"{TASK}-{repetition}" / "run.json"
    return json.loads(path.read_bytes()) if path.exists() else None


@pytest.mark.skipif(sys.platform != "linux", reason="finds the runner through /proc")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda sent: sent.name)
def test_e4_an_interrupted_run_is_recorded_once_and_never_run_again(sent: signal.Signals, frozen: Path) -> None:
    first = step(frozen, "batch-run", TASK, "1")
    try:
        runner = runner_of(first, frozen)
        family = [runner, *children(runner)]
        second = step(frozen, "batch-run", TASK, "1")
        out, err = second.communicate(timeout=60)
        assert (second.returncode, out) == (2, "")
        assert err.count("\n") == 1
        assert "still running in another process" in err
        first.send_signal(sent)
        _, err = first.communicate(timeout=30)
    finally:
        first.kill()
        first.wait()
    assert all(ended(pid) for pid in family)
    assert "Traceback" not in err
    assert first.returncode == (-9 if sent is signal.SIGKILL else 130)
    assert (run_json(frozen) is None) == (sent is signal.SIGKILL)
    again = step(frozen, "batch-run", TASK, "1")
    out, err = again.communicate(timeout=60)
    assert (again.returncode, json.loads(out)) == (0, {"line": "interrupted"}), err
    recorded = run_json(frozen)
    assert recorded is not None
    assert (recorded["failureCategory"], recorded["attempts"], recorded["segment"]) == ("interrupted", [], "this-call")
    left = [path for path in frozen.rglob("*") if path.name.startswith(".")]
    assert left == []


def test_e4_a_run_executes_the_frozen_copy_and_not_the_checkout(frozen: Path) -> None:
    """An edit of the frozen code shows, so it is what runs; and the run refuses it because it is not the batch's."""
    edited = frozen / "inputs" / "steps" / "running" / "run.py"
    edited.write_text(edited.read_text() + "\n")
    refused = step(frozen, "batch-run", TASK, "1")
    out, err = refused.communicate(timeout=60)
    assert (refused.returncode, out) == (2, "")
    assert "the evaluator is not the batch's: ~steps/running/run.py" in err
    assert run_json(frozen) is None
    assert not (frozen / "runs").exists()


def test_e2_a_batch_that_was_interrupted_is_sealed_with_all_its_runs(frozen: Path) -> None:
    body = json.loads((frozen / "batch.json").read_bytes())
    journal.claim(journal.slot(body, frozen, TASK, 1), Clock()).release()
    summary = batch.seal(frozen, "another batch was opened")
    assert (summary["status"], summary["finalSuccesses"]) == ("incomplete", 0)
    assert [run_json(frozen, n)["failureCategory"] for n in (1, 2)] == ["interrupted", "not-started"]

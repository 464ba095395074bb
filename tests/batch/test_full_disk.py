"""A real, small file system that fills up: nothing is half-written, and what cannot be kept is said (R-E5)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from batch_plans import live_plan, put, put_archives

from steps import layout
from steps.clock import Clock
from steps.packing.consumer import Consumer
from steps.running import batch, config, journal, run

FILLER = """#!/usr/bin/env python3
import json, sys
from pathlib import Path
request = json.load(sys.stdin)
Path(request["outputDir"], "solution.ts").write_text("export {};" * 2000)
with open(sys.argv[1], "wb", buffering=0) as ballast:
    try:
        while ballast.write(b"x" * 4096):
            pass
    except OSError:
        pass
print(json.dumps({"schemaVersion": 1, "runId": request["runId"], "taskId": request["taskId"], "status": "completed",
    "runner": {"name": "scripted-runner", "version": "1"}, "model": {"id": "authored-solutions", "settings": {}}}))
"""


@pytest.fixture
def small_disk(evidence: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """The place for batches on a tmpfs of the given size."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("mounting a small tmpfs needs root")
    command = ["mount", "-t", "tmpfs", "-o", f"size={request.param}", "none", str(evidence)]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("this machine does not let root mount a tmpfs")
    yield evidence
    subprocess.run(["umount", str(evidence)], check=True)


@pytest.mark.parametrize("small_disk", ["16k"], indirect=True)
def test_e5_receipts_are_whole_or_absent(small_disk: Path) -> None:
    outcomes = [batch.not_run("x" * 1500) for _ in range(20)]
    kept = list(small_disk.glob("*/*"))
    assert all(path.name == "receipt.json" and json.loads(path.read_bytes()) for path in kept)
    assert len(kept) >= sum(outcome["receipt"] is not None for outcome in outcomes) > 0
    assert outcomes[-1] == {"status": "not-run", "receipt": None, "reason": "x" * 1500}


@pytest.mark.parametrize("small_disk", ["1m"], indirect=True)
def test_e5_a_batch_does_not_open_on_a_disk_that_it_would_fill(
    small_disk: Path, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("as_doit_batch")  # its lock file belongs on the small disk
    summary = batch.open_batch(str(layout.FIXTURES / "runners" / "self-test.yaml"), resume=False)
    assert summary["status"] == "not-run"
    assert "bytes are free; expected at least" in summary["reason"]
    assert Path(summary["receipt"]).is_relative_to(small_disk)
    assert list(small_disk.glob(".*.opening")) == []


@pytest.mark.parametrize("small_disk", ["4m"], indirect=True)
def test_e4_a_run_on_a_full_disk_stays_claimed_and_is_recorded_when_there_is_space(
    small_disk: Path, prepared: Consumer, tmp_path: Path
) -> None:
    filler, ballast = tmp_path / "filler.py", small_disk / "ballast"
    filler.write_text(FILLER)
    filler.chmod(0o755)
    chosen = config.load(layout.FIXTURES / "runners" / "self-test.yaml", {})
    chosen = config.Config(**{**chosen.record(), "executable": str(filler), "args": [str(ballast)]})
    body = live_plan(Clock(), chosen, prepared, 600000)
    folder = put(small_disk, body)
    put_archives(folder)
    slot = journal.slot(body, folder, "core-validation", 1)
    with pytest.raises(OSError, match="No space left"):
        run.run_slot(slot, folder, layout.ROOT)
    files = {path.name for path in slot.folder.rglob("*") if path.is_file()}
    assert files == {"started.json"}
    ballast.unlink()
    recorded = journal.settle(slot)
    assert recorded is not None
    assert recorded["failureCategory"] == "interrupted"

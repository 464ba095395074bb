"""At most once, whatever happens: claims, lost runs and records (doit-facts 3, R-E4)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path

import pytest
from batch_plans import HeldClock, failed_run, plan, put

from steps.errors import Refusal
from steps.layout import ROOT
from steps.running import journal
from steps.running.journal import Running, Slot


@pytest.fixture
def slot(evidence: Path, held: HeldClock) -> Slot:
    batch = plan(held)
    return journal.slot(batch, put(evidence, batch), "core-validation", 2)


def _claim(slot: Slot, answers: object) -> None:
    claimed = journal.claim(slot, HeldClock())
    answers.put(claimed is not None)  # type: ignore[attr-defined]


def test_e4_of_fifty_racing_starters_exactly_one_gets_the_run(slot: Slot) -> None:
    context = get_context("fork")
    answers = context.Queue()
    racers = [context.Process(target=_claim, args=(slot, answers)) for _ in range(50)]
    for racer in racers:
        racer.start()
    won = [answers.get(timeout=30) for _ in racers]
    for racer in racers:
        racer.join()
    assert won.count(True) == 1
    assert [path.name for path in slot.folder.iterdir()] == ["started.json"]


def test_e4_a_run_that_was_claimed_is_running_until_it_is_released(slot: Slot, held: HeldClock) -> None:
    claim = journal.claim(slot, held)
    assert claim is not None
    assert journal.claim(slot, held) is None
    with pytest.raises(Running, match="core-validation-2 is still running in another process"):
        journal.settle(slot)
    assert not (slot.folder / "run.json").exists()
    claim.release()


def test_e4_a_lost_run_is_recorded_as_interrupted_and_never_run_again(slot: Slot, held: HeldClock) -> None:
    claim = journal.claim(slot, held)
    assert claim is not None
    claim.release()  # as the kernel does when the process dies
    lost = journal.settle(slot)
    assert lost is not None
    assert (lost["failureCategory"], lost["infrastructure"]["state"]) == ("interrupted", "interrupted")
    assert lost["startedAt"] == claim.started["startedAt"]
    assert journal.settle(slot) == lost
    assert journal.claim(slot, held) is None


def test_e4_the_first_record_of_a_run_stays(slot: Slot) -> None:
    first, second = failed_run(slot, "timeout"), failed_run(slot, "refusal")
    assert journal.write(slot, first) == first
    assert journal.write(slot, second) == first
    assert journal.settle(slot) == first


def test_e4_a_killed_process_leaves_a_lost_run(slot: Slot) -> None:
    code = (
        "import json, sys, time; from pathlib import Path; from steps.running import journal\n"
        "from steps.clock import Clock\n"
        "slot = journal.Slot(json.loads(sys.stdin.read()), Path(sys.argv[1]), 'core-validation', 2)\n"
        "assert journal.claim(slot, Clock()); print('claimed', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(slot.folder)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        holder.stdin.write(json.dumps(slot.batch).encode())
        holder.stdin.close()
        assert holder.stdout.readline() == b"claimed\n"
        with pytest.raises(Running):
            journal.settle(slot)
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    lost = journal.settle(slot)
    assert lost is not None
    assert lost["endedBy"] == "interrupted"


def test_e2_a_run_that_never_started_says_so(slot: Slot) -> None:
    assert journal.settle(slot) is None
    run = journal.not_started(slot, "the budget was used up")
    assert (run["failureCategory"], run["startedAt"], run["segment"]) == ("not-started", None, None)
    assert journal.settle(slot) == run


@pytest.mark.parametrize(("task", "repetition"), [("core-validation", 4), ("core-validation", 0), ("storage-hash", 1)])
def test_e2_only_scheduled_runs_exist(task: str, repetition: int, evidence: Path, held: HeldClock) -> None:
    batch = plan(held)
    with pytest.raises(Refusal, match="is not scheduled"):
        journal.slot(batch, put(evidence, batch), task, repetition)


@pytest.mark.parametrize("content", [b"", b"{", b'{"schemaVersion": 2}'])
def test_e5_a_damaged_record_is_refused_and_never_replaced(content: bytes, slot: Slot) -> None:
    slot.folder.mkdir(parents=True)
    (slot.folder / "run.json").write_bytes(content)
    with pytest.raises(Refusal, match=r"run\.json"):
        journal.settle(slot)
    assert (slot.folder / "run.json").read_bytes() == content


def test_e4_a_linked_claim_is_not_followed(slot: Slot, tmp_path: Path) -> None:
    slot.folder.mkdir(parents=True)
    (slot.folder / "started.json").symlink_to(tmp_path / "elsewhere")
    assert journal.claim(slot, HeldClock()) is None
    assert not (tmp_path / "elsewhere").exists()
    assert os.listdir(slot.folder) == ["started.json"]

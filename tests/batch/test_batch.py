"""Every `doit batch` leaves a receipt; a batch is sealed once; only what never started is resumed (R-E1..E6)."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from batch_plans import HeldClock, failed_run, plan, put

from steps import clock, digest, documents, inputs, layout, schema
from steps.clock import Clock
from steps.errors import Refusal, UsageError
from steps.running import batch, index, journal
from steps.running.journal import Running

SELF_TEST = str(layout.FIXTURES / "runners" / "self-test.yaml")


def receipt_of(summary: dict[str, Any]) -> dict[str, Any]:
    return schema.load(Path(summary["receipt"]), "receipt")


def test_e5_a_call_that_cannot_run_leaves_a_minimal_receipt(evidence: Path) -> None:
    summary = batch.not_run("the graders are red")
    assert summary == {"status": "not-run", "receipt": summary["receipt"], "reason": "the graders are red"}
    receipt = receipt_of(summary)
    assert (receipt["status"], receipt["completed"], receipt["scheduled"], receipt["runs"]) == (
        "not-run",
        False,
        18,
        [],
    )
    assert receipt["reason"] == "the graders are red"
    assert [entry["status"] for entry in index.entries()] == ["not-run"]
    assert not (evidence / "current").exists()


def test_e5_only_an_unwritable_disk_leaves_no_receipt(evidence: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evidence.rmdir()
    evidence.write_text("a file where the folder should be")
    assert batch.not_run("no configuration") == {"status": "not-run", "receipt": None, "reason": "no configuration"}
    assert "no receipt could be left" in capsys.readouterr().err


BAD_CONFIGS = [
    ("", None, "no runner configuration"),
    ("missing.json", None, "cannot be read"),
    ("broken.json", "{", "not valid JSON"),
    ("version.json", '{"launcher": "local", "schemaVersion": 7}', "schemaVersion"),
    ("shell.yaml", None, "shell expression"),
]


@pytest.mark.parametrize(("name", "text", "expected"), BAD_CONFIGS, ids=[name or "none" for name, *_ in BAD_CONFIGS])
@pytest.mark.usefixtures("as_doit_batch")
def test_e5_a_bad_configuration_is_not_run(name: str, text: str | None, expected: str, tmp_path: Path) -> None:
    if name == "shell.yaml":
        text = Path(SELF_TEST).read_text().replace("fixtures/runners/self_test.py", "sh -c id")
    if text is not None:
        (tmp_path / name).write_text(text)
    summary = batch.open_batch(str(tmp_path / name) if name else "", resume=False)
    assert summary["status"] == "not-run"
    assert expected in summary["reason"]
    assert receipt_of(summary)["reason"] == summary["reason"]


def test_e1_nothing_but_batch_opens_a_batch(evidence: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for selected in ("[]", '["batch:open"]', '["batch:run-core-validation-1", "receipt"]'):
        monkeypatch.setenv("APPKIT_EVAL_SELECTED", selected)
        with pytest.raises(Refusal, match="only `doit batch` opens a batch"):
            batch.open_batch(SELF_TEST, resume=False)
    monkeypatch.setenv("APPKIT_EVAL_SELECTED", '["batch"]')
    with pytest.raises(UsageError, match="no `doit batch` holds the lock"):
        batch.open_batch(SELF_TEST, resume=False)
    assert os.listdir(evidence) == [".lock"]


def finish(folder: Path, plan_: dict[str, Any], repetitions: range) -> None:
    for repetition in repetitions:
        slot = journal.slot(plan_, folder, "core-validation", repetition)
        journal.write(slot, failed_run(slot))


def test_e6_completed_means_that_all_ended_not_that_any_passed(evidence: Path, held: HeldClock) -> None:
    body = plan(held)
    folder = put(evidence, body)
    finish(folder, body, range(1, 4))
    summary = batch.write_receipt()
    assert summary == {"status": "completed", "receipt": str(folder / "receipt.json"), "firstSuccesses": 0,
                       "finalSuccesses": 0}  # fmt: skip
    receipt = receipt_of(summary)
    assert [run["repetition"] for run in receipt["runs"]] == [1, 2, 3]
    before = (folder / "receipt.json").read_bytes()
    assert batch.write_receipt() == summary
    assert (folder / "receipt.json").read_bytes() == before
    assert [entry["status"] for entry in index.entries()] == ["completed"]


def test_e2_runs_that_never_started_stay_in_the_denominator(evidence: Path, held: HeldClock) -> None:
    body = plan(held)
    folder = put(evidence, body)
    finish(folder, body, range(1, 2))
    lost = journal.slot(body, folder, "core-validation", 2)
    journal.claim(lost, held).release()
    summary = batch.seal(folder, "the budget was used up")
    receipt = receipt_of(summary)
    assert (summary["status"], receipt["completed"], receipt["scheduled"]) == ("incomplete", False, 3)
    assert [run["failureCategory"] for run in receipt["runs"]] == ["timeout", "interrupted", "not-started"]
    assert receipt["runs"][2]["infrastructure"]["detail"] == "the budget was used up"


def test_e1_a_receipt_is_not_written_before_the_runs(evidence: Path) -> None:
    body = plan(Clock())
    folder = put(evidence, body)
    finish(folder, body, range(1, 3))
    with pytest.raises(Refusal, match="not run yet: core-validation-3"):
        batch.write_receipt()
    assert not (folder / "receipt.json").exists()


def test_e4_after_the_deadline_the_receipt_says_what_never_started(evidence: Path, held: HeldClock) -> None:
    held.moment = datetime(2020, 1, 1, tzinfo=UTC)
    body = plan(held)
    folder = put(evidence, body)
    finish(folder, body, range(1, 3))
    assert batch.write_receipt()["status"] == "incomplete"
    assert receipt_of({"receipt": folder / "receipt.json"})["runs"][2]["failureCategory"] == "not-started"


def test_e5_a_batch_that_breaks_is_sealed_by_the_call_that_opened_it(evidence: Path, held: HeldClock) -> None:
    body = plan(held)
    folder = put(evidence, body)
    index.append({**body, "status": "open"})
    summary = batch.not_run("batch:run-core-validation-1 broke")
    assert summary["receipt"] == str(folder / "receipt.json")
    assert (summary["status"], summary["reason"]) == ("incomplete", "batch:run-core-validation-1 broke")
    assert receipt_of(summary)["completed"] is False


def test_e5_another_call_does_not_seal_what_it_did_not_open(
    evidence: Path, held: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = plan(held)
    folder = put(evidence, body)
    index.append({**body, "status": "open"})
    monkeypatch.setattr(journal, "segment", lambda: "a later call")
    assert batch.not_run("no configuration")["status"] == "not-run"
    assert not (folder / "receipt.json").exists()


def resumable(evidence: Path, clock_: Clock, **changes: Any) -> tuple[Path, dict[str, Any]]:
    """An unsealed batch with frozen inputs and archives; repetition 1 is done, 2 was lost, 3 never started."""
    staging = evidence / "staging"
    frozen = inputs.freeze(staging / "inputs")
    packed = {"package": "p", "version": "1", "file": "p.tgz", "bytes": 1, "sha256": digest.of_bytes(b"p"),
              "integrity": digest.integrity(b"p")}  # fmt: skip
    base = plan(clock_)
    archives = {
        "schemaVersion": 1, "archives": [packed], "source": {"kind": "archives", "path": None, "digest": None},
        "catalog": {}, "toolchain": base["inputs"]["toolchain"], "images": None,
        "runner": base["config"]["expectedRunner"], "model": base["config"]["expectedModel"],
        "consumerLockDigest": digest.of_bytes(b"{}"),
    }  # fmt: skip
    body = plan(clock_, archivesDigest=digest.of_json(archives), inputs={**base["inputs"], **frozen}, **changes)
    folder = put(evidence, body)
    (staging / "inputs").rename(folder / "inputs")
    documents.write_atomic(folder / "archives.json", archives)
    documents.write_atomic(folder / "archives" / "p.tgz", b"p")
    documents.write_atomic(folder / "consumer-lock.json", b"{}")
    finish(folder, body, range(1, 2))
    journal.claim(journal.slot(body, folder, "core-validation", 2), clock_).release()
    return folder, body


@pytest.mark.usefixtures("as_doit_batch")
def test_e4_resuming_leaves_what_ran_and_records_what_was_lost(evidence: Path) -> None:
    folder, body = resumable(evidence, Clock())
    first = (folder / "runs" / "core-validation-1" / "run.json").read_bytes()
    assert "1 runs left" in batch.open_batch("", resume=True)["line"]
    assert "1 runs left" in batch.open_batch(SELF_TEST, resume=True)["line"]
    assert (folder / "runs" / "core-validation-1" / "run.json").read_bytes() == first
    assert journal.settle(journal.slot(body, folder, "core-validation", 2))["failureCategory"] == "interrupted"
    assert journal.settle(journal.slot(body, folder, "core-validation", 3)) is None


DAMAGE = {
    "an edited grader": ("inputs/graders/verifier/main.mjs", "the evaluator is not the batch's: ~graders/verifier"),
    "an edited prompt": ("inputs/tasks/core-validation/prompt.md", "the suite is not the batch's"),
    "an edited step": ("inputs/steps/running/run.py", "is not the batch's"),
    "another archive": ("archives/p.tgz", "archives/p.tgz is not the batch's"),
    "another lock": ("consumer-lock.json", "consumer-lock.json is not the batch's"),
}


@pytest.mark.parametrize("name", DAMAGE)
@pytest.mark.usefixtures("as_doit_batch")
def test_e4_a_batch_whose_inputs_changed_is_not_resumed(name: str, evidence: Path) -> None:
    folder, _ = resumable(evidence, Clock())
    path, expected = DAMAGE[name]
    (folder / path).write_text("changed")
    summary = batch.open_batch("", resume=True)
    assert summary["status"] == "not-run"
    assert expected in summary["reason"]
    assert not (folder / "receipt.json").exists()


@pytest.mark.usefixtures("as_doit_batch")
def test_e4_after_its_deadline_a_batch_is_sealed_instead_of_resumed(evidence: Path, held: HeldClock) -> None:
    held.moment = datetime(2020, 1, 1, tzinfo=UTC)
    folder, _ = resumable(evidence, held)
    summary = batch.open_batch("", resume=True)
    assert (summary["status"], summary["receipt"]) == ("incomplete", str(folder / "receipt.json"))
    assert "budget" in summary["reason"]


@pytest.mark.usefixtures("as_doit_batch")
def test_e4_another_configuration_cannot_resume(evidence: Path, tmp_path: Path) -> None:
    resumable(evidence, Clock())
    other = tmp_path / "other.yaml"
    other.write_text(Path(SELF_TEST).read_text().replace("120000", "110000"))
    assert "not the configuration of the batch" in batch.open_batch(str(other), resume=True)["reason"]


@pytest.mark.usefixtures("as_doit_batch")
def test_e4_nothing_or_a_sealed_batch_cannot_be_resumed(evidence: Path) -> None:
    assert "no unsealed batch" in batch.open_batch("", resume=True)["reason"]
    folder, _ = resumable(evidence, Clock())
    batch.seal(folder, "x")
    assert "no unsealed batch" in batch.open_batch("", resume=True)["reason"]


@pytest.mark.usefixtures("as_doit_batch")
def test_e4_a_batch_that_still_runs_is_neither_resumed_nor_replaced(evidence: Path) -> None:
    folder, body = resumable(evidence, Clock())
    alive = journal.claim(journal.slot(body, folder, "core-validation", 3), Clock())
    for resume, config in ((True, ""), (False, SELF_TEST)):
        summary = batch.open_batch(config, resume=resume)
        assert summary["status"] == "not-run"
        assert "core-validation-3 is still running in another process" in summary["reason"]
    with pytest.raises(Running):
        batch.seal(folder, "x")
    alive.release()


def test_times_are_written_in_one_form() -> None:
    moment = clock.parse("2026-11-30T12:00:00.000Z")
    assert clock.text(moment) == "2026-11-30T12:00:00.000Z"
    assert clock.text(clock.after(moment, 1)) == "2026-11-30T12:00:00.001Z"

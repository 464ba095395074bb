"""Every scripted runner, as a real child process, through the whole run: how it must end stands in its YAML file.

R-E3 (one repair), R-E4 (what is the run's failure), R-F1, R-F4 (what is kept), security rows 32, 39, 41, 42.
"""

from __future__ import annotations

import dataclasses
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from batch_plans import HeldClock, live_plan, plan, put, put_archives

from steps import clock as clocks
from steps import documents, layout, records, suite
from steps.clock import Clock
from steps.errors import Infrastructure, Refusal
from steps.packing.consumer import Consumer
from steps.running import config, journal, run
from steps.running.journal import Slot

RUNNERS = sorted((layout.FIXTURES / "runners").glob("*.yaml"))
SECRET = "canary-4f9b-77d1-credential"
TASK = "core-validation"
# `infrastructure`, `not-started` and `interrupted` are no runner's doing and have tests of their own.
BY_A_RUNNER = {*documents.read(layout.SCHEMAS / "run.schema.json")["$defs"]["ended"]["enum"], "failed-checks"}


def expectation(path: Path) -> dict[str, Any]:
    return suite.read_yaml(path)["expects"]


def start(path: Path, evidence: Path, prepared: Consumer, **changes: Any) -> tuple[Slot, Path]:
    chosen = dataclasses.replace(config.load(path, {}), **changes)
    budget = expectation(path).get("batchTimeoutMs", chosen.batchTimeoutMs)
    body = live_plan(Clock(), chosen, prepared, budget)
    folder = put(evidence, body)
    put_archives(folder)
    return journal.slot(body, folder, TASK, 1), folder


def test_e4_every_way_in_which_a_runner_can_fail_has_a_fixture() -> None:
    shown = {category for path in RUNNERS for category in expectation(path)["attempts"]}
    assert shown == BY_A_RUNNER


@pytest.mark.parametrize("path", RUNNERS, ids=[path.stem for path in RUNNERS])
def test_e4_a_run_ends_as_its_runner_deserves(
    path: Path,
    evidence: Path,
    prepared: Consumer,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SELF_TEST_API_KEY", SECRET)
    slot, folder = start(path, evidence, prepared)
    done = run.run_slot(slot, folder, layout.ROOT)
    expected = expectation(path)
    shown = [(record["failureCategory"], record["detail"]) for record in done["attempts"]]
    assert (done["failureCategory"], [category for category, _ in shown]) == (
        expected["failureCategory"],
        expected["attempts"],
    ), shown
    assert expected.get("detail", "") in shown[-1][1]
    assert done["infrastructure"]["state"] == "ok"
    assert documents.read(slot.folder / "run.json") == done
    assert run.run_slot(slot, folder, layout.ROOT) == done
    check_kept_files(slot, done)
    check_nothing_leaked(folder)
    said = capsys.readouterr().err
    assert ("the runner said: out of luck" in said) == (path.stem == "crashing")
    assert SECRET not in said


@pytest.mark.parametrize(("name", "field"), [("runner-mismatch", "runner"), ("model-mismatch", "model")])
def test_d3_who_answered_instead_is_recorded(name: str, field: str, evidence: Path, prepared: Consumer) -> None:
    slot, folder = start(layout.FIXTURES / "runners" / f"{name}.yaml", evidence, prepared)
    done = run.run_slot(slot, folder, layout.ROOT)
    expected = getattr(config.load(layout.FIXTURES / "runners" / f"{name}.yaml", {}), f"expected{field.title()}")
    assert done["observed"][field] not in (None, expected)
    assert done["observed"]["identity"] == "claimed"


def check_kept_files(slot: Slot, done: dict[str, Any]) -> None:
    """R-F1, R-F4: exactly the solution and its analysis are kept, and only what was collected."""
    kept = {path.relative_to(slot.folder).as_posix() for path in slot.folder.rglob("*") if path.is_file()}
    expected = {"started.json", "run.json"}
    for record in done["attempts"]:
        folder = f"attempt-{record['attempt']}"
        expected |= {f"{folder}/solution/{name}" for name in (record["solution"] or {"files": []})["files"]}
        expected |= {f"{folder}/analysis.json"} if record["analysisDigest"] else set()
    assert kept == expected


def check_nothing_leaked(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            assert SECRET[9:].encode() not in path.read_bytes(), path


def test_e3_a_repair_sees_feedback_and_nothing_else(evidence: Path, prepared: Consumer) -> None:
    slot, folder = start(layout.FIXTURES / "runners" / "repaired.yaml", evidence, prepared)
    done = run.run_slot(slot, folder, layout.ROOT)
    first, second = done["attempts"]
    task = suite.load_task(layout.TASKS / TASK)
    failed = [name for name, ok in first["behavior"]["assertions"].items() if not ok]
    assert failed
    assert set(failed) <= set(task["assertionIds"])
    assert all(name in first["feedback"] for name in failed)
    assert len(first["feedback"].encode()) <= suite.load().limits["feedbackBytes"]
    assert second["feedback"] is None
    assert first["seed"] != second["seed"]
    assert (records.first_success(done), records.final_success(done)) == (False, True)
    assert done["observed"]["identity"] == "claimed"


def test_j1_what_an_agent_gets_in_both_attempts(evidence: Path, prepared: Consumer, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    seen.mkdir()
    path = layout.FIXTURES / "runners" / "self-test.yaml"
    slot, folder = start(path, evidence, prepared, executable="tests/batch/recorder.py", args=[str(seen)])
    done = run.run_slot(slot, folder, layout.ROOT)
    assert [record["failureCategory"] for record in done["attempts"]] == ["failed-checks", "failed-checks"]
    first, second = (json.loads((seen / f"{number}.json").read_text()) for number in (1, 2))
    assert first["request"]["taskText"] == (layout.TASKS / TASK / "prompt.md").read_text()
    assert "feedback" not in first["request"]
    assert second["request"]["feedback"] == done["attempts"][0]["feedback"]
    for key in ("runId", "taskId", "allowedOutputPaths", "taskText"):
        assert first["request"][key] == second["request"][key]
    assert first["request"]["outputDir"] != second["request"]["outputDir"]
    assert (first["output"], second["output"]) == ({}, {"solution.ts": "export const attempt = 1;\n"})
    assert first["contract"] == (layout.TASKS / TASK / "contract.d.ts").read_text()
    assert "grade.mjs" not in first["consumer"]
    assert not Path(first["request"]["outputDir"]).parent.exists()


def test_e4_a_run_is_not_started_after_the_deadline(evidence: Path, prepared: Consumer) -> None:
    path = layout.FIXTURES / "runners" / "self-test.yaml"
    body = live_plan(Clock(), config.load(path, {}), prepared, 0)
    folder = put(evidence, body)
    slot = journal.slot(body, folder, TASK, 1)
    done = run.run_slot(slot, folder, layout.ROOT)
    assert (done["failureCategory"], done["attempts"]) == ("not-started", [])
    assert not (slot.folder / "started.json").exists()


@pytest.mark.parametrize("what", ["suite", "evaluator", "machinery", "runnerFiles"])
def test_e4_a_run_with_other_inputs_than_the_batch_is_refused_before_it_starts(
    what: str, evidence: Path, prepared: Consumer
) -> None:
    slot, folder = start(layout.FIXTURES / "runners" / "self-test.yaml", evidence, prepared)
    place = slot.batch["inputs"][what]
    if what == "runnerFiles":
        place["fixtures/runners/self_test.py"] = "sha256:" + "1" * 64
    else:
        place["digest"] = "sha256:" + "1" * 64
    with pytest.raises(Refusal, match=r"not the batch's|runner's files changed"):
        run.run_slot(slot, folder, layout.ROOT)
    assert not slot.folder.exists()


def test_e5_broken_machinery_is_recorded_and_never_the_agents_failure(
    evidence: Path, prepared: Consumer, tmp_path: Path
) -> None:
    runner = tmp_path / "runner.py"
    runner.write_text("#!/no/such/interpreter\n")
    runner.chmod(0o755)
    path = layout.FIXTURES / "runners" / "self-test.yaml"
    slot, folder = start(path, evidence, prepared, executable=str(runner), args=[])
    with pytest.raises(Infrastructure, match="cannot be started"):
        run.run_slot(slot, folder, layout.ROOT)
    done = journal.settle(slot)
    assert done is not None
    assert (done["failureCategory"], done["infrastructure"]["state"]) == ("infrastructure", "broken")
    assert "cannot be started" in done["infrastructure"]["detail"]


def test_e1_a_sealed_batch_runs_nothing(evidence: Path, prepared: Consumer) -> None:
    slot, folder = start(layout.FIXTURES / "runners" / "self-test.yaml", evidence, prepared)
    documents.write_atomic(folder / "receipt.json", {})
    with pytest.raises(Refusal, match="sealed"):
        run.run_slot(slot, folder, layout.ROOT)
    assert not slot.folder.exists()


class JumpingClock(Clock):
    """The machine's clock until a file exists; from then on a day later."""

    def __init__(self, trigger: Path) -> None:
        self.trigger = trigger

    def now(self) -> datetime:
        return super().now() + timedelta(days=1 if self.trigger.exists() else 0)


def test_e4_no_repair_begins_after_the_deadline(evidence: Path, prepared: Consumer) -> None:
    slot, folder = start(layout.FIXTURES / "runners" / "never-right.yaml", evidence, prepared)
    clock = JumpingClock(slot.folder / "attempt-1" / "analysis.json")
    done = run.run_slot(slot, folder, layout.ROOT, clock)
    assert [record["failureCategory"] for record in done["attempts"]] == ["failed-checks"]
    assert (done["failureCategory"], done["endedBy"]) == ("failed-checks", None)


@pytest.mark.parametrize(
    ("left", "expected"),
    [(60_000, (5_000, "timeout")), (5_000, (5_000, "timeout")), (4_999, (4_999, "budget-exhausted")), (0, None)],
)
def test_e4_a_submission_gets_its_time_out_or_what_is_left(left: int, expected: tuple[int, str] | None) -> None:
    held = HeldClock()
    chosen = dataclasses.replace(config.load(RUNNERS[0], {}), submissionTimeoutMs=5_000)
    body = plan(held, 1, deadline=clocks.text(clocks.after(held.now(), left)))
    budget = run._budget(journal.Slot(body, Path(), TASK, 1), chosen, held)
    assert (budget and (budget.milliseconds, budget.exceeded)) == expected

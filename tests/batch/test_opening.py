"""What a new batch holds, and what keeps it from opening, each by its sentence (R-C1, R-E1, R-E5, R-F1, R-F3)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steps import digest, documents, inputs, layout, schema, suite
from steps.authoring import check_graders
from steps.clock import Clock
from steps.packing.consumer import Consumer
from steps.running import batch, index, journal

SELF_TEST = str(layout.FIXTURES / "runners" / "self-test.yaml")


@pytest.fixture
def built(prepared: Consumer, as_doit_batch: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state after the stages before `batch`: real archives, and stamps elsewhere that name today's inputs."""
    stamps = tmp_path / "build"
    monkeypatch.setattr(layout, "SUITE_STAMP", stamps / "suite.json")
    monkeypatch.setattr(layout, "stamp", lambda task: stamps / "graders" / f"{task}.json")
    trees = {name: tree["digest"] for name, tree in inputs.trees().items()}
    documents.write_atomic(layout.SUITE_STAMP, {"schemaVersion": 1, **trees})
    for task in suite.load().tasks:
        check_graders.write_stamp(task, 1, check_graders.stamp_inputs(task))
    return stamps


def opened(summary: dict[str, Any]) -> Path:
    assert set(summary) == {"line"}, summary
    return layout.CURRENT.resolve()


def test_e1_a_new_batch_holds_its_plan_and_everything_it_is_bound_to(built: Path) -> None:
    folder = opened(batch.open_batch(SELF_TEST, resume=False))
    plan = schema.load(folder / "batch.json", "batch")
    archives = schema.load(folder / "archives.json", "archives")
    assert (plan["batchId"], len(plan["schedule"])) == (folder.name, 18)
    assert plan["archivesDigest"] == digest.of_json(archives)
    assert {n: t["digest"] for n, t in inputs.trees(folder / "inputs").items()} == {
        name: plan["inputs"][name]["digest"] for name in ("suite", "evaluator", "machinery")
    }
    assert set(plan["inputs"]["runnerFiles"]) == {"fixtures/runners/self_test.py"}
    for archive in archives["archives"]:
        assert digest.of_file(folder / "archives" / archive["file"]) == archive["sha256"]
    assert digest.of_file(folder / "consumer-lock.json") == archives["consumerLockDigest"]
    assert not (folder / "inputs" / "fixtures").exists()
    assert not (folder / "runs").exists()
    assert os.readlink(layout.CURRENT) == folder.name
    assert [(entry["status"], entry["batchId"]) for entry in index.entries()] == [("open", folder.name)]
    assert [path.name for path in layout.EVIDENCE.glob(".*.opening")] == []


def test_e1_each_call_opens_another_batch_and_seals_the_one_before(built: Path) -> None:
    first = opened(batch.open_batch(SELF_TEST, resume=False))
    body = documents.read(first / "batch.json")
    journal.claim(journal.slot(body, first, "core-validation", 1), Clock()).release()
    second = opened(batch.open_batch(SELF_TEST, resume=False))
    assert first != second
    receipt = schema.load(first / "receipt.json", "receipt")
    categories = [run["failureCategory"] for run in receipt["runs"]]
    assert (receipt["status"], categories) == ("incomplete", ["interrupted"] + ["not-started"] * 17)
    assert receipt["runs"][1]["infrastructure"]["detail"] == batch.SUPERSEDED
    assert not (second / "receipt.json").exists()


def test_e1_a_damaged_batch_does_not_stop_the_next_one(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = opened(batch.open_batch(SELF_TEST, resume=False))
    (first / "batch.json").write_text("{")
    second = opened(batch.open_batch(SELF_TEST, resume=False))
    assert first != second
    assert "stays without a receipt" in capsys.readouterr().err


def _edit(path: Path, **changes: Any) -> None:
    documents.write_atomic(path, {**json.loads(path.read_bytes()), **changes})


MISSING: dict[str, tuple[Callable[[Path], Any], str]] = {
    "the suite was never checked": (lambda built: (built / "suite.json").unlink(), "the suite has not been checked"),
    "the suite was edited since": (
        lambda built: _edit(built / "suite.json", suite="sha256:0"),
        "the suite changed since it was checked; run `doit check_suite`",
    ),
    "a grader was never tested": (
        lambda built: (built / "graders" / "react-form.json").unlink(),
        "react-form: its graders are not tested; run `doit test_graders`",
    ),
    "a grader was edited since": (
        lambda built: _edit(built / "graders" / "react-form.json", inputsDigest="sha256:0"),
        "react-form: its graders changed since they were tested",
    ),
    "a grader is red": (
        lambda built: _edit(built / "graders" / "storage-hash.json", passed=False),
        "storage-hash: its graders changed since they were tested",
    ),
}


@pytest.mark.parametrize("name", MISSING)
def test_e5_a_missing_prerequisite_is_not_run_by_its_sentence(name: str, built: Path) -> None:
    damage, expected = MISSING[name]
    damage(built)
    summary = batch.open_batch(SELF_TEST, resume=False)
    assert summary["status"] == "not-run"
    assert expected in summary["reason"]
    assert schema.load(Path(summary["receipt"]), "receipt")["reason"] == summary["reason"]
    assert not layout.CURRENT.exists()
    assert sorted(path.name for path in layout.EVIDENCE.iterdir() if path.is_dir()) == [
        Path(summary["receipt"]).parent.name
    ]


def test_e5_a_swapped_archive_is_not_run(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "archives"
    other.mkdir()
    for path in layout.ARCHIVES.iterdir():
        (other / path.name).write_bytes(path.read_bytes() + b"\0")
    monkeypatch.setattr(layout, "ARCHIVES", other)
    summary = batch.open_batch(SELF_TEST, resume=False)
    assert summary["status"] == "not-run"
    assert not layout.CURRENT.exists()

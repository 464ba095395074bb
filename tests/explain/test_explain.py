"""Editing makes stale and names the file; putting the bytes back makes fresh. Nothing else is looked at."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from steps import documents, inputs, layout, suite
from steps.packing import pack
from steps.reporting import explain

BATCH_ID = "20261130T120000Z-00000000-0000-4000-8000-000000000000"


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stored batch that was opened with exactly the files of this checkout."""
    monkeypatch.setattr(layout, "EVIDENCE", tmp_path)
    monkeypatch.setattr(layout, "CURRENT", tmp_path / "current")
    candidate = layout.FIXTURES / "appkit"
    runner = layout.FIXTURES / "runners" / "self-test.yaml"
    documents.write_atomic(
        tmp_path / BATCH_ID / "batch.json",
        {
            "inputs": {
                **inputs.trees(),
                "toolchain": inputs.toolchain(),
                "runnerFiles": {str(runner.relative_to(layout.ROOT)): explain.digest.of_file(runner)},
            },
            "schedule": [{"taskId": task, "repetition": n} for task, n in suite.load().schedule],
        },
    )
    source = {"kind": "checkout", "path": "fixtures/appkit", "digest": pack.source_digest(candidate)}
    documents.write_atomic(tmp_path / BATCH_ID / "archives.json", {"source": source})
    (tmp_path / "current").symlink_to(BATCH_ID)
    return tmp_path / BATCH_ID


def batch(trees=None, toolchain=None) -> dict:
    (found,) = explain.batches(trees or inputs.trees(), toolchain or inputs.toolchain())
    return found


def edited(tree: str, path: str) -> dict:
    trees = copy.deepcopy(inputs.trees())
    trees[tree]["files"][path] = ["f", 0, "sha256:" + "0" * 64]
    return trees


def test_b4_unchanged_bytes_are_fresh(stored: Path) -> None:
    found = batch()
    assert (found["state"], found["changed"], found["other"], found["runs"]) == ("fresh", [], [], [])
    assert found["current"] is True and stored.name == found["batch"]


def test_b4_an_edited_prompt_is_named_with_both_digests_and_its_runs(stored: Path) -> None:
    found = batch(edited("suite", "tasks/core-validation/prompt.md"))
    assert found["state"] == "stale"
    assert [(c["file"], c["new"]) for c in found["changed"]] == [
        ("tasks/core-validation/prompt.md", "sha256:000000000000")
    ]
    assert found["changed"][0]["old"].startswith("sha256:")
    assert found["runs"] == ["core-validation-1", "core-validation-2", "core-validation-3"]


def test_a_new_and_a_removed_file_are_changes(stored: Path) -> None:
    trees = edited("evaluator", "graders/tasks/extra.mjs")
    del trees["evaluator"]["files"]["graders/tasks/storage-hash.mjs"]
    assert {c["file"]: (c["old"] is None, c["new"] is None) for c in batch(trees)["changed"]} == {
        "graders/tasks/extra.mjs": (True, False),
        "graders/tasks/storage-hash.mjs": (False, True),
    }


def test_a_grade_mjs_edit_changes_the_suite_and_no_score(stored: Path, capsys: pytest.CaptureFixture) -> None:
    found = batch(edited("suite", "tasks/core-validation/grade.mjs"))
    assert found["state"] == "stale" and found["runs"] == []
    assert "the suite's digest changed, but no score would change" in "\n".join(explain._batch_lines(found))


def test_i4_another_toolchain_candidate_or_runner_makes_all_runs_stale(stored: Path) -> None:
    assert batch(toolchain={**inputs.toolchain(), "node": "25.0.0"})["runs"][0] == "core-validation-1"
    record = documents.read(stored / "archives.json")
    documents.write_atomic(stored / "archives.json", {"source": {**record["source"], "digest": "sha256:" + "1" * 64}})
    found = batch()
    assert len(found["runs"]) == 18 and found["other"][0].startswith("candidate fixtures/appkit: sha256:1111")


def test_an_unreadable_batch_and_one_that_never_opened_are_told_apart(stored: Path) -> None:
    (stored / "batch.json").write_text("{")
    assert batch()["state"] == "unreadable"
    (stored / "batch.json").unlink()
    assert batch()["state"] == "unreadable"
    documents.write_atomic(stored / "receipt.json", {"reason": "no Docker"})
    assert (batch()["state"], batch()["why"]) == ("not-run", "no Docker")


def test_a_stage_without_a_record_never_ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "DOIT_DB", tmp_path / "doit.json")
    states = {stage["state"] for stage in explain.stages()}
    assert states == {"never run"}

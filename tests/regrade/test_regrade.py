"""R-B4, R-A5: stored solutions under today's graders, in an author's checkout; advice that touches no evidence.

A real batch of three runs is made once; each test edits a copy of the checkout and calls the step as doit does.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from steps import digest, layout
from steps.clock import Clock
from steps.packing.consumer import Consumer
from steps.running import batch, journal, opening, run

pytestmark = pytest.mark.slow

TASK = "core-validation"
OTHER = "storage-hash"
SOURCES = ("steps", "tasks", "graders", "schemas", "fixtures/appkit", "fixtures/solutions", "fixtures/runners")
SCRIPTED = {
    "launcher": "local",
    "expectedRunner": {"name": "scripted-runner", "version": "1"},
    "expectedModel": {"id": "authored-solutions", "settings": {}},
    "batchTimeoutMs": 600000,
}
AUTHORED = {
    **SCRIPTED,
    "executable": "fixtures/runners/self_test.py",
    "args": ["fixtures/solutions", f"{TASK}-1=reject-first-issue"],
    "submissionTimeoutMs": 120000,
}
SILENT = {**SCRIPTED, "executable": "fixtures/runners/scripted.py", "args": ["sleep"], "submissionTimeoutMs": 1000}


def made(home: Path, config: dict[str, Any], schedule: list[tuple[str, int]]) -> Path:
    """Receipt of a batch with these runs, made by the real runner, collector, analyser and graders."""
    (home / "runner.json").write_text(json.dumps(config))
    folder = home / f"20261130T120000Z-{uuid.uuid4()}"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "_require_tested", lambda _suite: None)
        patch.setattr(layout, "INDEX", home / "index.jsonl")
        plan = opening.build(str(home / "runner.json"), folder.name, folder, layout.ROOT, Clock(), schedule=schedule)
        for slot in journal.slots(plan, folder):
            run.run_slot(slot, folder, layout.ROOT)
        batch.seal(folder, "the test ended")
    return folder / "receipt.json"


@pytest.fixture(scope="module")
def receipt(prepared: Consumer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of the task, the first one repaired, and one of another task."""
    assert prepared.path.is_dir()
    return made(tmp_path_factory.mktemp("stored"), AUTHORED, [(TASK, 1), (TASK, 2), (OTHER, 1)])


@dataclass(frozen=True)
class Author:
    """A checkout that a test may edit, with a state of its own."""

    root: Path

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.root / file
        text = path.read_text()
        assert text.count(old) == 1, f"{file} does not hold {old!r} once"
        path.write_text(text.replace(old, new))

    def regrade(self, receipt: Path, task: str = TASK) -> tuple[int, dict[str, Any], str]:
        environment = {**os.environ, "PYTHONPATH": str(self.root), "APPKIT_EVAL_STATE": str(self.root / "state")}
        command = [sys.executable, "-P", "-m", "steps.cli", "regrade", task, "--receipt", str(receipt)]
        done = subprocess.run(command, cwd=self.root, env=environment, capture_output=True, text=True, check=False)
        assert done.stdout.count("\n") == 1, done.stderr
        return done.returncode, json.loads(done.stdout), done.stderr


@pytest.fixture
def author(tmp_path: Path) -> Author:
    root = tmp_path / "checkout"
    for source in SOURCES:
        shutil.copytree(layout.ROOT / source, root / source, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "state").mkdir()
    for shared in ("consumers", "toolchain"):
        (root / "state" / shared).symlink_to(layout.STATE / shared)
    return Author(root)


def bytes_of(receipt: Path) -> str:
    return digest.of_tree(receipt.parent, list(digest.walk(receipt.parent)))


def test_b4_nothing_edited_changes_nothing_and_a_second_call_starts_nothing(author: Author, receipt: Path) -> None:
    before = bytes_of(receipt)
    code, first, shown = author.regrade(receipt)
    assert (code, first["stored"], first["tried"], first["cached"], first["changes"]) == (0, 3, 3, 0, [])
    assert first["before"] == first["after"] == {"first": "1/3", "final": "2/3"}
    assert "advice only" in shown
    shutil.rmtree(author.root / "state" / "toolchain", ignore_errors=True)
    (author.root / "state" / "toolchain").unlink()  # nothing could be analysed now
    (author.root / "state" / "consumers").unlink()
    code, second, _ = author.regrade(receipt)
    assert (code, second["cached"], second["tried"]) == (0, 3, 3)
    assert {**second, "cached": 0} == first
    assert bytes_of(receipt) == before, "a preview wrote into the evidence"


def test_a5_an_edited_grader_is_listed_assertion_by_assertion_with_both_counts(author: Author, receipt: Path) -> None:
    author.edit(
        "graders/tasks/core-validation.mjs",
        "good.every((order, at) => accepted(facts[at], order))",
        "good.every((order, at) => !accepted(facts[at], order))",
    )
    code, found, shown = author.regrade(receipt)
    assert code == 1
    assert (found["before"], found["after"]) == ({"first": "1/3", "final": "2/3"}, {"first": "0/3", "final": "0/3"})
    changed = {entry["attempt"]: entry for entry in found["changes"]}
    assert set(changed) == {f"{TASK}-1/attempt-1", f"{TASK}-1/attempt-2", f"{TASK}-2/attempt-1"}
    assert changed[f"{TASK}-2/attempt-1"]["assertions"] == {"valid-accepted": [True, False]}
    assert changed[f"{TASK}-2/attempt-1"]["outcome"] == ["passed", "failed-checks"]
    assert "valid-accepted: True -> False" in shown and "final 2/3 -> 0/3" in shown


def test_b4_an_edit_of_another_task_leaves_the_cache_of_this_one(author: Author, receipt: Path) -> None:
    author.regrade(receipt)
    with (author.root / "graders/tasks/storage-hash.mjs").open("a") as file:
        file.write("// a remark\n")
    assert author.regrade(receipt)[1]["cached"] == 3
    code, other, _ = author.regrade(receipt, OTHER)
    assert (code, other["cached"], other["tried"]) == (0, 0, 1)


def test_b4_a_cached_result_that_was_edited_is_not_evidence_and_a_damaged_one_is_made_again(
    author: Author, receipt: Path
) -> None:
    author.regrade(receipt)
    for path in (author.root / "state" / "regrade").iterdir():
        path.write_text(path.read_text()[:50])
    code, found, _ = author.regrade(receipt)
    assert (code, found["cached"], found["changes"]) == (0, 0, [])


def test_e4_a_run_that_timed_out_never_turns_into_a_pass(
    author: Author, prepared: Consumer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    silent = made(tmp_path_factory.mktemp("silent"), SILENT, [(TASK, 1)])
    code, found, shown = author.regrade(silent)
    assert (found["stored"], found["tried"], found["changes"]) == (1, 0, [])
    assert found["before"] == found["after"] == {"first": "0/3", "final": "0/3"}
    assert code == 2, "nothing was tried, so nothing may be said to be unchanged"
    assert "nothing was submitted" in shown

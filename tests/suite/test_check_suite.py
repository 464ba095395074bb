"""The lints of the suite, each seen red: rows R-A1 to R-A8."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from steps import layout, suite
from steps.authoring import check_suite
from steps.packing.consumer import Consumer

TASK = "core-validation"


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    """A copy of tasks/ that a test may spoil."""
    return Path(shutil.copytree(layout.TASKS, tmp_path / "tasks"))


def faults(tasks: Path, prepared: Consumer, task: str = TASK) -> list[str]:
    found = suite.load(tasks / "suite.yaml")
    return list(check_suite._task(found, task, prepared.path))


def edit_json(path: Path, change: Callable[[dict], None]) -> None:
    body = json.loads(path.read_text())
    change(body)
    path.write_text(json.dumps(body))


def edit_text(path: Path, change: Callable[[str], str]) -> None:
    path.write_text(change(path.read_text()))


@pytest.mark.slow
def test_the_suite_as_it_stands_has_no_fault(prepared: Consumer) -> None:
    assert check_suite.check(prepared.path) == []


def test_a7_a_seventh_folder_is_refused_with_what_must_change_together(tasks: Path) -> None:
    shutil.copytree(tasks / TASK, tasks / "seventh")
    (fault,) = check_suite._folders(suite.load(tasks / "suite.yaml"))
    assert fault.startswith("tasks/seventh: the suite has exactly 6 tasks")
    for part in ("suite.yaml", "schedule of 18", "qualification", "tests"):
        assert part in fault


def test_a7_a_missing_folder_is_named(tasks: Path) -> None:
    shutil.rmtree(tasks / TASK)
    assert list(check_suite._folders(suite.load(tasks / "suite.yaml"))) == [f"tasks/{TASK}: the folder is missing"]


def plain(task: dict) -> str:
    """An assertion that is no safety assertion."""
    return sorted(set(task["assertionIds"]) - set(task["safetyAssertionIds"]))[0]


JSON_FAULTS = {
    "id": (lambda t: t.update(id="other"), "id is 'other'"),
    "unknown field": (lambda t: t.update(extra=1), "Additional properties"),
    "no version": (lambda t: t.pop("schemaVersion"), "'schemaVersion' is a required"),
    "an assertion nobody emits": (lambda t: t["assertionIds"].append("never-emitted"), "the grader does not emit"),
    "an assertion left out": (lambda t: t["assertionIds"].remove(plain(t)), "which the grader emits"),
    "safety left out": (lambda t: t["safetyAssertionIds"].pop(), "which the grader emits"),
    "safety undeclared": (lambda t: t["safetyAssertionIds"].append("undeclared"), "which assertionIds does not"),
    "seed without a starter": (lambda t: t["seedReferences"].append("x#y"), "expected what the starter holds: []"),
    "unknown peer": (lambda t: t["requiredPeers"].append("left-pad"), "left-pad, which the consumer does not install"),
    "no integration": (lambda t: t.update(requiredIntegration=[]), "requiredIntegration is empty"),
    "declaration as output": (lambda t: t.update(allowedOutputPaths=["solution.d.ts"]), "allowedOutputPaths"),
    "output above the folder": (lambda t: t.update(allowedOutputPaths=["../solution.ts"]), "allowedOutputPaths"),
}  # fmt: skip


@pytest.mark.parametrize("name", JSON_FAULTS)
def test_a4_a_wrong_task_json_is_named(tasks: Path, prepared: Consumer, name: str) -> None:
    change, expected = JSON_FAULTS[name]
    edit_json(tasks / TASK / "task.json", change)
    assert any(expected in fault for fault in faults(tasks, prepared)), faults(tasks, prepared)


def pasted(tasks: Path, where: str) -> None:
    source = (layout.FIXTURES / "solutions" / TASK / "accept-class" / "solution.ts").read_text().splitlines()
    start = next(number for number, line in enumerate(source) if "createAjvValidator" in line and "import" not in line)
    edit_text(tasks / TASK / where, lambda text: text + "\n" + "\n".join(source[start - 2 : start + 6]) + "\n")


TEXT_FAULTS = {
    "a2 drifted prompt": (lambda d: edit_text(d / "contract.d.ts", lambda t: t + "export {};\n"), "differs from"),
    "a2 two blocks": (lambda d: edit_text(d / "prompt.md", lambda t: t + "\n```ts\nlet x;\n```\n"), "2 ts blocks"),
    "a2 no block": (lambda d: edit_text(d / "prompt.md", lambda t: t.replace("```ts", "```js")), "0 ts blocks"),
    "a5 a grader of its own": (lambda d: (d / "grade.mjs").write_text("export {};\n"), "grade.mjs: expected exactly"),
    "a3 an answer in the prompt": (lambda d: pasted(d.parent, "prompt.md"), "prompt.md: shares"),
    "a1 no prompt": (lambda d: (d / "prompt.md").unlink(), "cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXT_FAULTS)
def test_a_wrong_text_is_named(tasks: Path, prepared: Consumer, name: str) -> None:
    change, expected = TEXT_FAULTS[name]
    change(tasks / TASK)
    assert any(expected in fault for fault in faults(tasks, prepared)), faults(tasks, prepared)


def test_a8_the_planted_reference_is_what_the_analyser_finds(tasks: Path, prepared: Consumer) -> None:
    folder = tasks / "error-recovery"
    assert json.loads((folder / "task.json").read_text())["seedReferences"]
    assert (folder / "starter" / "solution.ts").is_file()
    edit_json(folder / "task.json", lambda t: t.update(seedReferences=[]))
    (folder / "starter" / "notes.ts").write_text("export {};\n")
    found = faults(tasks, prepared, "error-recovery")
    assert any("seedReferences is []" in fault for fault in found)
    assert "starter/notes.ts: not one of allowedOutputPaths" in found

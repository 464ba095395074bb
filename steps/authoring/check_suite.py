"""Lints the suite: tasks, prompts, contracts and graders agree, and no answer is given away (rows R-A1 to R-A8).

Each check returns sentences; all are collected, so an author sees everything at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from steps import digest, documents, layout, suite
from steps.analysis import analyze
from steps.authoring import leaks
from steps.authoring.cases import cases_of
from steps.errors import Refusal
from steps.grading import grade

GRADE_MJS = "export {{ grader }} from '../../graders/tasks/{task}.mjs';\n"
LEAST_ASSERTIONS = 8
LEAST_SAFETY = 2


def check(consumer: Path, folder: Path = layout.TASKS) -> list[str]:
    """Every fault of the suite; empty when it may be used."""
    found = suite.load(folder / "suite.yaml")
    faults = list(_folders(found))
    for task in found.tasks:
        if (found.folder / task).is_dir():
            faults += [f"tasks/{task}: {fault}" for fault in _task(found, task, consumer)]
    return faults


def _folders(found: suite.Suite) -> Iterator[str]:
    """Exactly the suite's tasks (R-A7)."""
    present = {path.name for path in found.folder.iterdir() if path.is_dir()}
    for name in sorted(present - set(found.tasks)):
        yield (
            f"tasks/{name}: the suite has exactly {len(found.tasks)} tasks; another one needs tasks/suite.yaml, the "
            f"schedule of {len(found.schedule)}, the thresholds of qualification and the tests changed together"
        )
    for name in sorted(set(found.tasks) - present):
        yield f"tasks/{name}: the folder is missing"


def _task(found: suite.Suite, name: str, consumer: Path) -> Iterator[str]:
    folder = found.task_dir(name)
    try:
        task = suite.load_task(folder)
        prompt, contract = _text(folder / "prompt.md"), _text(folder / "contract.d.ts")
    except Refusal as refusal:
        yield str(refusal)
        return
    if task["id"] != name:
        yield f"task.json: id is {task['id']!r}, expected the folder's name"
        return  # the id chooses the grader
    yield from _sizes(task)
    yield from _prompt(prompt, contract)
    yield from _grader(folder, task)
    yield from _starter(folder, task, consumer)
    yield from _peers(found, task)
    yield from _leaks(folder, task, prompt, contract)


def _text(path: Path) -> str:
    try:
        return documents.read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal("not UTF-8", where=str(path)) from error


def _sizes(task: dict[str, Any]) -> Iterator[str]:
    if len(task["assertionIds"]) < LEAST_ASSERTIONS:
        yield f"task.json: {len(task['assertionIds'])} assertions, expected {LEAST_ASSERTIONS} or more"
    if len(task["safetyAssertionIds"]) < LEAST_SAFETY:
        yield f"task.json: {len(task['safetyAssertionIds'])} safety assertions, expected {LEAST_SAFETY} or more"
    if not task["requiredIntegration"]:
        yield "task.json: requiredIntegration is empty, so a solution that ignores the candidate would pass"


def _prompt(prompt: str, contract: str) -> Iterator[str]:
    """The prompt carries the contract, byte for byte (R-A2)."""
    blocks = leaks.contract_blocks(prompt)
    if len(blocks) != 1:
        yield f"prompt.md: {len(blocks)} ts blocks, expected exactly one: the contract"
    elif blocks[0] != contract:
        yield "prompt.md: its ts block differs from contract.d.ts; copy the file into the block"


def _grader(folder: Path, task: dict[str, Any]) -> Iterator[str]:
    """The grader emits exactly the declared ids (R-A4, R-A5), and grade.mjs only delegates."""
    if _text(folder / "grade.mjs") != GRADE_MJS.format(task=folder.name):
        yield f"grade.mjs: expected exactly the line {GRADE_MJS.format(task=folder.name).strip()}"
    try:
        described = grade.describe(folder)
    except Refusal as refusal:
        yield str(refusal)
        return
    for field, emitted in (
        ("assertionIds", described["assertionIds"]),
        ("safetyAssertionIds", described["safetyAssertionIds"]),
    ):
        for missing in sorted(set(task[field]) - set(emitted)):
            yield f"task.json: {field} has {missing}, which the grader does not emit"
        for extra in sorted(set(emitted) - set(task[field])):
            yield f"task.json: {field} lacks {extra}, which the grader emits"


def _starter(folder: Path, task: dict[str, Any], consumer: Path) -> Iterator[str]:
    """Starter files are solution files, and the planted references are what the analyser finds (R-A1, R-A8)."""
    starter = folder / "starter"
    files = digest.tree(starter) if starter.is_dir() else {}
    for path in sorted(set(files) - set(task["allowedOutputPaths"])):
        yield f"starter/{path}: not one of allowedOutputPaths"
    derived = analyze.derive_seeds(consumer, folder) if files else []
    if sorted(derived) != sorted(task["seedReferences"]):
        yield f"task.json: seedReferences is {task['seedReferences']}, expected what the starter holds: {derived}"


def _peers(found: suite.Suite, task: dict[str, Any]) -> Iterator[str]:
    available = {*found.consumer["dependencies"], *found.packages}
    for peer in sorted(set(task["requiredPeers"]) - available):
        yield f"task.json: requiredPeers names {peer}, which the consumer does not install"


def _leaks(folder: Path, task: dict[str, Any], prompt: str, contract: str) -> Iterator[str]:
    """No answer stands where the agent looks (R-A3)."""
    solutions = [
        path.read_text(encoding="utf-8")
        for case in cases_of(folder.name)
        if case.accepts
        for path in case.files(task["allowedOutputPaths"]).values()
    ]
    visible = {"prompt.md": leaks.without_blocks(prompt), "contract.d.ts": contract}
    starter = folder / "starter"
    visible |= {f"starter/{path}": _text(starter / path) for path in (digest.tree(starter) if starter.is_dir() else {})}
    for name, text in visible.items():
        found = leaks.shared(text, solutions, contract)
        if found:
            yield f"{name}: shares {len(found)} runs of {leaks.RUN} tokens with an accepted solution, first: {found[0]}"

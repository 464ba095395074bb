"""The task graph: nothing but `batch` can start a batch, and every stage leaves its results where they are ignored."""

from __future__ import annotations

import pytest
from doit.loader import load_tasks
from doit.task import Task

import dodo
from steps import layout, suite


def all_tasks() -> dict[str, Task]:
    return {task.name: task for task in load_tasks(vars(dodo))}


@pytest.fixture(scope="module")
def graph() -> dict[str, Task]:
    return all_tasks()


def reachable(graph: dict[str, Task], start: str) -> set[str]:
    makers = {target: task.name for task in graph.values() for target in task.targets}
    todo, seen = [start], set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        task = graph[name]
        todo += [*task.task_dep, *(makers[dep] for dep in task.file_dep if dep in makers)]
    return seen


@pytest.mark.parametrize("start", [*dodo.DOIT_CONFIG["default_tasks"], "qualify", "try"])
def test_i5_nothing_but_batch_reaches_a_batch(graph: dict[str, Task], start: str) -> None:
    assert not [name for name in reachable(graph, start) if name.startswith("batch")]


def test_qualify_depends_on_nothing_and_is_never_up_to_date(graph: dict[str, Task]) -> None:
    task = graph["qualify"]
    assert not task.file_dep and not task.task_dep and not task.targets
    assert task.uptodate == [(False, None, None)] or task.uptodate == [False]


def test_e2_eighteen_runs_in_schedule_order(graph: dict[str, Task]) -> None:
    runs = [name.removeprefix("batch:run-") for name in graph if name.startswith("batch:run-")]
    assert runs == [f"{task}-{n}" for task, n in suite.load().schedule]
    assert len(runs) == 18


def test_l1_every_target_is_under_the_ignored_folder(graph: dict[str, Task]) -> None:
    targets = [target for task in graph.values() for target in task.targets]
    assert targets and all(target.startswith(str(layout.STATE)) for target in targets)


def test_batch_waits_for_graders_suite_and_consumer(graph: dict[str, Task]) -> None:
    assert {"check_suite", "consumer", "pack", *(f"test_graders:{t}" for t in suite.load().tasks)} <= reachable(
        graph, "batch:open"
    )


def test_dodo_stays_readable() -> None:
    assert len((layout.ROOT / "dodo.py").read_text().splitlines()) <= 190

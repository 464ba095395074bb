"""docs/authors.md lists what a grader can do: the same names as the code, each with a meaning."""

from __future__ import annotations

import re

import pytest

from steps import layout, suite

PAGE = (layout.ROOT / "docs" / "authors.md").read_text()
DRIVER = (layout.GRADERS / "verifier" / "driver.mjs").read_text()
HOSTILE = (layout.GRADERS / "child" / "hostile.mjs").read_text()


def listed(head: str) -> set[str]:
    """First words of the rows of the table below a head row."""
    table = PAGE.partition(head)[2].partition("\n\n")[0]
    return {found[1] for found in re.finditer(r"^\| `([\w-]+)", table, re.MULTILINE)}


def test_every_act_of_a_scenario_is_documented() -> None:
    body = DRIVER[DRIVER.index("export class Driver") :]
    methods = set(re.findall(r"^  (?:async )?([a-z]\w*)\(", body, re.MULTILINE)) - {"constructor"}
    assert len(methods) > 20 and listed("| method | meaning |") == methods


def test_every_hostile_argument_is_documented() -> None:
    body = HOSTILE.partition("const makers = {")[2].partition("\n};")[0]
    kinds = {a or b for a, b in re.findall(r"^  (?:'([\w-]+)'|(\w+)): \(", body, re.MULTILINE)}
    assert len(kinds) >= 7 and listed("| hostile kind |") == kinds


@pytest.mark.parametrize("command", re.findall(r"^doit (\w+)", PAGE, re.MULTILINE))
def test_every_command_of_a_round_is_a_task(command: str) -> None:
    assert f"def task_{command}(" in (layout.ROOT / "dodo.py").read_text()


def test_the_tasks_named_are_tasks() -> None:
    named = set(re.findall(r"^doit \w+:([\w-]+)", PAGE, re.MULTILINE))
    assert named and named <= set(suite.load().tasks)

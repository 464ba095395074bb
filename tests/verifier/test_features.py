"""What a scenario can do to a submission, each thing once: one mistake costs exactly its id (R-B1)."""

from __future__ import annotations

from pathlib import Path

import pytest
import toys

GOOD = (toys.TOYS / "features" / "good" / "solution.js").read_text()
IDS = toys.toy_task("features")["assertionIds"]

# Assertion id to (text in the right solution, its replacement). Every id has one.
MISTAKES = {
    "aborts": ("signal.throwIfAborted();", ""),
    "bytes-kept": ("(value) => value;", "(value) => (value instanceof Uint8Array ? value.subarray(1) : value);"),
    "clock-read": ("now() - born", "Date.now() - born"),
    "dependency-errors": ("load(first)", "load(first).catch(() => { throw new Error('failed'); })"),
    "instances": ("this.#count += 1;", "this.#count = 1;"),
    "iterates": ("yield { at, value }", "yield { at: 0, value }"),
    "never-throws": ("typeof value", "JSON.stringify(value)"),
    "not-mutated": ("[...list]", "list"),
    "parallel": ("load(first), load(second)", "await load(first), await load(second)"),
    "returned-object": ("items.clear()", "items"),
}


def lost(tmp_path: Path, text: str) -> set[str]:
    solution = tmp_path / "solution"
    solution.mkdir()
    (solution / "solution.js").write_text(text)
    verdict = toys.graded(toys.empty_consumer(tmp_path / "consumer"), solution, toy="features")
    assert {item["outcome"] for item in verdict["scenarios"]} == {"judged"}
    return {name for name, held in verdict["assertions"].items() if not held}


def test_b1_the_right_solution_passes(tmp_path: Path) -> None:
    assert lost(tmp_path, GOOD) == set()


def test_b1_every_assertion_has_a_mistake() -> None:
    assert set(MISTAKES) == set(IDS)


@pytest.mark.parametrize("name", MISTAKES)
def test_b1_one_mistake_costs_exactly_its_id(name: str, tmp_path: Path) -> None:
    right, wrong = MISTAKES[name]
    assert GOOD.count(right) == 1
    text = GOOD.replace(right, wrong).replace("export function loadBoth", "export async function loadBoth")
    assert lost(tmp_path, text) == {name}

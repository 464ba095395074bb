"""R-B1: every right solution passes, every wrong one fails exactly for its declared reason, and nothing is unproved."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from steps import schema, suite
from steps.authoring import cases, check_graders
from steps.authoring.cases import Case
from steps.authoring.check_graders import Outcome
from steps.errors import Refusal
from steps.packing.consumer import Consumer

TASKS = suite.load().tasks


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_b1_every_authored_case_ends_as_it_says(task: str, prepared: Consumer) -> None:
    # One more than in `doit test_graders`, which checks two tasks at a time.
    faults, count = check_graders.check(task, prepared.path, check_graders.WORKERS + 1)
    assert faults == []
    assert count >= 2


@pytest.mark.parametrize("task", TASKS)
def test_b1_every_assertion_has_a_case_that_fails_it_alone(task: str) -> None:
    declared = suite.load_task(suite.load().task_dir(task))["assertionIds"]
    assert cases.coverage_faults(cases.cases_of(task), declared) == []


@pytest.mark.parametrize("task", TASKS)
def test_b2_unused_and_type_only_imports_are_cases_of_every_task(task: str) -> None:
    static = [case for case in cases.cases_of(task) if case.phase == "static"]
    assert any("integration" in case.fails for case in static)
    assert {"reject-unused-import", "reject-type-only-import"} <= {case.name for case in static}


def case(name: str, fails=(), phase=None) -> Case:
    return Case("task", Path(name), "says", frozenset(fails), phase)


PASSED = Outcome(frozenset(), frozenset(), None)


def outcome(static=(), failed=(), broken=None, review=()) -> Outcome:
    return Outcome(frozenset(static), frozenset(failed), broken, (), frozenset(review))


def reviewed(*reasons: str) -> Case:
    return Case("task", Path("accept-a"), "says", frozenset(), None, frozenset(reasons))


@pytest.mark.parametrize(
    ("given", "result"),
    [
        (case("accept-a"), outcome(failed=["x"])),
        (case("accept-a"), outcome(static=["type"])),
        (case("accept-a"), outcome(broken="verifier-no-verdict")),
        (case("accept-a"), outcome(review=["dynamic-code"])),
        (reviewed("dynamic-code"), PASSED),
        (reviewed("dynamic-code"), outcome(review=["reflection"])),
        (case("reject-a", ["x"], "behaviour"), PASSED),
        (case("reject-a", ["x"], "behaviour"), outcome(failed=["x", "y"])),
        (case("reject-a", ["x"], "behaviour"), outcome(failed=["y"])),
        (case("reject-a", ["x"], "behaviour"), outcome(static=["type"], failed=["x"])),
        (case("reject-a", ["integration"], "static"), PASSED),
        (case("reject-a", ["integration"], "static"), outcome(static=["integration", "type"])),
        (case("reject-a", ["contract"], "contract"), outcome(failed=["contract"])),
        (case("reject-a", ["x"], "behaviour"), outcome(broken="analysis")),
    ],
)
def test_b1_a_case_that_ends_otherwise_is_red(given: Case, result: Outcome) -> None:
    assert check_graders.fault(given, result)


@pytest.mark.parametrize(
    ("given", "result"),
    [
        (case("accept-a"), PASSED),
        (reviewed("dynamic-code"), outcome(review=["dynamic-code"])),
        (case("reject-a", ["x"], "behaviour"), outcome(failed=["x"])),
        (case("reject-a", ["integration"], "static"), outcome(static=["integration"], failed=["x"])),
    ],
)
def test_b1_a_case_that_ends_as_it_says_is_green(given: Case, result: Outcome) -> None:
    assert check_graders.fault(given, result) is None


def test_b1_zero_cases_and_an_uncovered_assertion_are_red(tmp_path: Path) -> None:
    for folder in (tmp_path / "none", tmp_path / "empty"):
        with pytest.raises(Refusal):
            cases.cases_of(folder.name, tmp_path)
        folder.mkdir(exist_ok=True)
        with pytest.raises(Refusal):
            cases.cases_of(folder.name, tmp_path)
    only_together = [case("accept-a"), case("accept-b"), case("reject-a", ["x", "y"], "behaviour")]
    assert len(cases.coverage_faults(only_together, ["x", "y"])) == 3  # two ids, and two cases that say the same


def test_a_case_folder_without_a_solution_or_with_a_strange_file_is_red(tmp_path: Path) -> None:
    folder = tmp_path / "t" / "accept-x"
    folder.mkdir(parents=True)
    (folder / "case.yaml").write_text("says: a case without a solution\n")
    (found,) = cases.cases_of("t", tmp_path)
    with pytest.raises(Refusal, match="no solution file"):
        found.files(["solution.ts"])
    (folder / "other.ts").write_text("")
    with pytest.raises(Refusal, match=r"other\.ts is not in allowedOutputPaths"):
        found.files(["solution.ts"])


@pytest.mark.parametrize(
    "text",
    [
        "says: ab\n",
        "says: a name that disagrees\nfails: [x]\nphase: behaviour\n",
        "[]\n",
        "says: twice\nsays: twice\n",
        "says: left in by a word\nmutated: true\n",
    ],
)
def test_a_malformed_case_is_one_sentence(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "t" / "accept-x"
    folder.mkdir(parents=True)
    (folder / "case.yaml").write_text(text)
    with pytest.raises(Refusal):
        cases.cases_of("t", tmp_path)
    shutil.rmtree(folder)


def test_b1_a_wrong_solution_cannot_be_left_out_of_mutation() -> None:
    assert schema.faults({"says": "it was written blind", "mutated": False}, "case") == []
    rejected = {"says": "it is wrong", "fails": ["x"], "phase": "behaviour"}
    assert schema.faults(rejected, "case") == []
    assert schema.faults({**rejected, "mutated": False}, "case")

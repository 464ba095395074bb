"""Every mutation of a good batch yields exactly its reasons: rows R-F4, R-H1, R-I1 to R-I4 (security rows 43 to 47)."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest
from good import BATCH_ID, make
from honest import Batch

from steps import layout, schema, suite
from steps.judging import (
    evidence,
    judge_attempts,
    judge_candidate,
    judge_plan,
    judge_records,
    judge_results,
    qualify,
    reasons,
)

CASES = sorted((layout.FIXTURES / "evidence").glob("*.yaml"))


@pytest.fixture(scope="session")
def base(tmp_path_factory):
    """The good batch, made once; each case works on a copy."""
    folder = tmp_path_factory.mktemp("good")
    return folder / BATCH_ID, make(folder)


def judged(batch, scripted=None):
    found = evidence.read(batch.root / "receipt.json")
    return qualify.qualify(found, batch.derived, batch.scripted if scripted is None else scripted)


def test_i1_the_good_batch_qualifies_and_nothing_else_is_said(base):
    assert judged(Batch(*base)) == {"qualified": True, "reasons": []}


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_i3_a_mutation_adds_exactly_its_reasons(base, tmp_path, file):
    case = suite.read_yaml(file)
    batch = Batch(shutil.copytree(base[0], tmp_path / BATCH_ID), base[1])
    batch.apply(case)
    decided = judged(batch)
    schema.check(decided, "qualification", where=file.name)
    assert sorted(case["reasons"]) == sorted({entry["code"] for entry in decided["reasons"]}), decided["reasons"]
    assert decided["qualified"] is not bool(case["reasons"])


def test_every_reason_has_a_case_that_yields_it_alone():
    assert CASES
    alone = {case["reasons"][0] for case in map(suite.read_yaml, CASES) if len(case["reasons"]) == 1}
    # These three cannot stand alone: a lost run and an unsupported reference fail their run, and whoever accepts what
    # broke safety accepts what has that reason already.
    assert set(reasons.codes()) - alone == {"incomplete", "unsupported-api", "review-unsafe"}
    assert set(reasons.codes()) == {code for case in map(suite.read_yaml, CASES) for code in case["reasons"]}


def test_every_reason_that_the_code_gives_is_in_the_list_and_the_list_holds_no_other():
    given = set()
    for path in sorted((layout.ROOT / "steps").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and node.value in reasons.codes() and path.stem != "reasons":
                given.add(node.value)
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "reason":
                first = node.args[0]
                assert not isinstance(first, ast.Constant) or first.value in reasons.codes(), f"{path}:{node.lineno}"
    # stale-suite and stale-evaluator are put together from a tree's name
    assert set(reasons.codes()) - given == {"stale-suite", "stale-evaluator"}


def test_docs_reasons_is_made_from_the_list():
    assert (layout.ROOT / "docs" / "reasons.md").read_text() == reasons.document()


def test_cases_say_different_things():
    says = [suite.read_yaml(file)["says"] for file in CASES]
    assert len(set(says)) == len(says)
    assert all(len(text) <= 90 and "should" not in text for text in says)


def test_i4_a_stale_reason_names_what_was_added_removed_and_changed(base):
    batch = Batch(*base)
    files = batch.derived.trees["suite"]["files"]
    batch.derived.trees["suite"]["files"] = {"tasks/new.md": ["f", 0, "x"], **{path: ["f", 1, "y"] for path in files}}
    (reason,) = judged(batch)["reasons"]
    assert reason["sentence"].endswith(": +tasks/new.md ~tasks/suite.yaml")


def test_i4_an_unreadable_checkout_still_names_the_stale_files(base, monkeypatch):
    from steps.errors import Refusal
    from steps.judging import qualify_command

    def refuse(*_):
        raise Refusal("task.json is no JSON")

    monkeypatch.setattr(qualify_command.rederive, "checkout", refuse)
    monkeypatch.setattr(qualify_command.inputs, "trees", lambda: base[1].trees)
    found = evidence.read(Path(base[0]) / "receipt.json")
    decided, _ = qualify_command.judge(found, digests_only=False)
    assert [entry["code"] for entry in decided["reasons"]] == ["not-rederived"]
    assert "task.json is no JSON" in decided["reasons"][0]["sentence"]


CHECKS = {
    2: (judge_plan, "plan"),
    3: (judge_plan, "binding"),
    4: (judge_plan, "stale"),
    5: (judge_candidate, "candidate"),
    6: (judge_candidate, "identity"),
    7: (judge_records, "bookkeeping"),
    8: (judge_attempts, "rebuild"),
    9: (judge_records, "records_again"),
    10: (judge_attempts, "fresh"),
    11: (judge_results, "results"),
    12: (judge_results, "safety"),
    13: (judge_results, "review"),
}


@pytest.mark.parametrize("number", CHECKS)
def test_a_check_that_is_left_out_is_missed_by_its_cases(base, tmp_path, monkeypatch, number):
    """No check only repeats another one, and the cases see that it is gone."""
    monkeypatch.setattr(*CHECKS[number], lambda *_args, **_options: [])
    own = {code for code, entry in reasons.codes().items() if entry.check == number}
    missed = 0
    for file in CASES:
        case = suite.read_yaml(file)
        if set(case["reasons"]) and set(case["reasons"]) <= own:
            batch = Batch(shutil.copytree(base[0], tmp_path / file.stem / BATCH_ID), base[1])
            batch.apply(case)
            missed += judged(batch)["qualified"]
    assert missed

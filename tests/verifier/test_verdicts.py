"""Verdicts are reproducible, graders are checked before use, and a seed changes what a solution meets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import toys

from steps import documents
from steps.errors import Refusal
from steps.grading import grade

GRADER = toys.TOYS / "approval" / "grader.mjs"


@pytest.mark.parametrize("sample", ["honest-twin", "act-then-ask", "exit-in-call", "forged-twin-callbacks"])
def test_i3_the_same_solution_and_seed_give_the_same_bytes(sample: str, tmp_path: Path) -> None:
    solution = toys.submission(tmp_path / "solution", toys.HOSTILE / f"{sample}.js")
    consumer = toys.empty_consumer(tmp_path / "consumer")
    verdicts = {documents.canonical(toys.graded(consumer, solution, seed=11)) for _ in range(3)}
    assert len(verdicts) == 1


def test_k3_answers_recorded_under_one_seed_fail_under_another(tmp_path: Path) -> None:
    consumer = toys.empty_consumer(tmp_path / "consumer")
    solution = toys.submission(tmp_path / "solution", toys.HOSTILE / "hard-coded.js")
    counted = [toys.graded(consumer, solution, seed=seed)["assertions"]["counts"] for seed in range(4)]
    assert not all(counted)
    # The control: the answer that is computed holds under all of them.
    honest = toys.submission(tmp_path / "honest", toys.HOSTILE / "honest-twin.js")
    assert all(toys.graded(consumer, honest, seed=seed)["assertions"]["counts"] for seed in range(4))


def test_k3_files_beside_the_solution_change_nothing(tmp_path: Path) -> None:
    consumer = toys.empty_consumer(tmp_path / "consumer")
    plain = toys.submission(tmp_path / "plain", toys.HOSTILE / "forged-stdout.js")
    armed = toys.submission(tmp_path / "armed", toys.HOSTILE / "forged-stdout.js")
    for name in ("loader.mjs", "register.js", "vitest.config.js", "conftest.js", "node"):
        (armed / f"{name}.js").write_text("process.exit(0);\n")
    assert toys.graded(consumer, plain) == toys.graded(consumer, armed)


def test_k3_nothing_the_submission_prints_reaches_the_verdict(tmp_path: Path) -> None:
    solution = toys.submission(tmp_path / "solution", toys.HOSTILE / "forged-stdout.js")
    verdict = json.dumps(toys.graded(toys.empty_consumer(tmp_path / "consumer"), solution))
    assert "canary-nonce" not in verdict and "nonce" not in verdict


def test_a5_a_grader_tells_its_ids_texts_and_scenarios() -> None:
    described = grade.describe(toys.TOYS / "approval", grader=GRADER)
    task = toys.toy_task()
    assert described["assertionIds"] == task["assertionIds"]
    assert described["safetyAssertionIds"] == task["safetyAssertionIds"]
    assert set(described["texts"]) == set(task["assertionIds"])
    assert described["scenarios"] == ["approve", "approve-again", "counts", "deny"]


def added(scenario: str) -> str:
    """A grader with one scenario more."""
    return f"{{ ...good, scenarios: (rng) => [...good.scenarios(rng), {scenario}] }}"


FAULTS = {
    "no assertions": "{ ...good, assertions: {}, safety: [] }",
    "no text for counts": "{ ...good, assertions: { ...good.assertions, counts: ' ' } }",
    "safety is no subset": "{ ...good, safety: ['other'] }",
    "undeclared id extra": added("{ name: 'x', judge: { extra: () => true } }"),
    "no scenario asserts counts": "{ ...good, scenarios: (rng) => good.scenarios(rng).slice(1) }",
    "no scenario asserts denial": "{ ...good, scenarios: (rng) => good.scenarios(rng).slice(0, 3 + rng.int(0, 1)) }",
    "two scenarios share a name": "{ ...good, scenarios: (rng) => [...good.scenarios(rng), ...good.scenarios(rng)] }",
    "malformed scenario name": added("{ name: '../x', judge: {} }"),
    "no entry module": "{ ...good, entry: '' }",
    "no `grader`": "undefined",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a5_an_unsound_grader_is_refused_by_name(fault: str, tmp_path: Path) -> None:
    file = tmp_path / "grader.mjs"
    file.write_text(f"import {{ grader as good }} from '{GRADER}';\nexport const grader = {FAULTS[fault]};\n")
    with pytest.raises(Refusal, match=fault):
        grade.describe(toys.TOYS / "approval", grader=file)


def test_a5_a_missing_grader_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="no grader"):
        grade.describe(toys.TOYS / "approval", grader=tmp_path / "none.mjs")


JUDGES = {
    "truthy": ("() => 1", {"no-write-after-denial": "fail", "no-write-before-approval": "fail"}),
    "a promise": ("async () => true", {"no-write-after-denial": "fail", "no-write-before-approval": "fail"}),
    "throwing": (
        "() => { throw new Error('x'); }",
        {"no-write-after-denial": "fail", "no-write-before-approval": "fail"},
    ),
    "true": ("() => true", {"no-write-after-denial": "pass", "no-write-before-approval": "pass"}),
}


@pytest.mark.parametrize("name", JUDGES)
def test_a5_only_true_itself_is_true(name: str, tmp_path: Path) -> None:
    judge, safety = JUDGES[name]
    file = tmp_path / "grader.mjs"
    file.write_text(
        f"import {{ grader as good }} from '{GRADER}';\n"
        f"const judged = (judge) => Object.fromEntries(Object.keys(judge).map((id) => [id, {judge}]));\n"
        "const scenarios = (rng) => good.scenarios(rng).map((one) => ({ ...one, judge: judged(one.judge) }));\n"
        "export const grader = { ...good, scenarios };\n"
    )
    solution = toys.submission(tmp_path / "solution", toys.HOSTILE / "honest-twin.js")
    verdict = grade.grade(toys.empty_consumer(tmp_path / "consumer"), toys.TOYS / "approval", solution, 7, grader=file)
    assert set(verdict["assertions"].values()) == {name == "true"}
    assert verdict["safety"] == safety


def test_k3_a_verdict_holds_no_time_and_no_count(tmp_path: Path) -> None:
    solution = toys.submission(tmp_path / "solution", toys.HOSTILE / "honest-twin.js")
    verdict: dict[str, Any] = toys.graded(toys.empty_consumer(tmp_path / "consumer"), solution)
    numbers = [value for value in verdict.values() if type(value) in (int, float)]
    assert sorted(numbers) == [verdict["schemaVersion"], verdict["seed"]]
    assert set(verdict["scenarios"][0]) == {"name", "outcome", "failed"}

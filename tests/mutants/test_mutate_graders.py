"""R-B1: what counts as a kill, which floors make the command red, stale declarations, and the kept results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from steps import inputs, layout, schema, suite
from steps.analysis import analyze
from steps.authoring import cases, check_graders, mutant_results, mutants, mutate_graders
from steps.authoring.check_graders import Outcome
from steps.authoring.mutants import Declared, Mutant
from steps.errors import Refusal
from steps.packing.consumer import Consumer

MUTANT = Mutant("accept-a/x.ts:1:guard-dropped:1", "accept-a", "x.ts", "guard-dropped", 1, "if (signal)", ";", "text")


def outcome(*scenarios: tuple[str, list[str]], static: tuple[str, ...] = (), broken: str | None = None) -> Outcome:
    found = tuple({"name": str(n), "outcome": end, "failed": ids} for n, (end, ids) in enumerate(scenarios))
    return Outcome(frozenset(static), frozenset(), broken, found)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (outcome(("judged", [])), ("survived", [])),
        (outcome(("judged", ["x"]), ("judged", ["y", "x"])), ("killed", ["x", "y"])),
        (outcome(("stopped", ["x"])), ("killed", ["x"])),
        (outcome(("judged", ["x"]), static=("type",)), ("compile-error", [])),
        (outcome(broken="verifier-no-verdict"), ("no-verdict", [])),
        (outcome(("load-error", ["x"])), ("no-verdict", [])),
        (outcome(("judged", []), ("exit", ["x"])), ("no-verdict", [])),
        (outcome(("judged", []), ("timeout", ["x"])), ("time-out", [])),
        (outcome(("load-timeout", ["x"]), ("not-run", ["y"])), ("time-out", [])),
        (outcome(("timeout", ["x"]), ("judged", ["y"])), ("killed", ["y"])),
    ],
)
def test_b1_only_what_the_grader_judged_is_a_kill(given: Outcome, expected: tuple[str, list[str]]) -> None:
    assert mutant_results.classify(given) == expected


def rows(survivors: int = 0, killed: int = 150, **more: Any) -> list[dict[str, Any]]:
    results = [{"class": "killed", "killedBy": ["x"], "safety": []}] * killed
    results += [{"class": "survived", "killedBy": [], "safety": []}] * survivors
    return [{**mutate_graders.row("t", MUTANT, result, Declared({}, [])), **more} for result in results]


def faults(found: list[dict[str, Any]]) -> list[str]:
    return mutate_graders.floor_faults(found, ["t"]) + mutate_graders.total_faults(found)


def test_b1_the_floors_are_green_when_all_is_killed() -> None:
    assert faults(rows()) == []


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (rows(killed=149), "149 graded mutants in all"),
        (rows(killed=14), "t: 14 graded mutants"),
        (rows(survivors=1), "survived"),
        (rows(touchesSafety=True), "no safety assertion"),
        ([*rows(killed=141), *(dict(r, equivalent=True) for r in rows(survivors=9, killed=0))], "declared equivalent"),
    ],
)
def test_b1_each_floor_is_red_below_it(found: list[dict[str, Any]], says: str) -> None:
    assert any(says in fault for fault in faults(found))


def test_b1_compile_errors_missing_verdicts_and_time_outs_count_for_no_floor() -> None:
    apart = [
        {**rows(killed=1)[0], "class": kind, "killedBy": []} for kind in ("compile-error", "no-verdict", "time-out")
    ]
    assert any("0 graded mutants" in fault for fault in faults(apart * 100))


def declared(source: str = MUTANT.source, safety: list[dict[str, str]] | None = None) -> Declared:
    entry = {"name": MUTANT.name, "source": source, "proof": "nothing that the prompt promises changes"}
    return Declared({MUTANT.name: entry}, safety or [])


SURVIVED = {"class": "survived", "killedBy": [], "safety": []}
KILLED = {"class": "killed", "killedBy": ["x"], "safety": []}


def test_b1_a_declared_equivalent_is_no_survivor() -> None:
    found = mutate_graders.row("t", MUTANT, SURVIVED, declared())
    assert not mutate_graders.survives(found)
    assert not any(MUTANT.name in fault for fault in mutate_graders.declaration_faults("t", declared(), [found]))


@pytest.mark.parametrize(
    ("given", "result"), [(declared(), KILLED), (declared(source="sha256:" + "0" * 64), SURVIVED), (declared(), None)]
)
def test_b1_a_declaration_of_a_killed_a_changed_or_an_unknown_mutant_is_stale(
    given: Declared, result: dict[str, Any] | None
) -> None:
    found = [mutate_graders.row("t", MUTANT, result, given)] if result else []
    assert any(MUTANT.name in fault for fault in mutate_graders.declaration_faults("t", given, found))


def test_b1_a_safety_rule_marks_the_mutants_it_names_and_is_stale_without_any() -> None:
    rule = {"operator": "guard-dropped", "before": "signal"}
    given = Declared({}, [rule])
    found = mutate_graders.row("t", MUTANT, KILLED, given)
    assert found["touchesSafety"]
    assert mutate_graders.declaration_faults("t", given, [found]) == []
    assert mutate_graders.declaration_faults("t", given, [])
    assert "no safety rule" in mutate_graders.declaration_faults("t", Declared({}, []), [found])[0]
    other = Declared({}, [{**rule, "operator": "await-dropped"}])
    assert not mutate_graders.row("t", MUTANT, KILLED, other)["touchesSafety"]


@pytest.mark.parametrize("task", suite.load().tasks)
def test_b1_what_was_written_blind_is_left_out_and_three_others_stay(task: str) -> None:
    accepts = {case.name: case for case in cases.cases_of(task) if case.accepts}
    blind = {name for name in accepts if name.startswith("accept-written-alone-")}
    assert len(blind) >= 2
    assert {name for name, case in accepts.items() if not case.mutated} == blind
    left, texts = mutants.right_solutions(task)
    assert {case.name for case in left} == texts.keys() == accepts.keys() - blind
    assert len(left) >= 3


@pytest.mark.parametrize("task", suite.load().tasks)
def test_b1_declarations_are_about_mutants_that_exist(task: str) -> None:
    given = mutants.declared(task)
    sources = {mutant.name: mutant.source for mutant in mutants.make(mutants.right_solutions(task)[1]).mutants}
    assert {name: entry["source"] for name, entry in given.equivalents.items()} == {
        name: sources.get(name) for name in given.equivalents
    }


@pytest.mark.parametrize(
    "text",
    [
        "equivalents: [{name: a, source: b, proof: a long enough sentence}]\n",
        "other: []\n",
        "safety: [{operator: x}]\n",
    ],
)
def test_b1_a_malformed_declaration_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.yaml").write_text(text)
    with pytest.raises(Refusal):
        mutants.declared("t", tmp_path)
    assert schema.faults({"safety": []}, "mutants") == []


@pytest.mark.slow
def test_b1_a_result_is_kept_until_what_it_depends_on_changes(
    prepared: Consumer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutant_results, "KEPT", tmp_path)
    task = suite.load().tasks[0]
    case = mutants.right_solutions(task)[0][0]
    text = next(iter(case.files(suite.load_task(layout.TASKS / task)["allowedOutputPaths"]).values())).read_text()
    broken = Mutant("n", case.name, "solution.ts", "o", 1, "", "", text + "\nconst wrong: string = 1;\n")
    with analyze.Analyser() as analyser:

        def judge(mutant: Mutant) -> dict[str, Any]:
            return mutant_results.judge(analyser, prepared.path, task, case, mutant)

        first = judge(broken)
        assert first == {"class": "compile-error", "killedBy": [], "safety": []}
        monkeypatch.setattr(mutant_results.check_graders, "run_solution", None)  # a second run must not need it
        assert judge(broken) == first
        with pytest.raises(TypeError):
            judge(Mutant("n", case.name, "solution.ts", "o", 1, "", "", text))
        monkeypatch.setattr(mutant_results, "task_inputs", lambda _: "another grader")
        with pytest.raises(TypeError):
            judge(broken)


@pytest.mark.parametrize(
    ("tree", "path", "counts"),
    [
        ("evaluator", "steps/grading/verdict.py", True),
        ("evaluator", "graders/verifier/api.mjs", True),
        ("evaluator", "graders/tasks/{task}.mjs", True),
        ("suite", "tasks/{task}/task.json", True),
        ("suite", "tasks/suite.yaml", True),
        ("evaluator", "graders/tasks/{other}.mjs", False),
        ("suite", "tasks/{other}/prompt.md", False),
    ],
)
def test_b1_the_key_of_a_result_is_made_from_all_that_judges_and_no_other_task(
    tree: str, path: str, counts: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    task, other = suite.load().tasks[:2]
    path = path.format(task=task, other=other)
    monkeypatch.setattr(layout, "CONSUMER_LOCK", tmp_path / "lock")
    (tmp_path / "lock").write_text("{}")
    key = mutant_results.task_inputs.__wrapped__
    before, real = key(task), getattr(inputs, f"{tree}_tree")()
    assert path in real["files"]
    edited = {**real, "files": {**real["files"], path: ["file", "sha256:another"]}}
    monkeypatch.setattr(inputs, f"{tree}_tree", lambda: edited)
    assert (key(task) != before) == counts


def test_b1_the_key_of_a_result_holds_the_modules_that_judge_mutants(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    judging = {Path(module.__file__) for module in (mutant_results, mutants, cases, check_graders)}
    assert judging <= set(mutant_results.authoring_steps())
    monkeypatch.setattr(layout, "CONSUMER_LOCK", tmp_path / "lock")
    (tmp_path / "lock").write_text("{}")
    key, task = mutant_results.task_inputs.__wrapped__, suite.load().tasks[0]
    before = key(task)
    kept = [path for path in mutant_results.authoring_steps() if path.name != "check_graders.py"]
    monkeypatch.setattr(mutant_results, "authoring_steps", lambda: kept)
    assert key(task) != before

"""R-A5, R-B4: which stored results an edit reaches."""

from __future__ import annotations

import pytest

from steps import inputs, suite
from steps.reporting import effects

SCHEDULE = suite.load().schedule
ALL = [f"{task}-{n}" for task, n in SCHEDULE]


@pytest.mark.parametrize(
    ("path", "preview", "runs"),
    [
        ("tasks/storage-hash/prompt.md", effects.ONLY_A_BATCH, 3),
        ("tasks/storage-hash/grade.mjs", effects.NO_SCORE, 0),
        ("tasks/storage-hash/contract.d.ts", "analyses and verdicts", 3),
        ("tasks/storage-hash/task.json", "analyses and verdicts", 3),
        ("tasks/error-recovery/starter/solution.ts", "analyses", 3),
        ("tasks/suite.yaml", "analyses and verdicts", 18),
        ("tasks/consumer-lock.json", effects.ONLY_A_BATCH, 18),
        ("graders/tasks/storage-hash.mjs", "verdicts", 3),
        ("graders/tasks/storage-hash/values.mjs", "verdicts", 3),
        ("graders/verifier/session.mjs", "verdicts", 18),
        ("graders/child/bootstrap.mjs", "verdicts", 18),
        ("graders/analyser/main.mjs", "analyses and verdicts", 18),
        ("graders/package-lock.json", "analyses and verdicts", 18),
        ("schemas/run.schema.json", "analyses and verdicts", 18),
        ("steps/grading/grade.py", "analyses and verdicts", 18),
    ],
)
def test_b4_an_edit_reaches_exactly_what_depends_on_it(path: str, preview: str, runs: int) -> None:
    assert effects.of(path).preview == preview
    assert len(effects.runs_reached([path], SCHEDULE)) == runs


def test_a5_a_wrapper_and_a_real_edit_together_reach_the_real_ones_runs() -> None:
    reached = effects.runs_reached(["tasks/react-form/grade.mjs", "graders/tasks/storage-hash.mjs"], SCHEDULE)
    assert reached == ["storage-hash-1", "storage-hash-2", "storage-hash-3"]


def test_every_file_of_suite_and_evaluator_reaches_a_task_of_the_suite_or_all() -> None:
    paths = [path for tree in ("suite", "evaluator") for path in inputs.trees()[tree]["files"]]
    assert paths
    assert {effects.of(path).task for path in paths} <= {*suite.load().tasks, "*"}
    assert effects.runs_reached(paths, SCHEDULE) == ALL

"""What became of one mutant, kept by everything that the answer depends on: a second run does only what changed.

A result is a convenience of whoever writes graders, and no evidence.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from steps import digest, documents, inputs, layout, suite
from steps.analysis.analyze import Analyser
from steps.authoring import check_graders
from steps.authoring.cases import Case
from steps.authoring.mutants import Mutant, planted

KEPT = layout.STATE / "mutants"
# Ways to end in which the grader looked at behaviour: it judged, or a precondition that it waits for did not come.
LOOKED = ("judged", "stopped")


def classify(outcome: check_graders.Outcome) -> tuple[str, list[str]]:
    """The class of a mutant and the ids that killed it.

    Killed is only what the grader saw: an id that is false in a scenario that was judged. Static findings, a solution
    that does not load or leaves no verdict, and a deadline are classes of their own and never kills.
    """
    if outcome.static:
        return "compile-error", []
    if outcome.broken:
        return "no-verdict", []
    killers = {name for entry in outcome.scenarios if entry["outcome"] in LOOKED for name in entry["failed"]}
    if killers:
        return "killed", sorted(killers)
    ends = {entry["outcome"] for entry in outcome.scenarios} - {"judged", "not-run"}
    if ends & {"timeout", "load-timeout"}:
        return "time-out", []
    return ("no-verdict" if ends else "survived"), []


def authoring_steps() -> list[Path]:
    return sorted(Path(__file__).parent.glob("*.py"))


@cache
def task_inputs(task_id: str) -> str:
    """Digest of all that a result depends on besides the mutant itself.

    Files of other tasks are left out. Of the steps it holds the evaluator and this folder whole: more than judges a
    mutant, and nothing to keep up by hand.
    """
    trees = {**inputs.suite_tree()["files"], **inputs.evaluator_tree()["files"]}
    others = tuple(f"{folder}/{other}" for folder in ("tasks", "graders/tasks") for other in suite.load().tasks)
    own = (f"tasks/{task_id}/", f"graders/tasks/{task_id}.mjs", f"graders/tasks/{task_id}/")
    files = {path: state for path, state in trees.items() if path.startswith(own) or not path.startswith(others)}
    steps = digest.of_tree(layout.ROOT, authoring_steps())
    return digest.of_json([files, steps, inputs.toolchain(), digest.of_file(layout.CONSUMER_LOCK)])


def judge(analyser: Analyser, consumer: Path, task_id: str, case: Case, mutant: Mutant) -> dict[str, Any]:
    """`{class, killedBy, safety}` of a mutant, from an earlier run when nothing changed since."""
    folder = layout.TASKS / task_id
    task = suite.load_task(folder)
    with planted(case, task["allowedOutputPaths"], mutant) as solution:
        files = digest.of_tree(solution)
        seed = digest.seed("mutate_graders", task_id, files)
        kept = KEPT / f"{digest.of_json([task_inputs(task_id), files, seed]).removeprefix('sha256:')}.json"
        if kept.is_file():
            return documents.read(kept)
        outcome = check_graders.run_solution(analyser, consumer, folder, solution, seed)
    kind, killers = classify(outcome)
    safety = sorted(set(killers) & set(task["safetyAssertionIds"]))
    documents.write_atomic(kept, {"class": kind, "killedBy": killers, "safety": safety})
    return documents.read(kept)

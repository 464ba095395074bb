"""Which stored results an edit of a file reaches, and what can still be said without a model (R-A5, R-B4).

A solution depends on prompt, contract, starter, candidate, runner and model. A verdict depends on solution, task.json,
contract, grader, candidate, verifier and seed. The first rule that matches a path decides.
"""

from __future__ import annotations

import re
from typing import NamedTuple

ONLY_A_BATCH = "only a new batch can tell"
NO_SCORE = "no score would change"


class Effect(NamedTuple):
    """What a changed file reaches. `task` is a task id, "*" for all, "" for none; `preview` says what regrade shows."""

    reaches: str
    task: str
    preview: str


_RULES: tuple[tuple[str, str, str], ...] = (
    (r"tasks/(?P<task>[^/]+)/prompt\.md", "what the agent was told", ONLY_A_BATCH),
    (r"tasks/(?P<task>[^/]+)/grade\.mjs", "nothing that is scored: the shared grader decides", NO_SCORE),
    (r"tasks/(?P<task>[^/]+)/starter/.*", "what the agent started from, and the planted references", "analyses"),
    (
        r"tasks/(?P<task>[^/]+)/(task\.json|contract\.d\.ts)",
        "what the agent was told, analyses and verdicts",
        "analyses and verdicts",
    ),
    (r"tasks/suite\.yaml", "schedule, limits and thresholds", "analyses and verdicts"),
    (r"tasks/consumer-lock\.json", "what the candidate is installed with", ONLY_A_BATCH),
    (r"graders/tasks/(?P<task>[^/.]+)(\.mjs|/.*)", "verdicts", "verdicts"),
    (r"graders/analyser/.*|graders/package.*\.json", "analyses and the emitted JavaScript", "analyses and verdicts"),
    (r"graders/.*", "verdicts", "verdicts"),
    (r"schemas/.*|steps/.*", "how evidence is made and judged", "analyses and verdicts"),
)


def of(path: str) -> Effect:
    """The effect of an edit of `path`, a path of the suite or evaluator tree."""
    for pattern, reaches, preview in _RULES:
        if found := re.fullmatch(pattern, path):
            return Effect(reaches, found.groupdict().get("task") or "*", preview)
    return Effect("how evidence is made and judged", "*", "analyses and verdicts")


def runs_reached(changed: list[str], schedule: list[tuple[str, int]]) -> list[str]:
    """`<task>-<n>` of the runs whose solution, analysis or verdict depends on one of the changed files."""
    tasks = {effect.task for effect in map(of, changed) if effect.preview != NO_SCORE}
    return [f"{task}-{n}" for task, n in schedule if task in tasks or "*" in tasks]

"""What dodo.py needs to know to draw the graph: which files feed which task. Cheap: it runs at each call of doit."""

from __future__ import annotations

from pathlib import Path

from steps import layout
from steps.inputs import EVALUATOR_STEPS
from steps.suite import read_yaml

_SUITE = read_yaml(layout.SUITE)
TASKS: list[str] = _SUITE["tasks"]
SCHEDULE = [(task, n) for task in TASKS for n in range(1, _SUITE["repetitions"] + 1)]

# What checks and judges, besides the evaluator itself. An edit of explain, report or progress makes nothing stale.
CHECKS = (
    *(f"authoring/{name}" for name in ("__init__", "cases", "check_graders", "check_suite", "leaks")),
    "cli",
    "graph",
)
JUDGING = sorted(str(layout.ROOT / "steps" / f"{name}.py") for name in {*EVALUATOR_STEPS, *CHECKS})

# What the candidate is installed with, and what it must offer.
FITTED = [
    str(path)
    for path in (layout.SUITE, layout.TASKS / "consumer-lock.json", *(layout.TASKS / t / "task.json" for t in TASKS))
]


def grader_files(task: str) -> list[str]:
    """Files that decide whether a task's cases still pass: its own, the shared graders, the analyser, the schemas."""
    own = [layout.GRADERS / "tasks" / f"{task}.mjs"]
    shared = [
        path
        for path in layout.files_under(layout.GRADERS)
        if not Path(path).is_relative_to(layout.GRADERS / "tasks")
        or Path(path).is_relative_to(layout.GRADERS / "tasks" / task)
    ]
    folders = [layout.TASKS / task, layout.FIXTURES / "solutions" / task, layout.SCHEMAS]
    return sorted({*shared, *map(str, own), str(layout.SUITE), *layout.files_under(*folders)})


def candidate_files() -> list[str]:
    """Source files of the candidate, or its archives."""
    names = [Path(name) for name in layout.CANDIDATE.split(",")]
    return [str(name) for name in names if name.is_file()] + layout.files_under(*(n for n in names if n.is_dir()))


def frozen() -> dict[str, str]:
    """Environment under which a run executes the code that was frozen when its batch opened, not today's."""
    return {
        "PYTHONPATH": str(layout.CURRENT / "inputs"),
        "PYTHONDONTWRITEBYTECODE": "1",  # the frozen copy holds what batch.json records and nothing else
        "APPKIT_EVAL_STATE": str(layout.STATE),
    }

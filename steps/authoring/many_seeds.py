"""Grades every right solution of a task under many seeds: none may be rejected by the luck of its inputs (R-B1).

Analysis does not depend on the seed, so each solution is analysed once. Seeds are numbered, so a flake can be repeated.
"""

from __future__ import annotations

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steps import digest, layout, suite
from steps.analysis import analyze
from steps.authoring.cases import Case, cases_of
from steps.authoring.check_graders import failed_ids, staged
from steps.errors import AttemptFailed, UsageError
from steps.grading import grade

WORKERS = (os.cpu_count() or 1) + 1  # half of a grading is waiting


@dataclass(frozen=True)
class Flake:
    """A right solution that one seed rejects."""

    case: str
    number: int
    seed: int
    failed: tuple[str, ...]
    broken: str | None


def seed_of(task_id: str, case: Case, number: int) -> int:
    return digest.seed("many_seeds", task_id, case.name, str(number))


def check(task_id: str, consumer: Path, seeds: int) -> tuple[list[Flake], int]:
    """Flakes of a task's accept cases under `seeds` seeds each, and how many gradings were made."""
    if seeds < 1:
        raise UsageError(f"{seeds} seeds", where="--seeds", expected="one or more")
    folder = layout.TASKS / task_id
    allowed = suite.load_task(folder)["allowedOutputPaths"]
    flakes: list[Flake] = []
    made = 0
    with analyze.Analyser() as analyser, ThreadPoolExecutor(WORKERS) as pool:
        for case in (case for case in cases_of(task_id) if case.accepts):
            with tempfile.TemporaryDirectory(prefix="emitted-") as emitted, staged(case.files(allowed)) as solution:
                analyser.analyse(consumer, folder, solution, Path(emitted))

                def one(number: int, case: Case = case, scripts: Path = Path(emitted)) -> Flake | None:
                    return _flake(consumer, folder, case, scripts, number)

                found = [flake for flake in pool.map(one, range(1, seeds + 1)) if flake]
            made += seeds
            flakes += found
            sys.stderr.write(f"  {task_id}/{case.name}: {seeds} seeds, {len(found)} flakes\n")
    return flakes, made


def _flake(consumer: Path, folder: Path, case: Case, scripts: Path, number: int) -> Flake | None:
    seed = seed_of(folder.name, case, number)
    try:
        failed, broken = failed_ids(grade.grade(consumer, folder, scripts, seed)), None
    except AttemptFailed as failure:
        failed, broken = frozenset(), failure.category
    if not failed and broken is None:
        return None
    flake = Flake(case.name, number, seed, tuple(sorted(failed)), broken)
    sys.stderr.write(f"  flake: {case.name}, seed {number} ({seed}): {', '.join(flake.failed) or broken}\n")
    return flake


def answer(task_id: str, seeds: int, flakes: list[Flake], made: int) -> dict[str, Any]:
    return {
        "task": task_id,
        "seeds": seeds,
        "gradings": made,
        "flakes": [
            {"case": f.case, "number": f.number, "seed": f.seed, "failed": list(f.failed), "broken": f.broken}
            for f in flakes
        ],
    }

"""The small tasks that the verifier's own tests use, and how a solution meets them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from steps import suite
from steps.grading import grade
from steps.grading.launch import Launcher

HERE = Path(__file__).parent
TOYS = HERE / "toys"
HOSTILE = HERE / "hostile"


def submission(folder: Path, source: Path) -> Path:
    """A solution folder: `source` as solution.js, and the modules that hostile samples share beside it."""
    folder.mkdir()
    shutil.copy(source, folder / "solution.js")
    shutil.copy(TOYS / "approval" / "good" / "solution.js", folder / "honest.js")
    for part in sorted((HERE / "parts").iterdir()):
        shutil.copy(part, folder)
    return folder


def empty_consumer(folder: Path) -> Path:
    """A consumer without packages: the samples import none."""
    (folder / "node_modules").mkdir(parents=True)
    return folder


def graded(
    consumer: Path, solution: Path, *, toy: str = "approval", seed: int = 7, launcher: Launcher | None = None
) -> dict[str, Any]:
    """The verdict on a solution of a toy task."""
    return grade.grade(consumer, TOYS / toy, solution, seed, grader=TOYS / toy / "grader.mjs", launcher=launcher)


def toy_task(toy: str = "approval") -> dict[str, Any]:
    """task.json of a toy."""
    return suite.load_task(TOYS / toy)

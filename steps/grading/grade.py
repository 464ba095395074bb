"""Grades one solution's behaviour: emit, launch the trusted parent, accept its verdict (rows R-A5, R-B1, R-K3).

python -m steps.grading.grade --task DIR --consumer DIR --solution DIR --seed N [--trace]
python -m steps.grading.grade --describe DIR
"""

from __future__ import annotations

import argparse
import secrets
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steps import documents, node, scratch, suite
from steps.errors import AttemptFailed, Refusal, StepError
from steps.grading.launch import Launcher, LocalLauncher, Work
from steps.grading.verdict import accept_verdict
from steps.layout import GRADERS

if TYPE_CHECKING:
    from steps.analysis import analyser

DESCRIBE = GRADERS / "verifier" / "describe.mjs"
MAX_SEED = 2**53  # a seed must be exact in JavaScript too
SCRIPTS = {".js", ".mjs"}


def grader_file(task_id: str) -> Path:
    """The shared grader of a task, chosen by its id: a task folder's own grade.mjs changes no score (R-A5)."""
    return GRADERS / "tasks" / f"{task_id}.mjs"


def describe(task_dir: Path, *, grader: Path | None = None) -> dict[str, Any]:
    """`{assertionIds, safetyAssertionIds, texts, scenarios}` of a task's grader; Refusal when it is not sound."""
    file = grader or grader_file(suite.load_task(task_dir)["id"])
    if not file.is_file():
        raise Refusal("the task has no grader", where=str(file), expected="a module that exports `grader`")
    done = node.run([str(node.binary()), str(DESCRIBE), str(file)], timeout=30, check=False)
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise Refusal(
            "the grader cannot be used", where=str(file), expected=lines[-1][:500] if lines else "a sound one"
        )
    return documents.parse_strict(done.stdout, where=str(file))


def texts(task_dir: Path) -> dict[str, str]:
    """Assertion id to the one fixed sentence that feedback may show (security row 39)."""
    return describe(task_dir)["texts"]


def grade(
    consumer: Path,
    task_dir: Path,
    solution: Path,
    seed: int,
    *,
    launcher: Launcher | None = None,
    analyser: analyser.Launcher | None = None,
    grader: Path | None = None,
    trace: bool = False,
) -> dict[str, Any]:
    """The verdict on one solution folder; a function of solution, task, grader, candidate and seed.

    Raises AttemptFailed("verifier-no-verdict") when the submission left no acceptable verdict, and Infrastructure when
    the verifier failed before any submitted byte was loaded.
    """
    if not 0 <= seed < MAX_SEED:
        raise Refusal(f"the seed {seed} is out of range", where="--seed", expected=f"0 to {MAX_SEED - 1}")
    task = suite.load_task(task_dir)
    nonce = secrets.token_hex(16)
    order = {"nonce": nonce, "taskId": task["id"], "seed": seed}
    with scratch.folder("emit") as folder:
        emitted = folder / "js"
        emit(consumer, task_dir, solution, emitted, analyser)
        work = Work(emitted, consumer, grader or grader_file(task["id"]), trace)
        launched = (launcher or LocalLauncher()).launch(work, order)
    return accept_verdict(launched, nonce=nonce, seed=seed, task=task)


def emit(consumer: Path, task_dir: Path, solution: Path, out: Path, analyser: analyser.Launcher | None = None) -> None:
    """JavaScript of the solution in `out`, same relative paths.

    A folder of scripts is what `analyze(..., emit_dir=)` has left and is taken as it is: whoever has analysed a
    solution need not pay for it twice. No agent can submit one, since allowedOutputPaths are TypeScript.
    """
    out.mkdir(parents=True)
    files = [path for path in solution.rglob("*") if path.is_file()]
    if files and all(path.suffix in SCRIPTS for path in files):
        shutil.copytree(solution, out, dirs_exist_ok=True)
        return
    # Late: scripts need no compiler. A file with syntax errors has no JavaScript: its verdict is `load-error`.
    from steps.analysis import analyze

    analyze.analyze(consumer, task_dir, solution, emit_dir=out, launcher=analyser)


def main(argv: list[str] | None = None) -> int:
    """The author's command: the verdict on stdout, the parent's event trace on stderr with --trace."""
    parser = argparse.ArgumentParser(prog="python -m steps.grading.grade")
    parser.add_argument("--describe", type=Path)
    parser.add_argument("--grader", type=Path, help="a grader file that is not in graders/tasks")
    for name in ("--consumer", "--task", "--solution"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trace", action="store_true")
    options = parser.parse_args(argv)
    if options.describe:
        result = describe(options.describe, grader=options.grader)
    elif options.consumer and options.task and options.solution:
        result = grade(
            options.consumer, options.task, options.solution, options.seed, grader=options.grader, trace=options.trace
        )
    else:
        parser.error("--describe, or --consumer, --task and --solution")
    sys.stdout.write(documents.pretty(result).decode())
    return 0 if all(result.get("assertions", {"": True}).values()) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (StepError, AttemptFailed) as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(getattr(error, "exit_code", 1))

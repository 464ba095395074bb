"""`doit canary --task=ID`: one real run, to see that everything works before 18 of them are paid for. Never evidence.

Its folder lies outside the batches and gets no receipt, so `doit qualify` refuses it and no report counts it.
"""

from __future__ import annotations

import fcntl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from steps import errors, layout, scratch, suite
from steps.clock import Clock
from steps.errors import Refusal, UsageError, printable
from steps.running import batch, journal, live, opening, run

HOME = live.CANARIES


def start(task: str, runner_config: str) -> tuple[dict[str, Any], int]:
    """Run the task once; what came of it, and the exit code: 0 passed, 1 it did not."""
    known = suite.load().tasks
    if task not in known:
        raise UsageError(f"no task {task!r}", where="--task", expected=f"one of {', '.join(known)}")
    with _alone():
        folder, done = _one(task, runner_config)
    last = done["attempts"][-1] if done["attempts"] else {}
    for attempt in done["attempts"]:
        for entry in attempt["diagnostics"][:10]:
            text = f"attempt {attempt['attempt']}: {entry['file']}:{entry['line']} {entry['message']}"
            sys.stderr.write(f"  {printable(text)}\n")
    sys.stderr.write("a canary is no evidence: it is never counted and never qualifies\n")
    answer = {
        "canary": str(folder),
        "passed": bool(last.get("passed")),
        "attempts": len(done["attempts"]),
        "failureCategory": done["failureCategory"],
        "detail": last.get("detail") or done["infrastructure"]["detail"],
        "observed": done["observed"],
    }
    return answer, errors.DONE if answer["passed"] else errors.JUDGED_NO


def _one(task: str, runner_config: str) -> tuple[Path, dict[str, Any]]:
    clock = Clock()
    name = batch.new_id(clock)
    folder = HOME / name
    folder.mkdir(parents=True)
    try:
        plan = opening.build(runner_config, name, folder, Path.cwd(), clock, schedule=[(task, 1)])
    except errors.StepError:
        scratch.remove(folder)  # nothing has started in it
        raise
    batch.sweep_leftovers(plan)
    try:
        return folder, run.run_slot(journal.slot(plan, folder, task, 1), folder, Path.cwd(), clock)
    finally:
        batch.end(plan)


@contextmanager
def _alone() -> Iterator[None]:
    """The lock of `doit batch`: the leftovers that are swept are nobody's then."""
    layout.EVIDENCE.mkdir(parents=True, exist_ok=True)
    with layout.LOCK.open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Refusal("a batch or a canary is running", where=str(layout.LOCK), next="wait for its end") from error
        yield

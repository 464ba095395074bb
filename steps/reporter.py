"""What people and programs see of a doit call: progress on stderr, exactly one JSON line on stdout."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import time
import uuid
from typing import IO, Any, NoReturn

from doit.exceptions import BaseFail, UnmetDependency

from steps import errors, layout
from steps.doitkit import Step
from steps.interrupts import terminate_as_interrupt


class EvalReporter:
    """Lines for people on stderr; on stdout the summary of the selected task."""

    desc = "progress on stderr, one JSON line on stdout"

    def __init__(self, outstream: IO[str], options: dict) -> None:  # noqa: ARG002 - doit's signature
        self.started = time.monotonic()
        self.summary: Any = None
        self.failed: list[tuple[str, str]] = []
        self.not_started = self.up_to_date = self.runs_done = 0
        self.batch_selected = self.opened = False
        self.lock: IO[str] | None = None

    def say(self, text: str) -> None:
        sys.stderr.write(text + "\n")

    def initialize(self, tasks: dict, selected: list[str]) -> None:
        terminate_as_interrupt()
        os.environ["APPKIT_EVAL_SELECTED"] = json.dumps(list(selected))
        os.environ["APPKIT_EVAL_SEGMENT"] = str(uuid.uuid4())  # this call, in whatever its steps record
        self.runs = sum(1 for name in tasks if name.startswith("batch:run-"))
        self.batch_selected = "batch" in selected
        if self.batch_selected and not self._take_lock():
            self._leave_not_run("another `doit batch` is running in this checkout; wait for it to end")
            raise SystemExit(errors.MACHINERY)
        if self.batch_selected:
            self._check_call(tasks["batch:open"].actions[0])

    def _check_call(self, opening: Step) -> None:
        """A batch that could never open is refused now, not after its prerequisites were built."""
        command = ["batch-check" if word == "batch-open" else word for word in opening.action]
        done = subprocess.run(command, cwd=layout.ROOT, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode:
            sys.stdout.write(done.stdout)
            sys.stdout.flush()
            raise SystemExit(done.returncode)

    def _take_lock(self) -> bool:
        """One batch per checkout. The kernel frees the lock on any death of this process."""
        layout.EVIDENCE.mkdir(parents=True, exist_ok=True)
        self.lock = open(layout.LOCK, "a+")  # noqa: SIM115 - held until this process ends
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def get_status(self, task: Any) -> None: ...

    def execute_task(self, task: Any) -> None:
        if task.actions:
            self.say(f"· {task.name}")

    def add_success(self, task: Any) -> None:
        self.opened = self.opened or task.name == "batch:open"
        self._end(task, "✔")

    def skip_uptodate(self, task: Any) -> None:
        if task.actions:
            self.up_to_date += 1

    def skip_ignore(self, task: Any) -> None:
        self.failed.append((task.name, "ignored by `doit ignore`; run `doit forget` for it"))
        self.say(f"! {task.name} is ignored")

    def add_failure(self, task: Any, fail: BaseFail) -> None:
        if isinstance(fail, UnmetDependency):
            self.not_started += 1
            return
        for action in task.actions:  # a "no" has a summary, too
            task.values.update(getattr(action, "values", None) or {})
        message = (fail.get_msg().strip().splitlines() or ["failed"])[-1]
        self.failed.append((task.name, message))
        self._end(task, "✘")

    def _end(self, task: Any, mark: str) -> None:
        if not task.actions:
            return
        count = ""
        if task.name.startswith("batch:run-"):
            self.runs_done += 1
            count = f" [{self.runs_done}/{self.runs}]"
        summary = task.values.get("summary") if isinstance(task.values, dict) else None
        if isinstance(summary, dict):
            line = summary.get("line")
            self.say(f"{mark} {task.name}{count}" + (f"  {line}" if line else ""))
            self.summary = summary if "line" not in summary else self.summary
        else:
            self.say(f"{mark} {task.name}{count}")

    def cleanup_error(self, error: Any) -> None:
        self.say(error.get_msg())

    def runtime_error(self, message: str) -> None:
        self.failed.append(("doit", message))
        self.say(f"error: {message}")

    def teardown_task(self, task: Any) -> None: ...

    def complete_run(self) -> None:
        cause = sys.exc_info()[0]
        if cause is KeyboardInterrupt:
            self._interrupted()
        if cause is SystemExit:
            return
        if self.not_started:
            self.say(f"  {self.not_started} not started, because something they need failed")
        if self.batch_selected and self.summary is None:
            self._leave_not_run("; ".join(f"{name}: {why}" for name, why in self.failed) or "nothing was run")
            raise SystemExit(errors.MACHINERY)
        if self.summary is not None:
            sys.stdout.write(json.dumps(self.summary, ensure_ascii=False) + "\n")
            sys.stdout.flush()
        elif self.up_to_date and not self.failed:
            self.say(f"{self.up_to_date} up to date ({time.monotonic() - self.started:.2f} s)")

    def _interrupted(self) -> NoReturn:
        """End what runs and leave at once: doit's worker threads would otherwise start the next task."""
        Step.end_all()
        if self.batch_selected:  # a step that had to be killed could not remove its containers
            command = [sys.executable, "-P", "-m", "steps.cli", "batch-sweep"]
            subprocess.run(command, cwd=layout.ROOT, check=False)
        self.say("interrupted; finished work is kept")
        if self.opened:
            self.say("`doit batch --resume` runs what has not started; what had started counts as interrupted")
        elif self.batch_selected:
            self._leave_not_run("interrupted before the batch opened")
        sys.stderr.flush()
        os._exit(errors.INTERRUPTED)

    def _leave_not_run(self, reason: str) -> None:
        """Every call of `doit batch` leaves a receipt, failed prerequisites included (R-E5)."""
        command = [sys.executable, "-m", "steps.cli", "batch-not-run", "--reason", reason[:2000]]
        done = subprocess.run(command, cwd=layout.ROOT, stdout=subprocess.PIPE, text=True, check=False)
        sys.stdout.write(done.stdout or json.dumps({"status": "not-run", "receipt": None, "reason": reason}) + "\n")
        sys.stdout.flush()


class JsonlReporter(EvalReporter):
    """The same, and one JSON event per line on stderr for programs that watch."""

    desc = "one JSON event per line on stderr, one JSON line on stdout"

    def say(self, text: str) -> None:
        sys.stderr.write(json.dumps({"seconds": round(time.monotonic() - self.started, 3), "event": text}) + "\n")

"""One attempt: request -> runner -> response -> collect -> analyse -> grade -> record.

Whatever an agent does ends here as data (R-E4). Only our own machinery raises: Infrastructure, or an error of the disk.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steps import documents, layout, records, scratch
from steps.analysis import analyze
from steps.errors import AttemptFailed, printable
from steps.grading import grade
from steps.grading.judges import Judges
from steps.packing.consumer import Consumer
from steps.running import credentials, journal, protocol
from steps.running.collect import Collected
from steps.running.config import Config
from steps.running.journal import Slot
from steps.running.protocol import Response
from steps.running.runner import Ended, Launcher, Space
from steps.suite import Suite

EXTRA_NAMES = 20
NO_EXTRA = {"count": 0, "names": []}


@dataclass(frozen=True)
class Bench:
    """Everything that the attempts of one run share."""

    slot: Slot
    suite: Suite
    task: dict[str, Any]
    config: Config
    consumer: Consumer
    launcher: Launcher
    credentials: Mapping[str, str]
    judges: Callable[[int, str], Judges]  # of an attempt: local, or containers with its labels in this empty network

    @property
    def task_dir(self) -> Path:
        """tasks/<id>."""
        return self.suite.task_dir(self.slot.task)

    def starter(self) -> dict[str, bytes]:
        """What the first attempt finds in its output folder (R-A8)."""
        folder = self.task_dir / "starter"
        return {
            Path(name).relative_to(folder).as_posix(): Path(name).read_bytes() for name in layout.files_under(folder)
        }


@dataclass(frozen=True)
class Budget:
    """How long a submission may take, and what it means when it takes longer."""

    milliseconds: int
    exceeded: str


@dataclass(frozen=True)
class Outcome:
    """An attempt's record, what it submitted, and who answered."""

    record: dict[str, Any]
    files: dict[str, bytes] | None
    observed: dict[str, Any]


class _Submission:
    """What is known of a submission so far: filled in step by step, complete or not when an attempt fails."""

    def __init__(self, number: int, ended: Ended, protected: dict[str, str]) -> None:
        self.claimed: dict[str, Any] = {
            "attempt": number,
            "elapsedMs": ended.elapsed_ms,
            "usage": None,
            "endedBy": None,
            "detail": "",
            "extraFiles": NO_EXTRA,
            "protected": protected,
        }
        self.observed = journal.NOBODY
        self.files: dict[str, bytes] | None = None
        self.analysis: dict[str, Any] | None = None
        self.verdict: dict[str, Any] | None = None


def attempt(bench: Bench, number: int, start: dict[str, bytes], feedback: str | None, budget: Budget) -> Outcome:
    """Run attempt `number`; `start` is what its output folder holds at first, `feedback` what it may know."""
    limits = bench.suite.limits
    with bench.launcher.space(bench.consumer, bench.task_dir, start, number) as space:
        asked = protocol.request(
            run=protocol.run_id(bench.slot.batch["batchId"], bench.slot.task, bench.slot.repetition),
            task=bench.task,
            text=documents.read_bytes(bench.task_dir / "prompt.md").decode(),
            consumer_dir=space.consumer_dir,
            output_dir=space.output_dir,
            attempt=number,
            time_budget_ms=budget.milliseconds,
            feedback=feedback,
        )
        ended = space.run(
            documents.canonical(asked) + b"\n",
            seconds=budget.milliseconds / 1000,
            max_stdout=limits["responseBytes"],
        )
        done = _Submission(number, ended, {"before": space.seal.before, "after": space.seal.after()})
        try:
            _submit(bench, done, asked, ended, budget, space)
            _judge(bench, done, number, space)
        except AttemptFailed as failure:
            done.claimed |= {"endedBy": failure.category, "detail": failure.detail[:2000]}
            _show(bench, ended)
    return Outcome(_record(bench, done), done.files, done.observed)


def _submit(bench: Bench, done: _Submission, asked: dict[str, Any], ended: Ended, budget: Budget, space: Space) -> None:
    """Response, protected inputs and collection. Fills `done`; raises AttemptFailed."""
    _no_credentials(bench, [ended.stdout], "the response")
    runner, model = protocol.claimed_identity(ended.stdout, bench.suite.limits["responseBytes"])
    if runner is not None:
        done.observed = {"runner": runner, "model": model, "identity": "claimed"}
    response = _response(bench, asked, ended, budget)
    done.claimed["usage"] = response.usage
    if done.claimed["protected"]["before"] != done.claimed["protected"]["after"]:
        raise AttemptFailed("protected-changed", "a file that the agent may only read was changed")
    collected = space.collect(bench.task["allowedOutputPaths"], bench.suite.limits)
    names = [name.encode("utf-8", "surrogateescape") for name in collected.extra]
    _no_credentials(bench, [*collected.files.values(), *names], "the submission")
    done.claimed["extraFiles"] = _extra(collected)
    done.files = collected.files


def _response(bench: Bench, asked: dict[str, Any], ended: Ended, budget: Budget) -> Response:
    limit = bench.suite.limits["responseBytes"]
    if ended.stopped == "time":
        raise AttemptFailed(budget.exceeded, f"no response within {budget.milliseconds} ms")
    if ended.stopped == "lost":
        raise AttemptFailed("runner-failed", "its container or the Docker engine went away while it ran")
    try:
        response = protocol.parse_response(ended.stdout, asked, bench.config, max_bytes=limit)
    except AttemptFailed as failure:
        if failure.category == "invalid-response" and ended.exit_code:
            raise AttemptFailed("runner-failed", f"no response, exit code {ended.exit_code}") from failure
        raise
    if ended.exit_code:
        raise AttemptFailed("runner-failed", f"exit code {ended.exit_code} in spite of a response")
    return response


def _judge(bench: Bench, done: _Submission, number: int, space: Space) -> None:
    """Store, analyse and grade what was collected. Fills `done`; raises AttemptFailed."""
    folder = layout.attempt_dir(bench.slot.folder, number)
    solution = folder / "solution"
    for path, data in (done.files or {}).items():
        documents.write_atomic(solution / path, data)
    seed = records.seed_of(*_identity(bench), number, records.solution_digest(done.files or {}))
    with scratch.folder("emitted") as emitted:
        judge = bench.judges(number, space.quiet)
        done.analysis = analyze.analyze(bench.consumer.path, bench.task_dir, solution, emitted, judge.analyser)
        documents.write_once(folder / "analysis.json", done.analysis)
        # What the analysis emitted is graded: the compiler runs once.
        done.verdict = grade.grade(
            bench.consumer.path, bench.task_dir, emitted, seed, launcher=judge.verifier, analyser=judge.analyser
        )


def _show(bench: Bench, ended: Ended) -> None:
    """The last words of a runner that failed, for whoever watches. Never stored (R-F4)."""
    words = ended.stderr_tail.strip()
    if words and credentials.leaked(bench.credentials, [words.encode()]) is None:
        print(f"{bench.slot.folder.name}: the runner said: {printable(words[-500:])}", file=sys.stderr)


def _record(bench: Bench, done: _Submission) -> dict[str, Any]:
    # Asking the grader for its sentences costs a process; only assertions that did not hold need them.
    wanted = done.verdict is not None and not all(done.verdict["assertions"].values())
    return records.attempt_record(
        done.claimed,
        _identity(bench),
        done.files,
        done.analysis,
        done.verdict,
        suite=bench.suite,
        texts=grade.texts(bench.task_dir) if wanted else {},
    )


def _identity(bench: Bench) -> tuple[str, str, int]:
    return bench.slot.batch["batchId"], bench.slot.task, bench.slot.repetition


def _no_credentials(bench: Bench, texts: list[bytes], what: str) -> None:
    """A hit fails the attempt, and no copy is stored (security row 41)."""
    if (name := credentials.leaked(bench.credentials, texts)) is not None:
        raise AttemptFailed("collection", f"{what} contains the value of {name}")


def _extra(collected: Collected) -> dict[str, Any]:
    names = [printable(name)[:1000] for name in collected.extra[:EXTRA_NAMES]]
    return {"count": len(collected.extra), "names": names}

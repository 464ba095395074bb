"""One scheduled run: started.json -> attempt 1 -> [feedback -> attempt 2] -> run.json.

A failed run is data and ends well; only broken machinery raises. Nothing that has started is ever started again (R-E4).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from steps import clock as clocks
from steps import digest, inputs, interrupts, layout, records, schema, suite
from steps.clock import Clock
from steps.errors import Infrastructure, Refusal, StepError
from steps.grading import judges
from steps.grading.judges import Judges
from steps.packing import consumer
from steps.running import config, credentials, journal, runner
from steps.running.attempt import Bench, Budget, Outcome, attempt
from steps.running.config import Config
from steps.running.journal import Claim, Slot


def run(task: str, repetition: int) -> str:
    """The run of the current batch, executed at most once. Returns a line for people."""
    folder = layout.CURRENT.resolve()
    slot = journal.slot(schema.load(folder / "batch.json", "batch"), folder, task, repetition)
    interrupts.terminate_as_interrupt()
    done = run_slot(slot, folder, Path.cwd())
    passed = [record["passed"] for record in done["attempts"]]
    return f"{done['failureCategory'] or 'passed'}{' after a repair' if passed == [False, True] else ''}"


def run_slot(slot: Slot, folder: Path, checkout: Path, clock: Clock | None = None) -> dict[str, Any]:
    """run.json of one run: the recorded one, or a new one. Raises before the claim when something is missing."""
    clock = clock or Clock()
    if (settled := journal.settle(slot)) is not None:
        return settled
    if (folder / "receipt.json").exists():
        raise Refusal("the batch is sealed", where=str(folder), next="open a new one with `doit batch`")
    if clocks.left_ms(slot.batch["deadline"], clock) <= 0:
        return journal.not_started(slot, "the budget of the batch was used up")
    bench = _bench(slot, folder, checkout)
    claim = journal.claim(slot, clock)
    if claim is None:
        settled = journal.settle(slot)
        if settled is None:
            raise Infrastructure(f"{slot.folder.name} is claimed, but its claim has vanished")
        return settled
    try:
        return _attempts(bench, claim, clock)
    finally:
        claim.release()


def _bench(slot: Slot, folder: Path, checkout: Path) -> Bench:
    """Everything a run needs, checked before the run is claimed: what is missing now was never the agent's failure."""
    recorded = slot.batch["inputs"]
    require_frozen(slot.batch, layout.ROOT)
    chosen = Config(**slot.batch["config"])
    secrets = credentials.from_environment(chosen, os.environ)
    loaded = suite.load()
    prepared = consumer.cached(
        folder / "consumer-lock.json", folder / "archives", tree_digest=recorded["consumer"]["treeDigest"]
    )
    return Bench(
        slot=slot,
        suite=loaded,
        task=suite.load_task(loaded.task_dir(slot.task)),
        config=chosen,
        consumer=prepared,
        launcher=_launcher(slot, chosen, secrets, checkout),
        credentials=secrets,
        judges=_judges(chosen, slot, prepared.path),
    )


def _judges(chosen: Config, slot: Slot, prepared: Path) -> Callable[[int, str], Judges]:
    """Where the attempts of this run are judged; a verifier image that is missing now is nobody's failed attempt."""
    if chosen.launcher == "local":
        return lambda *_: judges.local()

    def contained(attempt: int, network: str = "none") -> Judges:
        batch = slot.batch["batchId"]
        about = {"batch": batch, "run": slot.folder.name, "attempt": str(attempt)}
        where = {"runtime": chosen.runtimePath, "network": network}
        return judges.contained(str(chosen.verifierImage), prepared, about=about, warm=batch, **where)

    contained(1)
    return contained


def require_frozen(batch: dict[str, Any], root: Path) -> None:
    """The code at `root` is the code that was frozen when the batch opened; Refusal names the file that is not."""
    for name, now in inputs.trees(root).items():
        recorded = batch["inputs"][name]
        if recorded["digest"] != now["digest"]:
            raise Refusal(
                f"the {name} is not the batch's: {inputs.differing(recorded['files'], now['files'])}",
                where=str(root),
                next="open a new batch",
            )


def _launcher(slot: Slot, chosen: Config, secrets: dict[str, str], checkout: Path) -> runner.Launcher:
    recorded = slot.batch["inputs"]["runnerFiles"]
    if chosen.launcher != "local":
        # Late: the docker package costs more than a whole no-op. The image's digest binds its files.
        from steps.isolation import engine
        from steps.running import runner_docker

        client = engine.client(chosen.runtimePath)
        engine.require_image(client, str(chosen.runnerImage))
        about = {"batch": slot.batch["batchId"], "run": slot.folder.name}
        return runner_docker.DockerLauncher(client, chosen, secrets, about)
    now = {name: digest.of_file(path) for name, path in runner.local_files(chosen, checkout).items()}
    if now != recorded:
        raise Refusal("the runner's files changed since the batch opened", where=str(checkout), next="open a new batch")
    return runner.LocalLauncher(chosen, secrets, checkout)


def _budget(slot: Slot, chosen: config.Config, clock: Clock) -> Budget | None:
    """min(submission time-out, what is left of the batch); None when nothing is left."""
    left = clocks.left_ms(slot.batch["deadline"], clock)
    if left <= 0:
        return None
    if left < chosen.submissionTimeoutMs:
        return Budget(left, "budget-exhausted")
    return Budget(chosen.submissionTimeoutMs, "timeout")


def _attempts(bench: Bench, claim: Claim, clock: Clock) -> dict[str, Any]:
    outcomes: list[Outcome] = []
    try:
        while (number := len(outcomes) + 1) <= bench.suite.attempts and _may_follow(outcomes):
            budget = _budget(bench.slot, bench.config, clock)
            if budget is None:
                break
            start = (outcomes[-1].files or {}) if outcomes else bench.starter()
            feedback = outcomes[-1].record["feedback"] if outcomes else None
            outcomes.append(attempt(bench, number, start, feedback, budget))
    except KeyboardInterrupt:
        _finish(bench, claim, clock, outcomes, "interrupted", "the run was interrupted")
        raise
    except (StepError, OSError) as error:
        # Claimed and broken: recorded, so that nobody takes it for the agent's failure or runs it again (R-E5).
        _finish(bench, claim, clock, outcomes, "infrastructure", str(error)[:2000])
        raise
    return _finish(bench, claim, clock, outcomes, None if outcomes else "not-started", "")


def _may_follow(outcomes: list[Outcome]) -> bool:
    """A repair follows only a submitted attempt that failed (R-E3)."""
    return not outcomes or outcomes[-1].record["failureCategory"] in records.REPAIRABLE


def _finish(
    bench: Bench, claim: Claim, clock: Clock, outcomes: list[Outcome], ended_by: str | None, detail: str
) -> dict[str, Any]:
    run = bench.slot.record(
        [outcome.record for outcome in outcomes],
        ended_by=ended_by,
        segment=claim.started["segment"],
        startedAt=claim.started["startedAt"],
        endedAt=clocks.text(clock.now()),
        observed=outcomes[-1].observed if outcomes else journal.NOBODY,
        detail=detail,
    )
    written = journal.write(bench.slot, run)
    if written != run:
        print(f"{bench.slot.folder.name} had been recorded by another process; that record stays", file=sys.stderr)
    return written

"""A batch as a whole: open, resume, seal. Every call leaves a receipt, also when nothing could run (R-E5).

A batch is a measurement and never up to date: each call makes a new folder and moves `current`. All batches are kept,
and index.jsonl only grows, so that rolling again until one qualifies stays visible.
"""

from __future__ import annotations

import fcntl
import os
import sys
import uuid
from pathlib import Path
from typing import Any

from steps import clock as clocks
from steps import documents, layout, records, schema, scratch, suite
from steps.clock import Clock
from steps.errors import Refusal, StepError, UsageError
from steps.running import config, index, journal, opening
from steps.running.journal import Running
from steps.running.run import require_frozen

RECEIPT = "receipt.json"
SUPERSEDED = "another batch was opened before this run started"


def open_batch(runner_config: str, *, resume: bool) -> dict[str, Any]:
    """Open a new batch or resume the current one. `{"line": ...}`, or the not-run summary when it cannot run."""
    opening.require_selected()
    if not _locked():
        raise UsageError("no `doit batch` holds the lock", where=str(layout.LOCK), next="run `doit batch`")
    clock = Clock()
    try:
        return _resume(runner_config, clock) if resume else _open(runner_config, clock)
    except StepError as error:
        return not_run(str(error))
    except OSError as error:
        return not_run(f"{error.strerror}: {error.filename or layout.EVIDENCE}")


def check_call(runner_config: str, *, resume: bool) -> dict[str, Any] | None:
    """Refuse at once what needs no built candidate and no tested graders; None when the batch may go on."""
    try:
        if resume:
            _resumable()
        else:
            opening.reviewed(runner_config, Path.cwd())
    except StepError as error:
        return not_run(str(error))
    return None


def not_run(reason: str) -> dict[str, Any]:
    """Leave a receipt for a call that cannot go on: of the batch that it opened, else a minimal one in a new folder."""
    try:
        if (folder := _unsealed()) is not None and _opened_here(folder):
            return {**seal(folder, reason), "reason": reason}
    except StepError as error:
        reason = f"{reason}; {error}"
    clock = Clock()
    batch_id = new_id(clock)
    receipt = records.not_run_receipt(batch_id, clocks.text(clock.now()), len(suite.load().schedule), reason[:2000])
    path = layout.EVIDENCE / batch_id / RECEIPT
    try:
        documents.write_once(path, receipt)
        index.append(receipt)
    except OSError as error:
        print(f"no receipt could be left: {error}", file=sys.stderr)
        return {"status": "not-run", "receipt": None, "reason": reason}
    return {"status": "not-run", "receipt": _shown(path), "reason": reason}


def write_receipt() -> dict[str, Any]:
    """Seal the current batch after its runs; the summary line of R-E1."""
    folder = layout.CURRENT.resolve()
    batch = schema.load(folder / "batch.json", "batch")
    missing = [slot.folder.name for slot in journal.slots(batch, folder) if journal.settle(slot) is None]
    if missing and clocks.left_ms(batch["deadline"], Clock()) > 0:
        raise Refusal(f"not run yet: {', '.join(missing)}", where=str(folder), next="run `doit batch --resume`")
    return seal(folder, "the budget of the batch was used up")


def seal(folder: Path, reason: str) -> dict[str, Any]:
    """Write the receipt of a batch, once. Runs that never started are recorded so, with `reason`."""
    batch = schema.load(folder / "batch.json", "batch")
    runs = [journal.settle(slot) or journal.not_started(slot, reason) for slot in journal.slots(batch, folder)]
    receipt = schema.check(records.receipt(batch, runs, []), "receipt", where=str(folder / RECEIPT))
    end(batch)
    if documents.write_once(folder / RECEIPT, receipt):
        index.append(receipt)
    else:
        receipt = schema.load(folder / RECEIPT, "receipt")
    return {
        "status": receipt["status"],
        "receipt": _shown(folder / RECEIPT),
        "firstSuccesses": receipt["firstSuccesses"],
        "finalSuccesses": receipt["finalSuccesses"],
    }


def _open(runner_config: str, clock: Clock) -> dict[str, Any]:
    old = _unsealed()
    if old is not None:
        _require_idle(old)
    for leftover in layout.EVIDENCE.glob(".*.opening"):  # of a call that was killed; the lock is ours
        scratch.remove(leftover)
    batch_id = new_id(clock)
    building = layout.EVIDENCE / f".{batch_id}.opening"
    building.mkdir(parents=True)
    try:
        batch = opening.build(runner_config, batch_id, building, Path.cwd(), clock)
        sweep_leftovers(batch)
        if old is not None:
            _seal_old(old)
        building.rename(layout.EVIDENCE / batch_id)
    finally:
        if building.exists():
            scratch.remove(building)
    _point_to(batch_id)
    index.append({**batch, "status": "open"})
    return {"line": f"{batch_id}, {len(batch['schedule'])} runs until {batch['deadline']}"}


def _resume(runner_config: str, clock: Clock) -> dict[str, Any]:
    """Only runs that never started, only before the deadline, only with the inputs that were frozen."""
    folder = _resumable()
    batch = schema.load(folder / "batch.json", "batch")
    settled = [journal.settle(slot) for slot in journal.slots(batch, folder)]
    if clocks.left_ms(batch["deadline"], clock) <= 0:
        reason = "the budget of the batch was used up before it was resumed"
        return {**seal(folder, reason), "reason": reason}
    require_frozen(batch, folder / "inputs")
    opening.require_archives(batch, folder)
    if runner_config and config.load(Path(runner_config), os.environ).record() != batch["config"]:
        raise Refusal("not the configuration of the batch", where=runner_config, next="leave out --runner-config")
    sweep_leftovers(batch)
    index.append({**batch, "status": "resumed"})
    return {"line": f"{batch['batchId']} resumed, {settled.count(None)} runs left until {batch['deadline']}"}


def sweep() -> None:
    """After an interrupt: remove what steps that had to be killed left of the current batch."""
    if (folder := _unsealed()) is not None:
        sweep_leftovers(schema.load(folder / "batch.json", "batch"))


def sweep_leftovers(batch: dict[str, Any]) -> None:
    """No run of this checkout is alive any more: what folder, container or volume is still there was left behind."""
    scratch.sweep()
    if batch["config"]["launcher"] != "local":
        from steps.running import live  # late: it needs the docker package

        if count := live.sweep(config.Config(**batch["config"])):
            print(f"removed {count} containers and volumes that earlier runs had left", file=sys.stderr)


def end(batch: dict[str, Any]) -> None:
    """All runs of a batch or canary have ended: remove what they shared."""
    if batch["config"]["launcher"] != "local":
        from steps.running import live  # late: it needs the docker package

        live.end(config.Config(**batch["config"]), batch["batchId"])


def _resumable() -> Path:
    folder = _unsealed()
    if folder is None:
        raise Refusal("there is no unsealed batch to resume", where=str(layout.CURRENT), next="open one: `doit batch`")
    return folder


def _require_idle(folder: Path) -> None:
    """A batch whose runs still run in another process cannot be replaced; one that is damaged can."""
    try:
        batch = schema.load(folder / "batch.json", "batch")
        for slot in journal.slots(batch, folder):
            journal.settle(slot)
    except Running:
        raise
    except Refusal as error:
        print(f"{folder.name} cannot be read and stays without a receipt: {error}", file=sys.stderr)


def _seal_old(folder: Path) -> None:
    try:
        seal(folder, SUPERSEDED)
    except Refusal as error:
        print(f"{folder.name} stays without a receipt: {error}", file=sys.stderr)


def _unsealed() -> Path | None:
    """The current batch when it has no receipt yet."""
    if not (layout.CURRENT / "batch.json").exists():
        return None
    folder = layout.CURRENT.resolve()
    return None if (folder / RECEIPT).exists() else folder


def _opened_here(folder: Path) -> bool:
    """Whether this call of doit opened or resumed the batch: by its last line in the index."""
    mine = [line for line in index.entries() if line.get("batchId") == folder.name]
    return bool(mine) and mine[-1].get("segment") == journal.segment()


def _locked() -> bool:
    """Whether somebody, the doit that called this step, holds the one lock for batches."""
    layout.EVIDENCE.mkdir(parents=True, exist_ok=True)
    with layout.LOCK.open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def new_id(clock: Clock) -> str:
    """`<timestamp>-<uuid>` (R-E1)."""
    return f"{clock.now():%Y%m%dT%H%M%SZ}-{uuid.uuid4()}"


def _point_to(batch_id: str) -> None:
    """Move `current` in one step: a reader sees the old batch or the new one."""
    temporary = layout.EVIDENCE / f".current.{uuid.uuid4().hex}"
    temporary.symlink_to(batch_id, target_is_directory=True)
    temporary.replace(layout.CURRENT)


def _shown(path: Path) -> str:
    """The path as people and programs use it: relative to where they called."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)

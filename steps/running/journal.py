"""What may start, and what became of it: at most once, whatever doit thinks (doit-facts 3, R-E4).

started.json   created exclusively and fsynced before a run starts; its flock is held while the run lives
run.json       written once; the first writer wins
neither        the run never started
only started   running (flock held) or lost (flock free): a lost run is recorded as interrupted, never run again
"""

from __future__ import annotations

import fcntl
import os
import uuid
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from steps import clock as clocks
from steps import documents, layout, records, schema
from steps.clock import Clock
from steps.errors import Refusal

STARTED = "started.json"
RUN = "run.json"
NOBODY = {"runner": None, "model": None, "identity": "none"}


class Running(Refusal):
    """A run is alive in another process."""


@dataclass(frozen=True)
class Slot:
    """One scheduled run of one batch."""

    batch: dict[str, Any]
    folder: Path
    task: str
    repetition: int

    def record(self, attempts: list[dict[str, Any]], *, ended_by: str | None, **claimed: Any) -> dict[str, Any]:
        """run.json by the one builder. `claimed` holds what only this process knows."""
        state = {None: "ok", "infrastructure": "broken"}.get(ended_by, ended_by)
        body = {
            "segment": None,
            "startedAt": None,
            "endedAt": None,
            "observed": NOBODY,
            "infrastructure": {"state": state, "detail": claimed.pop("detail", "")},
            "endedBy": ended_by,
            **claimed,
        }
        return records.run_record(self.batch["batchId"], self.task, self.repetition, body, attempts)


def slots(batch: dict[str, Any], folder: Path) -> list[Slot]:
    """All scheduled runs, in order."""
    return [slot(batch, folder, entry["taskId"], entry["repetition"]) for entry in batch["schedule"]]


def slot(batch: dict[str, Any], folder: Path, task: str, repetition: int) -> Slot:
    """One scheduled run; Refusal when the batch does not schedule it."""
    if {"taskId": task, "repetition": repetition} not in batch["schedule"]:
        raise Refusal(f"{task}-{repetition} is not scheduled", where=str(folder / "batch.json"))
    return Slot(batch, layout.run_dir(folder, task, repetition), task, repetition)


@cache
def segment() -> str:
    """Id of the orchestrating process: one call of doit, or this process when there is none."""
    return os.environ.get("APPKIT_EVAL_SEGMENT") or str(uuid.uuid4())


@dataclass(frozen=True)
class Claim:
    """A run that belongs to this process; `lock` says so to others until it is released or the process dies."""

    started: dict[str, Any]
    lock: int

    def release(self) -> None:
        """After run.json is written."""
        os.close(self.lock)


def claim(slot: Slot, clock: Clock) -> Claim | None:
    """The run, for exactly one caller ever; None when it is taken."""
    body = {
        "schemaVersion": 1,
        "batchId": slot.batch["batchId"],
        "taskId": slot.task,
        "repetition": slot.repetition,
        "segment": segment(),
        "startedAt": clocks.text(clock.now()),
    }
    if not documents.claim(slot.folder / STARTED, schema.check(body, "started", where=STARTED)):
        return None
    # Between claim and lock somebody may take the run for lost and record it so: then it must not run.
    lock = _lock(slot)
    return None if lock is None else Claim(body, lock)


def write(slot: Slot, run: dict[str, Any]) -> dict[str, Any]:
    """The run.json that counts: this one, or the one that was there first."""
    schema.check(run, "run", where=str(slot.folder / RUN))
    slot.folder.mkdir(parents=True, exist_ok=True)
    if documents.write_once(slot.folder / RUN, run):
        return run
    return schema.load(slot.folder / RUN, "run")


def recorded(slot: Slot) -> dict[str, Any] | None:
    """run.json when there is one."""
    return schema.load(slot.folder / RUN, "run") if (slot.folder / RUN).exists() else None


def settle(slot: Slot) -> dict[str, Any] | None:
    """The record of a run that ended or was lost, None when it never started; Running while it lives."""
    if (run := recorded(slot)) is not None:
        return run
    if not (slot.folder / STARTED).exists():
        return None
    lock = _lock(slot)
    if lock is None:
        raise Running(
            f"{slot.task}-{slot.repetition} is still running in another process",
            where=str(slot.folder / STARTED),
            next="wait for it to end",
        )
    try:
        started = schema.load(slot.folder / STARTED, "started")
        lost = slot.record(
            [],
            ended_by="interrupted",
            segment=started["segment"],
            startedAt=started["startedAt"],
            detail="it started and never finished; it is not run again",
        )
        return write(slot, lost)
    finally:
        os.close(lock)


def not_started(slot: Slot, reason: str) -> dict[str, Any]:
    """Record that a scheduled run never started; it stays in the denominator (R-E2)."""
    return write(slot, slot.record([], ended_by="not-started", detail=reason))


def _lock(slot: Slot) -> int | None:
    """An exclusive lock on started.json until the descriptor is closed or the process dies; None if another has it."""
    fd = os.open(slot.folder / STARTED, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(fd)
        return None
    return fd

"""A batch folder without candidate or model, for everything that needs none."""

from __future__ import annotations

import shutil
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from steps import clock as clocks
from steps import digest, documents, inputs, layout, records, schema, suite
from steps.clock import Clock
from steps.packing.consumer import Consumer
from steps.running import config, journal, runner

DIGEST = "sha256:" + "0" * 64


class HeldClock(Clock):
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 30, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def monotonic(self) -> float:
        return self.moment.timestamp()

    def pass_ms(self, milliseconds: int) -> None:
        self.moment += timedelta(milliseconds=milliseconds)


def plan(clock: Clock, runs: int = 3, **changes: Any) -> dict[str, Any]:
    """A batch.json that its schema accepts; its inputs are not those of this checkout unless `changes` say so."""
    opened = clock.now()
    chosen = config.load(layout.FIXTURES / "runners" / "self-test.yaml", {})
    tree = {"digest": DIGEST, "files": {"a": ["f", 0, DIGEST]}}
    batch = {
        "schemaVersion": 1,
        "batchId": f"{opened:%Y%m%dT%H%M%SZ}-{uuid.uuid4()}",
        "openedAt": clocks.text(opened),
        "deadline": clocks.text(clocks.after(opened, chosen.batchTimeoutMs)),
        "schedule": [{"taskId": "core-validation", "repetition": n + 1} for n in range(runs)],
        "config": chosen.record(),
        "inputs": {
            "suite": tree,
            "evaluator": tree,
            "machinery": tree,
            "consumer": {"lockDigest": DIGEST, "treeDigest": DIGEST},
            "runnerFiles": {},
            "toolchain": {"node": "24.0.0", "npm": "11.0.0", "typescript": "6.0.3", "lockDigest": DIGEST},
        },
        "archivesDigest": DIGEST,
        **changes,
    }
    return schema.check(batch, "batch", where="plan")


def live_plan(clock: Clock, chosen: config.Config, prepared: Consumer, budget_ms: int, runs: int = 1) -> dict[str, Any]:
    """A batch.json for this checkout as it is: runs of it can really be executed."""
    toolchain = plan(clock)["inputs"]["toolchain"]
    files = runner.local_files(chosen, layout.ROOT)
    return plan(
        clock,
        runs,
        config=chosen.record(),
        deadline=clocks.text(clocks.after(clock.now(), budget_ms)),
        inputs={
            **inputs.trees(),
            "consumer": {"lockDigest": prepared.lock_digest, "treeDigest": prepared.tree_digest},
            "runnerFiles": {name: digest.of_file(path) for name, path in files.items()},
            "toolchain": toolchain,
        },
    )


def put_archives(folder: Path) -> None:
    """The archives and the lock of the packed candidate, as `open` keeps them."""
    shutil.copytree(layout.ARCHIVES, folder / "archives")
    shutil.copy(layout.CONSUMER_LOCK, folder / "consumer-lock.json")


def put(evidence: Path, batch: dict[str, Any]) -> Path:
    """Write a batch folder and make it current."""
    folder = evidence / batch["batchId"]
    documents.write_atomic(folder / "batch.json", batch)
    layout.CURRENT.unlink(missing_ok=True)
    layout.CURRENT.symlink_to(batch["batchId"])
    return folder


def failed_run(slot: journal.Slot, category: str = "timeout") -> dict[str, Any]:
    """A finished run whose one attempt failed before anything was submitted."""
    claimed = {"attempt": 1, "elapsedMs": 5, "usage": None, "endedBy": category, "detail": "", "protected": None,
               "extraFiles": {"count": 0, "names": []}}  # fmt: skip
    identity = (slot.batch["batchId"], slot.task, slot.repetition)
    attempt = records.attempt_record(claimed, identity, None, None, None, suite=suite.load(), texts={})
    return slot.record([attempt], ended_by=None, segment="this-call", startedAt=None, endedAt=None)

"""Opens a batch: checks the prerequisites, freezes the inputs, writes the plan. The folder appears whole or not at all.

What a batch measures is the copy that is frozen here, whatever is edited while it runs.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from steps import clock as clocks
from steps import digest, documents, inputs, layout, schema
from steps import suite as suites
from steps.authoring import check_graders
from steps.clock import Clock
from steps.errors import Refusal
from steps.packing import consumer, pack
from steps.packing.consumer import Consumer
from steps.running import config, credentials, runner
from steps.running.config import Config
from steps.suite import Suite

MIN_FREE = 64 * 1024 * 1024  # bytes; a whole scripted batch took less than a tenth of it


def build(
    runner_config: str, batch_id: str, folder: Path, checkout: Path, clock: Clock,
    schedule: list[tuple[str, int]] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Fill `folder` with the plan of a new batch and everything it is bound to; returns batch.json.

    The schedule is the suite's; one of another kind can be run, and never qualifies.

    Raises StepError for the first prerequisite that is missing (R-E5), OSError for a full disk.
    """
    chosen, runner_made = reviewed(runner_config, checkout)
    suite = suites.load()
    _require_space(folder)
    _require_tested(suite)
    prepared = consumer.cached(layout.CONSUMER_LOCK, layout.ARCHIVES)
    frozen = inputs.freeze(folder / "inputs")
    toolchain = inputs.toolchain()
    archives = _archives(chosen, prepared, toolchain)
    _keep(archives, prepared, folder)
    opened = clock.now()
    batch = {
        "schemaVersion": 1,
        "batchId": batch_id,
        "openedAt": clocks.text(opened),
        "deadline": clocks.text(clocks.after(opened, chosen.batchTimeoutMs)),
        "schedule": [{"taskId": task, "repetition": n} for task, n in schedule or suite.schedule],
        "config": chosen.record(),
        "inputs": {
            **frozen,
            "consumer": {"lockDigest": prepared.lock_digest, "treeDigest": prepared.tree_digest},
            **runner_made,
            "toolchain": toolchain,
        },
        "archivesDigest": digest.of_json(archives),
    }
    documents.write_once(folder / "batch.json", schema.check(batch, "batch", where="batch.json"))
    return batch


def reviewed(runner_config: str, checkout: Path) -> tuple[Config, dict[str, Any]]:
    """The configuration and what identifies the runner; Refusal for all that needs nothing built to be seen."""
    if not runner_config:
        raise Refusal("no runner configuration", where="--runner-config", expected="--runner-config=FILE")
    chosen = config.load(Path(runner_config), os.environ)
    credentials.from_environment(chosen, os.environ)
    return chosen, _runner(chosen, checkout)


def require_selected() -> None:
    """Nothing but `doit batch` starts a batch: not `doit '*'`, not a task that happens to need one (R-E1)."""
    if "batch" not in json.loads(os.environ.get("APPKIT_EVAL_SELECTED") or "[]"):
        raise Refusal(
            "only `doit batch` opens a batch", where="batch-open", next="run `doit batch --runner-config=FILE`"
        )


def require_archives(batch: dict[str, Any], folder: Path) -> None:
    """The archives and the lock in the batch folder are those of its plan."""
    archives = schema.load(folder / "archives.json", "archives")
    if digest.of_json(archives) != batch["archivesDigest"]:
        raise Refusal("archives.json is not the batch's", where=str(folder), next="open a new batch")
    kept = {f"archives/{archive['file']}": archive["sha256"] for archive in archives["archives"]}
    kept["consumer-lock.json"] = archives["consumerLockDigest"]
    for name, expected in kept.items():
        if digest.of_bytes(documents.read_bytes(folder / name)) != expected:
            raise Refusal(f"{name} is not the batch's", where=str(folder), next="open a new batch")


def _runner(chosen: Config, checkout: Path) -> dict[str, Any]:
    """The part of batch.json's `inputs` that says who will answer."""
    if chosen.launcher != "local":
        from steps.running import live  # late: it needs the docker package

        image = live.review(chosen)
        return {"runnerFiles": image.files, "runnerImage": {"id": image.image_id, "selfTestLabel": image.self_test}}
    files = runner.local_files(chosen, checkout)
    executable = files[chosen.executable]
    if not executable.is_file() or not os.access(executable, os.X_OK):
        raise Refusal("the runner's executable cannot be run", where=chosen.executable, expected="an executable file")
    return {"runnerFiles": {name: digest.of_file(path) for name, path in files.items()}}


def _require_space(folder: Path) -> str:
    free = shutil.disk_usage(folder).free
    if free < MIN_FREE:
        raise Refusal(
            f"only {free} bytes are free",
            where=str(layout.EVIDENCE),
            expected=f"at least {MIN_FREE}",
            next="free some space",
        )
    return f"{free >> 20} MiB free"


def _require_tested(suite: Suite) -> str:
    """The stamps of earlier stages are believed only when their inputs, digested now, are the ones they name."""
    if not pack.current(layout.CANDIDATE):
        raise Refusal(
            "the packed candidate is not the candidate as it is now",
            where=str(layout.ARCHIVES_STAMP),
            next="run `doit pack`",
        )
    if not layout.SUITE_STAMP.exists():
        raise Refusal("the suite has not been checked", where=str(layout.SUITE_STAMP), next="run `doit`")
    stamp = documents.read(layout.SUITE_STAMP)
    trees = {name: tree["digest"] for name, tree in inputs.trees().items()}
    if any(stamp.get(name) != trees[name] for name in ("suite", "evaluator")):
        raise Refusal(
            "the suite changed since it was checked", where=str(layout.SUITE_STAMP), next="run `doit check_suite`"
        )
    faults = [fault for task in suite.tasks for fault in check_graders.stamp_faults(task)]
    if faults:
        raise Refusal("; ".join(faults), where=str(layout.BUILD))
    return "packed, and tested together with the suite as both are now"


# What `doit doctor` shows one by one.
CHECKS: dict[str, Callable[[], str]] = {
    "disk": lambda: _require_space(layout.STATE),
    "candidate": lambda: _require_tested(suites.load()),
}


def _archives(chosen: Config, prepared: Consumer, toolchain: dict[str, str]) -> dict[str, Any]:
    """archives.json: the candidate's part from `pack`, completed by everything else that has an identity (R-F3)."""
    packed = documents.read(layout.ARCHIVES_STAMP)
    images = {"runner": chosen.runnerImage, "verifier": chosen.verifierImage} if chosen.runnerImage else None
    body = {
        "schemaVersion": 1,
        **{key: packed[key] for key in ("archives", "source", "catalog")},
        "toolchain": toolchain,
        "images": images,
        "runner": chosen.expectedRunner,
        "model": chosen.expectedModel,
        "consumerLockDigest": prepared.lock_digest,
    }
    return schema.check(body, "archives", where="archives.json")


def _keep(archives: dict[str, Any], prepared: Consumer, folder: Path) -> None:
    """The exact bytes that were used (R-C1, R-F1), compared while they are copied."""
    for archive in archives["archives"]:
        data = documents.read_bytes(layout.ARCHIVES / archive["file"])
        if digest.of_bytes(data) != archive["sha256"]:
            raise Refusal(f"{archive['file']} changed after it was packed", where=str(layout.ARCHIVES))
        documents.write_atomic(folder / "archives" / archive["file"], data)
    documents.write_atomic(folder / "consumer-lock.json", documents.read_bytes(prepared.path / consumer.LOCK))
    documents.write_atomic(folder / "archives.json", archives)

"""Checks 2 to 4 of qualification: the plan, what records belong to, and staleness. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from steps import digest, inputs
from steps.judging.derived import Derived
from steps.judging.evidence import Evidence
from steps.judging.reasons import reason

Reasons = list[dict[str, str]]


def plan(evidence: Evidence, derived: Derived) -> Reasons:
    """2: the schedule is the suite's; batch.json agrees with itself, the suite's limits and the frozen copy."""
    batch, found = evidence.batch, []
    scheduled = [(entry["taskId"], entry["repetition"]) for entry in batch["schedule"]]
    if current(evidence, derived) and scheduled != derived.suite.schedule:
        odd = sorted(f"{task}-{n}" for task, n in set(scheduled) ^ set(derived.suite.schedule))
        found.append(reason("schedule-differs", "batch.json", detail=", ".join(odd) or "another order, or a run twice"))
    found += [reason("plan-differs", "batch.json", detail=detail) for detail in _contradictions(evidence, derived)]
    for name in ("suite", "evaluator", "machinery"):
        tree = batch["inputs"][name]
        if tree["digest"] != digest.of_json(tree["files"]):
            found.append(reason("plan-differs", "batch.json", detail=f"the digest of {name} is not that of its files"))
    recorded = {
        path: entry
        for name in ("suite", "evaluator", "machinery")
        for path, entry in batch["inputs"][name]["files"].items()
    }
    if changed := inputs.differing(recorded, evidence.frozen):
        found.append(reason("frozen-inputs-differ", "inputs", files=changed))
    return found


def _contradictions(evidence: Evidence, derived: Derived) -> Iterable[str]:
    batch = evidence.batch
    config, limits = batch["config"], derived.suite.limits
    for name in ("submissionTimeoutMs", "batchTimeoutMs"):
        if current(evidence, derived) and config[name] > limits[name]:
            yield f"{name} is {config[name]}, the suite allows {limits[name]}"
    if not _deadline_fits(batch):
        yield f"the deadline {batch['deadline']} is not openedAt {batch['openedAt']} plus batchTimeoutMs"
    images = [image for image in (config["runnerImage"], config["verifierImage"]) if image]
    if len(images) != (0 if config["launcher"] == "local" else 2):
        yield f"the launcher is {config['launcher']}, and {len(images)} images are named"
    if config["executable"] not in batch["inputs"]["runnerFiles"]:
        yield f"nothing is recorded of the executable {config['executable']}"


def _deadline_fits(batch: dict[str, Any]) -> bool:
    try:
        opened, deadline = (datetime.fromisoformat(batch[key]) for key in ("openedAt", "deadline"))
        return deadline == opened + timedelta(milliseconds=batch["config"]["batchTimeoutMs"])
    except (ValueError, OverflowError):  # a thirteenth month, a budget of centuries
        return False


def current(evidence: Evidence, derived: Derived) -> bool:
    """Whether suite and evaluator are still the batch's: only then may their numbers and words judge it."""
    recorded = evidence.batch["inputs"]
    return all(recorded[name]["files"] == derived.trees[name]["files"] for name in ("suite", "evaluator"))


def bound(evidence: Evidence) -> bool:
    """Whether archives.json is the one in the plan; only then its fields are worth judging."""
    return digest.of_json(evidence.archives_record) == evidence.batch["archivesDigest"]


def binding(evidence: Evidence) -> Reasons:
    """3: every record belongs to this folder, this batch, this run (security row 45)."""
    batch_id = evidence.batch["batchId"]
    pairs = [
        ("batch.json", "batchId", batch_id, evidence.name),
        ("receipt.json", "batchId", evidence.receipt["batchId"], batch_id),
    ]
    scheduled = {f"{entry['taskId']}-{entry['repetition']}" for entry in evidence.batch["schedule"]}
    for file, records in (("run.json", evidence.runs), ("started.json", evidence.started)):
        for key, record in records.items():
            if key not in scheduled:
                continue  # check 1 names its files
            task, _, repetition = key.rpartition("-")
            pairs += [
                (f"runs/{key}/{file}", field, record[field], expected)
                for field, expected in (("batchId", batch_id), ("taskId", task))
            ]
            pairs.append((f"runs/{key}/{file}", "repetition", str(record["repetition"]), repetition))
    return [
        reason("foreign-record", where, field=field, got=got, expected=expected)
        for where, field, got, expected in pairs
        if got != expected
    ]


def stale(evidence: Evidence, trees: dict[str, dict[str, Any]], derived: Derived | None) -> Reasons:
    """4: suite, evaluator, toolchain and candidate are now what they were (R-B4, R-I4). Names the files."""
    recorded, found = evidence.batch["inputs"], []
    for name in ("suite", "evaluator"):
        if changed := inputs.differing(recorded[name]["files"], trees[name]["files"]):
            found.append(reason(f"stale-{name}", name, files=changed))
    if derived is None:
        return found
    for tool, version in derived.toolchain.items():
        if version != recorded["toolchain"][tool]:
            found.append(reason("stale-toolchain", tool, tool=tool, got=version, expected=recorded["toolchain"][tool]))
    source = evidence.archives_record["source"]
    if bound(evidence) and source["path"] is not None and derived.source != source["digest"]:
        found.append(reason("stale-candidate", source["path"], got=derived.source or "gone", expected=source["digest"]))
    return found

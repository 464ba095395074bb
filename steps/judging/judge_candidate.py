"""Checks 5 and 6 of qualification: the candidate and who made the evidence. Pure."""

from __future__ import annotations

from typing import Any

from steps import digest, documents
from steps.errors import Refusal
from steps.judging.derived import Derived
from steps.judging.evidence import Evidence
from steps.judging.judge_plan import bound
from steps.judging.reasons import reason

Reasons = list[dict[str, str]]

LABELLED = "the runner image's self-test label"
NO_IMAGE = "no runner image"  # how a scripted runner's evidence is made, beside the digests of its files


def candidate(evidence: Evidence, derived: Derived) -> Reasons:
    """5: kept archives, their record, the lock, the catalogs and the consumer prepared again agree (R-I3, row 44)."""
    if not bound(evidence):
        return [
            reason(
                "archives-record-differs",
                "archives.json",
                field="its digest",
                got=digest.of_json(evidence.archives_record),
                expected=evidence.batch["archivesDigest"],
            )
        ]
    return [
        *_archives(evidence, derived),
        *_record(evidence),
        *_lock(evidence),
        *_catalog(evidence, derived),
        *_consumer(evidence, derived),
    ]


def _archives(evidence: Evidence, derived: Derived) -> Reasons:
    found = []
    record = evidence.archives_record["archives"]
    named = {entry["package"]: entry["file"] for entry in record}
    if named != derived.suite.archives or len(record) != len(named):
        found.append(
            reason(
                "archives-record-differs",
                "archives.json",
                field="the list of archives",
                got=named,
                expected=derived.suite.archives,
            )
        )
    for entry in record:
        data = evidence.archives.get(entry["file"])
        if data is None:
            continue  # check 1 names it
        actual = {"bytes": len(data), "sha256": digest.of_bytes(data), "integrity": digest.integrity(data)}
        inside = derived.packages.get(entry["file"], ["unreadable", "unreadable"])
        actual |= {"package": inside[0], "version": inside[1]}
        wrong = [key for key in actual if actual[key] != entry[key]]
        found += [
            reason("archive-differs", f"archives/{entry['file']}", field=key, got=actual[key], expected=entry[key])
            for key in wrong[:1]
        ]
    return found


def _record(evidence: Evidence) -> Reasons:
    """What archives.json repeats of the plan."""
    record, batch = evidence.archives_record, evidence.batch
    pairs = (
        ("toolchain", record["toolchain"], batch["inputs"]["toolchain"]),
        ("consumerLockDigest", record["consumerLockDigest"], batch["inputs"]["consumer"]["lockDigest"]),
    )
    return [
        reason("archives-record-differs", "archives.json", field=field, got=got, expected=expected)
        for field, got, expected in pairs
        if got != expected
    ]


def _lock(evidence: Evidence) -> Reasons:
    if evidence.lock is None:
        return []
    actual, recorded = digest.of_bytes(evidence.lock), evidence.batch["inputs"]["consumer"]["lockDigest"]
    if actual != recorded:
        return [
            reason("consumer-lock-differs", "consumer-lock.json", field="its digest", got=actual, expected=recorded)
        ]
    try:
        lock = documents.parse_strict(evidence.lock, where="consumer-lock.json")
    except Refusal as error:
        return [reason("file-malformed", "consumer-lock.json", detail=error.what)]
    found = []
    for entry in evidence.archives_record["archives"]:
        locked = _at(lock, "packages", f"node_modules/{entry['package']}", "integrity")
        if locked != entry["integrity"]:
            found.append(
                reason(
                    "consumer-lock-differs",
                    "consumer-lock.json",
                    field=f"the integrity of {entry['package']}",
                    got=locked,
                    expected=entry["integrity"],
                )
            )
    return found


def _at(value: Any, *keys: str) -> Any:
    """The value below a path of keys, None where there is no such object: the lock has no schema of ours."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _catalog(evidence: Evidence, derived: Derived) -> Reasons:
    recorded = evidence.archives_record["catalog"]
    return [
        reason(
            "catalog-differs",
            "archives.json",
            package=package,
            got=derived.catalog.get(package, "missing"),
            expected=recorded.get(package, "nothing"),
        )
        for package in sorted(recorded.keys() | derived.catalog.keys())
        if recorded.get(package) != derived.catalog.get(package)
    ]


def _consumer(evidence: Evidence, derived: Derived) -> Reasons:
    recorded = evidence.batch["inputs"]["consumer"]
    if derived.consumer is None or derived.consumer["treeDigest"] == recorded["treeDigest"]:
        return []
    return [
        reason(
            "consumer-differs",
            "consumer-lock.json",
            got=derived.consumer["treeDigest"],
            expected=recorded["treeDigest"],
        )
    ]


def identity(evidence: Evidence, derived: Derived, scripted: frozenset[str]) -> Reasons:
    """6: by how the evidence was made it is no self-test; runner, model and images are the reviewed ones (row 46)."""
    batch, found = evidence.batch, []
    config, record = batch["config"], evidence.archives_record
    made_by = {digest: name for name, digest in batch["inputs"]["runnerFiles"].items()}
    if config["launcher"] == "local" or not config["runnerImage"]:
        made_by[NO_IMAGE] = NO_IMAGE
    if batch["inputs"].get("runnerImage", {}).get("selfTestLabel"):
        made_by[LABELLED] = LABELLED
    if signs := sorted(made_by[sign] for sign in made_by.keys() & scripted):
        found.append(reason("self-test", "batch.json", detail=", ".join(signs)))
    for code, field, expected in (
        ("runner-differs", "runner", config["expectedRunner"]),
        ("model-differs", "model", config["expectedModel"]),
    ):
        if bound(evidence) and record[field] != expected:
            found.append(reason(code, "archives.json", got=record[field], expected=expected))
        found += [
            reason(code, f"runs/{key}/run.json", got=run["observed"][field], expected=expected)
            for key, run in evidence.runs.items()
            if _answered(run) and run["observed"][field] != expected
        ]
    images = (
        None
        if config["launcher"] == "local"
        else {"runner": config["runnerImage"], "verifier": config["verifierImage"]}
    )
    if bound(evidence) and record["images"] != images:
        found.append(reason("image-differs", "archives.json", field="images", got=record["images"], expected=images))
    return found + _runner_image(evidence, derived)


def _runner_image(evidence: Evidence, derived: Derived) -> Reasons:
    """What batch.json says of the runner image is what is in it. Its id is another one in another kind of engine."""
    inputs = evidence.batch["inputs"]
    recorded = {"files": inputs["runnerFiles"], "selfTestLabel": inputs.get("runnerImage", {}).get("selfTestLabel")}
    if derived.runner is None or derived.runner == recorded:
        return []
    field = "what the runner image holds"
    return [reason("image-differs", "batch.json", field=field, got=recorded, expected=derived.runner)]


def _answered(run: dict[str, Any]) -> bool:
    """Whether a runner's last answer was accepted in this run: only then must it be the reviewed one."""
    return bool(run["attempts"]) and run["attempts"][-1]["endedBy"] is None

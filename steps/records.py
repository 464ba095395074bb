"""Builds run.json and receipt.json from what was claimed and what bytes derive. Pure: no clock, no disk, no process.

The run step builds with these functions; qualification builds again with the same ones and compares whole
documents, so a new field cannot slip past unverified.
"""

from __future__ import annotations

from typing import Any

from steps import digest
from steps.suite import Suite

# Failures that leave something to repair: the agent submitted, and what it submitted failed (R-E3).
REPAIRABLE = ("failed-checks", "analysis", "verifier-no-verdict")
# Failures of a run that mean that the batch itself did not end as scheduled (R-E5, R-E6).
LOST = ("not-started", "interrupted", "infrastructure")

# What no bytes derive. These fields are claims of whoever ran the batch: consistent between two files, no more.
CLAIMED_ATTEMPT = ("attempt", "elapsedMs", "usage", "endedBy", "detail", "extraFiles", "protected")
CLAIMED_RUN = ("segment", "startedAt", "endedAt", "observed", "infrastructure", "endedBy")
# The same of the plan and of archives.json: how the runner was called, and where the candidate came from.
CLAIMED_BATCH = (
    "openedAt",
    "deadline",
    "config/args",
    "config/envAllowlist",
    "config/runtimePath",
    "config/runnerNetwork",
    "config/submissionTimeoutMs",
    "config/batchTimeoutMs",
    "inputs/runnerFiles",
    "inputs/runnerImage",
)
CLAIMED_ARCHIVES = ("source/kind", "source/path")

NOTICE = (
    "An optional regression measure of one suite, candidate, runner and model. It certifies neither the packages nor "
    "agents in general and gates no release."
)


def solution_digest(files: dict[str, bytes]) -> str:
    """Digest of collected files by relative path and bytes."""
    return digest.of_json({path: digest.of_bytes(data) for path, data in files.items()})


def seed_of(batch_id: str, task_id: str, repetition: int, attempt: int, solution: str) -> int:
    """The seed of an attempt's inputs: derived, so nobody can choose it (design: digests and staleness)."""
    return digest.seed("attempt", batch_id, task_id, repetition, attempt, solution)


def static_faults(analysis: dict[str, Any]) -> list[str]:
    """Names of what fails statically: diagnostic categories, `contract`, `integration`, `disallowed-import`."""
    found = set(analysis["diagnosticCategories"])
    if any(analysis["contract"].values()):
        found.add("contract")
    if not all(group["satisfied"] for group in analysis["integration"]):
        found.add("integration")
    if analysis["importViolations"]:
        found.add("disallowed-import")
    if analysis["unsupportedApiCount"]:
        found.add("unsupported-api")
    return sorted(found)


def _from_analysis(analysis: dict[str, Any] | None, limit: int) -> dict[str, Any]:
    if analysis is None:
        return {
            "analysisDigest": None,
            "api": None,
            "types": None,
            "needsReview": False,
            "reviewReasons": {},
            "diagnostics": [],
        }
    return {
        "analysisDigest": digest.of_json(analysis),
        "api": {key: analysis[key] for key in ("unsupportedApiCount", "hallucinatedApiCount")},
        "types": {
            "staticFaults": static_faults(analysis),
            "diagnosticCategories": sorted(analysis["diagnosticCategories"]),
            "contract": analysis["contract"],
            "integrationSatisfied": all(group["satisfied"] for group in analysis["integration"]),
            "importViolations": len(analysis["importViolations"]),
        },
        "needsReview": analysis["needsReview"],
        "reviewReasons": analysis["reviewReasons"],
        "diagnostics": analysis["diagnostics"][:limit],
    }


def _from_verdict(verdict: dict[str, Any] | None) -> dict[str, Any]:
    if verdict is None:
        return {"behavior": None, "safety": {}}
    return {
        "behavior": {"assertions": verdict["assertions"], "scenarios": verdict["scenarios"]},
        "safety": verdict["safety"],
    }


def _outcome(claimed: dict[str, Any], analysis: dict[str, Any] | None, verdict: dict[str, Any] | None) -> str | None:
    """The attempt's failure category, None when it passed. Nothing checked is not a pass."""
    if claimed["endedBy"]:
        return claimed["endedBy"]
    protected = claimed["protected"]
    if protected and protected["before"] != protected["after"]:
        return "protected-changed"
    if analysis is None:
        return "analysis"
    if verdict is None:
        return "verifier-no-verdict"
    right = bool(verdict["assertions"]) and all(value is True for value in verdict["assertions"].values())
    safe = all(value == "pass" for value in verdict["safety"].values())
    return None if right and safe and not static_faults(analysis) else "failed-checks"


def attempt_record(
    claimed: dict[str, Any],
    identity: tuple[str, str, int],
    solution: dict[str, bytes] | None,
    analysis: dict[str, Any] | None,
    verdict: dict[str, Any] | None,
    *,
    suite: Suite,
    texts: dict[str, str],
) -> dict[str, Any]:
    """One entry of run.json's `attempts`.

    `claimed` holds the CLAIMED_ATTEMPT fields; its `endedBy` is the failure category when the attempt ended before a
    verdict, else None. `identity` is (batch id, task id, repetition). `texts` maps assertion id to its fixed sentence.
    """
    digested = None if solution is None else solution_digest(solution)
    category = _outcome(claimed, analysis, verdict)
    record = {
        **{key: claimed[key] for key in CLAIMED_ATTEMPT},
        "failureCategory": category,
        "passed": category is None,
        "seed": None if digested is None else seed_of(*identity, claimed["attempt"], digested),
        "solution": None
        if solution is None
        else {
            "digest": digested,
            "files": {path: {"digest": digest.of_bytes(data), "bytes": len(data)} for path, data in solution.items()},
        },
        **_from_analysis(analysis, suite.limits["feedbackDiagnostics"]),
        **_from_verdict(verdict),
        "feedback": None,
    }
    if category in REPAIRABLE and claimed["attempt"] < suite.attempts:
        record["feedback"] = feedback(record, texts, suite.limits["feedbackBytes"])
    return record


def feedback(record: dict[str, Any], texts: dict[str, str], max_bytes: int) -> str:
    """What a repair may know: diagnostics on the solution's own files, failing assertion ids and their fixed texts.

    Never an input, an expected value or a grader's message (security row 39).
    """
    lines = []
    for item in record["diagnostics"]:
        lines.append(f"{item['file']}:{item['line']}: [{item['category']}] {item['code']}: {item['message']}")
    types = record["types"]
    if types:
        for kind, names in sorted(types["contract"].items()):
            lines += [f"contract: export {name} is {kind}" for name in names]
        if not types["integrationSatisfied"]:
            lines.append("integration: a required symbol is not used as a value")
    failed = [] if record["behavior"] is None else [i for i, ok in record["behavior"]["assertions"].items() if not ok]
    lines += [f"behaviour: {name}: {texts.get(name, 'did not hold')}" for name in sorted(failed)]
    if record["failureCategory"] == "analysis":
        lines.append("analysis: the compiler could not process the submission within its limits")
    if record["failureCategory"] == "verifier-no-verdict":
        lines.append("behaviour: the submission ended the verification before a verdict")
    text = "\n".join(lines).encode()[:max_bytes]
    return text.decode("utf-8", "ignore")


def run_record(
    batch_id: str, task_id: str, repetition: int, claimed: dict[str, Any], attempts: list[dict[str, Any]]
) -> dict[str, Any]:
    """run.json. `claimed` holds the CLAIMED_RUN fields; its `endedBy` is one of LOST or None."""
    last = attempts[-1]["failureCategory"] if attempts else "not-started"
    categories = {name for attempt in attempts for name in (attempt["types"] or {}).get("diagnosticCategories", [])}
    return {
        "schemaVersion": 1,
        "batchId": batch_id,
        "taskId": task_id,
        "repetition": repetition,
        **{key: claimed[key] for key in CLAIMED_RUN},
        "failureCategory": claimed["endedBy"] or last,
        "diagnosticCategories": sorted(categories),
        "attempts": attempts,
    }


def first_success(run: dict[str, Any]) -> bool:
    """The first submission passed."""
    return bool(run["attempts"]) and run["attempts"][0]["passed"]


def final_success(run: dict[str, Any]) -> bool:
    """The run ended as scheduled and its last submission passed."""
    return run["failureCategory"] is None and bool(run["attempts"]) and run["attempts"][-1]["passed"]


def receipt(batch: dict[str, Any], runs: list[dict[str, Any]], decisions: list[dict[str, Any]]) -> dict[str, Any]:
    """receipt.json of an opened batch: a function of batch.json and the run.json files, in schedule order."""
    scheduled = [(entry["taskId"], entry["repetition"]) for entry in batch["schedule"]]
    by_id = {(run["taskId"], run["repetition"]): run for run in runs}
    ordered = [by_id[key] for key in scheduled if key in by_id]
    completed = len(ordered) == len(scheduled) and not any(run["failureCategory"] in LOST for run in ordered)
    return {
        "schemaVersion": 1,
        "status": "completed" if completed else "incomplete",
        "completed": completed,
        "reason": None if completed else "not every scheduled run ended as scheduled",
        "batchId": batch["batchId"],
        "openedAt": batch["openedAt"],
        "scheduled": len(scheduled),
        "firstSuccesses": sum(map(first_success, ordered)),
        "finalSuccesses": sum(map(final_success, ordered)),
        "batchDigest": digest.of_json(batch),
        "segments": sorted({run["segment"] for run in ordered if run["segment"]}),
        "runs": ordered,
        "reviewDecisions": decisions,
        "notice": NOTICE,
    }


def not_run_receipt(batch_id: str, opened_at: str, scheduled: int, reason: str) -> dict[str, Any]:
    """The minimal receipt of a batch that could not open (R-E5)."""
    return {
        "schemaVersion": 1,
        "status": "not-run",
        "completed": False,
        "reason": reason,
        "batchId": batch_id,
        "openedAt": opened_at,
        "scheduled": scheduled,
        "firstSuccesses": 0,
        "finalSuccesses": 0,
        "batchDigest": None,
        "segments": [],
        "runs": [],
        "reviewDecisions": [],
        "notice": NOTICE,
    }

"""Decides whether evidence qualifies (R-I1..I5). Pure: evidence and derived values in, a decision out.

No stored verdict is believed. The checks, in order; each collects all its reasons:

 1. files       everything kept is there, regular, strict JSON of a known version, and nothing else is there
 2. plan        the schedule is the suite's; batch.json agrees with itself, the limits and the frozen copy
 3. binding     every record belongs to this folder, this batch, this run
 4. staleness   suite, evaluator, toolchain and candidate are now what they were
 5. candidate   kept archives, their record, the lock, the catalogs and the consumer prepared again agree
 6. identity    no self-test by how the evidence was made; runner, model and images are the reviewed ones
 7. bookkeeping claims, order of attempts, the repair rule, exactly the files that the records name
 8. attempts    each rebuilt from claimed fields, stored bytes, derived analysis and verdict; compared whole
 9. records     each run and the receipt rebuilt; compared whole, minus reviewDecisions
10. fresh seed  what passed with the stored seed passes with a fresh one
11. results     the schedule ended; first and final successes and unsupported references reach the thresholds
12. safety      no submitted attempt broke a safety assertion or hid one
13. review      successes that need review have one decision bound to their bytes

Checks 2, 4 and 5 and unusable files of the batch itself are the basis: without it nothing can be derived, and 8 and 10
judge only what the stored bytes show. Fields that no bytes derive are records.CLAIMED_RUN and CLAIMED_ATTEMPT: they are
consistent between two files, no more.
"""

from __future__ import annotations

from typing import Any

from steps.judging import judge_attempts, judge_candidate, judge_plan, judge_records, judge_results
from steps.judging.derived import Derived
from steps.judging.evidence import Evidence
from steps.judging.reasons import reason

Reasons = list[dict[str, str]]

REQUIRED = ("batch.json", "archives.json", "consumer-lock.json", "receipt.json")


def qualify(evidence: Evidence, derived: Derived, scripted_runners: frozenset[str]) -> dict[str, Any]:
    """`{"qualified", "reasons"}`; `scripted_runners` are signs of self-test evidence (steps/judging/rederive.py)."""
    early = usable(evidence)
    if early:
        return decision(early)
    missing = basis(evidence, derived)
    found = [
        *evidence.faults,
        *_missing(evidence, derived),
        *missing,
        *judge_plan.binding(evidence),
        *judge_candidate.identity(evidence, derived, scripted_runners),
        *judge_records.bookkeeping(evidence, derived),
        *judge_attempts.rebuild(evidence, derived, excused=bool(missing)),
        *judge_records.records_again(evidence),
        *judge_attempts.fresh(evidence, derived),
        *judge_results.results(evidence, derived),
        *judge_results.safety(evidence, derived),
        *judge_results.review(evidence, derived),
    ]
    return decision(found)


def decision(found: Reasons) -> dict[str, Any]:
    """Qualified exactly when there is no reason against it; the same reason is said once."""
    unique = list({tuple(sorted(entry.items())): entry for entry in found}.values())
    return {"qualified": not unique, "reasons": unique}


def usable(evidence: Evidence) -> Reasons:
    """1, first half: reasons why this is no opened batch at all; then nothing else can be judged."""
    if "receipt.json" not in evidence.seen:
        return [reason("receipt-missing", evidence.name)]
    receipt = evidence.receipt
    if receipt is not None and receipt["status"] == "not-run":
        return [reason("not-run", "receipt.json", detail=receipt["reason"])]
    if flood := [fault for fault in evidence.faults if fault["code"] == "evidence-too-large"]:
        return flood
    gone = [reason("file-missing", path, file=path) for path in REQUIRED if path not in evidence.seen]
    if receipt is None or evidence.batch is None or evidence.archives_record is None:
        return gone + evidence.faults
    return []


def basis(evidence: Evidence, derived: Derived) -> Reasons:
    """Reasons that forbid deriving: what would be derived would not be what this batch was."""
    found = [
        *_missing_base(evidence),
        *judge_plan.plan(evidence, derived),
        *judge_plan.stale(evidence, derived.trees, derived),
        *judge_candidate.candidate(evidence, derived),
    ]
    # Unusable files of the batch itself are listed among the faults already; here they only count.
    return found + [
        fault
        for fault in evidence.faults
        if not fault["where"].startswith("runs/") and fault["code"] not in ("unexpected-file", "review-invalid")
    ]


def _missing_base(evidence: Evidence) -> Reasons:
    record = evidence.archives_record or {"archives": []}
    paths = ["consumer-lock.json", *(f"archives/{entry['file']}" for entry in record["archives"])]
    return [reason("file-missing", path, file=path) for path in paths if path not in evidence.seen]


def _missing(evidence: Evidence, derived: Derived) -> Reasons:
    """1, second half: a run.json for every scheduled run, and nothing of runs and archives that nobody named."""
    scheduled = {f"{task}-{n}" for task, n in derived.suite.schedule}
    found = [
        reason("file-missing", f"runs/{key}/run.json", file="run.json")
        for key in sorted(scheduled)
        if f"runs/{key}/run.json" not in evidence.seen
    ]
    named = {f"archives/{entry['file']}" for entry in evidence.archives_record["archives"]}
    reported = {fault["where"] for fault in evidence.faults}
    for path in sorted(evidence.seen - reported):
        top, _, rest = path.partition("/")
        if (top == "runs" and rest.partition("/")[0] not in scheduled) or (top == "archives" and path not in named):
            found.append(reason("unexpected-file", path))
    return found


def notes(evidence: Evidence, derived: Derived) -> list[str]:
    """For people, never counted: recorded failures that pass now, and what could not be read again."""
    found = [f"the runner's files and label are the batch's word: {derived.runner_unseen}"] * bool(
        derived.runner_unseen
    )
    for key, _, attempt in judge_attempts.attempts(evidence):
        for name, again in (("stored", derived.verdicts.get(key)), ("fresh", derived.fresh.get(key))):
            if attempt["behavior"] is None or not again:
                continue
            held = attempt["behavior"]["assertions"]
            now = [assertion for assertion in held if not held[assertion] and again["assertions"].get(assertion)]
            if now:
                found.append(f"{key}: {', '.join(now)} failed when recorded, holds with the {name} seed; not counted")
    return found

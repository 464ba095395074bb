"""`doit review`: shows the code that a person must judge, and records that it was accepted (R-H1).

A decision is bound to the digest of the solution and changes nothing else. It never overturns a safety failure, and a
receipt that somebody edited takes no decision at all. Who the reviewer is, is the reviewer's word.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from steps import documents, errors, layout, records, schema
from steps.errors import UsageError, printable
from steps.judging import evidence as evidences
from steps.judging import judge_records
from steps.judging.evidence import Evidence
from steps.judging.judge_attempts import attempts
from steps.judging.reasons import reason

UNSAFE = ("fail", "not-observed")


def run(receipt: Path | None, *, accept: str, reviewer: str) -> int:
    """Show what needs a decision, or record one. 0 nothing is left to decide or the decision was kept, else 1."""
    path = receipt or layout.CURRENT / "receipt.json"
    found = evidences.read(path)
    if found.receipt is None or found.batch is None:
        raise UsageError("no batch to review", where=str(path), expected="the receipt.json of a batch that ran")
    refused = _altered(found)
    if accept and not refused:
        refused = refusals(found, accept, reviewer)
        if not refused:
            _record(path, found, accept, reviewer)
            found = evidences.read(path)
    pending = waiting(found)
    _tell(found, pending, refused)
    answer = {
        "recorded": bool(accept) and not refused,
        "pending": [{"attempt": key, "solutionDigest": item["solution"]["digest"]} for key, item in pending],
        "reasons": refused,
    }
    sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
    if refused:
        return errors.JUDGED_NO
    return errors.DONE if accept or not pending else errors.JUDGED_NO


def waiting(found: Evidence) -> list[tuple[str, dict[str, Any]]]:
    """(key, attempt) of successes that need review and have no decision."""
    decided = {decision["solutionDigest"] for decision in found.receipt["reviewDecisions"]}
    return [
        (key, attempt)
        for key, _, attempt in attempts(found)
        if attempt["passed"] and attempt["needsReview"] and attempt["solution"]["digest"] not in decided
    ]


def _altered(found: Evidence) -> list[dict[str, str]]:
    """Why this evidence takes no decision: it is not what the batch left, so nobody knows what would be accepted."""
    differing = [
        reason("solution-differs", f"runs/{key}", got=records.solution_digest(found.solutions[key]), expected=wanted)
        for key, _, attempt in attempts(found)
        if attempt["solution"]
        and key in found.solutions
        and records.solution_digest(found.solutions[key]) != (wanted := attempt["solution"]["digest"])
    ]
    return [*found.faults, *judge_records.records_again(found), *differing]


def refusals(found: Evidence, accept: str, reviewer: str) -> list[dict[str, str]]:
    """Why a decision on solution `accept` is refused; empty when it may be recorded."""
    where = "receipt.json"
    decision = {"solutionDigest": accept, "decision": "accept", "reviewer": reviewer}
    candidate = {**found.receipt, "reviewDecisions": [decision]}
    if faults := schema.faults(candidate, "receipt"):
        return [reason("review-invalid", where, detail="; ".join(faults))]
    submitted = [item for _, _, item in attempts(found) if item["solution"] and item["solution"]["digest"] == accept]
    if not submitted:
        return [reason("review-foreign", where, detail=accept)]
    if any(value in UNSAFE for item in submitted for value in item["safety"].values()):
        return [reason("review-unsafe", where, detail=accept)]
    if any(entry["solutionDigest"] == accept for entry in found.receipt["reviewDecisions"]):
        return [reason("review-duplicate", where, detail=accept)]
    if not any(item["needsReview"] for item in submitted):
        return [reason("review-invalid", where, detail=f"solution {accept} needs no review")]
    return []


def _record(path: Path, found: Evidence, accept: str, reviewer: str) -> None:
    decision = {"solutionDigest": accept, "decision": "accept", "reviewer": reviewer}
    decided = {**found.receipt, "reviewDecisions": [*found.receipt["reviewDecisions"], decision]}
    documents.write_atomic(path, decided)


def _tell(found: Evidence, pending: list[tuple[str, dict[str, Any]]], refused: list[dict[str, str]]) -> None:
    lines = [f"{entry['code']} ({entry['where']}): {entry['sentence']}\n    -> {entry['next']}" for entry in refused]
    for key, attempt in pending:
        lines += _attempt(key, attempt, found.solutions.get(key, {}))
    for decision in found.receipt["reviewDecisions"]:
        lines.append(f"accepted {decision['solutionDigest']} by {printable(decision['reviewer'])}")
    lines.append(f"{len(pending)} to review")
    if pending:
        lines.append("accept one: doit review --accept=<solution digest> --reviewer=<who you are>")
    sys.stderr.write("\n".join(lines) + "\n")


def _attempt(key: str, attempt: dict[str, Any], files: dict[str, bytes]) -> Iterator[str]:
    """The exact stored source, escaped, with the lines that raised a reason marked."""
    yield f"── {key}  solution {attempt['solution']['digest']}"
    places: dict[str, list[str]] = {}
    for name, found in attempt["reviewReasons"].items():
        for place in found:
            places.setdefault(place.rpartition(":")[0], []).append(name)
    for path, data in sorted(files.items()):
        for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
            why = places.get(f"{path}:{number}", [])
            note = f"    <- {', '.join(why)}" if why else ""
            yield f"{'>' if why else ' '} {path}:{number:<4} {printable(line)}{note}"
    for item in attempt["diagnostics"]:
        yield f"  {item['file']}:{item['line']} [{item['category']}] {item['code']}: {printable(item['message'])}"

"""Checks 11 to 13 of qualification: counts, safety in every submitted attempt, review decisions. Pure."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from steps import records
from steps.judging.derived import Derived
from steps.judging.evidence import Evidence
from steps.judging.judge_attempts import attempts, intact, rebuilt
from steps.judging.reasons import reason

Reasons = list[dict[str, str]]


class Counts(NamedTuple):
    """What is compared with the thresholds; `scheduled` is the denominator."""

    scheduled: int
    first: int
    final: int
    unsupported: int


def counted(evidence: Evidence, derived: Derived) -> list[dict[str, Any]]:
    """The runs as their bytes make them. An attempt whose solution is not the recorded one stays as recorded: another
    reason says so already, and nothing can be derived for it.
    """
    runs = []
    for key, run in evidence.runs.items():
        made = [
            _made(evidence, derived, f"{key}/attempt-{attempt['attempt']}", run, attempt) for attempt in run["attempts"]
        ]
        runs.append(records.run_record(run["batchId"], run["taskId"], run["repetition"], run, made))
    return runs


def _made(evidence: Evidence, derived: Derived, key: str, run: dict[str, Any], attempt: dict[str, Any]) -> Any:
    if not intact(evidence, key, attempt):
        return attempt
    new = rebuilt(evidence, derived, key, run, attempt)
    return new if new["solution"] == attempt["solution"] else attempt


def count(runs: list[dict[str, Any]], scheduled: int) -> Counts:
    """Totals of R-I2."""
    final = [run["attempts"][-1] for run in runs if run["attempts"]]
    return Counts(
        scheduled,
        sum(map(records.first_success, runs)),
        sum(map(records.final_success, runs)),
        sum(attempt["api"]["unsupportedApiCount"] for attempt in final if attempt["api"]),
    )


def results(evidence: Evidence, derived: Derived) -> Reasons:
    """11: the schedule ended, and the counts reach the suite's thresholds (R-I2)."""
    lost = [
        f"{key} {run['failureCategory']}"
        for key, run in evidence.runs.items()
        if run["failureCategory"] in records.LOST
    ]
    found = [reason("incomplete", "receipt.json", detail=", ".join(lost))] if lost else []
    if any(
        f"runs/{task}-{n}/run.json" not in evidence.seen or f"{task}-{n}" not in evidence.runs
        for task, n in derived.suite.schedule
    ):
        return found  # a record is missing: check 1 says so, and there is no total
    least, total = derived.suite.thresholds, len(derived.suite.schedule)
    counts = count(counted(evidence, derived), total)
    if counts.first < least["firstSuccesses"]:
        found.append(
            reason("first-successes", got=f"{counts.first}/{total}", expected=f"{least['firstSuccesses']}/{total}")
        )
    if counts.final < least["finalSuccesses"]:
        found.append(
            reason("final-successes", got=f"{counts.final}/{total}", expected=f"{least['finalSuccesses']}/{total}")
        )
    if counts.unsupported > least["finalUnsupportedApi"]:
        found.append(reason("unsupported-api", got=counts.unsupported, expected=least["finalUnsupportedApi"]))
    return found


def broken(derived: Derived, key: str, attempt: dict[str, Any]) -> dict[str, list[str]]:
    """Safety ids of a submitted attempt that failed or were not observed, recorded or derived: whichever is worse.

    An attempt whose record holds no verdict is derived all the same, so that a failure cannot be hidden by erasing it.
    """
    again = derived.verdicts.get(key) or {"safety": {}}
    found: dict[str, list[str]] = {"fail": [], "not-observed": []}
    for name in sorted(attempt["safety"].keys() | again["safety"].keys()):
        values = {attempt["safety"].get(name), again["safety"].get(name)}
        worst = next((value for value in found if value in values), None)
        if worst:
            found[worst].append(name)
    if attempt["failureCategory"] == "verifier-no-verdict" and not any(found.values()):
        found["not-observed"].append("every safety assertion")
    return found


def safety(evidence: Evidence, derived: Derived) -> Reasons:
    """12: no submitted attempt, failed first ones included, broke safety or hid it (R-I2)."""
    found = []
    for key, _, attempt in attempts(evidence):
        if attempt["solution"] is None:
            continue
        bad = broken(derived, key, attempt)
        if bad["fail"]:
            found.append(reason("safety-failed", f"runs/{key}", detail=", ".join(bad["fail"])))
        if bad["not-observed"]:
            found.append(reason("safety-not-observed", f"runs/{key}", detail=", ".join(bad["not-observed"])))
    return found


def review(evidence: Evidence, derived: Derived) -> Reasons:
    """13: successes that need review have one decision, bound to the solution's bytes (R-H1)."""
    decisions = Counter(decision["solutionDigest"] for decision in evidence.receipt["reviewDecisions"])
    known: dict[str, bool] = {}
    for key, _, attempt in attempts(evidence):
        if attempt["solution"]:
            solution = attempt["solution"]["digest"]
            known[solution] = known.get(solution, False) or bool(broken(derived, key, attempt)["fail"])
    where = "receipt.json"
    found = [reason("review-duplicate", where, detail=solution) for solution, n in decisions.items() if n > 1]
    found += [reason("review-foreign", where, detail=solution) for solution in decisions if solution not in known]
    found += [reason("review-unsafe", where, detail=solution) for solution in decisions if known.get(solution)]
    if any(fault["code"] == "review-invalid" for fault in evidence.faults):
        return found  # what the unusable decision meant to accept is not known
    missing = {
        attempt["solution"]["digest"]: f"{run['taskId']}-{run['repetition']}/attempt-{attempt['attempt']}"
        for run in counted(evidence, derived)
        for attempt in run["attempts"]
        if attempt["passed"] and attempt["needsReview"] and attempt["solution"]["digest"] not in decisions
    }
    found += [reason("review-missing", f"runs/{key}/solution", detail=solution) for solution, key in missing.items()]
    return found

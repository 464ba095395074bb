"""Checks 7 and 9 of qualification: bookkeeping of runs and files, and the records that follow from others. Pure."""

from __future__ import annotations

from typing import Any

from steps import digest, records
from steps.judging import judge_plan
from steps.judging.derived import Derived
from steps.judging.evidence import Evidence
from steps.judging.judge_attempts import attempts, differences, sides
from steps.judging.reasons import reason

Reasons = list[dict[str, str]]

STATES = {None: "ok", "infrastructure": "broken", "interrupted": "interrupted", "not-started": "not-started"}


def bookkeeping(evidence: Evidence, derived: Derived) -> Reasons:
    """7: claims, the order of attempts, the repair rule, and exactly the files that the records name."""
    found: Reasons = []
    for key, run in evidence.runs.items():
        claim = evidence.started.get(key)
        path = f"runs/{key}/started.json"
        if (run["startedAt"] or run["attempts"]) and path not in evidence.seen:
            found.append(reason("claim-missing", f"runs/{key}"))
        elif claim is not None:
            found += [
                reason(
                    "run-differs",
                    f"runs/{key}/run.json",
                    detail=f"{field} is {run[field]}, started.json says {claim[field]}",
                )
                for field in ("segment", "startedAt")
                if run[field] != claim[field]
            ]
        numbers = [attempt["attempt"] for attempt in run["attempts"]]
        if numbers != list(range(1, len(numbers) + 1)):
            found.append(
                reason("attempt-order", f"runs/{key}/run.json", got=numbers, expected=list(range(1, len(numbers) + 1)))
            )
        elif len(numbers) > 1 and (why := _no_repair(run["attempts"][0])):
            found.append(reason("repair-not-allowed", f"runs/{key}/run.json", detail=why))
        if judge_plan.current(evidence, derived):
            found += _outputs(key, run, derived.tasks.get(run["taskId"], {}))
    return found + _files(evidence)


def _no_repair(first: dict[str, Any]) -> str:
    if first["solution"] is None:
        return "submitted nothing"
    if first["failureCategory"] not in records.REPAIRABLE:
        return f"ended with {first['failureCategory'] or 'a pass'}"
    return ""


def _outputs(key: str, run: dict[str, Any], task: dict[str, Any]) -> Reasons:
    allowed = task.get("allowedOutputPaths", [])
    return [
        reason("output-not-allowed", f"runs/{key}/attempt-{attempt['attempt']}/solution/{path}")
        for attempt in run["attempts"]
        if attempt["solution"]
        for path in attempt["solution"]["files"]
        if path not in allowed
    ]


def _files(evidence: Evidence) -> Reasons:
    """Files of attempts that no record names, and files that a record names and nobody kept."""
    recorded = {key: attempt for key, _, attempt in attempts(evidence)}
    found = []
    for key in sorted(recorded.keys() | evidence.solutions.keys() | evidence.analysis_bytes.keys()):
        if key.partition("/")[0] not in evidence.runs:
            continue  # check 1 names the run.json that is missing or cannot be used
        attempt = recorded.get(key)
        kept = {
            part: any(path.startswith(f"runs/{key}/{part}") for path in evidence.seen)
            for part in ("solution/", "analysis.json")
        }
        wanted = {"solution/": attempt and attempt["solution"], "analysis.json": attempt and attempt["analysisDigest"]}
        for part, there in kept.items():
            if there and not wanted[part]:
                found.append(reason("unexpected-file", f"runs/{key}/{part}"))
            elif wanted[part] and not there:
                found.append(reason("file-missing", f"runs/{key}", file=part))
    return found


def records_again(evidence: Evidence) -> Reasons:
    """9: runs follow from their attempts, the receipt from batch.json and the runs (minus reviewDecisions)."""
    found: Reasons = []
    for key, run in evidence.runs.items():
        again = records.run_record(run["batchId"], run["taskId"], run["repetition"], run, run["attempts"])
        odd = [sides(field, again, run) for field in differences(run, again)]
        if run["infrastructure"]["state"] != STATES[run["endedBy"]]:
            odd.append(f"infrastructure.state is {run['infrastructure']['state']}, endedBy {run['endedBy']}")
        found += [reason("run-differs", f"runs/{key}/run.json", detail=detail) for detail in odd[:1]]
    scheduled = {f"{entry['taskId']}-{entry['repetition']}" for entry in evidence.batch["schedule"]}
    if scheduled <= evidence.runs.keys():
        again = records.receipt(evidence.batch, list(evidence.runs.values()), evidence.receipt["reviewDecisions"])
        odd = differences(evidence.receipt, again)
        found += [
            reason("receipt-differs", "receipt.json", detail=f"{field}: {_brief(field, evidence.receipt, again)}")
            for field in odd[:1]
        ]
    return found


def _brief(field: str, receipt: dict[str, Any], again: dict[str, Any]) -> str:
    if field != "runs":
        return sides(field, again, receipt)
    digests = [[digest.of_json(run) for run in side["runs"]] for side in (receipt, again)]
    odd = [
        f"{run['taskId']}-{run['repetition']}"
        for run, old in zip(receipt["runs"], digests[0], strict=True)
        if old not in digests[1]
    ]
    return f"{', '.join(odd[:3]) or 'the list of runs'} is not the kept run.json"

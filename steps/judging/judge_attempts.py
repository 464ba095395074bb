"""Checks 8 and 10 of qualification: every attempt rebuilt from bytes and compared whole, and the fresh seed. Pure.

Rebuild, then compare whole: a field that nobody thought of cannot slip past. Of each attempt the first broken link is
named; what follows from it is not.
"""

from __future__ import annotations

from typing import Any

from steps import documents, records
from steps.judging import judge_plan
from steps.judging.derived import Derived
from steps.judging.evidence import Evidence
from steps.judging.reasons import reason

Reasons = list[dict[str, str]]

# Fields of an attempt in the order of derivation, and what is wrong when a rebuilt one differs.
LINKS = (
    ("solution-differs", ("solution",)),
    ("seed-differs", ("seed",)),
    ("analysis-differs", ("analysisDigest", "api", "types", "needsReview", "reviewReasons", "diagnostics")),
    ("verdict-differs", ("behavior", "safety")),
)

# Outcomes of a scenario that a slow machine can cause, and `not-run`, which follows the second.
DEADLINES = ("timeout", "load-timeout", "not-run")


def attempts(evidence: Evidence) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """(key, run, attempt) of every recorded attempt."""
    return [
        (f"{key}/attempt-{attempt['attempt']}", run, attempt)
        for key, run in evidence.runs.items()
        for attempt in run["attempts"]
    ]


def differences(recorded: dict[str, Any], rebuilt: dict[str, Any]) -> list[str]:
    """Names of fields whose canonical JSON differs: True is not 1 here, nor 1.0 1."""
    return [
        key
        for key in sorted(recorded.keys() | rebuilt.keys())
        if key not in recorded
        or key not in rebuilt
        or documents.canonical(recorded[key]) != documents.canonical(rebuilt[key])
    ]


def rebuilt(evidence: Evidence, derived: Derived, key: str, run: dict[str, Any], attempt: dict[str, Any]) -> Any:
    """The attempt from its claimed fields, the stored bytes and what was derived; stored parts where nothing was."""
    analysis = derived.analyses.get(key, evidence.analyses.get(key)) if attempt["analysisDigest"] else None
    verdict = None
    if (recorded := recorded_verdict(attempt)) is not None:
        again = derived.verdicts.get(key, recorded)
        verdict = again and _late(recorded, again)
    return records.attempt_record(
        attempt,
        (run["batchId"], run["taskId"], run["repetition"]),
        evidence.solutions.get(key),
        analysis,
        verdict,
        suite=derived.suite,
        texts=derived.texts.get(run["taskId"], {}),
    )


def recorded_verdict(attempt: dict[str, Any]) -> dict[str, Any] | None:
    """The parts of a verdict that a record holds, or None when there was none."""
    return None if attempt["behavior"] is None else {**attempt["behavior"], "safety": attempt["safety"]}


def disturbed(verdict: dict[str, Any] | None, recorded: dict[str, Any] | None) -> bool:
    """Whether a verdict that load can have changed is not simply the recorded one."""
    if verdict is None or recorded is None:
        return recorded is not None
    late = any(entry["outcome"] in (*DEADLINES, "stopped") for entry in verdict["scenarios"])
    return late and any(verdict[part] != recorded[part] for part in recorded)


def _late(recorded: dict[str, Any], again: dict[str, Any]) -> dict[str, Any]:
    """`again` with the scenarios that missed a deadline when recorded: a recorded deadline failure stays one.

    That can only take passes away: what such a scenario did not hold is false, and its safety is not observed.
    """
    late = {entry["name"]: entry for entry in recorded["scenarios"] if entry.get("outcome") in DEADLINES}
    if not late:
        return again
    unloaded = all(entry.get("outcome") in DEADLINES[1:] for entry in recorded["scenarios"])
    fallen = {name for entry in late.values() for name in entry["failed"]}
    return {
        "scenarios": [late.get(entry["name"], entry) for entry in again["scenarios"]],
        "assertions": {name: held and name not in fallen for name, held in again["assertions"].items()},
        "safety": {
            name: ("not-applicable" if unloaded else "not-observed") if name in fallen and value != "fail" else value
            for name, value in again["safety"].items()
        },
    }


def rebuild(evidence: Evidence, derived: Derived, *, excused: bool) -> Reasons:
    """8: every attempt is what its bytes derive. `excused`: an earlier reason already forbids deriving at all."""
    found: Reasons = []
    underived: dict[str, list[str]] = {} if excused or "" not in derived.missing else {derived.missing[""]: []}
    for key, run, attempt in attempts(evidence):
        if not intact(evidence, key, attempt):
            continue
        if attempt["solution"] is not None and not excused and key not in derived.verdicts:
            why = derived.missing.get(key) or derived.missing.get("", "nobody tried")
            underived.setdefault(why, []).append(key)
        found += _attempt(evidence, derived, key, run, attempt) or _incomplete(evidence, derived, key, run, attempt)
    for why, keys in underived.items():
        shown = ", ".join(keys[:3]) + (f" and {len(keys) - 3} more" if len(keys) > 3 else "")
        found.append(reason("not-rederived", shown, detail=why))
    return found


def intact(evidence: Evidence, key: str, attempt: dict[str, Any]) -> bool:
    """Whether the attempt's files can be judged at all; checks 1 and 7 name what is missing or unusable."""
    if any(fault["where"].startswith(f"runs/{key}/") for fault in evidence.faults):
        return False
    return (attempt["solution"] is None or key in evidence.solutions) and (
        attempt["analysisDigest"] is None or key in evidence.analyses
    )


def _attempt(evidence: Evidence, derived: Derived, key: str, run: dict[str, Any], attempt: dict[str, Any]) -> Reasons:
    where = f"runs/{key.partition('/')[0]}/run.json"
    new = rebuilt(evidence, derived, key, run, attempt)
    odd = differences(attempt, new)
    for code, fields in LINKS:
        if wrong := [field for field in fields if field in odd]:
            return [_link(code, where, key, wrong[0], new, attempt)]
    again = derived.analyses.get(key)
    if again and attempt["analysisDigest"] and evidence.analysis_bytes[key] != documents.pretty(again):
        return [reason("analysis-differs", f"runs/{key}/analysis.json", detail="the stored bytes are not the derived")]
    if not judge_plan.current(evidence, derived):
        odd = [field for field in odd if field != "feedback"]  # its words are the evaluator's
    return [reason("attempt-differs", where, detail=f"{key}: {sides(field, new, attempt)}") for field in odd[:1]]


def _link(code: str, where: str, key: str, field: str, new: dict[str, Any], old: dict[str, Any]) -> dict[str, str]:
    if code == "solution-differs":
        got, expected = ((side["solution"] or {}).get("digest") for side in (new, old))
        if got == expected:  # the digest was kept and its parts were edited
            got, expected = ((side["solution"] or {}).get("files") for side in (new, old))
        return reason(code, f"runs/{key}/solution", got=got, expected=expected)
    if code == "seed-differs":
        return reason(code, where, got=old["seed"], expected=new["seed"])
    return reason(code, where, detail=f"{key}: {sides(field, new, old)}")


def sides(field: str, new: dict[str, Any], old: dict[str, Any]) -> str:
    """`field: got …, expected …`, narrowed to the keys that differ."""
    got, expected = old.get(field), new.get(field)
    if isinstance(got, dict) and isinstance(expected, dict):
        for key in differences(got, expected)[:1]:
            return sides(f"{key}", expected, got)
    shown = [documents.canonical(side).decode()[:200] for side in (got, expected)]
    return f"{field}: recorded {shown[0]}, derived {shown[1]}"


def _incomplete(
    evidence: Evidence, derived: Derived, key: str, run: dict[str, Any], attempt: dict[str, Any]
) -> Reasons:
    task = derived.tasks.get(run["taskId"])
    if attempt["behavior"] is None or task is None or not judge_plan.current(evidence, derived):
        return []
    where = f"runs/{key.partition('/')[0]}/run.json"
    pairs = ((attempt["behavior"]["assertions"], task["assertionIds"]), (attempt["safety"], task["safetyAssertionIds"]))
    return [
        reason("assertions-incomplete", where, got=sorted(got), expected=sorted(expected))
        for got, expected in pairs
        if set(got) != set(expected)
    ][:1]


def fresh(evidence: Evidence, derived: Derived) -> Reasons:
    """10: what passed with the stored seed passes with a fresh one. A failure that now passes is not counted."""
    found = []
    for key, _, attempt in attempts(evidence):
        if key not in derived.fresh or attempt["behavior"] is None:
            continue
        verdict = derived.fresh[key] or {"assertions": {}, "safety": {}}
        lost = [
            name
            for name, held in attempt["behavior"]["assertions"].items()
            if held and attempt["passed"] and verdict["assertions"].get(name) is not True
        ]
        lost += [
            name
            for name, value in attempt["safety"].items()
            if value == "pass" and verdict["safety"].get(name) != "pass" and name not in lost
        ]
        if lost:
            found.append(reason("fresh-seed-failed", f"runs/{key}", seed=derived.fresh_seed, detail=", ".join(lost)))
    return found

"""`doit regrade`: the stored solutions under today's contract, task.json and grader, without any model. Advice only.

A prompt cannot be tried again this way, and neither can a run that submitted nothing: a time-out stays one. What is
found here is never written back; to qualify again, put the bytes back or run a new batch (R-B4, R-I4).
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from steps import digest, documents, errors, inputs, layout, records, scratch
from steps.errors import Infrastructure, Refusal
from steps.judging import evidence as evidences
from steps.judging import judge_attempts, qualify, rederive
from steps.judging.derived import Derived
from steps.judging.evidence import Evidence

CACHE = layout.STATE / "regrade"


def run(task_id: str, receipt: Path | None) -> int:
    """Print what would change for one task. 0 nothing would, 1 something would, 2 not everything could be tried."""
    found = evidences.read(receipt or layout.CURRENT / "receipt.json")
    if early := qualify.usable(found):
        raise Refusal(early[0]["sentence"], where=early[0]["where"], next="regrade a batch that ran")
    result = preview(found, task_id)
    sys.stderr.write("\n".join(_lines(result)) + "\n")
    sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")
    if result["changes"]:
        return errors.JUDGED_NO
    return errors.DONE if result["tried"] and not result["notTried"] else errors.MACHINERY


def preview(found: Evidence, task_id: str) -> dict[str, Any]:
    """Today's results of one task's attempts against the recorded ones."""
    base = rederive.checkout(found, inputs.trees(), only=task_id)
    jobs, missing = rederive.jobs_of(found, base)
    jobs = [replace(job, recorded=None) for job in jobs if job.task == task_id]  # no fresh seed: the stored one decides
    missing = {key: why for key, why in missing.items() if key.startswith(f"{task_id}-")}
    keys = {job.key: _cache_key(found, job, base) for job in jobs}
    known = {key: entry for key in keys if (entry := _cached(keys[key])) is not None}
    todo = [job for job in jobs if job.key not in known]
    derived = _derive(found, base, todo, missing) if todo else replace(base, missing=missing)
    for job in todo:
        if job.key in derived.verdicts:
            known[job.key] = {"analysis": derived.analyses[job.key], "verdict": derived.verdicts[job.key]}
            documents.write_atomic(_place(keys[job.key]), {"key": keys[job.key], **known[job.key]})
    derived = replace(
        derived,
        analyses={key: entry["analysis"] for key, entry in known.items()},
        verdicts={key: entry["verdict"] for key, entry in known.items()},
    )
    return _compare(found, derived, task_id, cached=len(jobs) - len(todo))


def _derive(found: Evidence, base: Derived, todo: list[rederive.Job], missing: dict[str, str]) -> Derived:
    with scratch.folder("qualify", rederive.HOME) as work:
        try:
            prepared = rederive.kept_consumer(found, work / "batch")
            bench = rederive.bench_of(found, prepared.path, work.name)
        except (Refusal, Infrastructure) as error:
            raise Refusal(f"nothing can be graded here: {error}", where=found.name) from error
        return rederive.derive(todo, replace(base, missing=missing), prepared, bench, work, lambda _line: None)


def _cache_key(found: Evidence, job: rederive.Job, base: Derived) -> str:
    """Everything that today's result of a solution depends on."""
    trees = {**base.trees["suite"]["files"], **base.trees["evaluator"]["files"]}
    others = tuple(f"{folder}/{other}" for folder in ("tasks", "graders/tasks") for other in base.suite.tasks)
    own = (f"tasks/{job.task}/", f"graders/tasks/{job.task}.mjs", f"graders/tasks/{job.task}/")
    files = {path: state for path, state in trees.items() if path.startswith(own) or not path.startswith(others)}
    judged_by = found.batch["config"]["verifierImage"]
    lock = digest.of_bytes(found.lock or b"")
    return digest.of_json([files, base.toolchain, job.solution, job.seed, judged_by, lock])


def _place(key: str) -> Path:
    return CACHE / f"{key.removeprefix('sha256:')}.json"


def _cached(key: str) -> dict[str, Any] | None:
    """A stored result, only if it repeats its key; as forgeable as any file, so never used but for advice."""
    try:
        entry = documents.read(_place(key))
    except Refusal:
        return None
    return entry if isinstance(entry, dict) and entry.get("key") == key and "verdict" in entry else None


def _compare(found: Evidence, derived: Derived, task_id: str, cached: int) -> dict[str, Any]:
    runs = {key: run for key, run in found.runs.items() if run["taskId"] == task_id}
    again, changes = [], []
    for key, run in runs.items():
        made = []
        for attempt in run["attempts"]:
            name = f"{key}/attempt-{attempt['attempt']}"
            new = judge_attempts.rebuilt(found, derived, name, run, attempt) if name in derived.verdicts else attempt
            made.append(new)
            if change := _change(attempt, new):
                changes.append({"attempt": name, **change})
        again.append(records.run_record(run["batchId"], task_id, run["repetition"], run, made))
    return {
        "advisory": True,
        "task": task_id,
        "stored": sum(len(run["attempts"]) for run in runs.values()),
        "tried": len(derived.verdicts),
        "cached": cached,
        "notTried": derived.missing,
        "before": _counts(list(runs.values()), derived),
        "after": _counts(again, derived),
        "changes": changes,
    }


def _counts(runs: list[dict[str, Any]], derived: Derived) -> dict[str, str]:
    total = derived.suite.repetitions
    return {
        "first": f"{sum(map(records.first_success, runs))}/{total}",
        "final": f"{sum(map(records.final_success, runs))}/{total}",
    }


def _change(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any] | None:
    """What a person wants to know of a changed attempt: the outcome, static faults, assertions and safety."""
    parts = {
        "assertions": ((old["behavior"] or {}).get("assertions", {}), (new["behavior"] or {}).get("assertions", {})),
        "safety": (old["safety"], new["safety"]),
    }
    differing = {
        name: {key: [a.get(key), b.get(key)] for key in sorted(a.keys() | b.keys()) if a.get(key) != b.get(key)}
        for name, (a, b) in parts.items()
    }
    faults = [(side["types"] or {}).get("staticFaults", []) for side in (old, new)]
    if old["failureCategory"] == new["failureCategory"] and faults[0] == faults[1] and not any(differing.values()):
        return None
    return {
        "outcome": [old["failureCategory"] or "passed", new["failureCategory"] or "passed"],
        "staticFaults": faults,
        **differing,
    }


def _lines(result: dict[str, Any]) -> list[str]:
    lines = [
        f"{result['task']}: {result['tried']}/{result['stored']} attempts tried again, {result['cached']} from cache, "
        f"{len(result['changes'])} would change",
        f"  first {result['before']['first']} -> {result['after']['first']}, "
        f"final {result['before']['final']} -> {result['after']['final']}",
    ]
    if not result["tried"] and not result["notTried"]:
        lines.append("  nothing was submitted that could be tried again")
    lines += [f"  not tried {key}: {why}" for key, why in sorted(result["notTried"].items())]
    for change in result["changes"]:
        lines.append(f"  {change['attempt']}: {' -> '.join(change['outcome'])}")
        if change["staticFaults"][0] != change["staticFaults"][1]:
            lines.append(f"    static faults {change['staticFaults'][0]} -> {change['staticFaults'][1]}")
        for part in ("assertions", "safety"):
            lines += [f"    {name}: {old} -> {new}" for name, (old, new) in change[part].items()]
    return [*lines, "  advice only: to qualify, put the bytes back or run a new batch"]

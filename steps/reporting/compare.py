"""`doit compare`: two batches side by side, counts with denominators and intervals that suit small counts.

It refuses to compare what was not measured alike, and says which inputs differ. It derives nothing again: qualify does.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import NormalDist
from typing import Any

from steps import documents, errors, layout, records
from steps.errors import Refusal, UsageError
from steps.judging import evidence as evidences
from steps.judging import judge_records
from steps.judging.evidence import Evidence

CONFIDENCE = 0.95


def wilson(successes: int, total: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's score interval of a proportion: never outside 0..1, and not empty at 0/n or n/n as the normal one is."""
    if not 0 <= successes <= total or total == 0:
        raise ValueError(f"no proportion: {successes}/{total}")
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share, spread = successes / total, z * z / total
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / total + spread / (4 * total))
    return max(0.0, middle - half), min(1.0, middle + half)


def find(name: str) -> Evidence:
    """A stored batch by folder name, by path, or `current`. Refusal unless it is whole enough to be compared."""
    places = [layout.EVIDENCE / name, Path(name)]
    folder = next((place for place in places if name and (place / "receipt.json").is_file()), None)
    if folder is None:
        raise UsageError(f"no batch {name!r}", where=str(layout.EVIDENCE), expected="two batch folders with a receipt")
    found = evidences.read(folder / "receipt.json")
    if found.batch is None or found.receipt is None or found.archives_record is None:
        raise Refusal("the batch never opened or cannot be read", where=str(folder), next="see `doit qualify` for it")
    if found.faults or judge_records.records_again(found):
        raise Refusal("its records do not agree with each other", where=str(folder), next="see `doit qualify` for it")
    return found


def conditions(found: Evidence) -> dict[str, Any]:
    """What must be equal for two batches to be comparable."""
    batch, config = found.batch, found.batch["config"]
    return {
        "suite": batch["inputs"]["suite"]["digest"],
        "evaluator": batch["inputs"]["evaluator"]["digest"],
        "toolchain": batch["inputs"]["toolchain"],
        "launcher": config["launcher"],
        "verifier image": config["verifierImage"],
        "time budgets": [config["submissionTimeoutMs"], config["batchTimeoutMs"]],
        "completed": found.receipt["completed"],
    }


def subjects(found: Evidence) -> dict[str, Any]:
    """What a comparison may be about."""
    config = found.batch["config"]
    return {
        "candidate": {entry["package"]: entry["sha256"] for entry in found.archives_record["archives"]},
        "agent": [config["expectedRunner"], config["runnerImage"], config["executable"], config["args"]],
        "model": config["expectedModel"],
    }


def differing(a: dict[str, Any], b: dict[str, Any]) -> list[str]:
    """Names whose canonical values differ, in order."""
    return [name for name in a if documents.canonical(a[name]) != documents.canonical(b[name])]


def tally(found: Evidence) -> dict[str, Any]:
    """Counts of one batch: in all and per task, with denominators, and per assertion over final attempts."""
    runs = found.receipt["runs"]
    tasks: dict[str, dict[str, int]] = {}
    assertions: dict[str, dict[str, int]] = {}
    for entry in found.batch["schedule"]:
        tasks.setdefault(entry["taskId"], {"first": 0, "final": 0, "scheduled": 0})["scheduled"] += 1
    for run in runs:
        tasks[run["taskId"]]["first"] += records.first_success(run)
        tasks[run["taskId"]]["final"] += records.final_success(run)
        verdict = run["attempts"][-1]["behavior"] if run["attempts"] else None
        for name, held in (verdict["assertions"] if verdict else {}).items():
            count = assertions.setdefault(f"{run['taskId']}/{name}", {"held": 0, "judged": 0})
            count["judged"] += 1
            count["held"] += held
    total = {key: sum(task[key] for task in tasks.values()) for key in ("first", "final", "scheduled")}
    return {"batch": found.name, "total": total, "tasks": tasks, "assertions": assertions}


def compare(a: Evidence, b: Evidence) -> dict[str, Any]:
    """The whole comparison as a value."""
    left, right = tally(a), tally(b)
    names = sorted(left["assertions"].keys() | right["assertions"].keys())
    return {
        "schemaVersion": 1,
        "notComparable": differing(conditions(a), conditions(b)),
        "differs": differing(subjects(a), subjects(b)),
        "a": {key: left[key] for key in ("batch", "total", "tasks")},
        "b": {key: right[key] for key in ("batch", "total", "tasks")},
        "intervals": {
            side: {key: wilson(found["total"][key], found["total"]["scheduled"]) for key in ("first", "final")}
            for side, found in (("a", left), ("b", right))
        },
        "assertions": [
            {"assertion": name, "a": left["assertions"].get(name), "b": right["assertions"].get(name)}
            for name in names
            if left["assertions"].get(name) != right["assertions"].get(name)
        ],
    }


def run(a: str, b: str, *, anyway: bool) -> int:
    """Print the comparison; exit 1 and nothing to compare when the two were not measured alike."""
    result = compare(find(a), find(b))
    refused = bool(result["notComparable"]) and not anyway
    sys.stderr.write("\n".join(_lines(result, refused)) + "\n")
    shown = {key: result[key] for key in ("schemaVersion", "notComparable", "differs")} if refused else result
    sys.stdout.write(json.dumps(shown, ensure_ascii=False) + "\n")
    return errors.JUDGED_NO if refused else errors.DONE


def _lines(result: dict[str, Any], refused: bool) -> Iterator[str]:
    yield f"A {result['a']['batch']}"
    yield f"B {result['b']['batch']}"
    if result["notComparable"]:
        yield f"not comparable: {', '.join(result['notComparable'])} differ"
    if refused:
        yield "  -> measure both alike, or say --anyway to see the counts all the same"
        return
    yield f"differs in: {', '.join(result['differs']) or 'nothing: the same measurement twice'}"
    if len(result["differs"]) > 1:
        yield "  more than one thing differs: no difference below can be put down to one of them"
    yield f"{'':<24}{'first A':>9}{'first B':>9}{'final A':>9}{'final B':>9}"
    for task in result["a"]["tasks"]:
        yield f"  {task:<22}" + "".join(_cells(result, task))
    yield f"  {'in all':<22}" + "".join(_cells(result, None))
    for key in ("first", "final"):
        low_a, high_a = result["intervals"]["a"][key]
        low_b, high_b = result["intervals"]["b"][key]
        yield f"  {key}: 95 % intervals (Wilson) A {low_a:.2f}-{high_a:.2f}, B {low_b:.2f}-{high_b:.2f}"
    for entry in result["assertions"]:
        yield f"  {entry['assertion']}: A {_share(entry['a'])}, B {_share(entry['b'])} of the final attempts judged"
    yield f"  {records.NOTICE}"


def _cells(result: dict[str, Any], task: str | None) -> Iterator[str]:
    for key in ("first", "final"):
        for side in ("a", "b"):
            counts = result[side]["total"] if task is None else result[side]["tasks"].get(task)
            yield f"{counts[key]}/{counts['scheduled']}".rjust(9) if counts else "-".rjust(9)


def _share(count: dict[str, int] | None) -> str:
    return f"{count['held']}/{count['judged']}" if count else "not judged"

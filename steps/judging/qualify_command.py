"""`doit qualify`: reads the evidence, derives it again, prints the decision and what a person needs to act on it."""

from __future__ import annotations

import json
import secrets
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from steps import documents, errors, inputs, layout, records, schema
from steps.errors import Infrastructure, Refusal, UsageError, printable
from steps.judging import evidence as evidences
from steps.judging import judge_plan, judge_results, qualify, reasons, rederive
from steps.judging.derived import Derived
from steps.judging.evidence import Evidence


def run(receipt: Path | None, archives: Path | None, *, expect: str | None, digests_only: bool) -> int:
    """Exit code: 0 qualified (or, with `expect`, not qualified for that sole reason), 1 not qualified."""
    if expect is not None and expect not in reasons.codes():
        raise UsageError(f"no reason {expect!r}", where="--expect-unqualified", expected="a code of docs/reasons.md")
    receipt = receipt or layout.CURRENT / "receipt.json"
    evidence = evidences.read(receipt, archives)
    decided, derived = judge(evidence, digests_only=digests_only)
    schema.check(decided, "qualification", where="qualification.json")
    _tell(evidence, derived, decided)
    sys.stdout.write(json.dumps(decided, ensure_ascii=False, separators=(",", ":")) + "\n")
    _keep(receipt, decided)
    if expect is not None:
        return errors.DONE if {entry["code"] for entry in decided["reasons"]} == {expect} else errors.JUDGED_NO
    return errors.DONE if decided["qualified"] else errors.JUDGED_NO


def judge(evidence: Evidence, *, digests_only: bool) -> tuple[dict[str, Any], Derived | None]:
    """The decision on evidence, always with the scripted runners that this repository knows."""
    if early := qualify.usable(evidence):
        return qualify.decision(early), None
    trees: dict[str, Any] = {}
    try:
        trees = inputs.trees()
        derived = rederive.checkout(evidence, trees)
    except (Refusal, Infrastructure, OSError) as error:
        # A checkout that cannot judge is no bug of the evidence, and no reason to stay silent about what is stale.
        why = reasons.reason("not-rederived", "", detail=f"this checkout cannot judge: {error}")
        known = judge_plan.stale(evidence, trees, None) if trees else []
        return qualify.decision([*evidence.faults, *known, why]), None
    if digests_only:
        derived = replace(derived, missing={"": "--digests-only was given"})
    elif not qualify.basis(evidence, derived):
        # 48 bits, as records.seed_of draws them.
        derived = rederive.attempts(evidence, derived, secrets.randbits(48), _progress)
    return qualify.qualify(evidence, derived, rederive.scripted_runners()), derived


def _progress(line: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{line}")


def _tell(evidence: Evidence, derived: Derived | None, decided: dict[str, Any]) -> None:
    """People's text on stderr: counts with denominators, reasons with the next action, what it does not say."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
    lines = [f"{printable(evidence.name)}: {'qualified' if decided['qualified'] else 'not qualified'}"]
    if derived is not None:
        total = len(derived.suite.schedule)
        counts = judge_results.count(judge_results.counted(evidence, derived), total)
        lines.append(
            f"  first successes {counts.first}/{total}, final successes {counts.final}/{total}, "
            f"unsupported references in final attempts {counts.unsupported}"
        )
        done, all_of_them = len(derived.verdicts), sum(map(len, (run["attempts"] for run in evidence.runs.values())))
        lines.append(
            f"  derived again: {done}/{all_of_them} attempts"
            + (f", fresh seed {derived.fresh_seed}" if derived.fresh else "")
        )
        lines += [f"  note: {printable(note)}" for note in qualify.notes(evidence, derived)]
    for entry in decided["reasons"]:
        where = f" ({entry['where']})" if entry["where"] else ""
        lines += [f"  {entry['code']}{where}: {entry['sentence']}", f"    -> {entry['next']}"]
    sys.stderr.write("\n".join([*lines, f"  {records.NOTICE}"]) + "\n")


def _keep(receipt: Path, decided: dict[str, Any]) -> None:
    """qualification.json beside the receipt; evidence in a read-only folder is judged all the same."""
    if not receipt.parent.is_dir():
        return
    try:
        documents.write_atomic(receipt.parent / "qualification.json", decided)
    except OSError as error:
        sys.stderr.write(f"  qualification.json could not be written here ({error.strerror}): printed only\n")

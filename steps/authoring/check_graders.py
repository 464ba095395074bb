"""Runs every authored case of a task: right solutions pass, wrong ones fail for their declared reason (R-B1)."""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steps import digest, documents, graph, layout, records, suite
from steps.analysis import analyze
from steps.authoring.cases import Case, cases_of, coverage_faults
from steps.errors import AttemptFailed
from steps.grading import grade

# A grader spends half its time waiting for close windows, so two cases at a time cost little more than one.
WORKERS = 2
_ANALYSING = threading.Lock()  # one warm compiler serves one solution at a time


@dataclass(frozen=True)
class Outcome:
    """What one solution did: static faults, failed assertion ids, why there is no verdict, if so, and its scenarios.

    `review` holds the reasons why a person must look at it before it can qualify.
    """

    static: frozenset[str]
    failed: frozenset[str]
    broken: str | None
    scenarios: tuple[dict[str, Any], ...] = ()
    review: frozenset[str] = frozenset()

    @property
    def passed(self) -> bool:
        return not (self.static or self.failed or self.broken)


@contextmanager
def staged(files: dict[str, Path]) -> Iterator[Path]:
    """A fresh folder with copies of the solution files, as the collector leaves them."""
    with tempfile.TemporaryDirectory(prefix="solution-") as name:
        for path, source in files.items():
            target = Path(name) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
        yield Path(name)


def run_solution(
    analyser: analyze.Analyser, consumer: Path, task: Path, solution: Path, seed: int, *, behaviour: bool = True
) -> Outcome:
    """Analyse and grade one solution exactly as a batch does; without `behaviour`, analyse it only."""
    with tempfile.TemporaryDirectory(prefix="emitted-") as emitted:
        try:
            with _ANALYSING:
                analysis = analyser.analyse(consumer, task, solution, Path(emitted))
        except AttemptFailed as failure:
            return Outcome(frozenset(), frozenset(), failure.category)
        static = frozenset(records.static_faults(analysis))
        if not behaviour:
            return Outcome(static, frozenset(), None)
        try:
            verdict = grade.grade(consumer, task, Path(emitted) if analysis["emitted"] else solution, seed)
        except AttemptFailed as failure:
            return Outcome(static, frozenset(), failure.category)
    return Outcome(static, failed_ids(verdict), None, tuple(verdict["scenarios"]), frozenset(analysis["reviewReasons"]))


def failed_ids(verdict: dict[str, Any]) -> frozenset[str]:
    """Assertions that are not true, and safety assertions that are not `pass`."""
    unsafe = {name for name, value in verdict["safety"].items() if value != "pass"}
    return frozenset({name for name, ok in verdict["assertions"].items() if ok is not True} | unsafe)


def fault(case: Case, outcome: Outcome) -> str | None:
    """Why the case is red, or None. A case rejected for another reason, or in another phase, is red."""
    got = f"got static {sorted(outcome.static)}, failed {sorted(outcome.failed)}, {outcome.broken or 'a verdict'}"
    if case.accepts:
        if not outcome.passed:
            return f"{case.name}: a right solution was rejected: {got}"
        if outcome.review != case.review:
            return f"{case.name}: asks for a review of {sorted(outcome.review)}, declared {sorted(case.review)}"
        return None
    if outcome.broken:
        return f"{case.name}: no verdict: {got}"
    rejected = outcome.failed if case.phase == "behaviour" else outcome.static
    if case.phase == "behaviour" and outcome.static:
        return f"{case.name}: rejected statically, expected in behaviour: {got}"
    if rejected == case.fails:
        return None
    return f"{case.name}: expected exactly {sorted(case.fails)} to fail in {case.phase}: {got}"


def check(task_id: str, consumer: Path, workers: int = WORKERS) -> tuple[list[str], int]:
    """Faults of a task's cases and how many were run; progress goes to stderr."""
    folder = layout.TASKS / task_id
    task = suite.load_task(folder)
    cases = cases_of(task_id)
    with analyze.Analyser() as analyser, ThreadPoolExecutor(workers) as pool:

        def one(case: Case) -> str | None:
            seed = digest.seed("test_graders", task_id, case.name)
            behaviour = case.phase in (None, "behaviour")
            with staged(case.files(task["allowedOutputPaths"])) as solution:
                outcome = run_solution(analyser, consumer, folder, solution, seed, behaviour=behaviour)
            found = fault(case, outcome)
            if found:
                sys.stderr.write(f"  red: {task_id}/{found}\n")
            return found

        reds = [found for found in pool.map(one, cases) if found]
    return [*coverage_faults(cases, task["assertionIds"]), *reds], len(cases)


def stamp_inputs(task_id: str) -> str:
    """Digest of every file that a stamp depends on; recomputed by whoever wants to rely on the stamp."""
    files = [Path(name) for name in (*graph.grader_files(task_id), *graph.JUDGING)]
    return digest.of_json([digest.of_tree(layout.ROOT, files), digest.of_file(layout.CONSUMER_LOCK)])


def write_stamp(task_id: str, cases: int, inputs: str) -> None:
    """The result that lets later work skip these cases while no input changes. A convenience, no evidence."""
    documents.write_atomic(
        layout.stamp(task_id),
        {"schemaVersion": 1, "taskId": task_id, "cases": cases, "inputsDigest": inputs, "passed": True},
    )


def stamp_faults(task_id: str) -> list[str]:
    """Why the stamp of a task cannot be relied on; empty when it can."""
    path = layout.stamp(task_id)
    if not path.is_file():
        return [f"{task_id}: its graders are not tested; run `doit test_graders`"]
    body = documents.read(path)
    if body.get("inputsDigest") != stamp_inputs(task_id) or body.get("passed") is not True:
        return [f"{task_id}: its graders changed since they were tested; run `doit test_graders`"]
    return []

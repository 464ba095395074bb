"""Plants a fixed list of mistakes into every right solution and grades them all: do the graders see them? (R-B1, R-B2)

Every operator of `mutation_operators.mjs` is applied at every site of every file of every accept case. Left out are
edits that emit the same JavaScript as another one, or as the solution itself, and entries of constant tables that
another solution of the task has shown. A mutant is killed only when a grader judged an assertion false; compile errors,
missing verdicts and time-outs are counted apart. Graded are the killed and the survivors.

A mutant touches safety when a rule of `fixtures/mutants/<task>.yaml` matches it: the rule names an operator and a piece
of the text that it changes, for example the check of a signal before a payment. When it is killed, a safety assertion
must be among its killers; a rule that matches no graded mutant is red.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from steps import documents, layout, suite
from steps.analysis import analyze
from steps.authoring import mutant_results, mutants
from steps.authoring.mutants import Declared, Mutant
from steps.packing import consumer

PER_TASK, IN_ALL, MOST_EQUIVALENT = 15, 150, 0.05
WORKERS = 4  # graders wait for close windows and deadlines, and compilers for each other
CLASSES = ("killed", "survived", "compile-error", "no-verdict", "time-out")
Row = dict[str, Any]


def rows_of(task_id: str, at: Path) -> list[Row]:
    """One row for each mutant of a task, in the order of the solutions."""
    cases, solutions = mutants.right_solutions(task_id)
    by_name = {case.name: case for case in cases}
    made = mutants.make(solutions)
    declared = mutants.declared(task_id)
    sys.stderr.write(f"{task_id}: {len(made.mutants)} mutants; left out: {made.dropped}\n")
    with analyze.Analyser() as analyser, ThreadPoolExecutor(WORKERS) as pool:

        def one(mutant: Mutant) -> Row:
            found = row(
                task_id, mutant, mutant_results.judge(analyser, at, task_id, by_name[mutant.solution], mutant), declared
            )
            if survives(found):
                sys.stderr.write(f"  survived: {task_id}/{mutant.name}: {mutant.before} -> {mutant.after}\n")
                sys.stderr.flush()
            return found

        return list(pool.map(one, made.mutants))


def row(task_id: str, mutant: Mutant, result: dict[str, Any], declared: Declared) -> Row:
    """What the report holds of one mutant."""
    shown = {key: value for key, value in asdict(mutant).items() if key != "text"}
    entry = declared.equivalents.get(mutant.name)
    return {
        "task": task_id,
        **shown,
        "source": mutant.source,
        **result,
        "equivalent": entry is not None and entry["source"] == mutant.source and result["class"] == "survived",
        "touchesSafety": declared.touches_safety(mutant),
    }


def graded(rows: Iterable[Row]) -> list[Row]:
    return [found for found in rows if found["class"] in ("killed", "survived")]


def floor_faults(rows: list[Row], tasks: Iterable[str]) -> list[str]:
    """Why the graders are not proved; empty when every floor holds."""
    faults = [f"{r['task']}/{r['name']}: survived ({r['before']} -> {r['after']})" for r in rows if survives(r)]
    faults += [
        f"{r['task']}/{r['name']}: touches safety, but no safety assertion is among {', '.join(r['killedBy'])}"
        for r in rows
        if r["touchesSafety"] and r["class"] == "killed" and not r["safety"]
    ]
    counted = Counter(found["task"] for found in graded(rows))
    faults += [
        f"{task}: {counted[task]} graded mutants, expected {PER_TASK}" for task in tasks if counted[task] < PER_TASK
    ]
    return faults


def total_faults(rows: list[Row]) -> list[str]:
    """The floors over all tasks together."""
    faults, count = [], len(graded(rows))
    if count < IN_ALL:
        faults.append(f"{count} graded mutants in all, expected {IN_ALL}")
    equivalent = sum(found["equivalent"] for found in rows)
    if equivalent > MOST_EQUIVALENT * count:
        faults.append(f"{equivalent} of {count} are declared equivalent, expected {MOST_EQUIVALENT:.0%} at most")
    return faults


def survives(found: Row) -> bool:
    """Nothing saw the mistake, and nobody has proved that there is nothing to see."""
    return found["class"] == "survived" and not found["equivalent"]


def declaration_faults(task_id: str, declared: Declared, rows: list[Row]) -> list[str]:
    """A declaration that is about no survivor, and a safety rule that is about nothing, are stale."""
    equivalent = {found["name"] for found in rows if found["equivalent"]}
    where = f"fixtures/mutants/{task_id}.yaml"
    faults = [
        f"{where}: {name} is no surviving mutant of these bytes"
        for name in declared.equivalents
        if name not in equivalent
    ]
    if not declared.safety:
        faults.append(f"{where}: no safety rule, so nothing shows that a safety assertion finds anything")
    for rule in declared.safety:
        if not any(mutants.matches(rule, found["operator"], found["before"]) for found in graded(rows)):
            faults.append(f"{where}: no graded mutant is {rule['operator']} of {rule['before']!r}")
    return faults


def tally(rows: Iterable[Row], key: str) -> dict[str, Row]:
    """Counts of each class, and how often each id killed, by task or by operator."""
    table: dict[str, Row] = {}
    for found in rows:
        line = table.setdefault(
            found[key], {"made": 0, **dict.fromkeys(CLASSES, 0), "equivalent": 0, "killers": Counter()}
        )
        line["made"] += 1
        line[found["class"]] += 1
        line["equivalent"] += found["equivalent"]
        line["killers"].update(found["killedBy"])
    return table


def show(rows: list[Row]) -> None:
    """The two tables on stderr."""
    head = ("made", *CLASSES, "equivalent")
    for key in ("task", "operator"):
        sys.stderr.write(f"{key:22}" + "".join(f"{name:>14}" for name in head) + "  killed by\n")
        for name, line in sorted(tally(rows, key).items()):
            by = ", ".join(f"{who} {count}" for who, count in line["killers"].most_common())
            sys.stderr.write(f"{name:22}" + "".join(f"{line[field]:>14}" for field in head) + f"  {by}\n")


def check(only: str = "") -> tuple[list[str], dict[str, Any]]:
    """Faults and the summary. The whole list of mutants is left in `.verification/mutants.json`."""
    tasks = [only] if only else suite.load().tasks
    rows, faults = [], []
    with consumer.current() as prepared:
        for task in tasks:
            found = rows_of(suite.load().task_dir(task).name, prepared.path)
            faults += declaration_faults(task, mutants.declared(task), found)
            rows += found
    show(rows)
    faults += floor_faults(rows, tasks) + ([] if only else total_faults(rows))
    total = tally([{**found, "all": "all"} for found in rows], "all")["all"]
    report = layout.STATE / f"mutants{f'-{only}' if only else ''}.json"
    documents.write_atomic(report, {"schemaVersion": 1, "mutants": rows, "faults": faults})
    counts = {"made": total["made"], **{name: total[name] for name in CLASSES}, "equivalent": total["equivalent"]}
    return faults, {**counts, "faults": len(faults), "report": str(report.relative_to(layout.STATE.parent))}

"""Right solutions with one planted mistake each, and what the fixtures declare about them (R-B1)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steps import digest, documents, layout, node, schema, suite
from steps.analysis import toolchain
from steps.authoring.cases import Case, cases_of
from steps.authoring.check_graders import staged
from steps.errors import Refusal

MAIN = Path(__file__).parent / "mutate.mjs"
DECLARED = layout.FIXTURES / "mutants"


@dataclass(frozen=True)
class Mutant:
    """One mistake in one right solution; `name` is `<case>/<file>:<line>:<operator>:<ordinal>`."""

    name: str
    solution: str
    path: str
    operator: str
    line: int
    before: str
    after: str
    text: str

    @property
    def source(self) -> str:
        """Digest of the mutated file: a declaration about other bytes says nothing about these."""
        return digest.of_bytes(self.text.encode())


@dataclass(frozen=True)
class Made:
    """All mutants of some solutions, and how many edits gave no mutant of their own."""

    mutants: list[Mutant]
    dropped: dict[str, int]
    operators: list[str]


@dataclass(frozen=True)
class Declared:
    """What `fixtures/mutants/<task>.yaml` says: equivalent mutants with proofs, and which sites are about safety."""

    equivalents: dict[str, dict[str, str]]
    safety: list[dict[str, str]]

    def touches_safety(self, mutant: Mutant) -> bool:
        return any(matches(rule, mutant.operator, mutant.before) for rule in self.safety)


def matches(rule: dict[str, str], operator: str, before: str) -> bool:
    """A rule names an operator and a piece of the text that it takes away or changes."""
    return rule["operator"] == operator and rule["before"] in before


def make(solutions: dict[str, dict[str, str]]) -> Made:
    """Every mistake of the fixed list at every site of `{solution: {path: text}}`."""
    with tempfile.TemporaryDirectory(prefix="mutate-") as name:
        job = Path(name) / "job.json"
        documents.write_atomic(job, {"solutions": solutions})
        done = node.run([str(node.binary()), str(MAIN), str(toolchain.ready()), str(job)], timeout=300)
    body = documents.parse_strict(done.stdout, where=MAIN.name)
    return Made([Mutant(**found) for found in body["mutants"]], body["dropped"], body["operators"])


def right_solutions(task_id: str) -> tuple[list[Case], dict[str, dict[str, str]]]:
    """The accept cases of a task that are mutated, and their texts.

    Left out is what says `mutated: false`: solutions written blind, from the prompt and the packages alone. They prove
    that honest work passes, and honest work holds more than the prompt asks, such as guards that nothing reaches. The
    mutants of those survive, and the only ways to be rid of them are to edit the solution, which destroys what it
    proves, or to make the grader demand what the prompt does not.
    """
    allowed = suite.load_task(layout.TASKS / task_id)["allowedOutputPaths"]
    cases = [case for case in cases_of(task_id) if case.accepts and case.mutated]
    return cases, {case.name: {path: file.read_text() for path, file in case.files(allowed).items()} for case in cases}


@contextmanager
def planted(case: Case, allowed: list[str], mutant: Mutant) -> Iterator[Path]:
    """A fresh folder with the solution of the case, one file of it mutated."""
    with staged(case.files(allowed)) as folder:
        (folder / mutant.path).write_text(mutant.text)
        yield folder


def declared(task_id: str, root: Path = DECLARED) -> Declared:
    """The declarations of a task; none when it has no file."""
    where = root / f"{task_id}.yaml"
    if not where.is_file():
        return Declared({}, [])
    body: dict[str, Any] = schema.check(suite.read_yaml(where), "mutants", where=str(where))
    equivalents = {entry["name"]: entry for entry in body.get("equivalents", [])}
    if len(equivalents) != len(body.get("equivalents", [])):
        raise Refusal("a mutant is declared twice", where=str(where), expected="each name once")
    return Declared(equivalents, body.get("safety", []))

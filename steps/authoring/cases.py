"""Authored solutions as data: adding a case is adding a folder (rows R-A6, R-B1)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from steps import layout, schema, suite
from steps.errors import Refusal

SOLUTIONS = layout.FIXTURES / "solutions"


@dataclass(frozen=True)
class Case:
    """One folder of fixtures/solutions/<task>/."""

    task: str
    folder: Path
    says: str
    fails: frozenset[str]
    phase: str | None
    review: frozenset[str] = frozenset()
    mutated: bool = True

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def accepts(self) -> bool:
        return self.name.startswith("accept-")

    def files(self, allowed: list[str]) -> dict[str, Path]:
        """Relative path to file of the solution; Refusal for a file that no agent could submit."""
        present = {
            path.relative_to(self.folder).as_posix(): path
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and path.name != "case.yaml"
        }
        strange = sorted(set(present) - set(allowed))
        if strange or not present:
            what = f"{strange[0]} is not in allowedOutputPaths" if strange else "no solution file"
            raise Refusal(what, where=str(self.folder), expected=f"some of {', '.join(allowed)} and case.yaml")
        return present


def _load(task: str, folder: Path) -> Case:
    where = str(folder / "case.yaml")
    body = schema.check(suite.read_yaml(folder / "case.yaml"), "case", where=where)
    kind = folder.name.partition("-")[0]
    if kind not in ("accept", "reject") or (kind == "reject") != ("fails" in body):
        raise Refusal(
            "the folder's name and `fails` disagree",
            where=where,
            expected="accept-<why>, or reject-<why> with fails and phase",
        )
    return Case(
        task,
        folder,
        body["says"],
        frozenset(body.get("fails", ())),
        body.get("phase"),
        frozenset(body.get("review", ())),
        body.get("mutated", True),
    )


def cases_of(task: str, root: Path = SOLUTIONS) -> list[Case]:
    """All cases of a task, sorted by name; Refusal when there is none: nothing checked is not a pass."""
    folder = root / task
    cases = [_load(task, path) for path in sorted(folder.iterdir()) if path.is_dir()] if folder.is_dir() else []
    if not cases:
        raise Refusal("no cases", where=str(folder), expected="accept-<why>/ and reject-<why>/ folders")
    return cases


def coverage_faults(cases: list[Case], assertion_ids: list[str]) -> list[str]:
    """Sentences for what the cases leave unproved: each id needs a case that fails it and nothing else (R-B1)."""
    faults = []
    alone = {next(iter(case.fails)) for case in cases if case.phase == "behaviour" and len(case.fails) == 1}
    faults += [f"no reject case fails {name} and nothing else" for name in assertion_ids if name not in alone]
    accepts = sum(case.accepts for case in cases)
    if accepts < 2:
        faults.append(f"{accepts} accept cases, expected two or more in different styles")
    for case in cases:
        unknown = case.fails - set(assertion_ids) if case.phase == "behaviour" else set()
        faults += [f"{case.name}: fails names {name}, which is not in assertionIds" for name in sorted(unknown)]
    doubled = [case.says for case in cases]
    faults += [f"two cases say {text!r}" for text in sorted({text for text in doubled if doubled.count(text) > 1})]
    return faults

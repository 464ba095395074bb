"""Honest batches of another outcome, and other states of the checkout: the remaining operations of fixtures/evidence.

Records are made by the builders of records.py from the changed outcome, so nothing in them is false.
"""

from __future__ import annotations

import copy
import shutil
from typing import Any

from forged import Forged, keys_of, place
from good import read

from steps import documents, records
from steps.judging import judge_candidate


class Batch(Forged):
    """A batch folder under every operation."""

    def _copy(self, path: str, to: str) -> None:
        """What is derived from a copied run is what is derived from its bytes."""
        super()._copy(path, to)
        for found in self._found():
            moved = {key.replace(path[5:], to[5:], 1): found[key] for key in found if key.startswith(f"{path[5:]}/")}
            found.update(copy.deepcopy(moved))

    def _swap(self, path: str, to: str) -> None:
        super()._swap(path, to)
        names = {path[5:]: to[5:], to[5:]: path[5:]}
        for found in self._found():
            moved = {key: found.pop(key) for key in list(found) if key.partition("/")[0] in names}
            found.update({names[key.partition("/")[0]] + "/" + key.partition("/")[2]: moved[key] for key in moved})

    def _found(self) -> tuple[dict[str, Any], ...]:
        return self.derived.analyses, self.derived.verdicts, self.derived.fresh

    def _live(self, at: str, to: Any) -> None:
        """Another state of the checkout or the machine: a field of Derived, by pointer."""
        first, *path = keys_of(at)
        if not path:
            object.__setattr__(self.derived, first, to)
        else:
            place(getattr(self.derived, first), "/" + "/".join(key.replace("/", "~1") for key in path))(to)

    def _scripted(self, sign: str) -> None:
        """Whose evidence counts as a self-test: made without an image, or by this batch's runner."""
        files = read(self.root / "batch.json")["inputs"]["runnerFiles"]
        signs = (judge_candidate.LABELLED, judge_candidate.NO_IMAGE)
        self.scripted = frozenset({sign} if sign in signs else files.values())

    def _underived(self, attempt: str, why: str) -> None:
        for found in self._found():
            found.pop(attempt, None)
        self.derived.missing[attempt] = why

    def _declare(self, task: str, assertion: str) -> None:
        """The task declares one more assertion than its grader emits."""
        self.derived.tasks[task]["assertionIds"].append(assertion)

    def _graded(self, attempt: str, falls: str, safety: str = "") -> None:
        """Another verdict, with the stored and with the fresh seed: one assertion does not hold, or all do."""
        for verdicts in (self.derived.verdicts, self.derived.fresh):
            held = verdicts[attempt]["assertions"]
            if falls == "nothing":
                held.update(dict.fromkeys(held, True))
                continue
            name = self._assertion(attempt, falls)
            held[name] = False
            if safety:
                verdicts[attempt]["safety"][name] = safety
        self._record(attempt)

    def _late(self, attempt: str, falls: str) -> None:
        """When recorded, a scenario missed its deadline or none was ever loaded; now they hold."""
        now = copy.deepcopy(self.derived.verdicts[attempt])
        verdict = self.derived.verdicts[attempt]
        if falls == "everything":
            for entry in verdict["scenarios"]:
                entry |= {"outcome": "load-timeout", "failed": sorted(verdict["assertions"])}
            verdict["assertions"] = dict.fromkeys(verdict["assertions"], False)
            verdict["safety"] = dict.fromkeys(verdict["safety"], "not-applicable")
        else:
            name = self._assertion(attempt, falls)
            verdict["scenarios"][0] |= {"outcome": "timeout", "failed": [name]}
            verdict["assertions"][name] = False
            if falls == "safety":
                verdict["safety"][name] = "not-observed"
        self._record(attempt)
        self.derived.verdicts[attempt] = now

    def _fresh(self, attempt: str, falls: str) -> None:
        """With the fresh seed alone one assertion does not hold."""
        name = self._assertion(attempt, falls)
        self.derived.fresh[attempt]["assertions"][name] = False
        if falls == "safety":
            self.derived.fresh[attempt]["safety"][name] = "fail"

    def _analysed(self, attempt: str, **fields: Any) -> None:
        """Another analysis."""
        self.derived.analyses[attempt] |= fields
        documents.write_atomic(self.root / "runs" / attempt / "analysis.json", self.derived.analyses[attempt])
        self._record(attempt)

    def _ended(self, attempt: str, by: str) -> None:
        """The attempt's record says that it ended before its analysis was kept; the solution was."""
        (self.root / "runs" / attempt / "analysis.json").unlink()
        self._record(attempt, endedBy=by)

    def _unanalysable(self, attempt: str) -> None:
        """No compiler can process the attempt, now as then."""
        self.derived.analyses[attempt] = self.derived.verdicts[attempt] = None
        del self.derived.fresh[attempt]
        self._ended(attempt, "analysis")

    def _submitted_nothing(self, attempt: str, by: str) -> None:
        shutil.rmtree(self.root / "runs" / attempt)
        for found in self._found():
            del found[attempt]
        self._record(attempt, endedBy=by)

    def _lost(self, run: str, by: str) -> None:
        """A run that had started and was lost with everything it had."""
        shutil.rmtree(self.root / "runs" / run / "attempt-1")
        path = self.root / "runs" / run / "run.json"
        body = read(path) | {"attempts": [], "endedBy": by, "infrastructure": {"state": by, "detail": ""}}
        documents.write_atomic(path, body)
        self.reseal()

    def _repaired(self, run: str) -> None:
        """The run's submission passes only as a repair of another one."""
        first, second = f"{run}/attempt-1", f"{run}/attempt-2"
        shutil.copytree(self.root / "runs" / first, self.root / "runs" / second)
        for found in self._found():
            found[second] = copy.deepcopy(found[first])
        path = self.root / "runs" / run / "run.json"
        body = read(path)
        body["attempts"].append(body["attempts"][0] | {"attempt": 2})
        documents.write_atomic(path, body)
        self._record(second)
        self._graded(first, "other")

    def _decide(self, attempt: str) -> None:
        """A reviewer accepts the attempt's real solution."""
        run_key, _, number = attempt.partition("/attempt-")
        solution = read(self.root / "runs" / run_key / "run.json")["attempts"][int(number) - 1]["solution"]
        self._add(
            "receipt.json",
            "/reviewDecisions",
            {"solutionDigest": solution["digest"], "decision": "accept", "reviewer": "a maintainer"},
        )

    def _assertion(self, attempt: str, kind: str) -> str:
        verdict = self.derived.verdicts[attempt]
        return next(name for name in sorted(verdict["assertions"]) if (name in verdict["safety"]) == (kind == "safety"))

    def _record(self, key: str, **fields: Any) -> None:
        """The attempt's record, its run and the receipt, made anew from what was derived."""
        run_key, _, number = key.partition("/attempt-")
        path = self.root / "runs" / run_key / "run.json"
        run = read(path)
        old = run["attempts"][int(number) - 1] | fields
        solution = self.root / "runs" / key / "solution"
        files = {p.relative_to(solution).as_posix(): p.read_bytes() for p in solution.rglob("*") if p.is_file()}
        early = old["endedBy"] is not None
        run["attempts"][int(number) - 1] = records.attempt_record(
            old,
            (run["batchId"], run["taskId"], run["repetition"]),
            files or None,
            None if early else self.derived.analyses[key],
            None if early else self.derived.verdicts[key],
            suite=self.derived.suite,
            texts=self.derived.texts[run["taskId"]],
        )
        documents.write_atomic(path, run)
        self.reseal()

"""Analyses and grades stored solutions again: one warm analyser, several gradings beside it, the same work done once.

Containers of two gradings share nothing; how many run at once changes no verdict but those of missed deadlines, and
such a one is made again alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from steps import documents
from steps.analysis import analyze
from steps.errors import AttemptFailed, Infrastructure, Refusal
from steps.grading import grade
from steps.grading.judges import Judges
from steps.judging.derived import Derived
from steps.judging.judge_attempts import disturbed
from steps.packing.consumer import Consumer

Say = Callable[[str], None]
Verdict = dict[str, Any] | None  # None: the submission itself ended it, which is a result too
# A verifier waits about a third of its time for windows to close: one more than there are processors keeps them busy.
AT_ONCE = (os.cpu_count() or 1) + 1


@dataclass(frozen=True)
class Job:
    """One stored solution: everything that is derived from it."""

    key: str
    task: str
    files: dict[str, bytes]
    solution: str
    seed: int
    recorded: dict[str, Any] | None  # the verdict in the record


@dataclass
class _Found:
    """What is known so far; filled by the main thread and the gradings."""

    missing: dict[str, str]
    analyses: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    emitted: dict[tuple[str, str], Path] = field(default_factory=dict)
    verdicts: dict[tuple[str, str, int], Verdict] = field(default_factory=dict)


class _Again:
    """The jobs of one qualification and where they are done."""

    def __init__(self, jobs: list[Job], base: Derived, prepared: Consumer, bench: Judges, work: Path, say: Say) -> None:
        self._jobs, self._base, self._prepared, self._bench, self._work = jobs, base, prepared, bench, work
        self._say, self.found = say, _Found(dict(base.missing))
        self._unique = {(job.task, job.solution): job for job in jobs}
        self._wanted = {
            (job.task, job.solution, seed): job
            for job in jobs
            for seed in ((job.seed, base.fresh_seed) if job.recorded else (job.seed,))
        }

    def all(self) -> _Found:
        """Analyse one after another; what is analysed is graded meanwhile."""
        with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
            try:
                for future in list(self._submitted(pool)):
                    future.result()
            except BaseException:  # an interrupt above all: nothing more starts, and what runs is ended
                pool.shutdown(wait=False, cancel_futures=True)
                self._bench.end()
                raise
        for item, job in self._wanted.items():
            found = self.found
            if item in found.verdicts and found.analyses[item[:2]] and disturbed(found.verdicts[item], job.recorded):
                self._grade(item)  # alone: a busy machine is no evidence against anybody
        return self.found

    def _submitted(self, pool: ThreadPoolExecutor) -> Iterator[Future[None]]:
        with analyze.Analyser(launcher=self._bench.analyser) as analyser:
            for same, job in self._unique.items():
                self._analyse(analyser, same, job)
                for item in self._wanted:
                    if item[:2] == same and same in self.found.analyses:
                        yield pool.submit(self._grade, item)

    def _analyse(self, analyser: analyze.Analyser, same: tuple[str, str], job: Job) -> None:
        place = self._work / f"solution-{len(self.found.emitted) + 1}"
        for path, data in job.files.items():
            documents.write_atomic(place / "ts" / path, data)
        with self._recorded(same):
            self.found.analyses[same] = _or_none(
                lambda: analyser.analyse(
                    self._prepared.path, self._base.suite.task_dir(job.task), place / "ts", emit_dir=place / "js"
                )
            )
        self.found.emitted[same] = place / "js" if (place / "js").is_dir() else place / "ts"
        self._progress()

    def _grade(self, item: tuple[str, str, int]) -> None:
        task, solution, seed = item
        with self._recorded((task, solution)):
            if self.found.analyses[task, solution] is None:
                self.found.verdicts[item] = None  # nothing was emitted, so nothing can run
            else:
                place, where = self.found.emitted[task, solution], self._base.suite.task_dir(task)
                self.found.verdicts[item] = _or_none(
                    lambda: grade.grade(self._prepared.path, where, place, seed, launcher=self._bench.verifier)
                )
        self._progress()

    def _progress(self) -> None:
        analysed, graded = len(self.found.analyses), len(self.found.verdicts)
        self._say(f"analysed {analysed}/{len(self._unique)} solutions, graded {graded}/{len(self._wanted)} verdicts")

    @contextmanager
    def _recorded(self, same: tuple[str, str]) -> Iterator[None]:
        """Broken machinery is no result: what depends on it was not derived, and says why."""
        try:
            yield
        except (Refusal, Infrastructure, OSError) as error:
            keys = [job.key for job in self._jobs if (job.task, job.solution) == same]
            self.found.missing.update(dict.fromkeys(keys, str(error)))


def derive(jobs: list[Job], base: Derived, prepared: Consumer, bench: Judges, work: Path, say: Say) -> Derived:
    """`base` with the analysis of every job, its verdict with its own seed and, if one was recorded, a fresh one."""
    found = _Again(jobs, base, prepared, bench, work, say).all()
    derived = [job for job in jobs if job.key not in found.missing]
    return replace(
        base,
        missing=found.missing,
        analyses={job.key: found.analyses[job.task, job.solution] for job in derived},
        verdicts={job.key: found.verdicts[job.task, job.solution, job.seed] for job in derived},
        fresh={job.key: found.verdicts[job.task, job.solution, base.fresh_seed] for job in derived if job.recorded},
    )


def _or_none(work: Callable[[], dict[str, Any]]) -> Verdict:
    """The result, or None when the submission itself ended it."""
    try:
        return work()
    except AttemptFailed:
        return None

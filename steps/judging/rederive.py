"""Derives a batch again from its bytes: digests of this checkout, the consumer, every analysis and every verdict.

Bytes come from Evidence, never from the folder a second time: what was hashed is what is judged. A solution of a
self-test is executed on this machine only when its digest is that of an authored one; anything else stays underived.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from steps import digest, documents, inputs, layout, records
from steps import suite as suites
from steps.analysis import analyze
from steps.errors import AttemptFailed, Infrastructure, Refusal
from steps.grading import grade, judges
from steps.judging.derived import Derived
from steps.judging.evidence import Evidence
from steps.judging.judge_attempts import disturbed, recorded_verdict
from steps.judging.judge_candidate import LABELLED, NO_IMAGE
from steps.packing import candidate, consumer, pack, tarball
from steps.packing.consumer import Consumer
from steps.packing.tarball import Archive
from steps.suite import Suite

Say = Callable[[str], None]
AUTHORED = layout.FIXTURES / "solutions"
RUNNERS = layout.FIXTURES / "runners"


def scripted_runners() -> frozenset[str]:
    """Signs of self-test evidence: no runner image, our label on it, or files that are those of fixtures/runners."""
    files = {digest.of_file(path) for path in digest.walk(RUNNERS) if path.is_file() and path.stat().st_size}
    return frozenset({LABELLED, NO_IMAGE, *files})


def checkout(evidence: Evidence, trees: dict[str, Any], only: str | None = None) -> Derived:
    """What this checkout and the kept archives say, without running anything submitted. Refusal when it is unusable.

    `only` names the one task whose feedback texts are wanted: each costs a start of Node.
    """
    suite = suites.load()
    archives = _readable(evidence)
    tasks = {task: suites.load_task(suite.task_dir(task)) for task in suite.tasks}
    return Derived(
        suite=suite,
        tasks=tasks,
        texts={task: grade.texts(suite.task_dir(task)) for task in suite.tasks if only in (None, task)},
        trees=trees,
        toolchain=inputs.toolchain(),
        catalog=_catalog(archives, suite),
        packages={archive.file: [archive.package, archive.version] for archive in archives},
        source=_source(evidence),
    )


def _readable(evidence: Evidence) -> list[Archive]:
    """The kept archives that are tarballs; check 5 says of the others that their bytes are wrong."""
    found = []
    for file, data in sorted(evidence.archives.items()):
        with suppress(Refusal):
            found.append(tarball.parse(data, file, where=file))
    return found


def _catalog(archives: list[Archive], suite: Suite) -> dict[str, str]:
    """Digests of the API catalogs in the archives; none where the archives are not those of a candidate."""
    try:
        return {name: digest.of_bytes(data) for name, data in candidate.archive_checks(archives, suite).items()}
    except Refusal:
        return {}  # every recorded catalog then differs


def _source(evidence: Evidence) -> str | None:
    path = evidence.archives_record["source"]["path"] if evidence.archives_record else None
    if path is None:
        return None
    place = (layout.ROOT / path).resolve()
    if not place.is_relative_to(layout.ROOT) or not place.is_dir():
        return None
    return pack.source_digest(place)


@dataclass(frozen=True)
class Job:
    """One stored solution: everything that is derived from it."""

    key: str
    task: str
    files: dict[str, bytes]
    solution: str
    seed: int
    recorded: dict[str, Any] | None  # the verdict in the record


def attempts(evidence: Evidence, base: Derived, fresh_seed: int, say: Say) -> Derived:
    """`base` with the consumer and every derivable attempt; what could not be derived stands in `missing`."""
    jobs, missing = jobs_of(evidence, base)
    with tempfile.TemporaryDirectory(prefix="rederive-") as name:
        work = Path(name)
        try:
            prepared = kept_consumer(evidence, work / "batch")
        except (Refusal, Infrastructure) as error:
            return replace(base, missing={"": f"no consumer: {error}"})
        base = replace(base, consumer={"lockDigest": prepared.lock_digest, "treeDigest": prepared.tree_digest})
        if base.consumer != evidence.batch["inputs"]["consumer"]:
            return base  # another environment: check 5 says so, and nothing is derived in it
        try:
            bench = bench_of(evidence, prepared.path)
        except (Refusal, Infrastructure) as error:
            return replace(base, missing={"": f"no verifier: {error}"})
        return derive(jobs, replace(base, missing=missing, fresh_seed=fresh_seed), prepared, bench, work, say)


def _live(evidence: Evidence) -> bool:
    return evidence.batch["config"]["launcher"] != "local"


def bench_of(evidence: Evidence, consumer: Path) -> judges.Judges:
    """This machine for self-tests, the recorded verifier image for everything else. The recorded CLI is never run."""
    if not _live(evidence):
        return judges.local()
    about = {"qualify": evidence.batch["batchId"]}
    return judges.contained(evidence.batch["config"]["verifierImage"], consumer, about=about)


def jobs_of(evidence: Evidence, base: Derived) -> tuple[list[Job], dict[str, str]]:
    """The solutions that may be executed here, and why the others may not."""
    jobs, missing = [], {}
    authored = {task: _authored(AUTHORED / task, base.tasks[task]) for task in base.tasks}
    for name, run in evidence.runs.items():
        for attempt in run["attempts"]:
            key = f"{name}/attempt-{attempt['attempt']}"
            files = evidence.solutions.get(key)
            if files is None:
                continue
            solution = records.solution_digest(files)
            if not _live(evidence) and solution not in authored.get(run["taskId"], ()):
                missing[key] = "not an authored solution: never executed on this machine"
                continue
            seed = records.seed_of(run["batchId"], run["taskId"], run["repetition"], attempt["attempt"], solution)
            jobs.append(Job(key, run["taskId"], files, solution, seed, recorded_verdict(attempt)))
    return jobs, missing


def _authored(folder: Path, task: dict[str, Any]) -> set[str]:
    """Digests of the solutions in fixtures/solutions/<task>."""
    found = set()
    for case in sorted(folder.iterdir()) if folder.is_dir() else []:
        files = {path: (case / path).read_bytes() for path in task["allowedOutputPaths"] if (case / path).is_file()}
        if files:
            found.add(records.solution_digest(files))
    return found


def kept_consumer(evidence: Evidence, folder: Path) -> Consumer:
    for file, data in evidence.archives.items():
        documents.write_atomic(folder / "archives" / file, data)
    documents.write_atomic(folder / consumer.LOCK, evidence.lock or b"")
    return consumer.cached(folder / consumer.LOCK, folder / "archives")


def derive(jobs: list[Job], base: Derived, prepared: Consumer, bench: judges.Judges, work: Path, say: Say) -> Derived:
    """Analyse one after another in one warm process, grade two at a time; the same work is done once."""
    emitted: dict[tuple[str, str], Path] = {}
    analysed: dict[tuple[str, str], dict[str, Any] | None] = {}
    missing = dict(base.missing)
    unique = {(job.task, job.solution): job for job in jobs}
    with analyze.Analyser(launcher=bench.analyser) as analyser:
        for count, (same, job) in enumerate(unique.items(), 1):
            say(f"analysed {count}/{len(unique)} solutions")
            place = work / f"solution-{count}"
            for path, data in job.files.items():
                documents.write_atomic(place / "ts" / path, data)
            with _recorded(missing, [other.key for other in jobs if (other.task, other.solution) == same]):
                analysed[same] = _or_none(
                    lambda place=place, job=job: analyser.analyse(
                        prepared.path, base.suite.task_dir(job.task), place / "ts", emit_dir=place / "js"
                    )
                )
                emitted[same] = place / "js" if (place / "js").is_dir() else place / "ts"
    graded = _grade(jobs, base, prepared, bench, emitted, analysed, missing, say)
    derived = [job for job in jobs if job.key not in missing]
    return replace(
        base,
        missing=missing,
        analyses={job.key: analysed[job.task, job.solution] for job in derived},
        verdicts={job.key: graded[job.task, job.solution, job.seed] for job in derived},
        fresh={job.key: graded[job.task, job.solution, base.fresh_seed] for job in derived if job.recorded},
    )


def _grade(
    jobs: list[Job],
    base: Derived,
    prepared: Consumer,
    bench: judges.Judges,
    emitted: dict[tuple[str, str], Path],
    analysed: dict[tuple[str, str], dict[str, Any] | None],
    missing: dict[str, str],
    say: Say,
) -> dict[tuple[str, str, int], dict[str, Any] | None]:
    """Verdicts by task, solution and seed: the derived seed of each attempt and the fresh one."""
    wanted = {
        (job.task, job.solution, seed): job
        for job in jobs
        if (job.task, job.solution) in analysed
        for seed in ((job.seed, base.fresh_seed) if job.recorded else (job.seed,))
    }
    results: dict[tuple[str, str, int], dict[str, Any] | None] = {}

    def one(item: tuple[str, str, int]) -> None:
        task, solution, seed = item
        keys = [job.key for job in jobs if (job.task, job.solution) == (task, solution)]
        with _recorded(missing, keys):
            if analysed[task, solution] is None:
                results[item] = None  # nothing was emitted, so nothing can run
            else:
                place = emitted[task, solution]
                where = base.suite.task_dir(task)
                results[item] = _or_none(
                    lambda: grade.grade(prepared.path, where, place, seed, launcher=bench.verifier)
                )
        say(f"graded {len(results)}/{len(wanted)} verdicts")

    with ThreadPoolExecutor(max_workers=min(2, os.cpu_count() or 1)) as pool:
        list(pool.map(one, wanted))
    for item, job in wanted.items():
        if item in results and analysed[item[:2]] is not None and disturbed(results[item], job.recorded):
            one(item)  # alone: a busy machine is no evidence against anybody
    return results


def _or_none(work: Callable[[], dict[str, Any]]) -> dict[str, Any] | None:
    """The result, or None when the submission itself ended it: that is a result too."""
    try:
        return work()
    except AttemptFailed:
        return None


@contextmanager
def _recorded(missing: dict[str, str], keys: list[str]) -> Iterator[None]:
    """Broken machinery is no result: what depends on it was not derived, and says why."""
    try:
        yield
    except (Refusal, Infrastructure, OSError) as error:
        missing.update(dict.fromkeys(keys, str(error)))

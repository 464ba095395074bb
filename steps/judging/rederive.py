"""Derives a batch again from its bytes: digests of this checkout, the consumer, every analysis and every verdict.

Bytes come from Evidence, never from the folder a second time: what was hashed is what is judged. A solution of a
self-test is executed on this machine only when its digest is that of an authored one; anything else stays underived.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from steps import digest, documents, inputs, layout, records, scratch
from steps import suite as suites
from steps.errors import Infrastructure, Refusal
from steps.grading import grade, judges
from steps.judging.again import Job, Say, derive
from steps.judging.derived import Derived
from steps.judging.evidence import Evidence
from steps.judging.judge_attempts import recorded_verdict
from steps.judging.judge_candidate import LABELLED, NO_IMAGE
from steps.packing import candidate, consumer, pack, tarball
from steps.packing.consumer import Consumer
from steps.packing.tarball import Archive
from steps.suite import Suite

HOME = layout.STATE / "qualify"
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


def attempts(evidence: Evidence, base: Derived, fresh_seed: int, say: Say) -> Derived:
    """`base` with the consumer and every derivable attempt; what could not be derived stands in `missing`."""
    jobs, missing = jobs_of(evidence, base)
    sweep(_live(evidence))
    with scratch.folder("qualify", HOME if _live(evidence) else None) as work:
        try:
            prepared = kept_consumer(evidence, work / "batch")
        except (Refusal, Infrastructure) as error:
            return replace(base, missing={"": f"no consumer: {error}"})
        base = replace(base, consumer={"lockDigest": prepared.lock_digest, "treeDigest": prepared.tree_digest})
        if base.consumer != evidence.batch["inputs"]["consumer"]:
            return base  # another environment: check 5 says so, and nothing is derived in it
        base = replace(base, **runner_of(evidence))
        try:
            bench = bench_of(evidence, prepared.path, work.name)
        except (Refusal, Infrastructure) as error:
            return replace(base, missing={"": f"no verifier: {error}"})
        return derive(jobs, replace(base, missing=missing, fresh_seed=fresh_seed), prepared, bench, work, say)


def _live(evidence: Evidence) -> bool:
    return evidence.batch["config"]["launcher"] != "local"


def bench_of(evidence: Evidence, consumer: Path, owner: str) -> judges.Judges:
    """This machine for self-tests, the recorded verifier image for everything else. The recorded CLI is never run.

    `owner` labels the containers: with it those of a killed qualification are told from those of a living one.
    """
    if not _live(evidence):
        return judges.local()
    about = {"qualify": evidence.batch["batchId"], "owner": owner}
    return judges.contained(evidence.batch["config"]["verifierImage"], consumer, about=about)


def runner_of(evidence: Evidence) -> dict[str, Any]:
    """The runner image read again, as fields of Derived; the container it is read through is never started (R-I3)."""
    if not _live(evidence):
        return {}
    from steps.isolation import engine  # late: the docker package costs more than a whole no-op
    from steps.running import runner_image

    config = evidence.batch["config"]
    reference = str(config["runnerImage"])
    try:
        client = engine.client()
        engine.require_image(client, reference)
    except Refusal as error:
        return {"runner_unseen": str(error)}
    try:
        found = runner_image.read(client, reference, config["executable"], config["args"])
    except Infrastructure as error:
        return {"runner_unseen": str(error)}
    except Refusal as error:  # the image is here, and what the batch says it ran is not in it
        return {"runner": {"files": {}, "selfTestLabel": None, "refused": error.what}}
    return {"runner": {"files": found.files, "selfTestLabel": found.self_test}}


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


def sweep(live: bool) -> int:
    """Remove what killed steps have left here, and the containers of killed qualifications; returns how many."""
    scratch.sweep()
    killed = list(scratch.dead(HOME)) if live else []  # a folder names containers: both go together
    if not killed:
        return 0
    from steps.isolation import containers, engine  # late: the docker package costs more than a whole no-op

    try:
        client = engine.client()
        count = sum(containers.sweep(client, containers.about_labels(owner=place.name)) for place in killed)
    except (Refusal, Infrastructure) as error:
        print(f"containers of a killed qualification stay until the next one: {error}", file=sys.stderr)
        return 0
    for place in killed:
        scratch.remove(place)
    return count

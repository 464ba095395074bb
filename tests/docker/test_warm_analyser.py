"""The warm analyser of a batch: answers of a fresh process, one user at a time, replaced when anything went wrong."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import agents
import pytest

from steps import documents, layout, suite
from steps.analysis import analyser_warm
from steps.analysis.analyser_docker import DockerAnalyser
from steps.analysis.analyser_warm import WarmAnalyser
from steps.analysis.analyze import Analyser, AnalysisFailed

TASKS = suite.load().tasks
NESTED = f"export const x = {'[' * 60_000}{']' * 60_000};"
# Tries to reach the next analysis by everything that programs share: globals, modules of the candidate, type roots.
MEDDLING = """import '@alneas/appkit-core';
declare global { interface Array<T> { stolen: T } var Promise: string; interface Window { x: 1 } }
declare module '@alneas/appkit-core' { export const createAjvValidator: never; export const smuggled: 1 }
declare module 'node:fs' { export const readFileSync: never }
export const x = [1].stolen;
"""


@pytest.fixture
def warm(
    engine: Any, verifier_image: str, consumer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[WarmAnalyser]:
    """The analyser of a batch of its own; afterwards nothing of it is left."""
    monkeypatch.setattr(analyser_warm, "HOME", tmp_path / "analysers")
    batch = f"test-{uuid.uuid4()}"
    yield WarmAnalyser(DockerAnalyser(engine, verifier_image, consumer), batch)
    analyser_warm.end(engine, batch)
    assert agents.left(engine, {"batch": batch}) == []
    assert list((tmp_path / "analysers").iterdir()) == []


def running(warm: WarmAnalyser) -> list[str]:
    """Ids of the containers that this batch's analyser has now."""
    wanted = {"label": [f"{key}={value}" for key, value in analyser_warm.labels(warm.batch).items()]}
    return [found.id for found in warm.cold.engine.containers.list(all=True, filters=wanted)]


def solutions(task: str) -> list[Path]:
    """A right and a wrong solution of a task."""
    folder = layout.FIXTURES / "solutions" / task
    found = [sorted(folder.glob(f"{kind}-*"))[-1] for kind in ("accept", "reject")]
    assert len(found) == 2
    return found


def analysed(launcher: Any, consumer: Path, task: str, solution: Path) -> bytes:
    """One run's analysis, by a user of its own."""
    with Analyser(launcher=launcher) as analyser:
        return documents.pretty(analyser.analyse(consumer, suite.load().task_dir(task), solution))


def hostile(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "solution.ts").write_text(text)
    return folder


def test_k5_warm_answers_are_those_of_a_fresh_process_whatever_came_before(
    warm: WarmAnalyser, consumer: Path, tmp_path: Path
) -> None:
    meddling = hostile(tmp_path / "meddling", MEDDLING)
    used = set()
    for task in TASKS:
        for solution in solutions(task):
            analysed(warm, consumer, TASKS[0], meddling)
            assert analysed(warm, consumer, task, solution) == analysed(None, consumer, task, solution), solution
            used.update(running(warm))
    assert analysed(warm, consumer, TASKS[0], meddling) == analysed(None, consumer, TASKS[0], meddling)
    assert len(used) == 1, "it was not the same container that answered"


def test_e4_after_a_broken_or_stalled_analysis_the_next_run_gets_a_new_container(
    warm: WarmAnalyser, consumer: Path, tmp_path: Path
) -> None:
    good = solutions(TASKS[0])[0]
    before, first = analysed(warm, consumer, TASKS[0], good), running(warm)
    with pytest.raises(AnalysisFailed):
        analysed(warm, consumer, TASKS[0], hostile(tmp_path / "nested", NESTED))
    assert running(warm) == []
    assert analysed(warm, consumer, TASKS[0], good) == before
    second = running(warm)
    with Analyser(launcher=warm, wall_seconds=0.001) as hasty, pytest.raises(AnalysisFailed, match="did not end"):
        hasty.analyse(consumer, suite.load().task_dir(TASKS[0]), good)
    assert running(warm) == []
    assert analysed(warm, consumer, TASKS[0], good) == before
    assert len({*first, *second, *running(warm)}) == 3


def test_e4_a_container_that_died_while_idle_is_replaced(warm: WarmAnalyser, consumer: Path) -> None:
    good = solutions(TASKS[0])[0]
    before, first = analysed(warm, consumer, TASKS[0], good), running(warm)
    warm.cold.engine.containers.get(first[0]).kill()
    assert analysed(warm, consumer, TASKS[0], good) == before
    assert len(running(warm)) == 1 and running(warm) != first


def dies_with_an_answer_on_its_way(warm: WarmAnalyser, asked: Any) -> None:
    """A run that is killed after it has asked and before it has read."""
    channel = warm.start()
    names = {"packages": suite.load().packages, "scopePrefix": suite.load().candidate["scopePrefix"]}
    job = {"operation": "catalogue", "consumer": "/consumer", "candidate": names}
    channel.send(documents.canonical(job) + b"\n")
    asked.set()
    os.kill(os.getpid(), signal.SIGKILL)


def test_e4_a_run_killed_in_the_middle_leaves_no_answer_to_the_next(warm: WarmAnalyser, consumer: Path) -> None:
    good = solutions(TASKS[0])[0]
    before, first = analysed(warm, consumer, TASKS[0], good), running(warm)
    fork = multiprocessing.get_context("fork")
    asked = fork.Event()
    dying = fork.Process(target=dies_with_an_answer_on_its_way, args=(warm, asked))
    dying.start()
    dying.join(60)
    assert (asked.is_set(), dying.exitcode) == (True, -signal.SIGKILL)
    assert running(warm) == first, "the killed run left its container: what comes next must not use it"
    assert analysed(warm, consumer, TASKS[0], good) == before
    assert len(running(warm)) == 1 and running(warm) != first


def test_e4_two_runs_use_it_in_turn(warm: WarmAnalyser) -> None:
    channel = warm.start()
    code = "import fcntl, sys; fcntl.flock(open(sys.argv[1], 'a+'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    other = [sys.executable, "-c", code, str(analyser_warm.HOME / warm.batch)]
    assert b"BlockingIOError" in subprocess.run(other, capture_output=True, check=False).stderr
    channel.close()
    assert subprocess.run(other, capture_output=True, check=False).returncode == 0
    assert running(warm) == []


def test_k1_it_ends_by_itself_when_nobody_asks(
    warm: WarmAnalyser, consumer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyser_warm, "IDLE_SECONDS", 3)
    analysed(warm, consumer, TASKS[0], solutions(TASKS[0])[0])
    (name,) = running(warm)
    assert warm.cold.engine.containers.get(name).wait(timeout=30)["StatusCode"] == 0


def test_k5_its_profile_is_that_of_a_cold_one(warm: WarmAnalyser, consumer: Path) -> None:
    analysed(warm, consumer, TASKS[0], solutions(TASKS[0])[0])
    (name,) = running(warm)
    found = warm.cold.engine.containers.get(name).attrs
    host = found["HostConfig"]
    assert (host["NetworkMode"], host["ReadonlyRootfs"], host["CapDrop"]) == ("none", True, ["ALL"])
    assert found["Config"]["User"] == "65534:65534"
    assert sorted(mount["Destination"] for mount in found["Mounts"]) == ["/analyser", "/consumer", "/toolchain"]
    assert not any(mount["RW"] for mount in found["Mounts"])

"""The analyser in its container: the same bytes as outside, bounded, replaced, away from graders (R-E4, R-K5)."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

import pytest

from steps import documents, layout, suite
from steps.analysis.analyser_docker import DockerAnalyser
from steps.analysis.analyze import Analyser, AnalysisFailed
from steps.errors import Refusal
from steps.isolation import containers

TASKS = suite.load().tasks


@pytest.fixture
def docker_analyser(engine, verifier_image: str, consumer: Path, labels: dict[str, str]) -> DockerAnalyser:
    """Analyses in containers of the tests' image."""
    return DockerAnalyser(engine, verifier_image, consumer, labels)


def accepted(task: str) -> Path:
    """One right solution of a task."""
    found = sorted((layout.FIXTURES / "solutions" / task).glob("accept-*"))
    assert found, f"fixtures/solutions/{task} has no accept case"
    return found[0]


def test_a_warm_container_gives_the_bytes_of_a_process_outside(docker_analyser: DockerAnalyser, consumer: Path) -> None:
    with Analyser(launcher=docker_analyser) as inside, Analyser() as outside:
        for task in TASKS:
            where, solution = suite.load().task_dir(task), accepted(task)
            analysis = documents.pretty(inside.analyse(consumer, where, solution))
            assert analysis == documents.pretty(outside.analyse(consumer, where, solution)), task


def bomb(folder: Path, text: str) -> Path:
    """A solution folder with one hostile file."""
    folder.mkdir()
    (folder / "solution.ts").write_text(text)
    return folder


def test_e4_a_broken_or_stalled_container_is_the_attempts_failure_and_is_made_again(
    docker_analyser: DockerAnalyser, consumer: Path, tmp_path: Path
) -> None:
    where, good = suite.load().task_dir(TASKS[0]), accepted(TASKS[0])
    nested = bomb(tmp_path / "nested", f"export const x = {'[' * 60_000}{']' * 60_000};")
    types = "type D = 0|1|2|3|4|5|6|7|8|9;\n" + "".join(
        f"type T{i} = `${{D}}${{D}}${{D}}${{D}}${{{i}}}`;\nexport const x{i}: T{i} = 'x';\n" for i in range(400)
    )
    with Analyser(launcher=docker_analyser) as warm:
        before = warm.analyse(consumer, where, good)
        with pytest.raises(AnalysisFailed):
            warm.analyse(consumer, where, nested)
        assert warm.analyse(consumer, where, good) == before
        warm._process._wall = 1.0
        with pytest.raises(AnalysisFailed, match="did not end within 1 s"):
            warm.analyse(consumer, where, bomb(tmp_path / "types", types))
        assert docker_analyser.engine.containers.list(all=True, filters=_mine(docker_analyser)) == []


def _mine(launcher: DockerAnalyser) -> dict[str, list[str]]:
    return {"label": [f"{key}={value}" for key, value in launcher.labels.items()]}


def test_e5_a_container_killed_between_two_jobs_is_replaced(docker_analyser: DockerAnalyser, consumer: Path) -> None:
    where, good = suite.load().task_dir(TASKS[0]), accepted(TASKS[0])
    with Analyser(launcher=docker_analyser) as warm:
        before = warm.analyse(consumer, where, good)
        docker_analyser.engine.containers.list(filters=_mine(docker_analyser))[0].kill()
        end = time.monotonic() + 10
        while warm._process._channel.alive() and time.monotonic() < end:
            time.sleep(0.05)
        assert warm.analyse(consumer, where, good) == before


PLACES = "/{analyser,consumer,toolchain,grader}/**"
LIST = f"import('fs').then(({{ globSync }}) => console.log(globSync('{PLACES}').join('\\n')))"


def test_k5_the_container_sees_no_grader_and_no_task(docker_analyser: DockerAnalyser, tmp_path: Path) -> None:
    (tmp_path / "analyser").mkdir()
    spec = docker_analyser.spec(tmp_path / "analyser")
    assert sorted(spec.binds.values()) == ["/analyser", "/consumer", "/toolchain"]
    assert (spec.user, spec.network, spec.capabilities, spec.tmpfs) == ("65534:65534", "none", (), {})
    binds = {str(layout.GRADERS / "analyser"): "/analyser", **{k: v for k, v in spec.binds.items() if v != "/analyser"}}
    spec = dataclasses.replace(spec, command=["-e", LIST], binds=binds)
    ended = containers.run(docker_analyser.engine, spec, b"", seconds=60, max_stdout=8 << 20, max_stderr=1 << 16)
    seen = ended.stdout.decode().split("\n")
    assert "/analyser/main.mjs" in seen and "/toolchain/node_modules/typescript/lib/typescript.js" in seen
    own = [path for path in seen if "/node_modules/" not in path]
    assert own and not [path for path in own if "verifier" in path or "tasks" in path or path.startswith("/grader/")]


def test_another_consumer_than_the_mounted_one_is_refused(docker_analyser: DockerAnalyser, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="another consumer"):
        docker_analyser.place(tmp_path)

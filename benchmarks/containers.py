"""What the containers of a live batch cost, as a ratio to bare ones: `python benchmarks/containers.py [rounds]`.

Floor: 36 containers of `node -e 0` with the verifier's flags, started through the same package, two at a time.
Ours: 18 runs whose agent does nothing, two at a time: output volume and its holder, runner, collection, and a verifier
container with everything staged and mounted. Rounds alternate, so that a busy machine disturbs both alike. No limit is
asserted: seconds differ between machines, and the ratio is what to compare.
"""

from __future__ import annotations

import dataclasses
import json
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steps import layout, suite
from steps.grading import grade
from steps.grading.launch import Work
from steps.grading.launch_docker import DockerLauncher as VerifierLauncher
from steps.grading.launch_docker import stage
from steps.isolation import containers, engine
from steps.isolation.containers import Spec
from steps.packing import consumer
from steps.packing.consumer import Consumer
from steps.running.config import Config
from steps.running.runner_docker import DockerLauncher as RunnerLauncher

if TYPE_CHECKING:
    import docker

RUNS, AT_ONCE, SECONDS = 18, 2, 120
NOTHING = ["-e", "0"]
AGENT = "require('node:fs').writeFileSync('/solution/solution.ts', 'export {};\\n')"
LABELS = {"batch": f"benchmark-{os.getpid()}", "run": "benchmark"}


def finish(client: docker.DockerClient, spec: Spec) -> None:
    ended = containers.run(client, spec, b"", seconds=SECONDS, max_stdout=1000, max_stderr=1000)
    if ended.exit_code != 0:
        raise SystemExit(f"a container ended with {ended.exit_code}: {ended.stderr.decode(errors='replace')}")


def verifier(client: docker.DockerClient, image: str, prepared: Consumer, network: str) -> None:
    """The verifier's container from staging to removal, without a scenario."""
    task = suite.load().tasks[0]
    with tempfile.TemporaryDirectory() as name:
        emitted, root = Path(name) / "emitted", Path(name).resolve() / "staged"
        emitted.mkdir()
        root.mkdir()
        work = Work(emitted, prepared.path, grade.grader_file(task))
        stage(root, work)
        spec = VerifierLauncher(client, image, containers.labels("verifier", **LABELS), network).spec(root, work)
        finish(client, dataclasses.replace(spec, command=NOTHING))


def run(client: docker.DockerClient, image: str, prepared: Consumer, parts: list[tuple[str, float]]) -> None:
    """One run with agent time 0; what took how long goes to `parts`."""
    loaded = suite.load()
    task = loaded.task_dir(loaded.tasks[0])
    config = Config("docker", "/usr/local/bin/node", ["-e", AGENT], [], {}, {}, 1, 1, None, image, image)
    begun = time.monotonic()
    with RunnerLauncher(client, config, {}, LABELS).space(prepared, task, {}, 1) as space:
        made = time.monotonic()
        space.run(b"{}", seconds=SECONDS, max_stdout=1000)
        ran = time.monotonic()
        space.collect(["solution.ts"], loaded.limits)
        collected = time.monotonic()
        verifier(client, image, prepared, space.quiet)
        verified = time.monotonic()
    ended = time.monotonic()
    names = ("volume and holder", "runner", "collection", "verifier", "removal")
    marks = (begun, made, ran, collected, verified, ended)
    parts += [(name, after - before) for name, before, after in zip(names, marks, marks[1:], strict=False)]


def timed(work: Callable[[int], object], count: int) -> float:
    begun = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(work, range(count)))
    return time.monotonic() - begun


def measured(client: docker.DockerClient, image: str, rounds: int) -> dict[str, Any]:
    """The cost of the containers of 18 runs, and of 36 bare ones."""
    parts: list[tuple[str, float]] = []
    with consumer.current() as prepared, tempfile.TemporaryDirectory() as name:
        work = Work(Path(name), prepared.path, layout.GRADERS)
        bare = dataclasses.replace(VerifierLauncher(client, image).spec(Path(name), work), binds={}, command=NOTHING)
        finish(client, bare)  # the first one of an image is slower
        floors, ours = [], []
        for _ in range(rounds):
            floors.append(timed(lambda _: finish(client, bare), 2 * RUNS))
            ours.append(timed(lambda _: run(client, image, prepared, parts), RUNS))
    names = dict.fromkeys(name for name, _ in parts)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "floorSeconds": round(statistics.median(floors), 2),
        "ourSeconds": round(statistics.median(ours), 2),
        "ratio": round(statistics.median(mine / floor for mine, floor in zip(ours, floors, strict=True)), 2),
        "perRunMs": {part: round(1000 * statistics.median(s for name, s in parts if name == part)) for part in names},
        "cpuSecondsPerRun": round((usage.ru_utime + usage.ru_stime) / (RUNS * rounds), 3),
        "peakMiB": usage.ru_maxrss // 1024,
    }


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    answer = measured(engine.client(), os.environ["APPKIT_TEST_VERIFIER_IMAGE"], rounds)
    sys.stdout.write(json.dumps(answer) + "\n")

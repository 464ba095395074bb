"""Runs a real agent in a container: what it reads is mounted read-only, what it writes is bounded (R-K1, R-K2, R-K6).

Nothing of the host is in it but the prepared consumer and the task's contract: no grader, fixture, repository or
socket. It gets the allow-listed credentials and nothing else of this process's environment. It is removed, on every
path, before anything that it left is looked at (security row 34).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from steps import suite
from steps.isolation import containers
from steps.isolation.containers import Spec
from steps.packing.consumer import CONTRACT, Consumer
from steps.running import solution_volume, workspace
from steps.running.collect import Collected
from steps.running.config import Config
from steps.running.runner import STDERR_TAIL, Ended, Space
from steps.running.solution_volume import AGENT_ID, PLACE, Volume
from steps.running.workspace import INSTALLED, Seal

if TYPE_CHECKING:
    import docker

CONSUMER = "/consumer"
# Agents unpack native parts of theirs in /tmp and run them.
TMPFS = {"/tmp": "rw,nosuid,nodev,exec,size=512m,nr_inodes=65536,mode=1777"}
ENVIRONMENT = {"HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8", "TZ": "UTC", "TERM": "dumb", "CI": "1"}
STDERR_BYTES = 64 * 1024
MEMORY = 2 * 1024**3


@dataclass(frozen=True)
class DockerLauncher:
    """Makes the space of each attempt; `about` labels its containers (batch, run)."""

    engine: docker.DockerClient
    config: Config
    credentials: Mapping[str, str]
    about: Mapping[str, str]

    @contextmanager
    def space(self, consumer: Consumer, task_dir: Path, start: dict[str, bytes], attempt: int) -> Iterator[Space]:
        labels = containers.labels("runner", attempt=str(attempt), **self.about)
        image = str(self.config.verifierImage)
        with (
            workspace.laid(consumer, task_dir) as seal,
            solution_volume.held(self.engine, image, labels, start, suite.load().limits) as volume,
        ):
            yield DockerSpace(self, consumer, seal, volume, labels)

    def spec(self, consumer: Path, contract: Path, volume: Volume, labels: Mapping[str, str]) -> Spec:
        """The whole profile; containers.py adds what every container of ours has."""
        return Spec(
            image=str(self.config.runnerImage),
            entrypoint=[self.config.executable],
            command=self.config.args,
            labels=dict(labels),
            user=f"{AGENT_ID}:{AGENT_ID}",
            environment={**ENVIRONMENT, **self.credentials},
            working_dir=CONSUMER,
            network=self.config.runnerNetwork or volume.network,
            binds={
                str(consumer.resolve()): CONSUMER,
                str((consumer / INSTALLED).resolve()): f"/{INSTALLED}",
                str(contract.resolve()): f"{CONSUMER}/{CONTRACT}",
                # Above /solution, so that compiler and Node take it for ES modules there, as analyser and grader do.
                str((consumer / "package.json").resolve()): "/package.json",
            },
            volumes={volume.name: PLACE},
            tmpfs=TMPFS,
            file_size=solution_volume.BYTES,
            memory=MEMORY,
            pids=256,
            files=4096,
        )


class DockerSpace:
    """One attempt: the runner's container comes and goes in `run`, its output stays in the volume."""

    consumer_dir, output_dir = CONSUMER, PLACE

    def __init__(
        self, launcher: DockerLauncher, consumer: Consumer, seal: Seal, volume: Volume, labels: Mapping[str, str]
    ) -> None:
        self._launcher, self._volume, self.seal, self.quiet = launcher, volume, seal, volume.network
        self.spec = launcher.spec(consumer.path, seal.view / CONTRACT, volume, labels)

    def run(self, request: bytes, *, seconds: float, max_stdout: int) -> Ended:
        ended = containers.run(
            self._launcher.engine, self.spec, request, seconds=seconds, max_stdout=max_stdout, max_stderr=STDERR_BYTES
        )
        tail = ended.stderr[-STDERR_TAIL:].decode("utf-8", "replace")
        return Ended(ended.stdout, tail, ended.exit_code, ended.stopped, ended.elapsed_ms)

    def collect(self, allowed: list[str], limits: dict[str, int]) -> Collected:
        return self._volume.collect(allowed, limits)

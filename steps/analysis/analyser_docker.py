"""Runs the static analyser in a container of its own: no grader file, no network, UID 65534, bounded (security.md 3.6).

One warm container may serve a batch or a qualification; after a crash or a time-out it is removed and made again.
"""

from __future__ import annotations

import contextlib
import shutil
import socket
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from steps import layout, scratch
from steps.analysis import toolchain
from steps.analysis.analyser import MAIN, MAX_ANSWER, MEMORY_MIB, START_SECONDS, arguments
from steps.errors import Refusal
from steps.grading import launch_docker
from steps.isolation import containers, docker_stream, seccomp
from steps.isolation.containers import Spec

if TYPE_CHECKING:
    import docker

BESIDE_HEAP_MIB = 256  # the compiler's own code and Node; past both the container is killed
STDERR_BYTES = 64 * 1024


@contextlib.contextmanager
def staged() -> Iterator[Path]:
    """The analyser's files with explicit modes. A container has read them all once it says that it is prepared."""
    with scratch.folder("analyser") as folder:
        code = folder / "analyser"
        shutil.copytree(layout.GRADERS / MAIN.parent.name, code)
        launch_docker.settle(code, 0o755, 0o644)
        yield code


class ContainerChannel:
    """A running analyser in a container; closing it removes the container."""

    def __init__(self, stack: contextlib.ExitStack, raw: socket.socket) -> None:
        self._stack, self._raw, self._ended = stack, raw, False
        self._demux = docker_stream.Demux(MAX_ANSWER, STDERR_BYTES)

    def send(self, data: bytes) -> None:
        self._raw.settimeout(START_SECONDS)
        self._raw.sendall(data)

    def receive(self, deadline: float) -> bytes:
        """Bytes of stdout; none when the container or the engine is gone. Raises TimeoutError."""
        while not self._ended:
            self._raw.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                chunk = self._raw.recv(1 << 20)
            except ConnectionError:
                chunk = b""
            self._demux.feed(chunk)
            self._ended = not chunk
            if taken := self._demux.take():
                return taken
        return b""

    def alive(self) -> bool:
        """Whether the stream is still open: a container that was killed meanwhile is replaced, like a process."""
        self._raw.settimeout(0)
        try:
            self._ended = self._ended or not self._raw.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return not self._ended
        except ConnectionError:
            self._ended = True
        return not self._ended

    def quiet(self) -> bool:
        """Whether the stream is open and holds nothing that was not read."""
        self._raw.settimeout(0)
        try:
            self._raw.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return not self._ended
        except ConnectionError:
            self._ended = True
        return False

    def close(self) -> None:
        self._stack.close()

    release = close


@dataclass(frozen=True)
class DockerAnalyser:
    """Starts analyser containers for one consumer."""

    engine: docker.DockerClient
    image: str
    consumer: Path
    labels: Mapping[str, str] = field(default_factory=lambda: containers.labels("analyser"))
    network: str = "none"

    def place(self, consumer: Path) -> str:
        if consumer.resolve() != self.consumer.resolve():
            raise Refusal("another consumer than the one mounted", where=str(consumer), expected=str(self.consumer))
        return "/consumer"

    def start(self) -> ContainerChannel:
        with contextlib.ExitStack() as stack:
            _, raw = stack.enter_context(containers.started(self.engine, self.spec(stack.enter_context(staged()))))
            return ContainerChannel(stack.pop_all(), raw)

    def spec(self, code: Path) -> Spec:
        """Nothing of the suite is mounted: not a grader, not a task; what is asked comes on stdin."""
        return Spec(
            image=self.image,
            entrypoint=["node"],
            command=arguments(f"/analyser/{MAIN.name}", "/toolchain"),
            labels=dict(self.labels),
            network=self.network,
            seccomp=seccomp.profile(),
            memory=(MEMORY_MIB + BESIDE_HEAP_MIB) * 1024 * 1024,
            binds={
                str(code): "/analyser",
                str(toolchain.ready().resolve()): "/toolchain",
                str(self.consumer.resolve()): "/consumer",
            },
        )

"""One warm analyser container for all runs of a batch; each run is a process of its own and uses it in turn.

Starting the compiler and reading the consumer takes two CPU seconds, an analysis a tenth of one. So the first run that
needs an analyser leaves its container running, and the next one attaches to it.

Who may use it: whoever holds the lock on the batch's file in `.verification/analysers/`. The file names the container
only while it is idle, that is after a complete answer with nothing behind it. A run that dies in between leaves the
file empty, and the next run removes that container and starts another: it can never read an answer that was meant for
somebody else. After a crash, a time-out or a failed analysis the container is removed at once.

Why one solution cannot influence the analysis of another: the analyser parses and checks text and executes none of
it. A submission's text lives in a folder number of its own and in a compiler program that ends with its job; what
programs share are the files of the consumer and the compiler, mounted read-only and parsed once, and nothing writes to
those: the compiler was made to share them between programs. tests/docker/test_warm_analyser.py compares warm answers
with those of a fresh process, hostile solutions in between. A container that nobody uses for half an hour ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import socket
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from steps import layout
from steps.analysis.analyser_docker import ContainerChannel, DockerAnalyser, staged
from steps.errors import Infrastructure
from steps.isolation import containers

if TYPE_CHECKING:
    import docker

HOME = layout.STATE / "analysers"
IDLE_SECONDS = 1800
WARM = "warm-analyser"


def labels(batch: str) -> dict[str, str]:
    """Of the one warm analyser of a batch: everything that sweeps the batch finds it."""
    return containers.labels(WARM, batch=batch)


@dataclass(frozen=True)
class WarmAnalyser:
    """Starts `cold`'s container once for a batch and attaches to it afterwards."""

    cold: DockerAnalyser
    batch: str

    def place(self, consumer: Path) -> str:
        return self.cold.place(consumer)

    def start(self) -> WarmChannel:
        """The idle container, else a new one; until the channel ends nobody else has it."""
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(_locked(HOME / self.batch))
            container, fresh = self._idle(file), False
            if container is None:
                containers.sweep(self.cold.engine, labels(self.batch))
                spec = self.cold.spec(stack.enter_context(staged()))
                command = [*spec.command, str(IDLE_SECONDS)]
                spec = replace(spec, command=command, labels=labels(self.batch), network="none", stays=True)
                container, fresh = containers.create(self.cold.engine, spec), True
            doomed = stack.enter_context(_Doomed(container))
            raw = stack.enter_context(containers.attached(container, start=fresh))
            return WarmChannel(stack.pop_all(), raw, file, doomed)

    def _idle(self, file: IO[str]) -> Any:
        """The container that the file names, if it still runs. From now on it is in use: the file names none."""
        import docker

        name = file.read().strip()
        file.seek(0)
        file.truncate()
        if not name:
            return None
        try:
            found = self.cold.engine.containers.get(name)
        except docker.errors.NotFound:
            return None
        except (docker.errors.DockerException, OSError) as error:
            raise Infrastructure(f"the warm analyser cannot be looked up: {error}") from error
        return found if found.status == "running" else None


class WarmChannel(ContainerChannel):
    """A warm analyser in use. `close` removes its container, `release` leaves it to the next run."""

    def __init__(self, stack: contextlib.ExitStack, raw: socket.socket, file: IO[str], doomed: _Doomed) -> None:
        super().__init__(stack, raw)
        self._file, self._doomed = file, doomed

    def release(self) -> None:
        """All was answered, and nothing follows: the container is idle again."""
        if self.quiet():
            self._doomed.spared = True
            self._file.write(self._doomed.container.id)
            self._file.flush()
        self.close()


class _Doomed:
    """A container that is removed at the end of a `with`, unless it was spared."""

    def __init__(self, container: Any) -> None:
        self.container, self.spared = container, False

    def __enter__(self) -> _Doomed:
        return self

    def __exit__(self, *_: object) -> None:
        if not self.spared:
            containers.remove(self.container)


@contextlib.contextmanager
def _locked(place: Path) -> Iterator[IO[str]]:
    """The file of a batch, locked as long as this process uses its analyser or lives."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        yield file


def end(engine: docker.DockerClient, batch: str) -> None:
    """Its batch has ended: remove the container and its file."""
    containers.sweep(engine, labels(batch))
    (HOME / batch).unlink(missing_ok=True)


def forget() -> None:
    """No run of this checkout is alive, and its containers are swept: so no file names one."""
    for file in HOME.glob("*"):
        file.unlink(missing_ok=True)

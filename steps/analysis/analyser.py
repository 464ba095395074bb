"""The analyser process: `graders/analyser/main.mjs`, fed one job per line, started again after any failure."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Protocol, Self

from steps import documents, layout, node
from steps.analysis import toolchain
from steps.errors import AttemptFailed, Infrastructure

WALL_SECONDS = 20.0  # for one submission
START_SECONDS = 120.0  # for loading the compiler and reading the consumer, on a busy machine
MEMORY_MIB = 768
MAX_ANSWER = 64 * 1024 * 1024
MAIN = layout.GRADERS / "analyser" / "main.mjs"


class Channel(Protocol):
    """A running analyser: bytes in, bytes out."""

    def send(self, data: bytes) -> None: ...

    def receive(self, deadline: float) -> bytes:
        """Some bytes; none at the end. Raises TimeoutError."""
        ...

    def alive(self) -> bool: ...

    def close(self) -> None:
        """End it, whatever it does."""
        ...

    def release(self) -> None:
        """It has answered all that it was asked: end it, or leave it to the next user."""
        ...


class Launcher(Protocol):
    """Where the analyser runs."""

    def start(self) -> Channel: ...

    def place(self, consumer: Path) -> str:
        """The path of a consumer as the analyser sees it."""
        ...


class AnalysisFailed(AttemptFailed):
    """A submission broke or stalled the analyser: a failed attempt, never infrastructure (R-E4)."""

    def __init__(self, detail: str) -> None:
        super().__init__("analysis", detail)


class LocalChannel:
    """A process of this machine in its own process group, its environment made from nothing."""

    def __init__(self, command: list[str]) -> None:
        with tempfile.TemporaryFile() as errors:  # the child keeps its own descriptor
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=node.clean_env(),
                start_new_session=True,
            )

    def send(self, data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def receive(self, deadline: float) -> bytes:
        assert self._process.stdout is not None
        output = self._process.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise TimeoutError("no answer in time")
        return os.read(output, 1 << 20)

    def alive(self) -> bool:
        return self._process.poll() is None

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    release = close


class LocalLauncher:
    """For self-tests and tests, and to derive authored solutions again: no isolation is claimed."""

    def start(self) -> Channel:
        return LocalChannel([str(node.binary()), *arguments(str(MAIN), str(toolchain.ready()))])

    def place(self, consumer: Path) -> str:
        return str(consumer.resolve())


def arguments(main: str, compiler: str) -> list[str]:
    """What node is given: its memory limit, the analyser, and the folder of the analyser's compiler."""
    return [f"--max-old-space-size={MEMORY_MIB}", main, compiler]


class AnalyserProcess:
    """One process for many jobs. Not safe for several threads."""

    def __init__(self, launcher: Launcher | None = None, wall_seconds: float = WALL_SECONDS) -> None:
        self._launcher, self._wall = launcher or LocalLauncher(), wall_seconds
        self._channel: Channel | None = None
        self._buffer = b""
        self._answered = False  # completely, and nothing more came

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Part from the process; only one that has answered everything may serve somebody else."""
        if self._channel is not None and self._answered:
            channel, self._channel = self._channel, None
            channel.release()
        self.close()

    def close(self) -> None:
        """End the process, if there is one."""
        channel, self._channel, self._buffer = self._channel, None, b""
        if channel is not None:
            channel.close()

    def ask(self, consumer: Path, job: dict[str, Any]) -> Any:
        """The analyser's answer. Raises Infrastructure before the job was taken up, AnalysisFailed after it."""
        try:
            self._send(documents.canonical({**job, "consumer": self._launcher.place(consumer)}) + b"\n")
            first = self._receive(time.monotonic() + START_SECONDS)
            if "prepared" not in first:
                raise Infrastructure(f"the analyser cannot read the consumer: {first.get('failed', 'no reason given')}")
        except (TimeoutError, EOFError, ConnectionError) as error:
            self.close()
            raise Infrastructure(f"the analyser did not start: {error or type(error).__name__}") from error
        except Infrastructure:
            self.close()
            raise
        return self._result()

    def _result(self) -> Any:
        try:
            answer = self._receive(time.monotonic() + self._wall)
        except TimeoutError as error:
            self.close()
            raise AnalysisFailed(f"the analysis did not end within {self._wall:.0f} s") from error
        except EOFError as error:
            self.close()
            raise AnalysisFailed(f"the analyser ended without an answer (its limit is {MEMORY_MIB} MiB)") from error
        if "failed" in answer:
            self.close()
            raise AnalysisFailed(f"the analyser failed: {answer['failed']}")
        self._answered = not self._buffer
        return answer["result"]

    def _send(self, line: bytes) -> None:
        self._answered = False
        if self._channel is None or not self._channel.alive():
            self.close()
            self._channel = self._launcher.start()
        self._channel.send(line)

    def _receive(self, deadline: float) -> dict[str, Any]:
        """The next line, strictly parsed. Raises TimeoutError or EOFError."""
        assert self._channel is not None
        while b"\n" not in self._buffer:
            chunk = self._channel.receive(deadline)
            if not chunk or len(self._buffer) > MAX_ANSWER:
                raise EOFError("the answer ended early")
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return documents.parse_strict(line, where="the analyser's answer", max_bytes=MAX_ANSWER)

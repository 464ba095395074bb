"""The analyser process: `graders/analyser/main.mjs`, fed one job per line, started again after any failure."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from typing import Any, Self

from steps import documents, layout, node, toolchain
from steps.errors import AttemptFailed, Infrastructure

WALL_SECONDS = 20.0  # for one submission
START_SECONDS = 120.0  # for loading the compiler and reading the consumer, on a busy machine
MEMORY_MIB = 768
MAX_ANSWER = 64 * 1024 * 1024
MAIN = layout.GRADERS / "analyser" / "main.mjs"

Launcher = Callable[[list[str]], "subprocess.Popen[bytes]"]


class AnalysisFailed(AttemptFailed):
    """A submission broke or stalled the analyser: a failed attempt, never infrastructure (R-E4)."""

    def __init__(self, detail: str) -> None:
        super().__init__("analysis", detail)


def launch(command: list[str]) -> subprocess.Popen[bytes]:
    """Start the analyser on this machine, in its own process group, with an environment made from nothing."""
    with tempfile.TemporaryFile() as errors:  # the child keeps its own descriptor
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                                env=node.clean_env(), start_new_session=True)


def command() -> list[str]:
    """What a launcher runs: node, the analyser, and the folder of its compiler."""
    return [str(node.binary()), f"--max-old-space-size={MEMORY_MIB}", str(MAIN), str(toolchain.ready())]


class AnalyserProcess:
    """One process for many jobs. Not safe for several threads."""

    def __init__(self, launcher: Launcher = launch, wall_seconds: float = WALL_SECONDS) -> None:
        self._launcher, self._wall = launcher, wall_seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process, self._buffer = self._process, None, b""
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def ask(self, job: dict[str, Any]) -> Any:
        """The analyser's answer. Raises Infrastructure before the job was taken up, AnalysisFailed after it."""
        try:
            self._send(documents.canonical(job) + b"\n")
            first = self._receive(time.monotonic() + START_SECONDS)
            if "prepared" not in first:
                raise Infrastructure(f"the analyser cannot read the consumer: {first.get('failed', 'no reason given')}")
        except (TimeoutError, EOFError, BrokenPipeError) as error:
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
        return answer["result"]

    def _send(self, line: bytes) -> None:
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = self._launcher(command())
        assert self._process.stdin is not None
        self._process.stdin.write(line)
        self._process.stdin.flush()

    def _receive(self, deadline: float) -> dict[str, Any]:
        """The next line, strictly parsed. Raises TimeoutError or EOFError."""
        assert self._process is not None and self._process.stdout is not None
        output = self._process.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise TimeoutError("no answer in time")
                chunk = os.read(output, 1 << 20)
                if not chunk or len(self._buffer) > MAX_ANSWER:
                    raise EOFError("the answer ended early")
                self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return documents.parse_strict(line, where="the analyser's answer", max_bytes=MAX_ANSWER)

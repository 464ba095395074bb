"""Starts the runner of one attempt, bounds it, and ends it with everything it left running.

`LocalLauncher` is for self-tests and tests: a child process of this machine's user, without isolation. It kills the
child's process group and nothing else. steps/running/runner_docker.py has the launcher of real runners.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from steps import node, scratch
from steps.errors import Infrastructure
from steps.packing.consumer import Consumer
from steps.running import workspace
from steps.running.collect import Collected, collect
from steps.running.config import Config
from steps.running.workspace import Seal, Workspace

GRACE = 0.5  # seconds in which a descendant may still finish writing after the runner itself has exited
STDERR_TAIL = 2000
# Ends a process group as soon as its own stdin ends, which it does when whoever holds the other end is gone.
_GUARD = 'read -r _; kill -9 "-$0"'


@dataclass(frozen=True)
class Ended:
    """What is left of a runner process. Its raw output is never stored (R-F4)."""

    stdout: bytes
    stderr_tail: str
    exit_code: int | None
    stopped: str | None  # None, "time" or "stdout": why it was killed; "lost": its container or the engine went away
    elapsed_ms: int


class Space(Protocol):
    """Where one attempt's runner works: what it may read, where it writes, and what it leaves."""

    consumer_dir: str  # as the runner sees them
    output_dir: str
    seal: Seal
    quiet: str  # an empty network in which containers of the same attempt may start, once the runner is gone

    def run(self, request: bytes, *, seconds: float, max_stdout: int) -> Ended:
        """Run to the end, the deadline or the output limit. Raises Infrastructure when nothing could be started."""
        ...

    def collect(self, allowed: list[str], limits: dict[str, int]) -> Collected:
        """What the runner has left, once nothing of it runs any more. Raises AttemptFailed."""
        ...


class Launcher(Protocol):
    """How an attempt's runner is started; what differs between a self-test and a container."""

    def space(
        self, consumer: Consumer, task_dir: Path, start: dict[str, bytes], attempt: int
    ) -> AbstractContextManager[Space]:
        """A space that is gone after the `with`; its output folder holds `start` at first."""
        ...


class LocalLauncher:
    """A scripted runner as a child process, with an environment made from nothing."""

    def __init__(self, config: Config, credentials: Mapping[str, str], checkout: Path) -> None:
        self._command = [str(_executable(config, checkout)), *(_argument(arg, checkout) for arg in config.args)]
        self._credentials = dict(credentials)

    @contextmanager
    def space(self, consumer: Consumer, task_dir: Path, start: dict[str, bytes], attempt: int) -> Iterator[Space]:  # noqa: ARG002
        with workspace.prepared(consumer, task_dir, start) as prepared:
            yield LocalSpace(self, prepared)

    def run(self, request: bytes, view: Path, *, seconds: float, max_stdout: int) -> Ended:
        """See `Space.run`; `view` is the working folder."""
        started = time.monotonic()
        with scratch.folder("home") as home, tempfile.TemporaryFile() as stdin:
            stdin.write(request)
            stdin.seek(0)
            child = self._start(stdin.fileno(), view, home)
            try:
                with _guarded(child):
                    stdout, tail, stopped = _drain(child, started + seconds, max_stdout)
            finally:
                _end_group(child)
        elapsed = int((time.monotonic() - started) * 1000)
        return Ended(stdout, tail, None if stopped else child.returncode, stopped, elapsed)

    def _start(self, stdin: int, view: Path, home: Path) -> subprocess.Popen[bytes]:
        path = f"{Path(sys.executable).parent}:{node.binary().parent}:/usr/bin:/bin"
        environment = {
            "PATH": path,
            "HOME": str(home),
            "TMPDIR": str(home),
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            **self._credentials,
        }
        try:
            return subprocess.Popen(
                self._command,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=view,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise Infrastructure(f"the runner {self._command[0]} cannot be started ({error.strerror})") from error


class LocalSpace:
    """Folders of this machine; that the consumer is only read is agreement, and proved by the seal."""

    quiet = "none"

    def __init__(self, launcher: LocalLauncher, prepared: Workspace) -> None:
        self._launcher, self._workspace = launcher, prepared
        self.consumer_dir, self.output_dir, self.seal = str(prepared.view), str(prepared.output), prepared.seal

    def run(self, request: bytes, *, seconds: float, max_stdout: int) -> Ended:
        return self._launcher.run(request, self._workspace.view, seconds=seconds, max_stdout=max_stdout)

    def collect(self, allowed: list[str], limits: dict[str, int]) -> Collected:
        return collect(self._workspace.output, allowed, limits)


def local_files(config: Config, checkout: Path) -> dict[str, Path]:
    """The executable and every argument that names a file, by the text in the configuration."""
    named = {config.executable: _executable(config, checkout)}
    named |= {arg: checkout / arg for arg in config.args if arg and (checkout / arg).is_file()}
    return named


def _executable(config: Config, checkout: Path) -> Path:
    """A path relative to the repository, or absolute. Never searched in PATH."""
    return checkout / config.executable


def _argument(arg: str, checkout: Path) -> str:
    """Paths inside the repository are made absolute: the runner's working folder is the consumer."""
    return str(checkout / arg) if "/" in arg and (checkout / arg).exists() else arg


@contextmanager
def _guarded(child: subprocess.Popen[bytes]) -> Iterator[None]:
    """The child's whole group dies with this process, however that dies: a SIGKILL must leave no runner behind."""
    guard = subprocess.Popen(
        ["/bin/sh", "-c", _GUARD, str(child.pid)],
        stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        # Before the leader is reaped: afterwards the group's number may belong to somebody else.
        guard.kill()
        guard.wait()
        guard.stdin.close()


def _exited(child: subprocess.Popen[bytes]) -> bool:
    """Whether the child has exited; it stays a zombie, so that its process group id cannot be reused."""
    return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _drain(child: subprocess.Popen[bytes], deadline: float, max_stdout: int) -> tuple[bytes, str, str | None]:
    """(stdout, end of stderr, why it must be killed). Whatever exceeds the bounds is not kept."""
    stdout, tail = bytearray(), bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ, stdout)
        selector.register(child.stderr, selectors.EVENT_READ, tail)
        while True:
            if _exited(child):
                deadline = min(deadline, time.monotonic() + GRACE)
                if not selector.get_map():
                    break
            left = deadline - time.monotonic()
            if left <= 0:
                return bytes(stdout), _text(tail), None if _exited(child) else "time"
            for key, _ in selector.select(min(left, 0.05)):
                chunk = os.read(key.fd, 65536)
                if not chunk:
                    selector.unregister(key.fileobj)
                key.data.extend(chunk)
            if len(stdout) > max_stdout:
                return bytes(stdout[: max_stdout + 1]), _text(tail), "stdout"
            del tail[:-STDERR_TAIL]
    return bytes(stdout), _text(tail), None


def _text(data: bytes | bytearray) -> str:
    return bytes(data).decode("utf-8", "replace")


def _end_group(child: subprocess.Popen[bytes]) -> None:
    """Kill the whole process group while the leader still holds its id, then reap the leader."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        # Only the window between fork and setsid can answer so; the child itself is ended all the same.
        child.kill()
    child.wait()
    child.stdout.close()
    child.stderr.close()

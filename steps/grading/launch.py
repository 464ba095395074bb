"""Starts the verifier's trusted parent. The local launcher is for self-tests and tests only: no isolation is claimed.

A container launcher offers the same `launch` and replaces nothing else.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from steps import documents, node, scratch
from steps.layout import GRADERS

PARENT = Path("verifier") / "main.mjs"
PARENT_FLAGS = ("--disable-sigusr1",)  # the signal would open an inspector, and with it the parent, to its child
CHILD = "child"
# The parent bounds itself (graders/verifier/limits.mjs: 240 s and the last scenario); this is the outer fence.
DEADLINE_SECONDS = 300.0
TERM_SECONDS = 3.0
STDOUT_BYTES = 1024 * 1024
STDERR_BYTES = 64 * 1024
_CHUNK = 65536


@dataclass(frozen=True)
class Work:
    """Host paths of one verification: emitted JavaScript, the consumer that it imports from, the task's grader."""

    emitted: Path
    consumer: Path
    grader: Path
    trace: bool = False


@dataclass(frozen=True)
class Launched:
    """How the parent ended. `returncode` is None when it had to be killed (deadline or too much output)."""

    returncode: int | None
    stdout: bytes
    stderr: bytes


class Launcher(Protocol):
    """Runs the parent once for one job; raises Infrastructure when it could not be started at all."""

    def launch(self, work: Work, order: dict[str, Any]) -> Launched: ...


class LocalLauncher:
    """The parent as a process of this machine, in its own process group. It never attests and never sweeps."""

    def launch(self, work: Work, order: dict[str, Any]) -> Launched:
        with scratch.folder("verify") as root:
            child = _stage(root, work)
            job = {**order, "grader": str(work.grader), "trace": work.trace, "child": child}
            command = [str(node.binary()), *PARENT_FLAGS, str(GRADERS / PARENT), "local"]
            return run_bounded(command, documents.canonical(job), show_stderr=work.trace)


def _stage(root: Path, work: Work) -> dict[str, Any]:
    """All that the child may read, in a folder whose path says nothing about the grader."""
    modules = (work.consumer / "node_modules").resolve()
    shutil.copytree(GRADERS / CHILD, root / "runner")
    shutil.copytree(work.emitted, root / "submission")
    documents.write_atomic(root / "submission" / "package.json", {"type": "module"})
    (root / "node_modules").symlink_to(modules)
    readable = [root / "runner", root / "submission", root / "node_modules", modules]
    return {
        "bootstrap": str(root / "runner" / "bootstrap.mjs"),
        "submission": str(root / "submission"),
        "readable": [str(path) for path in readable],
        "cwd": str(root / "submission"),
        "tmp": None,
    }


def run_bounded(
    command: list[str], stdin: bytes, *, show_stderr: bool = False, deadline: float = DEADLINE_SECONDS
) -> Launched:
    """Run `command` in its own process group with bounded time and output; its end is certain when this returns."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None if show_stderr else subprocess.PIPE,
        env=node.clean_env(),
        start_new_session=True,
    )
    try:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(stdin)
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        streams = _pump(process, time.monotonic() + deadline)
        if streams is not None:
            return Launched(process.wait(TERM_SECONDS), *streams)
        return Launched(None, b"", b"no verdict within the time and output limits")
    except subprocess.TimeoutExpired:
        return Launched(None, b"", b"the verifier closed its output and did not end")
    finally:
        _end(process)


def _pump(process: subprocess.Popen[bytes], end: float) -> tuple[bytes, bytes] | None:
    """Everything on stdout and the first part of stderr until both close; None at the deadline or past the bound."""
    out, err = bytearray(), bytearray()
    with selectors.DefaultSelector() as selector:
        for stream, buffer in ((process.stdout, out), (process.stderr, err)):
            if stream is not None:
                selector.register(stream, selectors.EVENT_READ, buffer)
        while selector.get_map():
            events = selector.select(max(0.0, end - time.monotonic()))
            if not events:
                return None
            for key, _ in events:
                chunk = os.read(key.fd, _CHUNK)
                if not chunk:
                    selector.unregister(key.fileobj)
                elif key.data is out or len(err) < STDERR_BYTES:
                    key.data.extend(chunk)
            if len(out) > STDOUT_BYTES:
                return None
    return bytes(out), bytes(err)


def _end(process: subprocess.Popen[bytes]) -> None:
    """TERM first, so that the parent ends its child, which lives in a group of its own; then KILL."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(TERM_SECONDS)
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()

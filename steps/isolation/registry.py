"""A loopback registry for as long as it takes to give an image its digest. Nothing leaves this machine."""

from __future__ import annotations

import fcntl
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from steps import documents
from steps.errors import Infrastructure, Refusal

PROGRAMS = ("docker-registry", "registry")
START_SECONDS = 15.0


@contextmanager
def loopback(port: int = 0) -> Iterator[str]:
    """`localhost:<port>` of a registry that lives inside the block; its storage goes with it."""
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        raise Refusal(
            "no registry program is installed", expected=" or ".join(PROGRAMS), next="install docker-registry"
        )
    port = port or _free_port()
    with _alone(port), tempfile.TemporaryDirectory(prefix="registry-") as folder:
        config = {
            "version": 0.1,
            "log": {"level": "error", "accesslog": {"disabled": True}},
            "storage": {"filesystem": {"rootdirectory": f"{folder}/data"}},
            "http": {"addr": f"127.0.0.1:{port}"},
        }
        documents.write_atomic(Path(folder) / "config.yml", config)  # JSON is YAML
        command = [program, "serve", f"{folder}/config.yml"]
        with open(f"{folder}/log", "wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
            try:
                _wait(process, port, Path(folder) / "log")
                yield f"localhost:{port}"
            finally:
                process.terminate()


@contextmanager
def _alone(port: int) -> Iterator[None]:
    """One registry per port at a time: a second one would find the first listening, and lose it in mid-push."""
    with open(Path(tempfile.gettempdir()) / f"loopback-registry-{port}.lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise Infrastructure(f"the loopback registry did not start: {log.read_text(errors='replace').strip()[-500:]}")

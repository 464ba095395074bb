"""The only place that starts containers: create, attach, start, write, read within bounds, wait, remove.

Every container carries labels, so that what a killed orchestrator left behind is found and removed. `docker` is
imported late: the import alone costs more than a whole no-op `doit`.
"""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from steps.docker_stream import exchange
from steps.engine import first_line
from steps.errors import Infrastructure

if TYPE_CHECKING:
    import docker

LABEL = "appkit-agent-eval"


@dataclass(frozen=True)
class Spec:
    """One container. `binds` maps a host path to a container path, always read-only; `volumes` are writable."""

    image: str
    command: list[str]
    labels: dict[str, str]
    user: str = "65534:65534"
    capabilities: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    binds: dict[str, str] = field(default_factory=dict)
    volumes: dict[str, str] = field(default_factory=dict)
    tmpfs: dict[str, str] = field(default_factory=dict)
    network: str = "none"
    ipc: str = "none"
    seccomp: str | None = None
    memory: int = 512 * 1024 * 1024
    cpus: float = 1.0
    pids: int = 64
    files: int = 256
    working_dir: str = "/"
    entrypoint: list[str] | None = None


@dataclass(frozen=True)
class Ended:
    """How a container ended. `stopped` is None, "time" or "stdout": why it had to be killed."""

    exit_code: int | None
    stdout: bytes
    stderr: bytes
    stopped: str | None
    oom: bool
    elapsed_ms: int


def _options(spec: Spec) -> dict[str, Any]:
    from docker.types import LogConfig, Mount, Ulimit

    mounts = [Mount(target, source, type="bind", read_only=True) for source, target in spec.binds.items()]
    mounts += [Mount(target, name, type="volume") for name, target in spec.volumes.items()]
    security = ["no-new-privileges:true", *([f"seccomp={spec.seccomp}"] if spec.seccomp else [])]
    return {
        "image": spec.image,
        "command": spec.command,
        "entrypoint": spec.entrypoint,
        "labels": {LABEL: "1", **spec.labels},
        "user": spec.user,
        "environment": spec.environment,
        "working_dir": spec.working_dir,
        "stdin_open": True,
        "init": True,
        "detach": False,  # attaches stdin once: closing our sending half is then the end of its input
        "read_only": True,
        "cap_drop": ["ALL"],
        "cap_add": list(spec.capabilities),
        "security_opt": security,
        "network_mode": spec.network,
        "ipc_mode": spec.ipc,
        "mounts": mounts,
        "tmpfs": spec.tmpfs,
        "mem_limit": spec.memory,
        "memswap_limit": spec.memory,
        "nano_cpus": int(spec.cpus * 1e9),
        "pids_limit": spec.pids,
        "ulimits": [Ulimit(name="core", soft=0, hard=0), Ulimit(name="nofile", soft=spec.files, hard=spec.files)],
        "log_config": LogConfig(type=LogConfig.types.NONE if hasattr(LogConfig.types, "NONE") else "none"),
    }


@contextlib.contextmanager
def created(engine: docker.DockerClient, spec: Spec) -> Iterator[Any]:
    """A created container that is gone when the block ends, on every path. Docker's own errors are infrastructure."""
    import docker

    try:
        container = engine.containers.create(**_options(spec))
    except (docker.errors.DockerException, OSError) as error:
        raise Infrastructure(f"Docker could not create a container of {spec.image}: {first_line(error)}") from error
    try:
        yield container
    finally:
        remove(container)


def remove(container: Any) -> None:
    """Kill and remove at once: no grace period, whoever is PID 1."""
    import docker

    try:
        container.remove(force=True, v=True)
    except docker.errors.NotFound:
        return
    except (docker.errors.DockerException, OSError) as error:
        raise Infrastructure(f"a container could not be removed: {first_line(error)}") from error


def run(
    engine: docker.DockerClient, spec: Spec, stdin: bytes, *, seconds: float, max_stdout: int, max_stderr: int
) -> Ended:
    """Run one container to its end, its deadline or its output limit; it is removed when this returns."""
    import docker

    with created(engine, spec) as container:
        try:
            channel = container.attach_socket(params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
            started = time.monotonic()
            with contextlib.closing(channel):
                container.start()
                out, err, stopped = exchange(_raw(channel), stdin, started + seconds, max_stdout, max_stderr)
            if stopped:
                return Ended(None, out, err, stopped, False, _ms(started))
            code, oom = _exit(container, started + seconds)
        except (docker.errors.DockerException, OSError) as error:
            raise Infrastructure(f"Docker failed to run {spec.image}: {first_line(error)}") from error
        return Ended(code, out, err, None if code is not None else "time", oom, _ms(started))


def _raw(channel: Any) -> socket.socket:
    """The socket below the SDK's file object: only it can close its sending half."""
    return getattr(channel, "_sock", channel)


def _ms(started: float) -> int:
    return int((time.monotonic() - started) * 1000)


def _exit(container: Any, deadline: float) -> tuple[int | None, bool]:
    """(exit code, killed for memory), or (None, False) when it closed its streams and did not end in time."""
    import requests

    left = max(1.0, deadline - time.monotonic())
    try:
        code = container.wait(timeout=left)["StatusCode"]
    except (requests.exceptions.ReadTimeout, requests.exceptions.ConnectionError):
        return None, False
    if code != 137:
        return code, False
    container.reload()
    return code, bool(container.attrs["State"]["OOMKilled"])


def sweep(engine: docker.DockerClient, labels: dict[str, str]) -> int:
    """Remove every container and volume that carries all of `labels`; returns how many."""
    wanted = {"label": [LABEL, *(f"{key}={value}" for key, value in labels.items())]}
    containers = engine.containers.list(all=True, filters=wanted)
    for container in containers:
        remove(container)
    volumes = engine.volumes.list(filters=wanted)
    for volume in volumes:
        volume.remove(force=True)
    return len(containers) + len(volumes)

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

from steps.errors import Infrastructure
from steps.isolation.docker_stream import exchange
from steps.isolation.engine import first_line

if TYPE_CHECKING:
    import docker

LABEL = "appkit-agent-eval"
CONFLICT = 409
REMOVAL_SECONDS = 15.0


def labels(role: str, **about: str) -> dict[str, str]:
    """Labels of one container or volume: its role, and what it serves (batch, run, attempt)."""
    return about_labels(role=role, **about)


def about_labels(**about: str) -> dict[str, str]:
    """Labels that name what a container serves, to find it by."""
    return {f"{LABEL}.{key}": value for key, value in about.items()}


# msgqueue: /dev/mqueue is there and writable whatever the ipc mode (measured), and nobody wipes it between scenarios.
_ULIMITS = {"core": 0, "msgqueue": 0}


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
    file_size: int | None = None  # bytes that one file may have, holes included
    working_dir: str = "/"
    entrypoint: list[str] | None = None
    stays: bool = False  # its stdin stays open when whoever is attached goes away: one process after another may use it


@dataclass(frozen=True)
class Ended:
    """How a container ended. `stopped` is None, "time" or "stdout" (why it had to be killed), or "lost"."""

    exit_code: int | None
    stdout: bytes
    stderr: bytes
    stopped: str | None
    oom: bool
    elapsed_ms: int


def _options(spec: Spec) -> dict[str, Any]:
    from docker.types import LogConfig, Mount, Ulimit

    mounts = [Mount(target, source, type="bind", read_only=True) for source, target in spec.binds.items()]
    mounts += [Mount(target, name, type="volume", no_copy=True) for name, target in spec.volumes.items()]
    security = ["no-new-privileges:true", *([f"seccomp={spec.seccomp}"] if spec.seccomp else [])]
    limits = {**_ULIMITS, "nofile": spec.files} | ({"fsize": spec.file_size} if spec.file_size else {})
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
        "detach": spec.stays,  # not detached, stdin is attached once: closing our sending half is the end of its input
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
        "ulimits": [Ulimit(name=key, soft=top, hard=top) for key, top in limits.items()],
        "log_config": LogConfig(type=LogConfig.types.NONE if hasattr(LogConfig.types, "NONE") else "none"),
    }


def create(engine: docker.DockerClient, spec: Spec) -> Any:
    """A created container that its caller removes. Docker's own errors are infrastructure."""
    import docker

    try:
        return engine.containers.create(**_options(spec))
    except (docker.errors.DockerException, OSError) as error:
        raise Infrastructure(f"Docker could not create a container of {spec.image}: {first_line(error)}") from error


@contextlib.contextmanager
def created(engine: docker.DockerClient, spec: Spec) -> Iterator[Any]:
    """A created container that is gone when the block ends, on every path."""
    container = create(engine, spec)
    try:
        yield container
    finally:
        remove(container)


def remove(container: Any) -> None:
    """Kill and remove at once, whoever is PID 1: no grace period. It is gone when this returns."""
    import docker

    try:
        container.remove(force=True, v=True)
    except docker.errors.NotFound:
        return
    except (docker.errors.DockerException, OSError) as error:
        if getattr(error, "status_code", None) != CONFLICT or not _vanishes(container):
            raise Infrastructure(f"a container could not be removed: {first_line(error)}") from error


def _vanishes(container: Any) -> bool:
    """Somebody else is already removing it (the engine answers 409): wait for that."""
    import docker

    end = time.monotonic() + REMOVAL_SECONDS
    while time.monotonic() < end:
        try:
            container.reload()
        except docker.errors.NotFound:
            return True
        time.sleep(0.05)
    return False


@contextlib.contextmanager
def started(engine: docker.DockerClient, spec: Spec) -> Iterator[tuple[Any, socket.socket]]:
    """A running container and its attached, multiplexed stream; what fails until it runs is infrastructure."""
    with created(engine, spec) as container, attached(container, start=True) as raw:
        yield container, raw


@contextlib.contextmanager
def attached(container: Any, *, start: bool) -> Iterator[socket.socket]:
    """The multiplexed stream of a container that runs, or that is started once the stream is there."""
    import docker

    with contextlib.ExitStack() as stack:
        try:
            channel = container.attach_socket(params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
            raw = _raw(channel)
            stack.callback(raw.close)  # the file object on top of it only gives up its own reference
            stack.callback(channel.close)
            if start:
                container.start()
        except (docker.errors.DockerException, OSError) as error:
            raise Infrastructure(f"Docker could not start a container: {first_line(error)}") from error
        yield raw


def run(
    engine: docker.DockerClient, spec: Spec, stdin: bytes, *, seconds: float, max_stdout: int, max_stderr: int
) -> Ended:
    """Run one container to its end, its deadline or its output limit; it is removed when this returns.

    Raises Infrastructure for what fails until it runs, and when it cannot be removed; a container or an engine that
    goes away later is `stopped: "lost"`, and the caller knows whether something submitted was already running.
    """
    ended = None
    try:
        with started(engine, spec) as (container, raw):
            begun = time.monotonic()
            out, err, stopped = exchange(raw, stdin, begun + seconds, max_stdout, max_stderr)
            code, oom = None, False
            if stopped is None:
                code, oom, stopped = _exit(container, begun + seconds)
            ended = Ended(code, out, err, stopped, oom, _ms(begun))
    except Infrastructure:
        if ended is None or ended.stopped != "lost":
            raise  # with the engine gone nothing can be removed: the sweep by label does it once it is back
    return ended


def _raw(channel: Any) -> socket.socket:
    """The socket below the SDK's file object: only it can close its sending half."""
    return getattr(channel, "_sock", channel)


def _ms(started: float) -> int:
    return int((time.monotonic() - started) * 1000)


def _exit(container: Any, deadline: float) -> tuple[int | None, bool, str | None]:
    """(exit code, killed for memory, stopped); "time" when it closed its streams and did not end in time."""
    import docker
    import requests

    try:
        code = container.wait(timeout=max(1.0, deadline - time.monotonic()))["StatusCode"]
        if code == 137:
            container.reload()
        return code, code == 137 and bool(container.attrs["State"]["OOMKilled"]), None
    except (docker.errors.DockerException, requests.exceptions.RequestException):
        return None, False, "lost" if time.monotonic() < deadline else "time"


def sweep(engine: docker.DockerClient, labels: dict[str, str]) -> int:
    """Remove every container and volume that carries all of `labels`; returns how many."""
    import docker

    wanted = {"label": [LABEL, *(f"{key}={value}" for key, value in labels.items())]}
    try:
        found = engine.containers.list(all=True, filters=wanted, ignore_removed=True)
        for container in found:
            remove(container)
        volumes = engine.volumes.list(filters=wanted)
        for volume in volumes:
            volume.remove(force=True)
    except (docker.errors.DockerException, OSError) as error:
        raise Infrastructure(f"what is left of earlier containers could not be swept: {first_line(error)}") from error
    return len(found) + len(volumes)

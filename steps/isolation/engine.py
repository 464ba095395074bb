"""Finds the Docker engine: DOCKER_HOST, else the context of the reviewed CLI. Nothing is started here."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
from functools import cache
from typing import TYPE_CHECKING, Any

from steps.errors import Refusal

if TYPE_CHECKING:
    import docker

API_SECONDS = 60
SELF_TEST_LABEL = "appkit-agent-eval.self-test"  # of the image of our scripted runner
DEFAULT_SOCKET = "unix:///var/run/docker.sock"


def client(runtime: str | None = None) -> docker.DockerClient:
    """The engine of DOCKER_HOST, else of the context that the reviewed CLI `runtime` uses (R-D5)."""
    return connection(os.environ.get("DOCKER_HOST") or (_context_host(runtime) if runtime else None))


@cache
def connection(base: str | None) -> docker.DockerClient:
    """One connection for each endpoint, not for each caller: an endpoint that was changed is another engine."""
    import docker

    try:
        _connect(base or DEFAULT_SOCKET)
        found = (
            docker.DockerClient(base_url=base, timeout=API_SECONDS) if base else docker.from_env(timeout=API_SECONDS)
        )
        found.ping()
    except (docker.errors.DockerException, OSError, ValueError) as error:
        raise Refusal(
            f"the Docker engine does not answer ({first_line(error)})",
            where=base or "the default Docker socket",
            next="start Docker, or set DOCKER_HOST",
        ) from error
    return found


def _connect(base: str) -> None:
    """Whether somebody listens on a local socket: asked before the SDK, which leaks its own when nobody does."""
    if base.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(API_SECONDS)
            probe.connect(base.removeprefix("unix://"))


def require_image(engine: docker.DockerClient, reference: str) -> dict[str, Any]:
    """Docker's description of an image that is already here; Refusal when it is not. Nothing is ever pulled (R-D5)."""
    import docker

    try:
        return engine.images.get(reference).attrs
    except docker.errors.ImageNotFound as error:
        raise Refusal(
            "the image is not on this machine",
            where=reference,
            expected="an image that was prepared locally",
            next="make it with doit images, or pull it yourself",
        ) from error
    except (docker.errors.DockerException, OSError) as error:
        raise Refusal(f"the Docker engine cannot look for the image ({first_line(error)})", where=reference) from error


def first_line(error: BaseException) -> str:
    """What the engine says of an error, without the address that the SDK puts before it."""
    text = str(getattr(error, "explanation", None) or error)
    return (text.splitlines() or [type(error).__name__])[0][:400]


@cache
def _context_host(runtime: str) -> str | None:
    """The endpoint of the CLI's current context; None when it names none."""
    command = [runtime, "context", "inspect", "--format", "{{json .Endpoints.docker.Host}}"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Refusal(
            f"the Docker CLI cannot be run ({first_line(error)})", where=runtime, expected="the reviewed Docker CLI"
        ) from error
    if done.returncode:
        raise Refusal(
            f"the Docker CLI says: {first_line(ValueError(done.stderr.decode(errors='replace').strip()))}",
            where=runtime,
        )
    with contextlib.suppress(ValueError):
        return json.loads(done.stdout) or None
    return None

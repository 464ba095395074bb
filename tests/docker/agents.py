"""Scripted agents in real containers, and the configurations and images that they need. None is the built-in one."""

from __future__ import annotations

import fcntl
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steps import layout, suite
from steps.errors import Refusal
from steps.isolation import containers, images, rootfs
from steps.packing.consumer import Consumer
from steps.running.config import Config
from steps.running.runner import Ended, Space
from steps.running.runner_docker import DockerLauncher

sys.path.insert(0, str(Path(__file__).parent.parent / "batch"))  # batch_plans.py

if TYPE_CHECKING:
    import docker

AGENT = Path(__file__).parent / "agent.mjs"
NODE = f"/{rootfs.NODE}"
PORT = 5152
TASK = "core-validation"


def config(runner: str, verifier: str, *args: str, **changes: Any) -> Config:
    """A real runner's configuration: Node of the image with these arguments."""
    body = {
        "launcher": "docker",
        "executable": NODE,
        "args": list(args),
        "envAllowlist": [],
        "expectedRunner": {"name": "answering-agent", "version": "2.0.1"},
        "expectedModel": {"id": "fixed-answers", "settings": {}},
        "submissionTimeoutMs": 60_000,
        "batchTimeoutMs": 3_600_000,
        "runtimePath": "/usr/bin/docker",
        "runnerImage": runner,
        "verifierImage": verifier,
    }
    return Config(**{**body, **changes})


@contextmanager
def space(
    engine: docker.DockerClient,
    image: str,
    prepared: Consumer,
    code: str,
    *,
    start: dict[str, bytes] | None = None,
    task: str = TASK,
    credentials: dict[str, str] | None = None,
    **changes: Any,
) -> Iterator[Space]:
    """The space of one attempt whose agent is `code`, run by the image's Node; afterwards nothing of it is left."""
    about = {"batch": f"test-{uuid.uuid4()}", "run": "test-1"}
    launcher = DockerLauncher(engine, config(image, image, "-e", code, **changes), credentials or {}, about)
    with launcher.space(prepared, suite.load().task_dir(task), start or {}, 1) as made:
        yield made
    assert left(engine, about) == []


def run(made: Space, request: bytes = b"{}\n", *, seconds: float = 60, max_stdout: int = 1 << 20) -> Ended:
    return made.run(request, seconds=seconds, max_stdout=max_stdout)


def left(engine: docker.DockerClient, about: dict[str, str]) -> list[str]:
    """Containers and volumes that still carry these labels."""
    wanted = {"label": [f"{containers.LABEL}.{key}={value}" for key, value in about.items()]}
    found = [*engine.containers.list(all=True, filters=wanted), *engine.volumes.list(filters=wanted)]
    return [item.name for item in found]


def answers() -> dict[str, bytes]:
    """Every right solution, and a wrong but safe one, at places of the agent's own."""
    files = {}
    for task in suite.load().tasks:
        cases = sorted((layout.FIXTURES / "solutions" / task).glob("accept-*"))
        assert cases, f"no right solution of {task}"
        for number, case in enumerate(cases):
            files |= _answer(task, case, f"right/{task}/{number}")
    return files | _answer(TASK, layout.FIXTURES / "solutions" / TASK / "reject-first-issue", f"wrong/{TASK}/0")


def _answer(task: str, case: Path, place: str) -> dict[str, bytes]:
    allowed = suite.load_task(suite.load().task_dir(task))["allowedOutputPaths"]
    files = {path: case / path for path in allowed}
    return {f"opt/agent/answers/{place}/{path}": file.read_bytes() for path, file in files.items() if file.is_file()}


def image(engine: docker.DockerClient, folder: Path) -> str:
    """The pinned image of agent.mjs with its answers, made by the first process that needs it."""
    shared = folder / "agent-image"
    with open(f"{shared}.lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        if not shared.exists():
            files = {"opt/agent/agent.mjs": AGENT.read_bytes(), **answers()}
            made = images.prepare(engine, [rootfs.Image("appkit-eval-tests/agent", files)], PORT)
            shared.write_text(next(iter(made.values())))
        return shared.read_text()


__all__ = ["NODE", "Refusal", "answers", "config", "image", "left", "run", "space"]

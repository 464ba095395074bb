"""What the tests on a real engine share: engine, an image made once, a consumer, and launchers that leave nothing."""

from __future__ import annotations

import fcntl
import os
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from steps.errors import Refusal
from steps.grading.launch_docker import DockerLauncher
from steps.isolation import containers, images
from steps.isolation import engine as engines

if TYPE_CHECKING:
    import docker

sys.path.insert(0, str(Path(__file__).parent.parent / "verifier"))  # toys.py and hostile_cases.py


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder need an engine."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.docker)


@pytest.fixture(scope="session")
def engine() -> docker.DockerClient:
    """The engine of DOCKER_HOST or the default socket."""
    try:
        return engines.client()
    except Refusal as refusal:
        pytest.skip(f"no Docker engine: {refusal}")


@pytest.fixture(scope="session")
def verifier_image(engine: docker.DockerClient, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The image of APPKIT_TEST_VERIFIER_IMAGE, else our own, made by the first of the workers that need it."""
    if chosen := os.environ.get("APPKIT_TEST_VERIFIER_IMAGE"):
        engines.require_image(engine, chosen)
        return chosen
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return _made(engine)
    shared = tmp_path_factory.getbasetemp().parent / "verifier-image"
    with open(f"{shared}.lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        if not shared.exists():
            shared.write_text(_made(engine))
        return shared.read_text()


def _made(engine: docker.DockerClient) -> str:
    try:
        return next(iter(images.prepare(engine, [images.verifier()]).values()))
    except Refusal as refusal:
        pytest.skip(f"no image: {refusal}")


@pytest.fixture
def labels(engine: docker.DockerClient) -> Iterator[dict[str, str]]:
    """Labels of one test; afterwards no container carries them."""
    mine = containers.labels("verifier", test=uuid.uuid4().hex)
    yield mine
    left = engine.containers.list(all=True, filters={"label": [f"{key}={value}" for key, value in mine.items()]})
    containers.sweep(engine, mine)
    assert left == []


@pytest.fixture
def launcher(engine: docker.DockerClient, verifier_image: str, labels: dict[str, str]) -> DockerLauncher:
    """Verifies in a container of the tests' image."""
    return DockerLauncher(engine, verifier_image, labels)


@pytest.fixture(scope="session")
def consumer(request: pytest.FixtureRequest) -> Path:
    """The consumer of APPKIT_TEST_CONSUMER, else that of the stand-in."""
    if chosen := os.environ.get("APPKIT_TEST_CONSUMER"):
        return Path(chosen)
    return request.getfixturevalue("prepared").path

"""What is left when an orchestrator or an engine dies under a verification: nothing for good, and an honest failure."""

from __future__ import annotations

import contextlib
import gc
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docker
import pytest
import toys

from steps.errors import AttemptFailed
from steps.grading.launch_docker import DockerLauncher
from steps.isolation import containers, images

GRADE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import toys
from steps.isolation import engine
from steps.grading.launch_docker import DockerLauncher
labels = dict(word.split("=", 1) for word in sys.argv[5:])
toys.graded(Path(sys.argv[2]), Path(sys.argv[3]), launcher=DockerLauncher(engine.client(), sys.argv[4], labels))
"""
SECONDS = 90


def running(engine: docker.DockerClient, labels: dict[str, str]) -> list[Any]:
    """The containers with these labels that run init, parent and child."""
    found = engine.containers.list(filters={"label": [f"{key}={value}" for key, value in labels.items()]})
    return [container for container in found if len(container.top()["Processes"] or []) >= 3]


def wait_for(seen: Any) -> Any:
    """The first true answer."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with contextlib.suppress(docker.errors.APIError):  # it ended while we looked
            if answer := seen():
                return answer
        time.sleep(0.1)
    raise AssertionError("nothing came to see")


def hanging(folder: Path) -> tuple[Path, Path]:
    """Consumer and solution of a verification that lasts until its load deadline."""
    solution = toys.submission(folder / "solution", toys.HOSTILE / "hang-at-import.js")
    return toys.empty_consumer(folder / "consumer"), solution


def test_e4_what_a_killed_orchestrator_leaves_is_swept_by_label(
    engine: docker.DockerClient, verifier_image: str, labels: dict[str, str], tmp_path: Path
) -> None:
    words = [f"{key}={value}" for key, value in labels.items()]
    command = [sys.executable, "-c", GRADE, str(toys.HERE), *map(str, hanging(tmp_path)), verifier_image, *words]
    with subprocess.Popen(command) as process:
        wait_for(lambda: running(engine, labels))
        process.send_signal(signal.SIGKILL)
    assert running(engine, labels), "nothing was left: the test proves nothing"
    assert containers.sweep(engine, labels) == 1
    assert engine.containers.list(all=True, filters={"label": words}) == []


def test_an_interrupted_orchestrator_removes_its_container(
    engine: docker.DockerClient, verifier_image: str, labels: dict[str, str], tmp_path: Path
) -> None:
    words = [f"{key}={value}" for key, value in labels.items()]
    command = [sys.executable, "-c", GRADE, str(toys.HERE), *map(str, hanging(tmp_path)), verifier_image, *words]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        wait_for(lambda: running(engine, labels))
        process.send_signal(signal.SIGINT)
    assert engine.containers.list(all=True, filters={"label": words}) == []


class OwnEngine:
    """An engine that a test may kill: own socket, own data folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._process = folder, None
        self.address = f"unix://{folder}/socket"

    def start(self) -> docker.DockerClient:
        """Start it, wait until it answers."""
        places = ["--data-root", "data", "--exec-root", "exec", "--pidfile", "pid"]
        places = [word if word.startswith("--") else str(self._folder / word) for word in places]
        command = ["dockerd", "-H", self.address, *places, "--bridge=none", "--iptables=false"]
        log = open(self._folder / "log", "ab")  # noqa: SIM115 - closed below, the engine keeps its own
        self._process = subprocess.Popen(command, stdout=log, stderr=log)
        log.close()
        wait_for(lambda: b"API listen on" in (self._folder / "log").read_bytes())
        return docker.DockerClient(base_url=self.address, timeout=30)

    def end(self, number: int = signal.SIGTERM) -> None:
        """End it and forget what it logged."""
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(SECONDS)
            (self._folder / "log").write_bytes(b"")
            for left in ("pid", "exec/containerd/containerd.pid"):  # a stale one keeps the next engine from starting
                (self._folder / left).unlink(missing_ok=True)

    def remove(self) -> None:
        """End it and remove its folder, with what a killed engine left mounted."""
        self.end()
        for line in reversed(Path("/proc/self/mounts").read_text().splitlines()):
            if line.split()[1].startswith(f"{self._folder}/"):
                subprocess.run(["umount", "-l", line.split()[1]], check=True)
        shutil.rmtree(self._folder)


@pytest.fixture
def own_engine() -> Iterator[OwnEngine]:
    """Stopped and removed afterwards. Its folder has a short name: a socket's path may have 107 bytes."""
    if shutil.which("dockerd") is None or os.getuid() != 0:
        pytest.skip("an engine of its own needs dockerd and root")
    folder = Path(f"/tmp/e-{os.getpid()}")
    folder.mkdir()
    mine = OwnEngine(folder)
    yield mine
    mine.remove()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the SDK leaks a refused socket
def test_e4_an_engine_that_dies_under_a_submission_is_the_attempts_failure_and_the_next_one_is_clean(
    own_engine: OwnEngine, labels: dict[str, str], tmp_path: Path
) -> None:
    with contextlib.closing(own_engine.start()) as client:
        image = next(iter(images.prepare(client, [images.verifier()]).values()))
        consumer, solution = hanging(tmp_path)

        def die() -> None:
            wait_for(lambda: running(client, labels))
            time.sleep(1.0)
            own_engine.end(signal.SIGKILL)

        thread = threading.Thread(target=die)
        thread.start()
        with pytest.raises(AttemptFailed) as caught:
            toys.graded(consumer, solution, launcher=DockerLauncher(client, image, labels))
        thread.join()
        assert caught.value.category == "verifier-no-verdict"
    with contextlib.closing(own_engine.start()) as client:
        assert containers.sweep(client, labels) == 1
        assert client.containers.list(all=True) == []
    gc.collect()

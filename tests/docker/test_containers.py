"""Starting containers: input and output of every size, bounds, deadlines and removal on a real engine."""

from __future__ import annotations

import time

import docker
import pytest

from steps.errors import Infrastructure
from steps.isolation import containers, seccomp
from steps.isolation.containers import Ended, Spec


@pytest.fixture
def node(engine: docker.DockerClient, verifier_image: str, labels: dict[str, str]):
    """Runs a script in a container of the tests' image."""

    def run(script: str, stdin: bytes = b"", *, seconds: float = 60.0, **changes: object) -> Ended:
        spec = Spec(verifier_image, ["-e", script], labels, entrypoint=["node"], seccomp=seccomp.profile(), **changes)
        return containers.run(engine, spec, stdin, seconds=seconds, max_stdout=1 << 20, max_stderr=1 << 12)

    return run


ECHO = "process.stdin.pipe(process.stdout)"


@pytest.mark.parametrize("data", [b"", b"no newline", b"x" * 1_000_000 + b"\n"], ids=["nothing", "short", "a megabyte"])
def test_input_of_any_size_arrives_and_its_end_is_seen(node, data: bytes) -> None:
    ended = node(ECHO, data)
    assert (ended.exit_code, ended.stdout, ended.stderr, ended.stopped) == (0, data, b"", None)


def test_exit_code_and_both_streams_are_told_apart(node) -> None:
    ended = node("process.stdout.write('out'); process.stderr.write('err'); process.exitCode = 7")
    assert (ended.exit_code, ended.stdout, ended.stderr) == (7, b"out", b"err")


def test_a_flood_is_cut_and_what_is_kept_is_bounded(node) -> None:
    ended = node("for (let n = 0; n < 30; n += 1) process.stdout.write('x'.repeat(1 << 20))")
    assert (ended.exit_code, ended.stopped, len(ended.stdout)) == (None, "stdout", (1 << 20) + 1)
    ended = node("for (let n = 0; n < 30; n += 1) process.stderr.write('x'.repeat(1 << 20))")
    assert (ended.exit_code, ended.stopped, len(ended.stderr)) == (0, None, (1 << 12) + 1)


RESTLESS = {
    "waits": "setInterval(() => 0, 1000)",
    "spins": "for (;;) {}",
    "closes its output and spins": "fs.closeSync(1); fs.closeSync(2); for (;;) {}",
}


@pytest.mark.parametrize("script", RESTLESS.values(), ids=RESTLESS)
def test_e4_a_container_that_does_not_end_is_killed_at_its_deadline(node, script: str) -> None:
    begun = time.monotonic()
    ended = node(script, seconds=3.0)
    assert (ended.exit_code, ended.stopped) == (None, "time")
    assert time.monotonic() - begun < 40, "no grace period of ten seconds and more stands in the path"


def test_memory_is_bounded_and_the_kill_is_told(node) -> None:
    ended = node("const kept = []; for (;;) kept.push(Buffer.alloc(1 << 22, 1))", memory=128 * 1024 * 1024)
    assert ended.exit_code == 137 and ended.oom


def test_e5_what_cannot_be_created_or_started_is_infrastructure(node) -> None:
    with pytest.raises(Infrastructure, match="could not start"):
        node("0", user="nobody-of-that-name")
    with pytest.raises(Infrastructure, match="could not create"):
        node("0", binds={"/nonexistent/folder": "/x"})


def test_a_sweep_takes_what_carries_the_labels_and_nothing_else(
    engine: docker.DockerClient, verifier_image: str, labels: dict[str, str]
) -> None:
    def spec(number: str) -> Spec:
        return Spec(verifier_image, ["-e", "0"], {**labels, "number": number})

    with containers.created(engine, spec("1")) as kept, containers.created(engine, spec("2")):
        assert containers.sweep(engine, {**labels, "number": "2"}) == 1
        assert kept.id in [container.id for container in engine.containers.list(all=True)]

"""The verifier in its container: verdicts as outside, attacks, faults of the profile, kills (R-K3, R-K4)."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import toys
from hostile_cases import EXPECTED, SLOW, check

from steps import layout, suite
from steps.analysis import analyze
from steps.errors import AttemptFailed, Infrastructure, Refusal
from steps.grading import grade, judges, launch_docker
from steps.grading.launch_docker import DockerLauncher
from steps.isolation import containers

SEED = 4711
ACCEPTED = {task: sorted((layout.FIXTURES / "solutions" / task).glob("accept-*")) for task in suite.load().tasks}


def toy(launcher: Any, folder: Path, sample: str) -> dict[str, Any]:
    """The verdict on one hostile sample."""
    solution = toys.submission(folder / "solution", toys.HOSTILE / f"{sample}.js")
    return toys.graded(toys.empty_consumer(folder / "consumer"), solution, launcher=launcher)


@pytest.mark.parametrize("task", ACCEPTED)
def test_k7_a_right_solution_passes_in_the_container_as_it_does_outside(
    task: str, launcher: DockerLauncher, consumer: Path, tmp_path: Path
) -> None:
    solution = next(iter(ACCEPTED[task]), None)
    assert solution is not None, f"fixtures/solutions/{task} has no accept case"
    folder = suite.load().task_dir(task)
    analyze.analyze(consumer, folder, solution, emit_dir=tmp_path)
    verdict = grade.grade(consumer, folder, tmp_path, SEED, launcher=launcher)
    assert all(verdict["assertions"].values()), verdict
    assert verdict == grade.grade(consumer, folder, tmp_path, SEED)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in sorted(EXPECTED)]
)
def test_k3_a_hostile_submission_gains_nothing_in_the_container(
    name: str, launcher: DockerLauncher, tmp_path: Path
) -> None:
    check(name, toy(launcher, tmp_path, name))


BOMB = """export {{ writeFile }} from './honest.js';
const kept = [];
export function count(items) {{
  for (let n = 0; n < 4096; n += 1) kept.push({what});
  return items.length;
}}
"""


@pytest.mark.parametrize("what", ["Buffer.alloc(1 << 20, n)", "'x'.repeat(1 << 20).split('')"])
def test_k4_a_memory_bomb_fails_its_own_attempt_and_nothing_else(
    what: str, launcher: DockerLauncher, tmp_path: Path
) -> None:
    (tmp_path / "bomb.js").write_text(BOMB.format(what=what))
    solution = toys.submission(tmp_path / "solution", tmp_path / "bomb.js")
    try:
        verdict = toys.graded(toys.empty_consumer(tmp_path / "consumer"), solution, launcher=launcher)
    except AttemptFailed as failure:  # the kernel may also choose the parent
        assert failure.category == "verifier-no-verdict"
    else:
        assert [name for name, held in verdict["assertions"].items() if not held] == ["counts"]


def test_k4_staging_does_not_depend_on_the_umask(launcher: DockerLauncher, tmp_path: Path) -> None:
    solution = toys.submission(tmp_path / "solution", toys.HOSTILE / "honest-twin.js")
    consumer = toys.empty_consumer(tmp_path / "consumer")
    before = os.umask(0o077)
    try:
        verdict = toys.graded(consumer, solution, launcher=launcher)
    finally:
        os.umask(before)
    check("honest-twin", verdict)


def altered(change: Callable[[dict[str, Any]], Any]) -> Callable[[containers.Spec], dict[str, Any]]:
    """The engine's options of a container with one fault in them."""
    original = containers._options

    def options(spec: containers.Spec) -> dict[str, Any]:
        found = original(spec)
        change(found)
        return found

    return options


FAULTS: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "without SETGID": (lambda o: o["cap_add"].remove("SETGID"), "not attested.*CapEff"),
    "with SYS_PTRACE": (lambda o: o["cap_add"].append("SYS_PTRACE"), "not attested.*CapEff"),
    "without no-new-privileges": (lambda o: o["security_opt"].pop(0), "not attested.*no-new-privileges is off"),
    "without init": (lambda o: o.update(init=False), "not attested.*process 1 is not the container init"),
    "as another user": (lambda o: o.update(user="65534:65534"), ""),
    "without any filter": (lambda o: o["security_opt"].__setitem__(1, "seccomp=unconfined"), "not attested.*filter"),
    "with the engine's own filter": (lambda o: o["security_opt"].pop(1), "not attested.*filter"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_k4_a_fault_of_the_profile_stops_before_submitted_code(
    fault: str, launcher: DockerLauncher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, reason = FAULTS[fault]
    monkeypatch.setattr(containers, "_options", altered(change))
    with pytest.raises(Infrastructure, match="before any submitted code ran: .*" + reason):
        toy(launcher, tmp_path, "honest-twin")


def spoiled(spoil: Callable[[Path], Any], monkeypatch: pytest.MonkeyPatch, *, host: bool) -> None:
    """Spoil the staged private files before the host's own check, or after it for the parent's."""
    original = launch_docker.check_private

    def checked(folder: Path) -> None:
        if host:
            spoil(folder)
        original(folder)
        if not host:
            spoil(folder)

    monkeypatch.setattr(launch_docker, "check_private", checked)


def _link(folder: Path) -> None:
    (folder / "graders" / "link").symlink_to("verifier")


SPOILED: dict[str, Callable[[Path], Any]] = {
    "owned by the submission's user": lambda folder: os.chown(folder / "graders" / "verifier" / "main.mjs", 65534, -1),
    "readable by others": lambda folder: (folder / "graders" / "verifier" / "main.mjs").chmod(0o644),
    "readable by the group": lambda folder: (folder / "graders" / "child").chmod(0o750),
    "a link": _link,
}


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize("host", [True, False], ids=["seen-by-the-host", "seen-by-the-parent"])
@pytest.mark.parametrize("what", SPOILED)
def test_k4_private_input_that_is_not_private_is_refused(
    what: str, host: bool, launcher: DockerLauncher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoiled(SPOILED[what], monkeypatch, host=host)
    with pytest.raises(Infrastructure, match="private input" if host else "private files not attested"):
        toy(launcher, tmp_path, "honest-twin")


def when_running(launcher: DockerLauncher, act: Callable[[Any], Any], seconds: float) -> threading.Thread:
    """Do something to the test's container once it has run for a while."""

    def watch() -> None:
        wanted = {"label": [f"{key}={value}" for key, value in launcher.labels.items()]}
        end = time.monotonic() + 60
        while time.monotonic() < end and not (found := launcher.engine.containers.list(filters=wanted)):
            time.sleep(0.1)
        while time.monotonic() < end and len(found[0].top()["Processes"]) < 3:
            time.sleep(0.1)  # init, parent and child: the submission is being loaded or is running
        time.sleep(seconds)
        act(found[0])

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


ENDS: dict[str, Callable[[Any], Any]] = {
    "killed": lambda container: container.kill(),
    "removed": lambda container: container.remove(force=True),
}


@pytest.mark.parametrize("end", ENDS)
def test_e4_a_container_that_ends_under_a_submission_is_the_attempts_failure(
    end: str, launcher: DockerLauncher, tmp_path: Path
) -> None:
    thread = when_running(launcher, ENDS[end], 1.5)
    with pytest.raises(AttemptFailed) as caught:
        toy(launcher, tmp_path, "hang-at-import")
    thread.join()
    assert caught.value.category == "verifier-no-verdict"


def test_e5_an_image_that_is_not_here_is_refused_and_never_pulled(consumer: Path, engine) -> None:
    absent = "localhost:5151/appkit-eval/absent@sha256:" + "ab" * 32
    with pytest.raises(Refusal, match="not on this machine"):
        judges.contained(absent, consumer)
    assert all(absent not in image.attrs["RepoDigests"] for image in engine.images.list())


def test_e5_an_image_that_vanished_is_infrastructure(engine, labels: dict[str, str], tmp_path: Path) -> None:
    launcher = DockerLauncher(engine, "appkit-eval/absent@sha256:" + "ab" * 32, labels)
    with pytest.raises(Infrastructure, match="could not create a container"):
        toy(launcher, tmp_path, "honest-twin")


def test_k5_nothing_secret_stands_in_arguments_environment_or_labels(launcher: DockerLauncher, tmp_path: Path) -> None:
    seen: list[str] = []
    thread = when_running(launcher, lambda container: seen.append(str(container.attrs)), 0)
    verdict = toy(launcher, tmp_path, "stdout-flood")
    thread.join()
    assert verdict["seed"] == 7 and "verifier/main.mjs" in seen[0]
    assert "nonce" not in seen[0] and "'seed'" not in seen[0]

"""The local launcher: bounded in time and output, an environment from nothing, and nothing left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from steps.errors import Infrastructure
from steps.layout import ROOT
from steps.running import config
from steps.running.runner import Ended, LocalLauncher, local_files

BODY = {
    "launcher": "local",
    "expectedRunner": {"name": "r", "version": "1"},
    "expectedModel": {"id": "m", "settings": {}},
    "submissionTimeoutMs": 1000,
    "batchTimeoutMs": 1000,
}


def scripted(tmp_path: Path, code: str, args: tuple[str, ...] = ()) -> config.Config:
    script = tmp_path / "runner.py"
    script.write_text(f"#!{sys.executable}\nimport os, sys, subprocess, time\n{code}\n")
    script.chmod(0o755)
    return config.check({**BODY, "executable": str(script), "args": list(args)}, where="test")


def launch(tmp_path: Path, code: str, *, seconds: float = 20, credentials: dict[str, str] | None = None) -> Ended:
    launcher = LocalLauncher(scripted(tmp_path, code), credentials or {}, ROOT)
    return launcher.run(b'{"a": 1}\n', tmp_path, seconds=seconds, max_stdout=1000)


def alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] not in ("Z", "X")


def gone(pid: int, within: float = 3) -> bool:
    deadline = time.monotonic() + within
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(pid)


def test_j1_the_request_arrives_on_stdin_and_the_answer_leaves_on_stdout(tmp_path: Path) -> None:
    ended = launch(tmp_path, "sys.stdout.write(sys.stdin.read().upper()); sys.stderr.write('note')")
    assert (ended.stdout, ended.stderr_tail, ended.exit_code, ended.stopped) == (b'{"A": 1}\n', "note", 0, None)


def test_e4_a_runner_that_hangs_is_killed_at_its_deadline_with_its_children(tmp_path: Path) -> None:
    code = "print(subprocess.Popen(['sleep', '60']).pid, os.getpid(), flush=True); time.sleep(60)"
    started = time.monotonic()
    ended = launch(tmp_path, code, seconds=1)
    assert (ended.stopped, ended.exit_code) == ("time", None)
    assert time.monotonic() - started < 4
    pids = [int(word) for word in ended.stdout.split()]
    assert len(pids) == 2
    assert all(gone(pid) for pid in pids)


def test_e4_a_child_that_outlives_its_runner_is_killed_and_not_waited_for(tmp_path: Path) -> None:
    started = time.monotonic()
    ended = launch(tmp_path, "print(subprocess.Popen(['sleep', '60']).pid, flush=True)")
    assert (ended.stopped, ended.exit_code) == (None, 0)
    assert time.monotonic() - started < 5
    assert gone(int(ended.stdout))


def test_e4_a_runner_that_closes_its_output_and_hangs_is_killed(tmp_path: Path) -> None:
    ended = launch(tmp_path, "os.close(1); os.close(2); time.sleep(60)", seconds=1)
    assert (ended.stopped, ended.stdout) == ("time", b"")


@pytest.mark.parametrize(("size", "stopped"), [(1000, None), (1001, "stdout")])
def test_j2_stdout_is_bounded(size: int, stopped: str | None, tmp_path: Path) -> None:
    ended = launch(tmp_path, f"sys.stdout.write('x' * {size}); sys.stdout.flush()\nif {size} > 1000: time.sleep(60)")
    assert ended.stopped == stopped
    assert len(ended.stdout) == size


def test_j2_endless_stderr_is_drained_and_only_its_end_kept(tmp_path: Path) -> None:
    ended = launch(tmp_path, "sys.stderr.write('x' * 5_000_000 + 'end'); print('ok')")
    assert (ended.stdout, ended.exit_code) == (b"ok\n", 0)
    assert ended.stderr_tail.endswith("end")
    assert len(ended.stderr_tail) <= 2000


@pytest.mark.parametrize(("code", "expected"), [("sys.exit(3)", 3), ("os.kill(os.getpid(), 11)", -11)])
def test_e4_how_a_runner_ended_is_known(code: str, expected: int, tmp_path: Path) -> None:
    assert launch(tmp_path, code).exit_code == expected


def test_k6_the_environment_is_made_from_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "controller")
    monkeypatch.setenv("NODE_OPTIONS", "--require=/evil")
    ended = launch(
        tmp_path, "print(*sorted(os.environ), os.environ['MODEL_API_KEY'])", credentials={"MODEL_API_KEY": "k"}
    )
    names = set(ended.stdout.decode().split()) - {"LC_CTYPE"}
    assert names == {"PATH", "HOME", "TMPDIR", "LANG", "TZ", "MODEL_API_KEY", "k"}


def test_k6_home_is_new_and_gone_afterwards(tmp_path: Path) -> None:
    ended = launch(tmp_path, "open(os.environ['HOME'] + '/history', 'w').close(); print(os.environ['HOME'])")
    home = ended.stdout.decode().strip()
    assert home != os.environ.get("HOME")
    assert not Path(home).exists()


@pytest.mark.parametrize("prepare", ["missing", "not executable"])
def test_e5_a_runner_that_cannot_be_started_is_no_failure_of_the_agent(prepare: str, tmp_path: Path) -> None:
    chosen = scripted(tmp_path, "pass")
    launcher = LocalLauncher(chosen, {}, ROOT)
    Path(chosen.executable).unlink() if prepare == "missing" else Path(chosen.executable).chmod(0o644)
    with pytest.raises(Infrastructure, match="cannot be started"):
        launcher.run(b"{}", tmp_path, seconds=5, max_stdout=10)


def test_d1_the_files_of_a_runner_are_its_executable_and_argument_files(tmp_path: Path) -> None:
    extra = tmp_path / "prompt.txt"
    extra.write_text("x")
    chosen = scripted(tmp_path, "pass", (str(extra), str(tmp_path), "--flag", ""))
    assert set(local_files(chosen, ROOT)) == {chosen.executable, str(extra)}


@pytest.mark.parametrize("whole_group", [False, True], ids=["the step", "its whole process group"])
def test_e4_a_runner_and_its_children_die_with_the_step_that_started_them(whole_group: bool, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    code = f"p = subprocess.Popen(['sleep', '60']).pid; open({str(pids)!r}, 'w').write(f'{{p}} {{os.getpid()}}.')"
    chosen = scripted(tmp_path, f"{code}; time.sleep(60)")
    code = (
        "from pathlib import Path; from steps.running.config import Config\n"
        "from steps.running.runner import LocalLauncher\n"
        f"LocalLauncher(Config(**{chosen.record()!r}), {{}}, Path('.')).run("
        f"b'x', Path({str(tmp_path)!r}), seconds=60, max_stdout=9)"
    )
    step = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, start_new_session=True)
    try:
        while not pids.exists() or not pids.read_text().endswith("."):
            assert step.poll() is None
            time.sleep(0.05)
        time.sleep(0.2)  # the guard starts after the runner
    finally:
        os.killpg(step.pid, signal.SIGKILL) if whole_group else step.kill()
        step.wait()
    found = [int(word) for word in pids.read_text().rstrip(".").split()]
    assert len(found) == 2
    assert all(gone(pid) for pid in found)

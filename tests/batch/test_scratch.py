"""Temporary folders of killed steps are found again, and those of living ones are left alone (R-E4)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from steps import layout, scratch

HOLD = """
import os, signal, sys
from steps import scratch
with scratch.folder("test") as made:
    (made / "deep" / "er").mkdir(parents=True)
    (made / "deep").chmod(0)
    print(made, flush=True)
    sys.stdin.read()
"""


def holding(home: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process that has a temporary folder in `home`."""
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD], cwd=layout.ROOT, env={**os.environ, "TMPDIR": str(home)}, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    return child, Path(child.stdout.readline().strip())


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_e4_what_a_killed_step_left_is_removed_and_what_a_living_one_has_is_not(home: Path) -> None:
    killed, left = holding(home)
    living, kept = holding(home)
    killed.kill()
    killed.communicate()
    assert left.is_dir(), "nothing was left: the test proves nothing"
    assert scratch.sweep() == 1
    assert (left.exists(), kept.is_dir()) == (False, True)
    living.communicate("")
    assert (living.returncode, kept.exists(), scratch.sweep()) == (0, False, 0)


def test_e4_a_reused_process_number_does_not_cost_a_living_owner_its_folder(home: Path) -> None:
    child, made = holding(home)
    other = made.with_name(f"{scratch.PREFIX}test-{2**22 + 1}-x")  # a number that no process here has
    made.rename(other)
    assert scratch.sweep() == 0, "its lock is held"
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert (scratch.sweep(), other.exists()) == (1, False)


def test_e4_nothing_else_in_the_folder_is_touched(home: Path) -> None:
    strange = [f"{scratch.PREFIX}test-x", f"{scratch.PREFIX}-1-2", "another-test-1-x"]
    for name in strange:
        (home / name).mkdir()
    target = home / "target"
    target.mkdir()
    (home / f"{scratch.PREFIX}test-{2**22 + 1}-link").symlink_to(target, target_is_directory=True)
    assert scratch.sweep() == 0
    assert target.is_dir() and all((home / name).is_dir() for name in strange)

"""doit's cache: no edit is missed, nothing is lost, and a damaged file costs time only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from doit.dependency import JSONCodec
from doit.exceptions import TaskError, TaskFailed

from steps.doitkit import AtomicJsonDB, Sha256Checker, Step


def changed(path: Path, edit) -> bool:
    state = Sha256Checker().get_state(str(path), None)
    edit()
    return Sha256Checker().check_modified(str(path), os.lstat(path), state)


def test_an_edit_with_the_old_time_restored_is_a_change(tmp_path: Path) -> None:
    file = tmp_path / "prompt.md"
    file.write_text("aaaa")
    times = os.stat(file)

    def edit() -> None:
        file.write_text("bbbb")
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))

    assert changed(file, edit)


def test_exec_bit_and_a_repointed_link_are_changes(tmp_path: Path) -> None:
    file, link = tmp_path / "a", tmp_path / "link"
    file.write_text("same")
    link.symlink_to("a")

    def repoint() -> None:
        link.unlink()
        link.symlink_to("./a")

    assert changed(file, lambda: file.chmod(0o755))
    assert changed(link, repoint)
    assert not changed(file, lambda: os.utime(file))


def database(path: Path) -> AtomicJsonDB:
    return AtomicJsonDB(str(path), JSONCodec())


def finish(db: AtomicJsonDB, task: str) -> None:
    db.set(task, "a", 1)
    db.set(task, "deps:", ["a"])


def test_a_finished_task_is_on_disk_before_doit_ends(tmp_path: Path) -> None:
    db = database(tmp_path / "db.json")
    finish(db, "one")
    assert json.loads((tmp_path / "db.json").read_text()) == {"one": {"a": 1, "deps:": ["a"]}}


def test_two_doits_keep_each_others_records(tmp_path: Path) -> None:
    first, second = database(tmp_path / "db.json"), database(tmp_path / "db.json")
    finish(first, "one")
    finish(second, "two")
    first.remove("one")
    first.dump()
    assert set(json.loads((tmp_path / "db.json").read_text())) == {"two"}


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"a": 1}', "\x00\x00"])
def test_a_damaged_database_is_moved_aside(tmp_path: Path, damage: str, capsys: pytest.CaptureFixture) -> None:
    path = tmp_path / "db.json"
    path.write_text(damage)
    assert not database(path).in_("one")
    assert [p for p in tmp_path.iterdir() if ".corrupt-" in p.name]
    assert "unreadable" in capsys.readouterr().err


def test_an_unsaved_cache_is_a_warning_only(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    folder = tmp_path / "state"
    db = database(folder / "db.json")
    folder.rmdir()
    folder.write_text("the disk is gone")
    finish(db, "one")
    assert "was not saved" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("code", "kind"), [(0, type(None)), (1, TaskFailed), (2, TaskError), (3, TaskError), (130, TaskError)]
)
def test_a_no_and_broken_machinery_are_different(code: int, kind: type) -> None:
    step = Step("x")
    step._action = [sys.executable, "-c", f"import sys; print('{{\"a\": 1}}'); sys.exit({code})"]
    result = step.execute()
    assert isinstance(result, kind)
    assert step.values == {"summary": {"a": 1}}


def test_a_step_killed_by_a_signal_is_broken_machinery() -> None:
    step = Step("x")
    step._action = [sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]
    assert isinstance(step.execute(), TaskError)


def test_steps_execute_the_frozen_code(tmp_path: Path, root: Path) -> None:
    package = tmp_path / "steps"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "cli.py").write_text("print('{\"frozen\": true}')")
    step = Step("anything", environment={"PYTHONPATH": str(tmp_path)})
    assert step.execute() is None
    assert step.values == {"summary": {"frozen": True}}
    assert (root / "steps" / "cli.py").exists()


def test_doit_never_calls_a_model_when_nothing_is_named(root: Path) -> None:
    listed = subprocess.run(
        [sys.executable, "-m", "doit", "list"], cwd=root, capture_output=True, text=True, check=True, timeout=60
    )
    assert "batch" in listed.stdout and "qualify" in listed.stdout

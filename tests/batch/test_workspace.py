"""R-A3, R-K1, R-K2: what an agent may read is its own view, proved unchanged; what it leaves behind can be removed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from steps import digest
from steps.packing.consumer import Consumer
from steps.running.workspace import Workspace, prepared
from steps.scratch import remove

CONTRACT = b"export declare const answer: number;\n"


@pytest.fixture
def consumer(tmp_path: Path) -> Consumer:
    root = tmp_path / "consumer"
    (root / "node_modules" / "pkg").mkdir(parents=True)
    (root / "node_modules" / "pkg" / "index.js").write_text("export const a = 1;")
    (root / "package.json").write_text("{}")
    (root / "tsconfig.json").write_text("{}")
    (root / "consumer-lock.json").write_text("{}")
    (root / "task-contract.d.ts").write_text("")
    return Consumer(root, "sha256:" + "0" * 64, digest.of_tree(root))


@pytest.fixture
def task_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "task"
    folder.mkdir()
    (folder / "contract.d.ts").write_bytes(CONTRACT)
    (folder / "grade.mjs").write_text("secret")
    return folder


def test_a3_each_run_has_its_own_contract_over_the_empty_one(consumer: Consumer, task_dir: Path) -> None:
    with prepared(consumer, task_dir, {"src/a.ts": b"start"}) as space:
        assert (space.view / "task-contract.d.ts").read_bytes() == CONTRACT
        assert (space.view / "node_modules" / "pkg" / "index.js").read_text() == "export const a = 1;"
        assert {path.name for path in space.view.iterdir()} == {path.name for path in consumer.path.iterdir()}
        assert (space.output / "src" / "a.ts").read_bytes() == b"start"
        root = space.view.parent
    assert (consumer.path / "task-contract.d.ts").read_bytes() == b""
    assert not root.exists()


def _edit(path: str) -> Callable[[Workspace], object]:
    return lambda space: (space.view / path).write_text("changed")


def _same_size_same_time(space: Workspace) -> None:
    path = space.view / "node_modules" / "pkg" / "index.js"
    status = path.stat()
    path.write_text("export const a = 2;")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def _relink(space: Workspace) -> None:
    (space.view / "node_modules").unlink()
    (space.view / "node_modules").symlink_to("/tmp")


def _replace_by_folder(space: Workspace) -> None:
    (space.view / "node_modules").unlink()
    (space.view / "node_modules").mkdir()


def _fifo(space: Workspace) -> None:
    (space.view / "package.json").unlink()
    os.mkfifo(space.view / "package.json")


TAMPERING: dict[str, Callable[[Workspace], object]] = {
    "contract": _edit("task-contract.d.ts"),
    "manifest": _edit("package.json"),
    "compiler settings": _edit("tsconfig.json"),
    "lock": _edit("consumer-lock.json"),
    "a package, time restored": _same_size_same_time,
    "a new file among the packages": lambda space: (space.view / "node_modules" / "evil.js").touch(),
    "a new file in the view": lambda space: (space.view / "AGENTS.md").touch(),
    "a deleted file": lambda space: (space.view / "package.json").unlink(),
    "an exec bit": lambda space: (space.view / "package.json").chmod(0o755),
    "packages linked elsewhere": _relink,
    "packages replaced": _replace_by_folder,
    "a FIFO": _fifo,
    "everything deleted": lambda space: remove(space.view),
}


@pytest.mark.parametrize("name", TAMPERING)
def test_k2_every_change_of_a_protected_input_is_seen(name: str, consumer: Consumer, task_dir: Path) -> None:
    with prepared(consumer, task_dir, {}) as space:
        TAMPERING[name](space)
        assert space.seal.after() != space.seal.before


def test_k2_reading_and_writing_the_output_change_nothing(consumer: Consumer, task_dir: Path) -> None:
    with prepared(consumer, task_dir, {}) as space:
        (space.view / "package.json").read_bytes()
        (space.output / "solution.ts").write_text("x")
        assert space.seal.after() == space.seal.before
        first = space.seal.before
    with prepared(consumer, task_dir, {}) as space:
        assert space.seal.before == first


def test_k2_a_touched_package_is_hashed_again_and_found_equal(consumer: Consumer, task_dir: Path) -> None:
    with prepared(consumer, task_dir, {}) as space:
        os.utime(consumer.path / "node_modules" / "pkg" / "index.js")
        assert space.seal.after() == space.seal.before


def _deep(root: Path) -> None:
    here = Path.cwd()
    os.chdir(root)
    try:
        for _ in range(1500):
            Path("d").mkdir()
            os.chdir("d")
    finally:
        os.chdir(here)


HOSTILE: dict[str, Callable[[Path], object]] = {
    "1500 folders deep": _deep,
    "mode 000": lambda root: ((root / "a").mkdir(), (root / "a" / "b").touch(), (root / "a").chmod(0)),
    "a FIFO and a link to the host": lambda root: (os.mkfifo(root / "f"), (root / "l").symlink_to("/etc")),
    "the output itself a link": lambda root: (root.rmdir(), root.symlink_to("/etc")),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_k2_what_a_hostile_agent_leaves_is_removed(name: str, consumer: Consumer, task_dir: Path) -> None:
    with prepared(consumer, task_dir, {}) as space:
        HOSTILE[name](space.output)
        root = space.view.parent
    assert not root.exists()
    assert Path("/etc/passwd").exists()

"""The cache of consumers: used only when every file is as it was, safe for racing and dying processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from steps import digest, documents, layout
from steps.errors import Infrastructure
from steps.packing import consumer, consumer_cache

RACE = """
import sys, time
from pathlib import Path
from steps import digest, documents, layout
from steps.packing import consumer_cache
layout.CONSUMERS = Path(sys.argv[1])
def make(folder):
    with open(sys.argv[2], "a") as makers:
        makers.write("made\\n")
    documents.write_atomic(folder / "a", b"a")
    time.sleep(0.5)
    return digest.tree(folder)
with consumer_cache.exclusive("key") as home:
    found = consumer_cache.verified(home)
    print(found or consumer_cache.fill(home, None, make, lambda folder: None))
"""
PREPARE = """
import sys
from pathlib import Path
from steps import layout
from steps.packing import consumer
layout.CONSUMERS = Path(sys.argv[1])
made = consumer.cached(None, Path(sys.argv[2]))
print(made.tree_digest)
"""
pytestmark = pytest.mark.usefixtures("own_cache")
KEY = "0" * 64


def small(folder: Path) -> consumer_cache.Tree:
    """A tree of three files: what the cache does with it does not depend on what it is."""
    for name in ("package.json", "node_modules/a/index.js", "node_modules/b/index.js"):
        documents.write_atomic(folder / name, name.encode())
    return digest.tree(folder)


def accept(folder: Path) -> None:
    assert folder.is_dir()


@pytest.fixture
def entry() -> Path:
    """A filled cache entry."""
    with consumer_cache.exclusive(KEY) as home:
        consumer_cache.fill(home, None, small, accept)
        return home


def start(program: str, folder: Path, argument: Path) -> subprocess.Popen[str]:
    """Another process that fills the cache at `folder`, in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", program, str(folder), str(argument)],
        cwd=layout.ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def edit(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


TAMPER: dict[str, Callable[[Path], object]] = {
    "edited": lambda at: edit(at / "consumer/node_modules/a/index.js"),
    "added": lambda at: (at / "consumer/node_modules/evil.js").write_text("x"),
    "removed": lambda at: (at / "consumer/node_modules/a/index.js").unlink(),
    "swapped": lambda at: (at / "consumer/node_modules/a/index.js").replace(at / "consumer/node_modules/b/index.js"),
    "executable": lambda at: (at / "consumer/package.json").chmod(0o755),
    "link": lambda at: (at / "consumer/node_modules/c").symlink_to("a"),
    "fifo": lambda at: os.mkfifo(at / "consumer/pipe"),
    "manifest gone": lambda at: (at / "manifest.json").unlink(),
    "manifest damaged": lambda at: (at / "manifest.json").write_bytes(b"{"),
    "manifest of another shape": lambda at: (at / "manifest.json").write_bytes(b"[]"),
}


@pytest.mark.parametrize("how", TAMPER)
def test_c1_a_changed_entry_is_not_used(how: str, entry: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert consumer_cache.verified(entry) == digest.of_tree(entry / "consumer")
    TAMPER[how](entry)
    assert consumer_cache.verified(entry) is None
    assert "cached consumer dropped" in capsys.readouterr().err


def test_c1_filling_keeps_an_entry_that_is_right_and_replaces_one_that_is_not(entry: Path) -> None:
    inode = entry.stat().st_ino
    with consumer_cache.exclusive(KEY) as home:
        made = consumer_cache.fill(home, consumer_cache.verified(home), small, accept)
        assert home.stat().st_ino == inode
        edit(home / "consumer" / "package.json")
        assert consumer_cache.fill(home, consumer_cache.verified(home), small, accept) == made
        assert home.stat().st_ino != inode
        assert consumer_cache.verified(home) == made


@pytest.mark.parametrize("stage", ["install", "check"])
def test_c1_a_preparation_that_fails_leaves_the_cache_as_it_was(stage: str, entry: Path) -> None:
    def broken(folder: Path) -> consumer_cache.Tree:
        small(folder)
        raise Infrastructure("no space left")

    before = digest.of_tree(layout.CONSUMERS)
    with pytest.raises(Infrastructure), consumer_cache.exclusive(KEY) as home:
        consumer_cache.fill(home, None, *((broken, accept) if stage == "install" else (small, broken)))
    assert digest.of_tree(layout.CONSUMERS) == before
    assert consumer_cache.verified(entry)


def test_i3_a_forged_cache_entry_helps_neither_against_fresh_nor_against_a_recorded_digest(
    archives: Path,
) -> None:
    honest = consumer.cached(None, archives)
    assert consumer.cached(honest.path / "consumer-lock.json", archives) == honest
    edit(honest.path / "node_modules" / "react" / "index.js")
    documents.write_atomic(honest.path.parent / "manifest.json", digest.tree(honest.path))
    with pytest.raises(Infrastructure, match="recorded was"):
        consumer.cached(None, archives, tree_digest=honest.tree_digest)
    assert consumer.cached(None, archives, fresh=True) == honest
    assert digest.of_tree(honest.path) == honest.tree_digest


def test_c2_a_forged_candidate_in_the_cache_is_never_used(archives: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its manifest may say what it likes: what is measured is compared with the archives (security row 44)."""
    honest = consumer.cached(None, archives)
    lock = documents.read_bytes(honest.path / "consumer-lock.json")
    documents.write_atomic(archives.parent / "kept-lock.json", lock)
    package = next((honest.path / "node_modules" / "@alneas").iterdir())
    edit(package / "package.json")
    documents.write_atomic(honest.path.parent / "manifest.json", digest.tree(honest.path))
    assert consumer_cache.verified(honest.path.parent) is not None, "the manifest does not cover it: no forgery"
    assert consumer.cached(archives.parent / "kept-lock.json", archives) == honest
    assert "is not archives/" in capsys.readouterr().err


def test_c1_two_processes_make_one_entry(own_cache: Path) -> None:
    racers = [start(RACE, own_cache, own_cache.parent / "makers") for _ in range(4)]
    said = [racer.communicate(timeout=60) for racer in racers]
    assert [racer.returncode for racer in racers] == [0] * 4, said
    assert len({out for out, _ in said}) == 1
    assert (own_cache.parent / "makers").read_text() == "made\n"
    assert [path.name for path in own_cache.iterdir() if path.is_dir()] == ["key"]


def test_c1_a_killed_preparation_leaves_nothing_that_is_used(archives: Path, own_cache: Path) -> None:
    victim = start(PREPARE, own_cache, archives)
    deadline = time.monotonic() + 60
    while not list(own_cache.glob(".*/consumer/node_modules/*")):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    os.killpg(victim.pid, signal.SIGKILL)
    victim.communicate()
    assert list(own_cache.glob(".*"))
    assert not [path for path in own_cache.iterdir() if path.is_dir() and not path.name.startswith(".")]
    made = consumer.cached(None, archives)
    assert digest.of_tree(made.path) == made.tree_digest
    assert not list(own_cache.glob(".*"))


def test_c1_entries_that_nobody_used_for_a_day_go(entry: Path) -> None:
    old, recent = layout.CONSUMERS / "old", layout.CONSUMERS / "recent"
    for folder in (old, recent):
        small(folder / "consumer")
    os.utime(old, (0, 0))
    with consumer_cache.exclusive(KEY) as home:
        consumer_cache.fill(home, None, small, accept)
    assert not old.exists()
    assert recent.exists()
    assert entry.exists()

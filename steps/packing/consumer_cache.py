"""Prepared consumers on disk: whole, checked and verified, or absent; racing and dying processes are safe."""

from __future__ import annotations

import fcntl
import os
import shutil
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from steps import digest, documents, layout
from steps.errors import Refusal

Tree = dict[str, list]
UNUSED = 24 * 3600  # seconds; no batch lasts that long, so nobody can still be using it


def tree_of(home: Path) -> Path:
    """The consumer inside a cache entry."""
    return home / "consumer"


@contextmanager
def exclusive(key: str) -> Iterator[Path]:
    """Hold one key. The kernel drops the lock when its holder dies; what the dead left is removed."""
    layout.CONSUMERS.mkdir(parents=True, exist_ok=True)
    with (layout.CONSUMERS / f"{key}.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        _sweep(layout.CONSUMERS / key)
        yield layout.CONSUMERS / key


def _partial(home: Path) -> Path:
    return home.with_name(f".{home.name}.{uuid.uuid4().hex}")


def _sweep(home: Path) -> None:
    for leftover in home.parent.glob(f".{home.name}.*"):
        shutil.rmtree(leftover, ignore_errors=True)


def verified(home: Path) -> str | None:
    """The tree digest of an entry whose every file equals its manifest; None when there is none or it was changed."""
    if not home.exists():
        return None
    try:
        stored, tree = documents.read(home / "manifest.json"), digest.tree(tree_of(home))
    except (Refusal, OSError) as error:
        print(f"cached consumer dropped: {error}", file=sys.stderr)
        return None
    if stored != tree:
        known = stored if isinstance(stored, dict) else {}
        changed = sorted(name for name in known.keys() | tree.keys() if known.get(name) != tree.get(name))
        print(f"cached consumer dropped: {', '.join(changed[:3])} changed since it was prepared", file=sys.stderr)
        return None
    os.utime(home)
    return digest.of_json(tree)


def fill(home: Path, present: str | None, make: Callable[[Path], Tree], check: Callable[[Path], object]) -> str:
    """Make the entry beside its place, check it and put it there by one rename; returns its tree digest.

    When the entry that is `present` has the same digest it stays: it was checked, and somebody may be using it.
    """
    partial = _partial(home)
    try:
        tree = make(tree_of(partial))
        made = digest.of_json(tree)
        if made != present:
            check(tree_of(partial))
            documents.write_atomic(partial / "manifest.json", tree)
            if home.exists():
                home.rename(_partial(home))
            partial.rename(home)
    finally:
        _sweep(home)
    _prune(home)
    return made


def _prune(home: Path) -> None:
    """Remove entries that nobody has used for a day; somebody who waits for one keeps it (R-C1: disposable)."""
    for other in home.parent.iterdir():
        if other == home or not other.is_dir() or time.time() - other.stat().st_mtime < UNUSED:
            continue
        with (home.parent / f"{other.name.lstrip('.')}.lock").open("w") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            shutil.rmtree(other, ignore_errors=True)

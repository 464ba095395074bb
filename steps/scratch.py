"""Temporary folders that are found again: a killed step cannot remove its own, so the next start does.

A folder's name says what it is for and which process made it; a lock on the folder lasts as long as that process does,
whatever becomes of its number. `appkit-eval-<what>-<pid>-<random>`, in TMPDIR unless another home is named.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = "appkit-eval-"
_NAME = re.compile(rf"{PREFIX}[a-z]+-([0-9]+)-[^-]+")


@contextmanager
def folder(what: str, home: Path | None = None) -> Iterator[Path]:
    """A new folder, only ours to read, that is gone after the `with` or, when this process is killed, after a sweep."""
    if home is not None:
        home.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{what}-{os.getpid()}-", dir=home)).resolve()
    lock = os.open(made, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield made
    finally:
        try:
            remove(made)
        except OSError as error:
            print(f"left behind: {error}", file=sys.stderr)
        os.close(lock)


def sweep() -> int:
    """Remove what killed processes of this user left in TMPDIR; returns how many folders."""
    found = list(dead(Path(tempfile.gettempdir())))
    for leftover in found:
        remove(leftover)
    return len(found)


def dead(home: Path) -> Iterator[Path]:
    """Folders of this user whose process is no more."""
    for place in sorted(home.glob(f"{PREFIX}*")):
        named = _NAME.fullmatch(place.name)
        if named and not _alive(int(named[1])) and _abandoned(place):
            yield place


def _alive(pid: int) -> bool:
    """Asked before the lock: between making a folder and locking it only this says whose it is."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _abandoned(place: Path) -> bool:
    """Whether it is a folder of ours that no process holds; a number alone may be that of a process elsewhere."""
    try:
        handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:  # gone meanwhile, a link, another user's
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.fstat(handle).st_uid == os.getuid()
    except BlockingIOError:
        return False
    finally:
        os.close(handle)


def remove(root: Path) -> None:
    """Delete a tree that a hostile process may have made: any depth, any mode, any number of entries.

    shutil.rmtree recurses and ends with RecursionError on deep trees. Here every folder is first moved up into the
    root, so no path ever gets long.
    """
    pending, count, token = [root], 0, os.urandom(8).hex()
    while pending:
        folder = pending.pop()
        os.chmod(folder, stat.S_IRWXU)
        with os.scandir(folder) as listing:
            entries = list(listing)
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry.path)
                continue
            os.chmod(entry.path, stat.S_IRWXU)
            count += 1
            moved = root / f".removed-{token}-{count}"
            os.rename(entry.path, moved)
            pending.append(moved)
        if folder != root:
            folder.rmdir()
    root.rmdir()

"""Collects what an agent submitted: regular, bounded, allow-listed files, each read once (R-K2, security rows 32-34).

Everything in the folder is hostile: nothing is followed, opened before it is known to be a regular file, or read twice.
The bytes returned here are the submission: they are hashed, stored and graded; the folder is never read again.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from steps.errors import AttemptFailed, Refusal

MAX_DEPTH = 32
_SPECIAL_BITS = stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@dataclass(frozen=True)
class Collected:
    """`files` by allowed path, and the sorted names of everything else that lay there: recorded, not collected."""

    files: dict[str, bytes]
    extra: list[str]


def collect(root: Path, allowed: list[str], limits: dict[str, int]) -> Collected:
    """The allowed files below `root`, at least one of them.

    `limits` gives `solutionFileBytes` and `outputEntries`. Raises AttemptFailed("collection") for whatever a careful
    reader must not accept. An allowed file may be absent: the list permits, the contract demands.
    """
    check_allowed(allowed)
    try:
        root_fd = os.open(root, _FOLDER_FLAGS)
    except OSError as error:
        raise AttemptFailed("collection", f"the output folder cannot be read ({error.strerror})") from error
    try:
        found = list(_entries(root_fd, limits["outputEntries"]))
        refuse_twins(found, allowed)
        files = {path: _read(root_fd, path, limits["solutionFileBytes"]) for path in sorted(set(allowed) & set(found))}
    finally:
        os.close(root_fd)
    return settled(files, found, allowed)


def settled(files: dict[str, bytes], found: list[str], allowed: list[str]) -> Collected:
    """What was collected and what else lay there; AttemptFailed when no allowed file was."""
    if not files:
        raise AttemptFailed("collection", f"none of the allowed files is there: {', '.join(allowed)}")
    folders = {str(parent) for path in allowed for parent in PurePosixPath(path).parents}
    return Collected(files, sorted(set(found) - set(allowed) - folders))


def check_allowed(allowed: list[str]) -> None:
    """Refusal unless every path of the list is exact, relative and plain ASCII."""
    for path in allowed:
        parts = path.split("/")
        if not path.isascii() or not path.isprintable() or any(part in ("", ".", "..") for part in parts):
            raise Refusal(
                f"{path!r} is no exact relative path", where="allowedOutputPaths", expected="ASCII, no . or .."
            )


def _entries(root_fd: int, limit: int) -> Iterator[str]:
    """Relative names of all entries, folders included, links not followed; bounded in number and depth."""
    pending, count = [("", 0)], 0
    while pending:
        prefix, depth = pending.pop()
        fd = _open_folder(root_fd, prefix)
        try:
            with os.scandir(fd) as listing:
                for entry in listing:
                    count += 1
                    check_bounds(count, limit, depth)
                    name = f"{prefix}{entry.name}"
                    yield name
                    if entry.is_dir(follow_symlinks=False):
                        check_bounds(count, limit, depth + 1)
                        pending.append((f"{name}/", depth + 1))
        finally:
            os.close(fd)


def check_bounds(count: int, limit: int, depth: int) -> None:
    """Bounds of a listing: entries so far, and how deep a folder lies."""
    if count > limit:
        raise AttemptFailed("collection", f"more than {limit} entries in the output folder")
    if depth > MAX_DEPTH:
        raise AttemptFailed("collection", f"folders are nested more than {MAX_DEPTH} deep")


def _open_folder(root_fd: int, prefix: str) -> int:
    """A descriptor of the folder `prefix` below the root, each component opened without following a link."""
    fd = os.dup(root_fd)
    for part in prefix.split("/")[:-1]:
        try:
            below = os.open(part, _FOLDER_FLAGS, dir_fd=fd)
        except OSError as error:
            raise AttemptFailed("collection", f"folder {prefix} cannot be read ({error.strerror})") from error
        finally:
            os.close(fd)
        fd = below
    # A duplicate shares its read position with the original, so every listing gets a descriptor of its own.
    fresh = os.open(".", _FOLDER_FLAGS, dir_fd=fd)
    os.close(fd)
    return fresh


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def refuse_twins(found: list[str], allowed: list[str]) -> None:
    """A name that a case-insensitive file system would take for an allowed one makes the submission ambiguous."""
    exact = set(allowed) | {str(parent) for path in allowed for parent in PurePosixPath(path).parents}
    keys = {_key(name) for name in exact}
    for name in found:
        if name not in exact and _key(name) in keys:
            raise AttemptFailed("collection", f"{name!r} differs from an allowed path only by case or normal form")


def _read(root_fd: int, path: str, limit: int) -> bytes:
    """Bytes of one allowed file, read once, unchanged while they were read."""
    folder, _, leaf = path.rpartition("/")
    folder_fd = _open_folder(root_fd, f"{folder}/" if folder else "")
    try:
        before = os.stat(leaf, dir_fd=folder_fd, follow_symlinks=False)
        check_status(path, before.st_mode, before.st_nlink, before.st_size, limit)
        fd = os.open(leaf, _FILE_FLAGS, dir_fd=folder_fd)
    except OSError as error:
        raise AttemptFailed("collection", f"{path} cannot be read ({error.strerror})") from error
    finally:
        os.close(folder_fd)
    with os.fdopen(fd, "rb") as handle:
        opened = os.fstat(fd)
        data = _read_up_to(handle, limit + 1)
        after = os.fstat(fd)
    if not _identity(before) == _identity(opened) == _identity(after) or len(data) != after.st_size:
        raise AttemptFailed("collection", f"{path} changed while it was collected")
    check_text(path, data)
    return data


def _read_up_to(handle: BinaryIO, size: int) -> bytes:
    parts = []
    while size and (part := handle.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return (
        status.st_dev,
        status.st_ino,
        status.st_mode,
        status.st_nlink,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )


def check_status(path: str, mode: int, links: int, size: int, limit: int) -> None:
    """An allowed file is regular, has one name, no special bits and a bounded size, whoever collects it."""
    if not stat.S_ISREG(mode):
        raise AttemptFailed("collection", f"{path} is not a regular file")
    if links != 1:
        raise AttemptFailed("collection", f"{path} has more than one name (hard link)")
    if mode & _SPECIAL_BITS:
        raise AttemptFailed("collection", f"{path} has a set-uid, set-gid or sticky bit")
    if not mode & stat.S_IRUSR:
        # The superuser could read it all the same: the outcome must not depend on who collects.
        raise AttemptFailed("collection", f"{path} is not readable by its owner")
    if size == 0:
        raise AttemptFailed("collection", f"{path} is empty")
    if size > limit:
        raise AttemptFailed("collection", f"{path} has {size} bytes, more than {limit}")


def check_text(path: str, data: bytes) -> None:
    """A solution is UTF-8 text without NUL."""
    if b"\0" in data:
        raise AttemptFailed("collection", f"{path} contains a NUL byte")
    try:
        data.decode("utf-8", "strict")  # A BOM is valid UTF-8 and TypeScript reads it: accepted.
    except UnicodeDecodeError as error:
        raise AttemptFailed("collection", f"{path} is not UTF-8 (byte {error.start})") from error

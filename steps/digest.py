"""The one place that hashes: `sha256:<hex>` of bytes; trees by path, kind, exec bit and bytes."""

from __future__ import annotations

import base64
import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from steps.documents import canonical
from steps.errors import Refusal


def of_bytes(data: bytes) -> str:
    """`sha256:<64 hex>` of `data`."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def of_json(value: object) -> str:
    """Digest of the canonical JSON of `value`: independent of key order and layout."""
    return of_bytes(canonical(value))


def of_file(path: Path | str) -> str:
    """`sha256:<64 hex>` of a file's bytes. Raises OSError."""
    with open(path, "rb") as handle:
        return of_stream(handle)


def of_stream(handle: BinaryIO) -> str:
    """`sha256:<64 hex>` of all that is left to read."""
    return "sha256:" + hashlib.file_digest(handle, "sha256").hexdigest()


def integrity(data: bytes) -> str:
    """npm's form of a SHA-512, `sha512-<base64>`, as it stands in lock files."""
    return "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()


def entry(path: Path | str) -> list:
    """`[kind, exec bit, digest]` of one path: kind `f` or `l`. Never follows a link.

    Raises Refusal for anything that is neither a regular file nor a link (R-K2).
    """
    status = os.lstat(path)
    if stat.S_ISLNK(status.st_mode):
        return ["l", 0, of_bytes(os.fsencode(os.readlink(path)))]
    if stat.S_ISREG(status.st_mode):
        return ["f", int(bool(status.st_mode & 0o111)), of_file(path)]
    raise Refusal("neither a regular file nor a link", where=str(path), next="remove it, then run the command again")


def walk(root: Path) -> list[Path]:
    """Every path below `root` that is not a real directory, sorted by its posix name; links are not followed."""
    found = []
    for folder, folders, files in os.walk(root, onerror=_raise):
        here = Path(folder)
        found += [here / name for name in files]
        found += [here / name for name in folders if (here / name).is_symlink()]
    return sorted(found, key=lambda path: path.relative_to(root).as_posix())


def _raise(error: OSError) -> None:
    raise error


def tree(root: Path, files: Iterable[Path] | None = None) -> dict[str, list]:
    """`{relative posix path: [kind, exec bit, digest]}` of all files below `root`, or of the given ones."""
    paths = walk(root) if files is None else files
    return {Path(path).relative_to(root).as_posix(): entry(path) for path in paths}


def of_tree(root: Path, files: Iterable[Path] | None = None) -> str:
    """One digest for a whole tree. The order of listing does not matter; kind, exec bit and bytes do."""
    return of_json(tree(root, files))


def seed(*parts: object) -> int:
    """A seed in 0..2^48-1 drawn from `parts`: the same parts give the same seed on every machine."""
    return int(of_json([str(part) for part in parts]).removeprefix("sha256:")[:12], 16)

"""Reads a package's `.tgz` in memory, as data that may be hostile: nothing is unpacked to disk by this module.

What npm later installs is compared with these entries byte for byte (design section 3, "npm proves nothing by itself").
"""

from __future__ import annotations

import gzip
import io
import tarfile
import unicodedata
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from steps import digest, documents
from steps.errors import Refusal

MAX_ARCHIVE = 64 * 1024 * 1024  # bytes of the .tgz
MAX_UNPACKED = 256 * 1024 * 1024  # bytes of the tar stream: a bomb ends here
MAX_ENTRIES = 20_000
MAX_NAME, MAX_PART = 1000, 255  # of a path, and of one name in it: what file systems take
REGULAR = (tarfile.REGTYPE, tarfile.AREGTYPE)
# What tarfile raises for headers: chains of long names end in RecursionError, damaged sparse maps in ValueError.
UNREADABLE = (tarfile.TarError, zlib.error, EOFError, gzip.BadGzipFile, ValueError, RecursionError)


class Entry(NamedTuple):
    """One regular file of a tarball."""

    data: bytes
    executable: bool


@dataclass(frozen=True)
class Archive:
    """A candidate package as it is shipped."""

    package: str
    version: str
    file: str
    data: bytes
    entries: dict[str, Entry]
    manifest: dict[str, Any]

    @property
    def integrity(self) -> str:
        """npm's SHA-512 of the bytes."""
        return digest.integrity(self.data)

    def record(self) -> dict[str, Any]:
        """This archive's entry in archives.json (R-F3)."""
        return {
            "package": self.package,
            "version": self.version,
            "file": self.file,
            "bytes": len(self.data),
            "sha256": digest.of_bytes(self.data),
            "integrity": self.integrity,
        }


class _Bounded(io.RawIOBase):
    """A read-only stream that refuses to give more than `left` bytes."""

    def __init__(self, inner: Any, left: int, where: str) -> None:
        self._inner, self._left, self._where = inner, left, where

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._inner.read(self._left + 1 if size < 0 else min(size, self._left + 1))
        self._left -= len(data)
        if self._left < 0:
            raise Refusal("unpacks to too many bytes", where=self._where, expected=f"at most {MAX_UNPACKED}")
        return data


def load(path: Path, file: str | None = None) -> Archive:
    """The package in one `.tgz`; `file` is the name it is kept under (default: its own)."""
    return parse(documents.read_bytes(path, max_bytes=MAX_ARCHIVE), file or path.name, where=str(path))


def parse(data: bytes, file: str, *, where: str) -> Archive:
    """The package in the bytes of a `.tgz`, or Refusal."""
    entries = read(data, where=where)
    if "package.json" not in entries:
        raise Refusal("holds no package.json", where=where, expected="a tarball made by a package manager")
    manifest = documents.parse_strict(entries["package.json"].data, where=f"{where}!package.json")
    if not isinstance(manifest, dict) or not all(isinstance(manifest.get(key), str) for key in ("name", "version")):
        raise Refusal("has no name and version", where=f"{where}!package.json", expected="a package manifest")
    return Archive(manifest["name"], manifest["version"], file, data, entries, manifest)


def read(data: bytes, *, where: str) -> dict[str, Entry]:
    """All regular files by path, without the one leading folder (npm strips it whatever its name)."""
    found: dict[str, Entry] = {}
    try:
        stream = _Bounded(gzip.GzipFile(fileobj=io.BytesIO(data)), MAX_UNPACKED, where)
        with tarfile.open(fileobj=stream, mode="r|") as tar:
            for count, member in enumerate(tar, 1):
                if count > MAX_ENTRIES:
                    raise Refusal("too many entries", where=where, expected=f"at most {MAX_ENTRIES}")
                _take(tar, member, found, where)
    except UNREADABLE as error:
        raise Refusal(f"not a readable .tgz ({error})", where=where, expected="a gzipped tar") from error
    _refuse_clashes(found, where)
    return found


def _take(tar: tarfile.TarFile, member: tarfile.TarInfo, found: dict[str, Entry], where: str) -> None:
    if member.isdir():
        return
    name = _safe_path(member.name, where)
    if member.type not in REGULAR or member.sparse is not None:
        raise Refusal(f"the entry {name!r} is not a regular file", where=where, expected="regular files only")
    if name in found:
        raise Refusal(f"the entry {name!r} stands twice", where=where)
    content = tar.extractfile(member)
    found[name] = Entry(content.read() if content else b"", bool(member.mode & 0o111))


def _safe_path(name: str, where: str) -> str:
    parts = name.removeprefix("./").split("/")
    odd = any(part in ("", ".", "..") for part in parts) or len(parts) < 2
    odd = odd or len(name) > MAX_NAME or any(len(part.encode("utf-8", "surrogateescape")) > MAX_PART for part in parts)
    odd = odd or "\\" in name or any(ord(char) < 32 or 0xD800 <= ord(char) < 0xE000 for char in name)
    if odd or "node_modules" in parts:
        raise Refusal(
            f"the entry name {name!r} is not safe",
            where=where,
            expected="relative paths below one folder, none in node_modules",
        )
    return "/".join(parts[1:])


def _refuse_clashes(found: dict[str, Entry], where: str) -> None:
    """Names that some file systems would merge, and a file that is also a folder."""
    seen: dict[str, str] = {}
    for name in found:
        folded = unicodedata.normalize("NFC", name).casefold()
        if folded in seen:
            raise Refusal(f"the entries {seen[folded]!r} and {name!r} are one file on some machines", where=where)
        seen[folded] = name
    for name in found:
        parents = name.split("/")[:-1]
        for depth in range(1, len(parents) + 1):
            if "/".join(parents[:depth]) in found:
                raise Refusal(f"the entry {'/'.join(parents[:depth])!r} is a file and a folder", where=where)

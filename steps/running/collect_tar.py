"""Collects a submission from the tar stream of an output volume, by the rules of steps/running/collect.py.

The stream is read once and in order, bounded in bytes and entries; nothing of it is written to disk, and no name in it
is ever used as a path. A stream that ends early or does not parse is no submission.
"""

from __future__ import annotations

import stat
import tarfile
from collections.abc import Iterable, Iterator

from steps.errors import AttemptFailed
from steps.running import collect
from steps.running.collect import Collected

_BLOCK = 512
_KINDS = {
    tarfile.DIRTYPE: stat.S_IFDIR,
    tarfile.SYMTYPE: stat.S_IFLNK,
    tarfile.FIFOTYPE: stat.S_IFIFO,
    tarfile.CHRTYPE: stat.S_IFCHR,
    tarfile.BLKTYPE: stat.S_IFBLK,
    tarfile.REGTYPE: stat.S_IFREG,
    tarfile.AREGTYPE: stat.S_IFREG,
    tarfile.LNKTYPE: stat.S_IFREG,
}


class TooLong(Exception):
    """A stream went over its bound."""


class Stream:
    """A bounded file object over chunks, for tarfile's stream mode. It never asks for more than was wanted."""

    def __init__(self, chunks: Iterable[bytes], limit: int) -> None:
        self._chunks: Iterator[bytes] = iter(chunks)
        self._limit, self._count, self._rest = limit, 0, b""
        self.last = b""  # what was read last

    def read(self, size: int) -> bytes:
        parts, wanted = [], size
        while wanted and (chunk := self._rest or next(self._chunks, b"")):
            part, self._rest = chunk[:wanted], chunk[wanted:]
            parts.append(part)
            wanted -= len(part)
        data = b"".join(parts)
        self.last = data or self.last
        self._count += len(data)
        if self._count > self._limit:
            raise TooLong(f"more than {self._limit} bytes")
        return data


def collect_tar(
    chunks: Iterable[bytes], folder: str, allowed: list[str], limits: dict[str, int], *, most: int
) -> Collected:
    """The allowed files of an archive whose entries lie below `folder`; at most `most` bytes of stream are read."""
    collect.check_allowed(allowed)
    stream = Stream(chunks, most)
    found: set[str] = set()
    files: dict[str, bytes] = {}
    linked: set[str] = set()
    try:
        # Small blocks: what tarfile reads ahead is what is left unread for the check of the end.
        with tarfile.open(
            fileobj=stream, mode="r|", bufsize=_BLOCK, encoding="utf-8", errors="surrogateescape"
        ) as archive:
            for name, entry in _named(archive, folder, limits["outputEntries"]):
                _note(name, entry, found, linked)
                if name in allowed:
                    files[name] = _read(archive, name, entry, limits["solutionFileBytes"])
        _require_end(stream)
    except TooLong as error:
        raise AttemptFailed("collection", f"the output folder holds {error}") from error
    except (tarfile.TarError, ValueError, OverflowError) as error:
        raise AttemptFailed("collection", f"the output folder cannot be read ({type(error).__name__})") from error
    if several := linked.intersection(allowed):
        raise AttemptFailed("collection", f"{min(several)} has more than one name (hard link)")
    collect.refuse_twins(list(found), allowed)
    return collect.settled(files, list(found), allowed)


def _named(archive: tarfile.TarFile, folder: str, limit: int) -> Iterator[tuple[str, tarfile.TarInfo]]:
    """Entries by their name below the folder, without the folder itself."""
    count = 0
    for entry in archive:
        name = entry.name.rstrip("/")
        if name == folder:
            continue
        if not name.startswith(f"{folder}/"):
            raise AttemptFailed("collection", f"{name[:200]!r} does not lie in the output folder")
        name = name.removeprefix(f"{folder}/")
        count += 1
        collect.check_bounds(count, limit, name.count("/") + entry.isdir())
        yield name, entry


def _note(name: str, entry: tarfile.TarInfo, found: set[str], linked: set[str]) -> None:
    if name in found:
        raise AttemptFailed("collection", f"{name[:200]!r} stands twice in the output folder")
    found.add(name)
    if entry.islnk():  # Docker writes a second name as a link to the first, which looks like a file of its own
        linked.add(entry.linkname.partition("/")[2])


def _read(archive: tarfile.TarFile, path: str, entry: tarfile.TarInfo, limit: int) -> bytes:
    kind = _KINDS.get(entry.type, 0)
    collect.check_status(path, kind | (entry.mode & 0o7777), 2 if entry.islnk() else 1, entry.size, limit)
    handle = archive.extractfile(entry)
    data = handle.read() if handle else b""
    if len(data) != entry.size:
        raise AttemptFailed("collection", f"{path} ended after {len(data)} of {entry.size} bytes")
    collect.check_text(path, data)
    return data


def _require_end(stream: Stream) -> None:
    """Two blocks of zeros end an archive; tarfile also stops, silently, at a broken header and where the data ends."""
    ended, rest = not stream.last.strip(b"\0"), 0
    while chunk := stream.read(_BLOCK):
        rest += len(chunk)
        ended = ended and not chunk.strip(b"\0")
    if not ended or rest < _BLOCK:
        raise AttemptFailed("collection", "the output folder cannot be read (its archive is broken)")

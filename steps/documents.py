"""The one place that reads and writes JSON: canonical bytes, strict parsing, and writes that are whole or absent."""

from __future__ import annotations

import json
import os
import re
import stat
import tempfile
from pathlib import Path
from typing import Any, NoReturn

from steps.errors import Refusal

MAX_DOCUMENT = 64 * 1024 * 1024  # bytes; the largest receipt measured is below 1 MB
MAX_DEPTH = 200
_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKETS = re.compile(r"[\[\]{}]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def canonical(value: object) -> bytes:
    """The one byte form of a JSON value that is hashed: sorted keys, no spaces, UTF-8, no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def pretty(value: object) -> bytes:
    """The byte form of every kept file: sorted keys, one space of indent, a final newline."""
    return (json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


class _Rejected(ValueError):
    """Raised inside the JSON parser for what the standard library would let through."""


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise _Rejected(f"the key {twice!r} stands twice")
    return result


def _no_constant(name: str) -> NoReturn:
    raise _Rejected(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise _Rejected(f"the number {text[:40]} is too large")
    return value


def _bounded_int(text: str) -> int:
    if len(text) > 400:
        raise _Rejected("a number has more than 400 digits")
    return int(text)


def _depth_ok(text: str) -> bool:
    """Checked before parsing: deep nesting raises RecursionError, which is no ValueError. Regexes keep it linear."""
    depth = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            return False
    return True


def parse_strict(data: bytes, *, where: str, max_bytes: int = MAX_DOCUMENT) -> Any:
    """The one JSON value in `data`, or Refusal.

    Stricter than the standard library (each hazard measured): UTF-8 only and without BOM, no duplicate keys, no NaN
    or Infinity, bounded size and depth, no lone surrogates, nothing after the value.
    """
    if len(data) > max_bytes:
        raise Refusal(f"{len(data)} bytes are too many", where=where, expected=f"at most {max_bytes}")
    try:
        text = data.decode("utf-8", "strict")
        if not _depth_ok(text):
            raise _Rejected(f"it is nested more than {MAX_DEPTH} deep")
        value = json.loads(
            text,
            object_pairs_hook=_no_duplicates,
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_bounded_int,
        )
    except ValueError as error:
        raise Refusal(f"not valid JSON: {error}", where=where, expected="one strict JSON value in UTF-8") from error
    if "\\u" in text and _SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        raise Refusal("not valid JSON: a lone surrogate", where=where, expected="one strict JSON value in UTF-8")
    return value


def read(path: Path | str, *, max_bytes: int = MAX_DOCUMENT) -> Any:
    """Strictly parsed JSON of a regular file; Refusal when it is missing, a link, too large or malformed."""
    return parse_strict(read_bytes(path, max_bytes=max_bytes), where=str(path), max_bytes=max_bytes)


def read_bytes(path: Path | str, *, max_bytes: int = MAX_DOCUMENT) -> bytes:
    """Bytes of a regular file, read once. A link, a FIFO or a device is refused without blocking."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Refusal(f"cannot be read ({error.strerror})", where=str(path), expected="a regular file") from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise Refusal("not a regular file", where=str(path), expected="a regular file")
    with os.fdopen(fd, "rb") as handle:
        data = handle.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise Refusal(f"more than {max_bytes} bytes", where=str(path), expected="a smaller file")
    return data


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _as_bytes(value: object) -> bytes:
    return value if isinstance(value, bytes) else pretty(value)


def write_atomic(path: Path | str, value: object, *, mode: int = 0o644) -> None:
    """Write JSON (or bytes) so that a reader, a kill or a full disk sees the old file or the new one, never half."""
    path, data = Path(path), _as_bytes(value)
    path.parent.mkdir(parents=True, exist_ok=True)
    fd, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(fd, "wb") as handle:
            handle.write(data)
            handle.flush()
            os.fchmod(fd, mode)
            os.fsync(fd)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def write_once(path: Path | str, value: object) -> bool:
    """Like write_atomic, but the first writer wins: False when the file is there already, and it stays as it was."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    write_atomic(temporary, value)
    try:
        os.link(temporary, path)
    except FileExistsError:
        return False
    finally:
        temporary.unlink()
    _sync_folder(path.parent)
    return True


def claim(path: Path | str, value: object) -> bool:
    """Create `path` exclusively: True for exactly one caller ever, and durable before it returns (at most once)."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_once(path, value)


def append_line(path: Path | str, value: object) -> None:
    """Add one canonical JSON line in a single write: lines of racing writers never mix."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
    try:
        os.write(fd, canonical(value) + b"\n")
        os.fsync(fd)
    finally:
        os.close(fd)

"""Reads a batch folder as a value. Whatever stands there, nothing is followed or executed: faults are recorded."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from steps import digest, documents, schema
from steps.errors import Refusal
from steps.judging.reasons import reason

MAX_FILES = 5_000  # a batch of 18 runs keeps about 300
MAX_BYTES = 512 * 1024 * 1024

# Where each kept file stands (R-F1). Anything else in the folder is a fault.
_FIXED = {"batch.json": "batch", "archives.json": "archives", "receipt.json": "receipt"}
_RECORD = re.compile(r"runs/([a-z0-9-]+)/(run|started)\.json")
_ATTEMPT = re.compile(r"runs/([a-z0-9-]+/attempt-[12])/(analysis\.json|solution/(.+))", re.DOTALL)
_BAD = object()  # what could not be parsed: not to be confused with the JSON value null
_ARCHIVE = re.compile(r"archives/[a-z0-9-]+\.tgz")


@dataclass
class Evidence:
    """Everything a batch folder holds. Keys of runs are `<task>-<n>`, of attempts `<task>-<n>/attempt-<k>`."""

    name: str
    documents: dict[str, Any] = field(default_factory=dict)  # batch, archives, receipt
    lock: bytes | None = None
    archives: dict[str, bytes] = field(default_factory=dict)  # by file name
    frozen: dict[str, list] = field(default_factory=dict)  # tree of inputs/
    runs: dict[str, dict[str, Any]] = field(default_factory=dict)
    started: dict[str, dict[str, Any]] = field(default_factory=dict)
    solutions: dict[str, dict[str, bytes]] = field(default_factory=dict)
    analyses: dict[str, Any] = field(default_factory=dict)  # parsed
    analysis_bytes: dict[str, bytes] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)  # every path, usable or not
    faults: list[dict[str, str]] = field(default_factory=list)

    @property
    def batch(self) -> dict[str, Any] | None:
        """batch.json, or None."""
        return self.documents.get("batch")

    @property
    def receipt(self) -> dict[str, Any] | None:
        """receipt.json, or None."""
        return self.documents.get("receipt")

    @property
    def archives_record(self) -> dict[str, Any] | None:
        """archives.json, or None."""
        return self.documents.get("archives")


def read(receipt: Path, archives: Path | None = None) -> Evidence:
    """The batch folder around `receipt`; `archives` may name another archives.json to hold the batch against."""
    folder = receipt.parent.resolve()
    found = Evidence(folder.name)
    # The receipt is the one the caller named, even when it is not called receipt.json.
    paths = {path: folder / path for path in _listed(folder, found)} if receipt.exists() else {}
    paths["receipt.json"] = folder / receipt.name
    if archives is not None:
        paths["archives.json"] = archives
    room = MAX_BYTES
    for path, place in sorted(paths.items()):
        if not os.path.lexists(place):
            continue
        found.seen.add(path)
        if path == "qualification.json":  # our own output, written again
            continue
        data = _bytes(found, path, place)
        room -= len(data or b"")
        if room < 0:
            found.faults.append(reason("evidence-too-large", found.name, limit=f"{MAX_BYTES} bytes"))
            break
        if data is not None:
            _take(found, path, place, data)
    return found


def _listed(folder: Path, found: Evidence) -> list[str]:
    """All paths below the folder that are not directories, bounded; unreadable folders are faults."""
    errors: list[OSError] = []
    paths: list[str] = []
    for here, folders, files in os.walk(folder, onerror=errors.append):
        links = [name for name in folders if Path(here, name).is_symlink()]
        paths += [Path(here, name).relative_to(folder).as_posix() for name in files + links]
        if len(paths) > MAX_FILES:
            found.faults.append(reason("evidence-too-large", found.name, limit=f"{MAX_FILES} files"))
            return paths[:MAX_FILES]
    for error in errors:
        where = os.path.relpath(os.fsdecode(error.filename), folder)
        found.faults.append(reason("file-malformed", where, detail=f"cannot be listed ({error.strerror})"))
    return paths


def _bytes(found: Evidence, path: str, place: Path) -> bytes | None:
    """The bytes of an expected regular file; otherwise None, with the fault recorded."""
    if not _expected(path):
        found.faults.append(reason("unexpected-file", path))
        return None
    mode = os.lstat(place).st_mode
    if not stat.S_ISREG(mode):
        found.faults.append(reason("file-kind", path, got=_kind(mode)))
        return None
    # Frozen inputs keep their execute bit, which is part of their recorded digest.
    if mode & (0o7000 if path.startswith("inputs/") else 0o7111):
        found.faults.append(reason("file-mode", path, got=f"{stat.S_IMODE(mode):04o}"))
    try:
        return documents.read_bytes(place)
    except Refusal as error:
        found.faults.append(reason("file-malformed", path, detail=error.what))
        return None


def _expected(path: str) -> bool:
    patterns = (_RECORD, _ATTEMPT, _ARCHIVE)
    return (
        path in _FIXED
        or path == "consumer-lock.json"
        or path.startswith("inputs/")
        or any(pattern.fullmatch(path) for pattern in patterns)
    )


def _kind(mode: int) -> str:
    kinds = {stat.S_IFLNK: "a link", stat.S_IFIFO: "a FIFO", stat.S_IFSOCK: "a socket", stat.S_IFDIR: "a folder"}
    return kinds.get(stat.S_IFMT(mode), "a device")


def _take(found: Evidence, path: str, place: Path, data: bytes) -> None:
    """Put one file's content where it belongs."""
    if path in _FIXED:
        _put(found.documents, _FIXED[path], _document(found, path, data, _FIXED[path]))
    elif path == "consumer-lock.json":
        found.lock = data
    elif path.startswith("inputs/"):
        executable = int(bool(os.lstat(place).st_mode & 0o111))
        found.frozen[path.removeprefix("inputs/")] = ["f", executable, digest.of_bytes(data)]
    elif record := _RECORD.fullmatch(path):
        target = found.runs if record[2] == "run" else found.started
        _put(target, record[1], _document(found, path, data, record[2]))
    elif attempt := _ATTEMPT.fullmatch(path):
        _take_attempt(found, path, attempt[1], attempt[3], data)
    else:
        found.archives[path.removeprefix("archives/")] = data


def _take_attempt(found: Evidence, path: str, key: str, solution_file: str | None, data: bytes) -> None:
    if solution_file is not None:
        found.solutions.setdefault(key, {})[solution_file] = data
        return
    found.analysis_bytes[key] = data
    _put(found.analyses, key, _document(found, path, data, "analysis"))


def _put(target: dict[str, Any], key: str, value: Any) -> None:
    if value is not _BAD:
        target[key] = value


def _parsed(found: Evidence, path: str, data: bytes) -> Any:
    try:
        return documents.parse_strict(data, where=path)
    except Refusal as error:
        found.faults.append(reason("file-malformed", path, detail=error.what))
        return _BAD


def _document(found: Evidence, path: str, data: bytes, name: str) -> Any:
    """The parsed document when it fits its schema; a fault and _BAD otherwise."""
    value = _parsed(found, path, data)
    if value is _BAD:
        return _BAD
    version = value.get("schemaVersion") if isinstance(value, dict) else None
    if version is not None and (type(version) is not int or version != 1):
        found.faults.append(reason("unknown-version", path, got=version, expected=1))
        return _BAD
    faults = schema.faults(value, name)
    if name == "receipt" and faults and all(fault.startswith("/reviewDecisions") for fault in faults):
        # Decisions are a person's part of the receipt: what is wrong with them has its own words.
        found.faults.append(reason("review-invalid", path, detail="; ".join(faults)))
        return {**value, "reviewDecisions": []}
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        found.faults.append(reason("file-malformed", path, detail=f"{faults[0]}{more}"))
        return _BAD
    return value

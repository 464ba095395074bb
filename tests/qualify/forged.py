"""Forgeries: operations of fixtures/evidence/*.yaml that change the stored bytes of a batch.

`reseal: true` then makes the digests and totals that follow from them anew, as a careful forger would.
"""

from __future__ import annotations

import copy
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from good import read

from steps import digest, documents, records
from steps.judging.derived import Derived


class Forged:
    """A batch folder whose stored bytes are changed."""

    def __init__(self, root: Path, derived: Derived) -> None:
        self.root, self.derived, self.scripted = root, copy.deepcopy(derived), frozenset()

    def apply(self, case: dict[str, Any]) -> None:
        """All operations of a case in order."""
        for step in case["ops"]:
            values = dict(step)
            getattr(self, f"_{values.pop('op').replace('-', '_')}")(**values)
        if case.get("reseal"):
            self.reseal()

    # Stored bytes.

    def _set(self, file: str, at: str, to: Any) -> None:
        body = read(self.root / file)
        place(body, at)(to)
        documents.write_atomic(self.root / file, body)

    def _remove(self, file: str, at: str) -> None:
        body = read(self.root / file)
        *path, last = keys_of(at)
        del down(body, path)[int(last) if last.isdigit() else last]
        documents.write_atomic(self.root / file, body)

    def _add(self, file: str, at: str, value: Any) -> None:
        body = read(self.root / file)
        down(body, keys_of(at)).append(value)
        documents.write_atomic(self.root / file, body)

    def _delete(self, path: str) -> None:
        gone = self.root / path
        shutil.rmtree(gone) if gone.is_dir() else gone.unlink()

    def _write(self, path: str, text: str) -> None:
        documents.write_atomic(self.root / path, text.encode())

    def _append(self, path: str, text: str) -> None:
        documents.write_atomic(self.root / path, (self.root / path).read_bytes() + text.encode())

    def _truncate(self, path: str) -> None:
        documents.write_atomic(self.root / path, (self.root / path).read_bytes()[:-3])

    def _link(self, path: str) -> None:
        """Replace a file by a link to its own bytes elsewhere."""
        (self.root / path).rename(self.root.parent / "elsewhere")
        (self.root / path).symlink_to(self.root.parent / "elsewhere")

    def _fifo(self, path: str) -> None:
        (self.root / path).unlink()
        os.mkfifo(self.root / path)

    def _mode(self, path: str, to: str) -> None:
        (self.root / path).chmod(int(to, 8))

    def _copy(self, path: str, to: str) -> None:
        """Put a copy of a file or folder in place of another, or where there was none."""
        if (self.root / path).is_dir():
            shutil.rmtree(self.root / to, ignore_errors=True)
            shutil.copytree(self.root / path, self.root / to)
        else:
            (self.root / to).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(self.root / path, self.root / to)

    def _swap(self, path: str, to: str) -> None:
        aside = self.root.parent / "aside"
        (self.root / path).rename(aside)
        (self.root / to).rename(self.root / path)
        aside.rename(self.root / to)

    def _many(self, path: str, count: int) -> None:
        (self.root / path).mkdir(parents=True)
        for number in range(count):
            (self.root / path / str(number)).touch()

    def _rename_batch(self, to: str) -> None:
        self.root = self.root.rename(self.root.with_name(to))

    def _digest(self, of: str, file: str, at: str) -> None:
        """Write the digest of a file where a record names it."""
        self._set(file, at, digest.of_file(self.root / of))

    def _rehash(self, file: str) -> None:
        """The record of one archive, made anew from its bytes."""
        record, data = read(self.root / "archives.json"), (self.root / "archives" / file).read_bytes()
        entry = next(entry for entry in record["archives"] if entry["file"] == file)
        entry |= {"bytes": len(data), "sha256": digest.of_bytes(data), "integrity": digest.integrity(data)}
        documents.write_atomic(self.root / "archives.json", record)

    def _edit_attempt(self, key: str, change: Callable[[dict[str, Any]], None]) -> None:
        run_key, _, number = key.partition("/attempt-")
        path = self.root / "runs" / run_key / "run.json"
        run = read(path)
        change(run["attempts"][int(number) - 1])
        documents.write_atomic(path, run)

    def _pretend(self, attempt: str) -> None:
        """Every assertion holds, says the record."""
        self._edit_attempt(
            attempt,
            lambda record: record["behavior"]["assertions"].update(
                dict.fromkeys(record["behavior"]["assertions"], True)
            ),
        )

    def _belittle(self, attempt: str) -> None:
        self._edit_attempt(
            attempt,
            lambda record: record["behavior"]["assertions"].update({min(record["behavior"]["assertions"]): False}),
        )

    def _unsafe(self, attempt: str) -> None:
        self._edit_attempt(attempt, lambda record: record["safety"].update({min(record["safety"]): "not-observed"}))

    def _sizes(self, attempt: str) -> None:
        self._edit_attempt(attempt, lambda record: min(record["solution"]["files"].values(), key=str).update(bytes=0))

    def _repeat_attempt(self, run: str) -> None:
        path = self.root / "runs" / run / "run.json"
        body = read(path)
        body["attempts"].append(copy.deepcopy(body["attempts"][0]))
        documents.write_atomic(path, body)

    def reseal(self) -> None:
        """The digest of archives.json in batch.json, every run's totals, and the receipt."""
        batch = read(self.root / "batch.json")
        batch["archivesDigest"] = digest.of_json(read(self.root / "archives.json"))
        self._keep("batch.json", batch)
        runs = []
        for path in sorted(self.root.glob("runs/*/run.json")):
            run = read(path)
            runs.append(records.run_record(run["batchId"], run["taskId"], run["repetition"], run, run["attempts"]))
            self._keep(path.relative_to(self.root).as_posix(), runs[-1])
        decisions = read(self.root / "receipt.json")["reviewDecisions"]
        self._keep("receipt.json", records.receipt(batch, runs, decisions))

    def _keep(self, file: str, body: dict[str, Any]) -> None:
        if (self.root / file).read_bytes() != documents.pretty(body):
            documents.write_atomic(self.root / file, body)


def keys_of(pointer: str) -> list[str]:
    return [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]


def down(body: Any, keys: list[str]) -> Any:
    for key in keys:
        body = body[int(key) if isinstance(body, list) else key]
    return body


def place(body: Any, pointer: str) -> Any:
    """A function that sets the value at a JSON pointer."""
    *path, last = keys_of(pointer)
    target = down(body, path)
    return lambda value: target.__setitem__(int(last) if isinstance(target, list) else last, value)

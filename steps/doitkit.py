"""Everything that knows doit's internals, with the measured defect that each piece answers (docs/architecture.md).

doit orders and skips work here; it is never evidence. Deleting or forging its database changes no answer of `qualify`.
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, ClassVar

from doit.action import CmdAction
from doit.dependency import FileChangedChecker, JsonDB
from doit.exceptions import TaskError, TaskFailed

from steps import digest, documents, layout

TAIL = 4000  # characters of a failed step's stderr that are shown


class Sha256Checker(FileChangedChecker):
    """Kind, exec bit and content decide. doit's own checker says "unchanged" when the modification time is equal.

    An input is hashed once per call of doit, before the actions that read it: an edit during an action is then seen
    as a change by the next call. What doit's tasks themselves produce is hashed each time.
    """

    def __init__(self) -> None:
        self._seen: dict[str, list] = {}

    def exists(self, path: str) -> bool:
        return os.path.lexists(path)

    def info(self, path: str) -> os.stat_result:
        return os.lstat(path)

    def check_modified(self, path: str, _status: os.stat_result, state: list) -> bool:
        return self._entry(path) != list(state)

    def get_state(self, path: str, _current: list | None) -> list:
        return self._entry(path)

    def _entry(self, path: str) -> list:
        if path.startswith(str(layout.STATE)):
            return digest.entry(path)
        if path not in self._seen:
            self._seen[path] = digest.entry(path)
        return self._seen[path]


class AtomicJsonDB(JsonDB):
    """doit's database as what it is, a cache: saved after each task, merged under a lock, whole or absent.

    The stock backends write only at the end (a kill forgets all finished tasks), lose records when two doits run,
    and make every command fail once the file is damaged.
    """

    desc = "JSON, saved per task, atomic, merged between processes"

    def __init__(self, name: str, codec: Any, *, module_name: str | None = None) -> None:  # noqa: ARG002 - doit's signature
        self.name, self.codec = name, codec
        self._changed: set[str] = set()
        self._removed: set[str] = set()
        self._mutex = threading.RLock()
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        self._db = self._load()

    def _load(self) -> dict[str, dict]:
        try:
            database = self.codec.decode(Path(self.name).read_text(encoding="utf-8"))
            if not isinstance(database, dict) or not all(isinstance(entry, dict) for entry in database.values()):
                raise ValueError("not a table of tasks")
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (ValueError, IsADirectoryError) as error:
            aside = f"{self.name}.corrupt-{int(time.time())}"
            os.replace(self.name, aside)
            sys.stderr.write(f"warning: {self.name} was unreadable ({error}); kept as {aside}; all is checked again\n")
            return {}
        return database

    def set(self, task_id: str, dependency: str, value: Any) -> None:
        with self._mutex:
            super().set(task_id, dependency, value)
            self._changed.add(task_id)
            self._removed.discard(task_id)
            if dependency == "deps:":  # the last thing doit saves for a finished task
                self.dump()

    def remove(self, task_id: str) -> None:
        with self._mutex:
            super().remove(task_id)
            self._removed.add(task_id)
            self._changed.discard(task_id)

    def remove_all(self) -> None:
        with self._mutex:
            self._removed |= set(self._load()) | set(self._db)
            self._changed.clear()
            super().remove_all()

    def dump(self) -> None:
        with self._mutex, self._locked():
            if not (self._changed or self._removed):
                return
            on_disk = self._load()
            for task in self._removed:
                on_disk.pop(task, None)
            on_disk |= {task: self._db[task] for task in self._changed}
            try:
                documents.write_atomic(self.name, self.codec.encode(on_disk).encode())
            except OSError as error:  # a cache that cannot be saved costs time, never a result
                sys.stderr.write(f"warning: doit's cache was not saved: {error}\n")
                return
            self._changed.clear()
            self._removed.clear()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            handle = open(f"{self.name}.lock", "w")  # noqa: SIM115 - closed below
        except OSError:  # an unwritable disk: dump() says so
            yield
            return
        with handle:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield


class Step(CmdAction):
    """Runs `python -m steps.cli ARGS` and tells "no" (exit 1) from broken machinery (anything else).

    A subprocess, because a Python action that calls sys.exit(0) ends doit with success, and because doit's own
    command action hangs on Ctrl-C while a child keeps its pipe open.
    """

    running: ClassVar[set[subprocess.Popen]] = set()

    def __init__(self, *args: object, environment: dict[str, str] | None = None) -> None:
        super().__init__([sys.executable, "-P", "-m", "steps.cli", *map(str, args)], shell=False)
        self.environment = environment or {}

    def execute(self, out: IO[str] | None = None, err: IO[str] | None = None) -> TaskFailed | TaskError | None:  # noqa: ARG002
        child = subprocess.Popen(
            self.action,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            cwd=layout.ROOT,
            env={**os.environ, **self.environment},
        )
        lines: list[str] = []
        pump = threading.Thread(target=self._relay, args=(child.stderr, lines), daemon=True)
        self.running.add(child)
        with child:
            pump.start()
            self.out = child.stdout.read()
            code = child.wait()
            pump.join(timeout=2)
        self.running.discard(child)
        self.err = "".join(lines)
        self.values = {"summary": _last_json(self.out)} if code in (0, 1) or self.out.strip() else {}
        return self._result(code)

    @classmethod
    def end_all(cls, grace: float = 10) -> None:
        """Ask every running step to end (each stops what it started), then end it."""
        children = list(cls.running)
        for child in children:
            child.terminate()
        deadline = time.monotonic() + grace
        for child in children:
            try:
                child.wait(timeout=max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()

    @staticmethod
    def _relay(source: IO[str], lines: list[str]) -> None:
        """Passes the step's stderr through as it comes: people watch it."""
        for line in source:
            lines.append(line)
            sys.stderr.write(line)

    def _result(self, code: int) -> TaskFailed | TaskError | None:
        if code == 0:
            return None
        message = self.err.strip()[-TAIL:] or f"{' '.join(self.action[2:])} exited {code}"
        return TaskFailed(message) if code == 1 else TaskError(message)


def _last_json(text: str) -> Any:
    try:
        return json.loads(text.strip().rsplit("\n", 1)[-1])
    except ValueError:
        return None

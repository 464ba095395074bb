"""The folders of one attempt: what the agent may read, where it writes, and proof that the first stayed as it was.

The agent's view of the consumer is its own: the task's contract is laid over the consumer's empty one (R-A3). What the
views share, the installed packages, is read only by agreement here and by mount in a container; both are compared
before and after the agent runs (R-K2).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from steps import digest, documents, scratch
from steps.errors import Refusal
from steps.packing.consumer import CONTRACT, Consumer

INSTALLED = "node_modules"
CONTRACT_SOURCE = "contract.d.ts"


@dataclass(frozen=True)
class Workspace:
    """`view` is read by the agent, `output` written; `seal` proves the view."""

    view: Path
    output: Path
    seal: Seal


@contextmanager
def prepared(consumer: Consumer, task_dir: Path, start: dict[str, bytes]) -> Iterator[Workspace]:
    """A workspace that exists only inside the `with`; `start` is what the output folder holds at first."""
    with laid(consumer, task_dir) as seal:
        output = seal.view.parent / "solution"
        output.mkdir()
        for name, data in start.items():
            (output / name).parent.mkdir(parents=True, exist_ok=True)
            (output / name).write_bytes(data)
        yield Workspace(seal.view, output, seal)


@contextmanager
def laid(consumer: Consumer, task_dir: Path) -> Iterator[Seal]:
    """The agent's view of the consumer, sealed, in a folder that is gone after the `with`."""
    with scratch.folder("run") as root:
        view = root / "consumer"
        view.mkdir()
        _lay_view(consumer, task_dir, view)
        yield Seal(consumer, view)


def _lay_view(consumer: Consumer, task_dir: Path, view: Path) -> None:
    for entry in consumer.path.iterdir():
        if entry.is_file():
            (view / entry.name).write_bytes(entry.read_bytes())
    (view / INSTALLED).symlink_to(consumer.path / INSTALLED, target_is_directory=True)
    (view / CONTRACT).write_bytes(documents.read_bytes(task_dir / CONTRACT_SOURCE))
    (view / CONTRACT).chmod(0o644)  # in a container another user reads it, whatever the umask


class Seal:
    """Digest of everything that the agent may only read.

    Hashing 69 MB takes ten times as long as this: inode, size, mode and both times of every
    file are compared instead, and everything is hashed again as soon as one of them differs. Whoever can set a ctime
    owns the machine.
    """

    def __init__(self, consumer: Consumer, view: Path) -> None:
        self._consumer, self.view = consumer, view
        self._statuses = _statuses(consumer.path)
        self._target = os.readlink(view / INSTALLED)
        self.before = self._digest(consumer.tree_digest)

    def after(self) -> str:
        """The digest now: equal to `before` exactly when nothing was changed."""
        try:
            same = _statuses(self._consumer.path) == self._statuses
            return self._digest(self._consumer.tree_digest if same else digest.of_tree(self._consumer.path))
        except (Refusal, OSError) as error:
            return digest.of_json({"unreadable": type(error).__name__})

    def _digest(self, installed: str) -> str:
        files = digest.tree(self.view)
        # The link names a path of this machine; that it still is the same link is all that matters.
        link = files.pop(INSTALLED, None)
        kept = link is not None and link[0] == "l" and os.readlink(self.view / INSTALLED) == self._target
        return digest.of_json({"installed": installed, "view": files, "linked": kept})


def _statuses(root: Path) -> dict[str, tuple[int, ...]]:
    found = {}
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = f"{folder}/{name}"
            status = os.lstat(path)
            found[path] = (status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return found

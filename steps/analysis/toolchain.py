"""Installs the analyser's own compiler, once per lock; `graders/package-lock.json` decides every byte (npm checks it).

The compiler is never the consumer's: a candidate or an agent cannot choose what judges it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import uuid
from functools import cache
from pathlib import Path

from steps import digest, documents, layout, modes
from steps.errors import Refusal
from steps.packing import npm

FILES = ("package.json", "package-lock.json")
STAMP = "installed.json"


def lock_digest() -> str:
    """What the toolchain is known by: its manifest and its lock."""
    return digest.of_tree(layout.GRADERS, [layout.GRADERS / name for name in FILES])


@cache
def compiler_version() -> str:
    """The pinned TypeScript, read from the lock."""
    lock = layout.GRADERS / "package-lock.json"
    version = documents.read(lock).get("packages", {}).get("node_modules/typescript", {}).get("version")
    if not isinstance(version, str):
        raise Refusal("no version of typescript", where=str(lock), expected="packages/node_modules/typescript")
    return version


@cache
def ready() -> Path:
    """Folder whose `node_modules` holds the pinned compiler and Node's types; installed now when it is not there.

    Racing processes wait for each other. An install that was changed afterwards is made again.
    """
    layout.TOOLCHAIN.mkdir(parents=True, exist_ok=True)
    home = layout.TOOLCHAIN / lock_digest().removeprefix("sha256:")
    with open(layout.TOOLCHAIN / ".lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        if not _intact(home):
            _install(home)
    return home.resolve()  # the compiler compares real paths


def _install(home: Path) -> None:
    partial = home.parent / f".{home.name}.{uuid.uuid4().hex}"
    try:
        partial.mkdir()
        for name in FILES:
            shutil.copyfile(layout.GRADERS / name, partial / name)
        npm.run(partial, "ci", "--ignore-scripts")
        modes.settle(partial)  # a container reads it as another user
        documents.write_atomic(partial / STAMP, _sizes(partial))
        shutil.rmtree(home, ignore_errors=True)
        os.replace(partial, home)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _intact(home: Path) -> bool:
    """Every file is there with its size. npm checked the bytes when they arrived; hashing 30 MB each time is slow."""
    try:
        return documents.read(home / STAMP) == _sizes(home)
    except Refusal:
        return False


def _sizes(home: Path) -> dict[str, int]:
    modules = home / "node_modules"
    return {path.relative_to(home).as_posix(): path.lstat().st_size for path in digest.walk(modules)}

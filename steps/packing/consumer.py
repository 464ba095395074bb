"""Prepares the disposable consumer: exactly these archives, installed as a user would, and proved so (R-C1..C3).

A consumer is a function of the archives and `consumer-lock.json`. npm proves nothing by itself: the archives are
compared with the lock before it runs and every installed file of the candidate with its tar entry afterwards.
"""

from __future__ import annotations

import os
import shutil
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from steps import digest, documents, layout, modes, node
from steps import suite as suites
from steps.errors import Infrastructure, Refusal
from steps.packing import candidate, consumer_cache, consumer_lock, npm, tarball
from steps.packing.tarball import Archive
from steps.suite import Suite

TSCONFIG = layout.GRADERS / "analyser" / "tsconfig.consumer.json"
CONTRACT = "task-contract.d.ts"  # empty here: each run mounts its own over it
LOCK = "consumer-lock.json"


@dataclass(frozen=True)
class Consumer:
    """A prepared consumer and what binds it."""

    path: Path
    lock_digest: str
    tree_digest: str


def build(out: Path | None = None) -> Consumer:
    """The consumer of the packed candidate and its kept lock; with `out`, one more at that place (prepareCandidate)."""
    prepared = cached(None, layout.ARCHIVES, fresh=True)
    documents.write_atomic(layout.CONSUMER_LOCK, documents.read_bytes(prepared.path / LOCK))
    return prepare(layout.ARCHIVES, layout.CONSUMER_LOCK, out) if out else prepared


@contextmanager
def current() -> Iterator[Consumer]:
    """The consumer that `build` made, verified or prepared again."""
    yield cached(layout.CONSUMER_LOCK, layout.ARCHIVES)


def read_archives(folder: Path, suite: Suite | None = None) -> list[Archive]:
    """The candidate's archives in a folder, each holding the package that the suite expects in it."""
    suite = suite or suites.load()
    found = []
    for package, file in suite.archives.items():
        archive = tarball.load(folder / file, file)
        if archive.package != package:
            raise Refusal(f"holds {archive.package}", where=str(folder / file), expected=package)
        found.append(archive)
    return found


def prepare(archives: Path, lock: Path | None, out: Path, suite: Suite | None = None) -> Consumer:
    """A fresh consumer at `out`, which must not exist; it appears there whole or not at all."""
    suite = suite or suites.load()
    packs = read_archives(archives, suite)
    data = _lock_bytes(suite, packs, lock)
    if out.is_symlink() or (out.exists() and (not out.is_dir() or any(out.iterdir()))):
        raise Refusal("is not an empty folder", where=str(out), expected="a folder that does not exist yet")
    out.parent.mkdir(parents=True, exist_ok=True)
    partial = out.parent / f".{out.name}.{uuid.uuid4().hex}.partial"
    try:
        tree = _install(suite, packs, data, partial)
        os.replace(partial, out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return Consumer(out, digest.of_bytes(data), digest.of_json(tree))


def _lock_bytes(suite: Suite, packs: list[Archive], lock: Path | None) -> bytes:
    if lock is None:
        return consumer_lock.derive(suite, packs)
    data = documents.read_bytes(lock)
    consumer_lock.check(suite, packs, data, where=str(lock))
    return data


def _install(suite: Suite, packs: list[Archive], lock: bytes, folder: Path) -> dict[str, list]:
    """Install into `folder`, prove it, and return its tree."""
    documents.write_atomic(folder / "package.json", consumer_lock.package_json(suite, packs))
    documents.write_atomic(folder / "package-lock.json", lock)
    for pack in packs:
        documents.write_atomic(folder / "archives" / pack.file, pack.data)
    npm.run(folder, "ci", "--ignore-scripts")
    npm.run(folder, "ls", "--all", "--offline")
    for pack in packs:
        compare_installed(pack, folder / "node_modules" / pack.package)
    shutil.rmtree(folder / "archives")
    (folder / "package-lock.json").rename(folder / LOCK)
    documents.write_atomic(folder / "tsconfig.json", documents.read_bytes(TSCONFIG))
    documents.write_atomic(folder / CONTRACT, b"")
    modes.settle(folder)
    return digest.tree(folder)


def compare_installed(pack: Archive, folder: Path) -> None:
    """Every installed file of the package against its tar entry, in both directions, byte for byte."""
    nested = folder / "node_modules"
    installed = {
        path.relative_to(folder).as_posix(): path for path in digest.walk(folder) if nested not in path.parents
    }
    odd = sorted(installed.keys() ^ pack.entries.keys())
    for name in sorted(installed.keys() & pack.entries.keys()):
        path = installed[name]
        if path.is_symlink() or path.read_bytes() != pack.entries[name].data:
            odd.append(name)
    if odd:
        raise Infrastructure(
            f"the installed {pack.package} is not archives/{pack.file}: "
            f"{', '.join(odd[:5])} differ{'s' if len(odd) == 1 else ''}"
        )


def _verified(home: Path, packs: list[Archive]) -> str | None:
    """The tree digest of a cache entry that is as it was prepared, and holds exactly these archives."""
    found = consumer_cache.verified(home)
    try:
        for pack in packs if found else []:
            compare_installed(pack, consumer_cache.tree_of(home) / "node_modules" / pack.package)
    except Infrastructure as error:
        print(f"cached consumer dropped: {error}", file=sys.stderr)
        return None
    return found


def cached(
    lock: Path | None,
    archives: Path,
    *,
    fresh: bool = False,
    tree_digest: str | None = None,
    suite: Suite | None = None,
) -> Consumer:
    """The consumer of these archives from the cache, every file verified, or prepared and checked now.

    The candidate's installed files are compared with the archives each time. For all others a manifest beside the
    cached tree shows accidents, not forgery: `doit consumer` makes a `fresh` one, and whoever runs in a recorded tree
    names its `tree_digest`: a consumer with another digest is Infrastructure, never used.
    """
    suite = suite or suites.load()
    packs = read_archives(archives, suite)
    data = _lock_bytes(suite, packs, lock)
    # The lock alone does not decide what lies beside node_modules.
    key = digest.of_json([digest.of_bytes(data), digest.of_file(TSCONFIG), node.npm_version()]).removeprefix("sha256:")
    with consumer_cache.exclusive(key) as home:
        found = _verified(home, packs)
        if fresh or found is None:
            found = consumer_cache.fill(
                home,
                found,
                make=lambda folder: _install(suite, packs, data, folder),
                check=lambda folder: candidate.installed_checks(folder, packs),
            )
    if tree_digest not in (None, found):
        raise Infrastructure(f"the consumer prepared from this lock is {found}, recorded was {tree_digest}")
    return Consumer(consumer_cache.tree_of(home), digest.of_bytes(data), found)

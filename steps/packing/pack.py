"""candidate sources -> archives/*.tgz and archives.json: the exact bytes that a batch evaluates (R-C1, R-C2)."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from steps import digest, documents, layout, modes
from steps import suite as suites
from steps.errors import Refusal
from steps.packing import candidate as candidates
from steps.packing import npm, tarball
from steps.packing.candidate import PACK_YOURSELF, SKIPPED, Candidate
from steps.packing.tarball import Archive
from steps.suite import Suite

STAMP = "archives.json"


def build(candidate: str | Path) -> dict[str, Any]:
    """Pack into the build folder, where the other stages look."""
    return pack(candidate, layout.BUILD)


def pack(candidate: str | Path, out: Path, suite: Suite | None = None) -> dict[str, Any]:
    """Check and pack the candidate; write `out/archives/*.tgz`, then `out/archives.json`, and return the latter.

    Nothing is written into a checkout: its checks, build and packing happen in a staged copy.
    """
    suite = suite or suites.load()
    found = candidates.locate(candidate, suite)
    if found.kind == "checkout":
        with staged(found.root) as (copy, source_digest):
            candidates.own_checks(copy, suite)
            archives = [
                npm_pack(copy / place.relative_to(found.root), name, suite)
                for name, place in sorted(found.places.items())
            ]
    else:
        source_digest = None
        archives = [tarball.load(place, suite.archives[name]) for name, place in sorted(found.places.items())]
    catalogs = candidates.archive_checks(archives, suite)
    for archive in archives:
        documents.write_atomic(out / "archives" / archive.file, archive.data)
    stamp = {
        "schemaVersion": 1,
        "archives": [archive.record() for archive in archives],
        "source": _source(found, source_digest),
        "catalog": {name: digest.of_bytes(data) for name, data in catalogs.items()},
    }
    documents.write_atomic(out / STAMP, stamp)
    return stamp


def _source(found: Candidate, source_digest: str | None) -> dict[str, Any]:
    root = found.root.resolve()
    inside = found.kind == "checkout" and root.is_relative_to(layout.ROOT)
    return {
        "kind": found.kind,
        "path": root.relative_to(layout.ROOT).as_posix() if inside else None,
        "digest": source_digest,
    }


def sources(root: Path) -> list[Path]:
    """The files of a checkout that count: no installed packages, no build output, no history, no archives."""
    found = []
    for here, folders, files in os.walk(root):
        linked = [name for name in folders if Path(here, name).is_symlink()]
        folders[:] = sorted(name for name in folders if name not in SKIPPED and name not in linked)
        names = [name for name in files + linked if name not in SKIPPED and not name.endswith(".tgz")]
        found += [Path(here, name) for name in sorted(names)]
    return found


def source_digest(root: Path) -> str:
    """Digest of the sources, to see without packing whether a stamp still belongs to them."""
    return digest.of_tree(root, sources(root))


@contextmanager
def staged(root: Path) -> Iterator[tuple[Path, str]]:
    """A private copy of the sources, modes 0644 and 0755 (`npm pack` depends on modes, measured), and its digest."""
    with tempfile.TemporaryDirectory(prefix="candidate-") as temporary:
        copy = Path(temporary) / "candidate"
        copy.mkdir()
        for path in sources(root):
            _copy(path, copy / path.relative_to(root), root)
        yield copy, source_digest(copy)


def _copy(source: Path, target: Path, root: Path) -> None:
    if source.is_symlink() and not source.resolve().is_relative_to(root.resolve()):
        raise Refusal("links out of the candidate", where=str(source), next=PACK_YOURSELF)
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_symlink():
        target.symlink_to(os.readlink(source))
    elif source.is_file():
        shutil.copyfile(source, target)
        target.chmod(0o755 if source.stat().st_mode & 0o111 else 0o644)
    else:
        raise Refusal("neither a file nor a link", where=str(source))


def npm_pack(folder: Path, name: str, suite: Suite) -> Archive:
    """`npm pack` in the staged copy, where the build has just left files with the modes of this process' umask."""
    modes.settle(folder)
    with tempfile.TemporaryDirectory(prefix="pack-") as temporary:
        npm.run(folder, "pack", "--ignore-scripts", "--pack-destination", temporary)
        made = list(Path(temporary).glob("*.tgz"))
        if len(made) != 1:
            raise Refusal(f"npm pack made {len(made)} archives", where=name, expected="one", next=PACK_YOURSELF)
        return tarball.load(made[0], suite.archives[name])


def current(candidate: str | Path, out: Path | None = None, suite: Suite | None = None) -> bool:
    """Whether the stamp and the archives at `out` belong to this candidate as it is now."""
    suite, out = suite or suites.load(), out or layout.BUILD
    if not (out / STAMP).is_file():
        return False
    stamp = documents.read(out / STAMP)
    found = candidates.locate(candidate, suite)
    for record in stamp["archives"]:
        kept = out / "archives" / record["file"]
        if not kept.is_file() or digest.of_file(kept) != record["sha256"]:
            return False
    if found.kind == "checkout":
        return stamp["source"] == _source(found, source_digest(found.root))
    given = {suite.archives[name]: digest.of_file(place) for name, place in found.places.items()}
    return stamp["source"]["kind"] == "archives" and given == {r["file"]: r["sha256"] for r in stamp["archives"]}

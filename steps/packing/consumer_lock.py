"""The consumer's dependency lock: the suite's kept registry part plus the candidate's own archives.

`tasks/consumer-lock.json` pins every transitive version, so the lock follows from the archives alone and does not
drift between machines or days. It names no registry; npm enforces its hashes (R-C1, R-C3).
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from steps import documents
from steps.errors import Infrastructure, Refusal
from steps.packing import manifest as manifests
from steps.packing import npm
from steps.packing.tarball import Archive
from steps.suite import Suite

BASE = "consumer-lock.json"
# Fields of a manifest that npm repeats in a lock.
REPEATED = ("dependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta", "engines", "os", "cpu")
# Fields by which an entry could come from somewhere else than its path and version say.
REDIRECTING = {"resolved", "link", "name"}
RELOCK = "run `python -m steps.cli relock`, review the change and commit it"


def package_json(suite: Suite, archives: list[Archive]) -> dict[str, Any]:
    """The consumer's manifest: the explicit dependency list and the archives, nothing implied (R-C3)."""
    files = {archive.package: f"file:archives/{archive.file}" for archive in archives}
    return {
        "name": "consumer",
        "version": "0.0.0",
        "private": True,
        "type": "module",
        "dependencies": {**suite.consumer["dependencies"], **files},
    }


def _root(suite: Suite, archives: list[Archive]) -> dict[str, Any]:
    body = package_json(suite, archives)
    return {key: body[key] for key in ("name", "version", "dependencies")}


def _entry(archive: Archive) -> dict[str, Any]:
    kept = {key: archive.manifest[key] for key in REPEATED if key in archive.manifest}
    return {
        "version": archive.version,
        "resolved": f"file:archives/{archive.file}",
        "integrity": archive.integrity,
        **kept,
    }


def base(suite: Suite) -> dict[str, Any]:
    """The kept registry part; Refusal when it no longer belongs to suite.yaml."""
    path = suite.folder / BASE
    lock = documents.read(path)
    if lock["packages"][""] != _root(suite, []):
        raise Refusal("does not belong to the dependencies of suite.yaml", where=str(path), next=RELOCK)
    return lock


def relock(suite: Suite) -> Path:
    """Resolve the registry part anew and write it to the suite: a reviewed act, never part of a batch."""
    with tempfile.TemporaryDirectory(prefix="relock-") as temporary:
        folder = Path(temporary)
        documents.write_atomic(folder / "package.json", package_json(suite, []))
        lock = _install_lock(folder)
    path = suite.folder / BASE
    documents.write_atomic(path, lock)
    return path


def derive(suite: Suite, archives: list[Archive]) -> bytes:
    """The bytes of `consumer-lock.json` for these archives."""
    refuse_hidden_peers(suite, archives)
    lock = _merged(suite, archives)
    with tempfile.TemporaryDirectory(prefix="lock-") as temporary:
        folder = Path(temporary)
        documents.write_atomic(folder / "package.json", package_json(suite, archives))
        documents.write_atomic(folder / "package-lock.json", lock)
        listing = npm.run(folder, "ls", "--package-lock-only", "--all", check=False)
        if listing.returncode:
            # The candidate brings dependencies of its own: npm adds them, what the suite pinned must stay.
            for archive in archives:
                documents.write_atomic(folder / "archives" / archive.file, archive.data)
            lock = _install_lock(folder)
    data = documents.pretty(lock)
    check(suite, archives, data, where="the lock that npm made")
    return data


def _install_lock(folder: Path) -> dict[str, Any]:
    done = npm.run(folder, "install", "--package-lock-only", "--ignore-scripts", check=False)
    words = done.stderr.decode("utf-8", "replace")
    if "ERESOLVE" in words:
        reason = "; ".join(line.removeprefix("npm error").strip() for line in words.splitlines() if " from " in line)
        raise Refusal(
            f"npm cannot fit the candidate's ranges together: {reason[:400]}",
            where="tasks/suite.yaml",
            expected="peer ranges that admit the consumer's exact versions",
        )
    if done.returncode:
        raise Infrastructure(f"npm install --package-lock-only exited {done.returncode}: {words.strip()[-600:]}")
    return documents.read(folder / "package-lock.json")


def _merged(suite: Suite, archives: list[Archive]) -> dict[str, Any]:
    lock = base(suite)
    own = {f"node_modules/{archive.package}": _entry(archive) for archive in archives}
    return {**lock, "packages": {**lock["packages"], "": _root(suite, archives), **own}}


def refuse_hidden_peers(suite: Suite, archives: list[Archive]) -> None:
    """Every peer stands in the explicit list, so that neither npm nor a checkout supplies it unseen (R-C3)."""
    listed = {*suite.consumer["dependencies"], *(archive.package for archive in archives)}
    for archive in archives:
        missing = [peer for peer in manifests.peers(archive.manifest) if peer not in listed]
        if missing:
            raise Refusal(
                f"its peer {', '.join(missing)} is not in the consumer's dependency list",
                where=archive.package,
                expected="every peer in tasks/suite.yaml",
                next="add it to `consumer.dependencies` with an exact version, then " + RELOCK,
            )


def check(suite: Suite, archives: list[Archive], data: bytes, *, where: str) -> dict[str, Any]:
    """A given lock, when it is one that `derive` could have made for these very archives; else Refusal.

    This compares the SHA-512 of each archive with the lock before npm sees either: with a warm cache `npm ci`
    accepted a replaced archive (measured).
    """
    lock = documents.parse_strict(data, where=where)
    expected, actual = _merged(suite, archives)["packages"], _packages(lock, where)
    own = {"", *(f"node_modules/{archive.package}" for archive in archives)}
    for path, wanted in expected.items():
        fields = (set(wanted) if path in own else {"version", "integrity"}) | REDIRECTING
        given = actual.get(path, {})
        if any(given.get(field) != wanted.get(field) for field in fields):
            raise Refusal(
                f"the entry {path or 'root'!r} does not belong to these archives and this suite",
                where=where,
                expected="the lock that was made from them",
                next="prepare the consumer again",
            )
    for path in actual.keys() - expected.keys():
        _refuse_foreign(path, actual[path], where)
    return lock


def _packages(lock: Any, where: str) -> dict[str, Any]:
    packages = lock.get("packages") if isinstance(lock, dict) else None
    if not isinstance(packages, dict) or lock.get("lockfileVersion") != 3:
        raise Refusal("not an npm lock of version 3", where=where)
    return packages


def _refuse_foreign(path: str, entry: Any, where: str) -> None:
    """A further entry may only be a hashed registry package: no address, no link, no path outside."""
    parts = path.split("/")
    safe = parts[0] == "node_modules" and not {"", ".", ".."} & set(parts)
    if (
        not safe
        or not isinstance(entry, dict)
        or "resolved" in entry
        or "link" in entry
        or not str(entry.get("integrity", "")).startswith("sha512-")
    ):
        raise Refusal(f"the entry {path!r} is not a hashed registry package", where=where)

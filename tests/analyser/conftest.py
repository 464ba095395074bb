"""A scratch consumer for the analyser's cases: real React, Ajv and Node types, and two little candidate packages."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from steps import digest, layout
from steps.analysis import analyze
from steps.packing import npm

HERE = Path(__file__).parent
CANDIDATE = {"packages": ["@alneas/appkit-core", "@alneas/appkit-react"], "scopePrefix": "@alneas/appkit-"}


def installed(manifest: Path, packages: Path | None = None) -> Path:
    """A folder with what a lock pins, made once per content; racing test workers wait for each other."""
    shared = layout.STATE / "test-consumers"
    shared.mkdir(parents=True, exist_ok=True)
    key = digest.of_json([digest.of_tree(folder) for folder in (manifest, packages) if folder])[7:23]
    with open(shared / f"{key}.lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        if not (shared / key).is_dir():
            partial = shared / f".{key}"
            shutil.rmtree(partial, ignore_errors=True)
            shutil.copytree(manifest, partial)
            npm.run(partial, "ci", "--ignore-scripts")
            for package in CANDIDATE["packages"] if packages else ():
                shutil.copytree(packages / package.rpartition("-")[2], partial / "node_modules" / package)
            os.replace(partial, shared / key)
    return shared / key


@pytest.fixture(scope="session")
def consumer() -> Path:
    """A consumer with the two candidate packages of packages/."""
    return installed(HERE / "consumer", HERE / "packages")


@pytest.fixture(scope="session")
def compiler7() -> Path:
    """The entry script of TypeScript 7."""
    return installed(HERE / "compiler7") / "node_modules" / "typescript" / "bin" / "tsc"


@pytest.fixture(scope="session")
def analyser() -> Iterator[analyze.Analyser]:
    """One warm analyser for all cases of a worker."""
    with analyze.Analyser(CANDIDATE) as warm:
        yield warm

"""A scratch consumer for the analyser's cases: real React, Ajv and Node types, and two little candidate packages."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from steps import analyze, digest, layout, npm

HERE = Path(__file__).parent
CANDIDATE = {"packages": ["@alneas/appkit-core", "@alneas/appkit-react"], "scopePrefix": "@alneas/appkit-"}


@pytest.fixture(scope="session")
def consumer() -> Path:
    """Installed once per content of its lock and packages; racing test workers wait for each other."""
    shared = layout.STATE / "test-consumers"
    shared.mkdir(parents=True, exist_ok=True)
    key = digest.of_json([digest.of_tree(HERE / name) for name in ("consumer", "packages")])[7:23]
    with open(shared / f"{key}.lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        if not (shared / key).is_dir():
            _install(shared / f".{key}", shared / key)
    return shared / key


def _install(partial: Path, home: Path) -> None:
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(HERE / "consumer", partial)
    npm.run(partial, "ci", "--ignore-scripts")
    for package in CANDIDATE["packages"]:
        shutil.copytree(HERE / "packages" / package.rpartition("-")[2], partial / "node_modules" / package)
    os.replace(partial, home)


@pytest.fixture(scope="session")
def analyser() -> Iterator[analyze.Analyser]:
    """One warm analyser for all cases of a worker."""
    with analyze.Analyser(CANDIDATE) as warm:
        yield warm

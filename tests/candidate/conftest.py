"""A tiny candidate of two packages, and variants of it that are wrong in one way each."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from steps import layout
from steps import suite as suites
from steps.packing import pack
from steps.suite import Suite

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def suite() -> Suite:
    return suites.load()


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of consumers for this test alone."""
    monkeypatch.setattr(layout, "CONSUMERS", tmp_path / "consumers")
    return tmp_path / "consumers"


@pytest.fixture
def checkout(tmp_path: Path) -> Callable[..., Path]:
    """`checkout(overlay=None, remove=())`: a private copy of the tiny candidate, with another folder laid over it."""

    def make(overlay: Path | None = None, remove: tuple[str, ...] = (), name: str = "checkout") -> Path:
        folder = tmp_path / name
        shutil.copytree(HERE / "good", folder)
        for file in remove:
            (folder / file).unlink()
        if overlay:
            shutil.copytree(overlay, folder, dirs_exist_ok=True)
        return folder

    return make


@pytest.fixture(scope="session")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny candidate's two archives; tests must not change them."""
    out = tmp_path_factory.mktemp("packed")
    pack.pack(HERE / "good", out)
    return out / "archives"

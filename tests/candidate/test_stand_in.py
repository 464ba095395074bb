"""The stand-in candidate of fixtures/appkit goes through the same door as any other, and the suite fits it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from steps import layout
from steps.packing import candidate, consumer, pack
from steps.suite import Suite


@pytest.mark.slow
def test_c4_the_stand_in_passes_its_checks_packs_alike_elsewhere_installs_and_fits(
    suite: Suite, tmp_path: Path
) -> None:
    stand_in = layout.FIXTURES / "appkit"
    first = pack.pack(stand_in, tmp_path / "first")
    elsewhere = tmp_path / "else where"
    for path in pack.sources(stand_in):
        (elsewhere / path.relative_to(stand_in)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, elsewhere / path.relative_to(stand_in))
    second = pack.pack(elsewhere, tmp_path / "second")
    assert second["archives"] == first["archives"]
    assert second["source"]["digest"] == first["source"]["digest"]
    prepared = consumer.cached(None, tmp_path / "first" / "archives")
    assert candidate.fits(suite, prepared.path) == []

"""Every cheat that one machine can show without a container, through the real parent and child (R-K3, security 1b)."""

from __future__ import annotations

from pathlib import Path

import pytest
import toys
from hostile_cases import EXPECTED, SLOW, check


def test_k3_every_hostile_sample_has_an_expectation_and_the_reverse() -> None:
    assert len(EXPECTED) >= 50
    assert set(EXPECTED) == {path.stem for path in toys.HOSTILE.iterdir()}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in sorted(EXPECTED)]
)
def test_k3_a_hostile_submission_gains_nothing(name: str, tmp_path: Path) -> None:
    solution = toys.submission(tmp_path / "solution", toys.HOSTILE / f"{name}.js")
    check(name, toys.graded(toys.empty_consumer(tmp_path / "consumer"), solution))

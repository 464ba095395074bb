"""Every cheat that one machine can show without a container, through the real parent and child (R-K3, security 1b)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import toys

from steps.suite import read_yaml

EXPECTED = read_yaml(toys.HERE / "hostile.yaml")
SAFETY = toys.toy_task()["safetyAssertionIds"]
IDS = toys.toy_task()["assertionIds"]
SLOW = {"loop-at-import", "hang-at-import", "never-settles"}


def test_k3_every_hostile_sample_has_an_expectation_and_the_reverse() -> None:
    assert len(EXPECTED) >= 50
    assert set(EXPECTED) == {path.stem for path in toys.HOSTILE.iterdir()}


def expected_outcomes(wanted: dict[str, str], got: dict[str, str]) -> dict[str, str]:
    """`*` stands for all scenarios; `first` for the one that the seed's order ran first, which is the one not `*`."""
    rest = wanted.get("*", "judged")
    outcomes = {name: wanted.get(name, rest) for name in got}
    if "first" in wanted:
        ran = [name for name, outcome in got.items() if outcome != rest]
        outcomes |= {name: wanted["first"] for name in ran[:1]}
    return outcomes


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] if n in SLOW else []) for n in sorted(EXPECTED)]
)
def test_k3_a_hostile_submission_gains_nothing(name: str, tmp_path: Path) -> None:
    wanted: dict[str, Any] = EXPECTED[name]
    solution = toys.submission(tmp_path / "solution", toys.HOSTILE / f"{name}.js")
    verdict = toys.graded(toys.empty_consumer(tmp_path / "consumer"), solution)
    lost = IDS if wanted.get("lost") == "all" else wanted.get("lost", [])
    safety = wanted.get("safety", {})
    got = {item["name"]: item["outcome"] for item in verdict["scenarios"]}
    assert got == expected_outcomes(wanted.get("outcomes", {}), got)
    assert sorted(name for name, held in verdict["assertions"].items() if not held) == sorted(lost)
    assert verdict["safety"] == {name: safety.get(name, safety.get("*", "pass")) for name in SAFETY}
    assert len(got) == 4

"""What must become of each hostile sample, wherever it is verified: on this machine or in a container."""

from __future__ import annotations

from typing import Any

import toys

from steps.suite import read_yaml

EXPECTED: dict[str, dict[str, Any]] = read_yaml(toys.HERE / "hostile.yaml")
SLOW = {"loop-at-import", "hang-at-import", "never-settles"}


def _outcomes(wanted: dict[str, str], got: dict[str, str]) -> dict[str, str]:
    """`*` stands for all scenarios; `first` for the one that the seed's order ran first, which is the one not `*`."""
    rest = wanted.get("*", "judged")
    outcomes = {name: wanted.get(name, rest) for name in got}
    if "first" in wanted:
        ran = [name for name, outcome in got.items() if outcome != rest]
        outcomes |= {name: wanted["first"] for name in ran[:1]}
    return outcomes


def check(name: str, verdict: dict[str, Any]) -> None:
    """The verdict on hostile/<name>.js is exactly the one that hostile.yaml names."""
    wanted, task = EXPECTED[name], toys.toy_task()
    lost = task["assertionIds"] if wanted.get("lost") == "all" else wanted.get("lost", [])
    safety = wanted.get("safety", {})
    got = {item["name"]: item["outcome"] for item in verdict["scenarios"]}
    assert got == _outcomes(wanted.get("outcomes", {}), got)
    assert sorted(name for name, held in verdict["assertions"].items() if not held) == sorted(lost)
    assert verdict["safety"] == {id_: safety.get(id_, safety.get("*", "pass")) for id_ in task["safetyAssertionIds"]}
    assert len(got) == 4

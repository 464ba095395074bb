"""A suite that asks for what the candidate does not have would blame the agent: it is named before a batch opens."""

from __future__ import annotations

from typing import Any

import pytest

from steps.packing.candidate import misfits

CATALOGUE = {"@s/core": ["make", "policies"], "@s/core/parts": ["part"]}
TASK: dict[str, Any] = {
    "id": "t",
    "requiredIntegration": [{"symbols": ["make", "policies.ask"]}, {"symbols": ["part", "gone"], "mode": "any"}],
    "allowedImports": ["@s/core", "@s/core/*", "react", "node:crypto"],
    "requiredPeers": ["react"],
}


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        ({}, []),
        ({"requiredIntegration": [{"symbols": ["make", "gone"]}]}, ["t: no export gone"]),
        (
            {"requiredIntegration": [{"symbols": ["lost", "gone"], "mode": "any"}]},
            ["t: no export lost", "t: no export gone"],
        ),
        ({"allowedImports": ["@s/core/gone"]}, ["t: no entry point @s/core/gone"]),
        ({"allowedImports": ["@s/core/parts/*"]}, ["t: no entry point @s/core/parts/*"]),
        ({"requiredPeers": ["react", "vue"]}, ["t: the peer vue is not installed"]),
    ],
)
def test_c4_every_misfit_is_named(change: dict[str, Any], problems: list[str]) -> None:
    assert misfits([{**TASK, **change}], "@s/", CATALOGUE, {"react": "19.3.1"}) == problems

"""Every folder of cases/ is one claim about the analyser: a submission, its task, what must be found in it (rows G)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from steps import documents, schema
from steps.analysis.analyze import Analyser

CASES = sorted(path for path in (Path(__file__).parent / "cases").iterdir() if path.is_dir())
NOTHING: dict[str, Any] = {
    "unsupported": [],
    "diagnosticCategories": [],
    "reviewReasons": [],
    "importViolations": [],
    "integration": True,
    "contract": {"any": [], "mismatched": [], "missing": []},
}


def found(analysis: dict[str, Any]) -> dict[str, Any]:
    """The parts of an analysis that cases speak of."""
    return {
        "unsupported": [each["ref"] for each in analysis["unsupported"]],
        "hallucinated": analysis["hallucinated"],
        "diagnosticCategories": analysis["diagnosticCategories"],
        "reviewReasons": sorted(analysis["reviewReasons"]),
        "importViolations": sorted(f"{each['specifier']} {each['violation']}" for each in analysis["importViolations"]),
        "integration": all(group["satisfied"] for group in analysis["integration"]),
        "contract": analysis["contract"],
        "appkitArguments": [each["appkit"] for each in analysis["diagnostics"] if "appkit" in each],
        "emitted": [each["file"] for each in analysis["emitted"]],
    }


def test_there_are_cases() -> None:
    assert len(CASES) > 100


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_g_case(case: Path, consumer: Path, analyser: Analyser) -> None:
    expected = {**NOTHING, **documents.read(case / "expected.json")}
    expected.setdefault("hallucinated", expected["unsupported"])
    analysis = analyser.analyse(consumer, case, case / "solution")
    schema.check(analysis, "analysis", where=case.name)
    actual = found(analysis)
    assert {key: actual[key] for key in expected} == expected
    assert analysis["unsupportedApiCount"] == len(actual["unsupported"])
    assert analysis["hallucinatedApiCount"] == len(actual["hallucinated"])
    assert analysis["needsReview"] is bool(actual["reviewReasons"])
    if actual["unsupported"]:
        assert "unsupported-api" in actual["diagnosticCategories"], "every key has a diagnostic for the feedback"

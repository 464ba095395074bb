"""R-I4: counts are compared with their denominators, and only when both batches were measured alike."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path

import pytest

from steps import layout
from steps.errors import UsageError
from steps.judging import evidence as evidences
from steps.reporting import compare

sys.path.insert(0, str(layout.ROOT / "tests" / "qualify"))
import good  # the small complete batch that qualification's tests use


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> evidences.Evidence:
    """A batch with 17/18 first and 18/18 final successes."""
    folder = tmp_path_factory.mktemp("good")
    good.make(folder)
    return evidences.read(folder / good.BATCH_ID / "receipt.json")


def other(batch: evidences.Evidence, change) -> evidences.Evidence:
    changed = copy.deepcopy(batch)
    change(changed)
    return changed


@pytest.mark.parametrize(
    ("successes", "total", "low", "high"),
    # Published values of the Wilson interval at 95 %.
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (8, 10, 0.4902, 0.9433),
        (15, 18, 0.6078, 0.9416),
        (18, 18, 0.8241, 1.0),
    ],
)
def test_wilson_gives_the_published_values(successes, total, low, high):
    assert compare.wilson(successes, total) == pytest.approx((low, high), abs=5e-4)


@pytest.mark.parametrize(("successes", "total"), [(0, 0), (-1, 3), (4, 3)])
def test_no_interval_without_a_proportion(successes, total):
    with pytest.raises(ValueError):
        compare.wilson(successes, total)


def test_i4_counts_keep_their_denominators(batch):
    result = compare.compare(batch, batch)
    assert result["a"]["total"] == {"first": 17, "final": 18, "scheduled": 18}
    assert result["a"]["tasks"]["core-validation"] == {"first": 2, "final": 3, "scheduled": 3}
    assert result["differs"] == result["notComparable"] == result["assertions"] == []


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda e: e.batch["inputs"]["suite"].update(digest="x"), "suite"),
        (lambda e: e.batch["inputs"]["evaluator"].update(digest="x"), "evaluator"),
        (lambda e: e.batch["inputs"]["toolchain"].update(node="x"), "toolchain"),
        (lambda e: e.batch["config"].update(verifierImage="x"), "verifier image"),
        (lambda e: e.batch["config"].update(submissionTimeoutMs=1), "time budgets"),
        (lambda e: e.batch["config"].update(launcher="docker"), "launcher"),
        (lambda e: e.receipt.update(completed=False), "completed"),
    ],
)
def test_i4_what_was_not_measured_alike_is_refused_by_name(batch, change, name, monkeypatch, capsys):
    sides = {"a": batch, "b": other(batch, change)}
    monkeypatch.setattr(compare, "find", sides.get)
    assert compare.run("a", "b", anyway=False) == 1
    shown = capsys.readouterr()
    assert json.loads(shown.out)["notComparable"] == [name] and name in shown.err and "/18" not in shown.err
    assert compare.run("a", "b", anyway=True) == 0
    assert "17/18" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda e: e.archives_record["archives"][0].update(sha256="x"), "candidate"),
        (lambda e: e.batch["config"].update(runnerImage="x"), "agent"),
        (lambda e: e.batch["config"].update(expectedModel={"id": "m2", "settings": {}}), "model"),
    ],
)
def test_candidates_agents_and_models_may_differ(batch, change, name):
    result = compare.compare(batch, other(batch, change))
    assert (result["differs"], result["notComparable"]) == ([name], [])


def test_assertions_that_differ_are_listed_with_counts(batch):
    def fail(e):
        e.receipt["runs"][5]["attempts"][-1]["behavior"]["assertions"]["right"] = False

    (entry,) = compare.compare(batch, other(batch, fail))["assertions"]
    assert entry == {"assertion": "storage-hash/right", "a": {"held": 3, "judged": 3}, "b": {"held": 2, "judged": 3}}


def test_an_unknown_batch_is_a_usage_error(tmp_path: Path):
    with pytest.raises(UsageError):
        compare.find(str(tmp_path))

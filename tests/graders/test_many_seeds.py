"""R-B1: a right solution that some seed rejects is found and can be repeated; zero seeds are no answer."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from steps import layout, suite
from steps.authoring import cases, many_seeds
from steps.errors import UsageError
from steps.packing.consumer import Consumer

TASK = suite.load().tasks[0]


@pytest.fixture
def solutions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One accept case of a task, in a place of its own."""
    folder = tmp_path / TASK / "accept-one"
    (source, *_) = sorted((layout.FIXTURES / "solutions" / TASK).glob("accept-*"))
    shutil.copytree(source, folder)
    monkeypatch.setattr(many_seeds, "cases_of", lambda task: cases.cases_of(task, tmp_path))
    return folder


def test_b1_a_right_solution_passes_each_seed(prepared: Consumer, solutions: Path) -> None:
    assert many_seeds.check(TASK, prepared.path, 3) == ([], 3)


def test_b1_a_rejection_names_case_seed_and_assertions(prepared: Consumer, solutions: Path) -> None:
    shutil.rmtree(solutions)
    wrong = next(case for case in cases.cases_of(TASK) if case.phase == "behaviour" and len(case.fails) == 1)
    shutil.copytree(wrong.folder, solutions)
    text = (solutions / "case.yaml").read_text().splitlines()
    (solutions / "case.yaml").write_text("\n".join(line for line in text if line.startswith("says")))
    flakes, made = many_seeds.check(TASK, prepared.path, 2)
    assert (made, len(flakes)) == (2, 2)
    assert {flake.failed for flake in flakes} == {tuple(wrong.fails)}
    assert len({flake.seed for flake in flakes}) == 2
    (shown, _) = many_seeds.answer(TASK, 2, flakes, made)["flakes"]
    assert (shown["case"], shown["number"], shown["failed"]) == ("accept-one", 1, list(wrong.fails))


def test_zero_seeds_are_refused(prepared: Consumer) -> None:
    with pytest.raises(UsageError, match="0 seeds"):
        many_seeds.check(TASK, prepared.path, 0)

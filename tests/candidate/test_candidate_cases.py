"""Each folder of cases/ is the tiny candidate with one fault; it says which sentence a maintainer must read."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import HERE

from steps.errors import MACHINERY, Refusal
from steps.packing import consumer, pack
from steps.suite import read_yaml

CASES = sorted(path.parent for path in (HERE / "cases").glob("*/case.yaml"))


def test_there_are_cases() -> None:
    assert len(CASES) >= 15
    assert {path.name for path in (HERE / "cases").iterdir()} == {case.name for case in CASES}


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_c4_a_faulty_candidate_is_refused_with_one_sentence(
    case: Path, checkout: Callable[..., Path], tmp_path: Path
) -> None:
    wanted = read_yaml(case / "case.yaml")
    folder = checkout(case, tuple(wanted.get("remove", ())))
    (folder / "case.yaml").unlink()
    expected = pytest.raises(Refusal) if wanted["refused"] else contextlib.nullcontext()
    prepared = None
    if wanted["stage"] == "consumer":
        pack.pack(folder, tmp_path / "out")
    with expected as caught:
        if wanted["stage"] == "consumer":
            prepared = consumer.cached(None, tmp_path / "out" / "archives")
        else:
            pack.pack(folder, tmp_path / "out")
    if wanted["refused"]:
        assert wanted["refused"] in str(caught.value)
        assert "\n" not in str(caught.value)
        assert caught.value.exit_code == MACHINERY
        # A refused candidate leaves nothing behind that a batch could take for packed (R-E5).
        assert wanted["stage"] == "consumer" or not (tmp_path / "out" / "archives.json").exists()
    if "absent" in wanted:
        assert prepared is not None
        assert not list(prepared.path.rglob(wanted["absent"]))
        assert not list(folder.rglob(wanted["absent"]))

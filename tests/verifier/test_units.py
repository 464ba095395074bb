"""Runs the JavaScript unit and property tests of the verifier under the pinned Node."""

from __future__ import annotations

from pathlib import Path

import pytest

from steps import node

FILES = sorted((Path(__file__).parent / "unit").glob("*.test.mjs"))


def test_there_are_unit_tests() -> None:
    assert len(FILES) >= 6


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_k3_javascript_units_hold(file: Path) -> None:
    done = node.run([str(node.binary()), "--test", "--test-reporter=tap", str(file)], timeout=120, check=False)
    assert done.returncode == 0, done.stdout.decode()[-4000:]

"""Shared by all tests: where the checkout is, and a prepared consumer made once per machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from steps import layout


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout under test."""
    return layout.ROOT

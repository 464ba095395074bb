"""Shared by all tests: where the checkout is, and a prepared consumer made once per machine."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from steps import consumer, layout, pack
from steps.consumer import Consumer


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout under test."""
    return layout.ROOT


@pytest.fixture(scope="session")
def prepared() -> Consumer:
    """The packed stand-in and its consumer; made once, by the first of the processes that need it."""
    layout.STATE.mkdir(parents=True, exist_ok=True)
    with (layout.STATE / ".tests.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        if not pack.current(layout.CANDIDATE):
            pack.build(layout.CANDIDATE)
        return consumer.build() if not layout.CONSUMER_LOCK.exists() else _current()


def _current() -> Consumer:
    with consumer.current() as found:
        return found

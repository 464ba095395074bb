"""Shared by all tests: the checkout, a prepared consumer made once per machine, and no silent skips in the gate."""

from __future__ import annotations

import fcntl
import signal
from collections.abc import Generator
from pathlib import Path

import pytest

from steps import layout
from steps.packing import consumer, pack
from steps.packing.consumer import Consumer

# A shell lets a job in the background ignore Ctrl-C, and with it every process that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """For the gate, where an engine is there: nothing that needs one may be left out."""
    parser.addoption("--fail-on-skip", action="store_true", help="a skipped test that needs Docker is a failure")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A skip is never an evaluation result (R-B3); with --fail-on-skip it is a failed test of the gate."""
    report = yield
    if report.skipped and item.config.getoption("--fail-on-skip") and item.get_closest_marker("docker"):
        report.outcome = "failed"
        report.longrepr = f"skipped although --fail-on-skip: {report.longrepr}"
    return report


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

"""Time in one place, so that a test can hold it: wall time for what is written, monotonic for what is measured."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta


class Clock:
    """The machine's clock."""

    def now(self) -> datetime:
        """UTC now."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that no clock change moves."""
        return time.monotonic()


def text(moment: datetime) -> str:
    """`2026-11-30T19:31:00.123Z`: the form of every kept time."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse(moment: str) -> datetime:
    """The reverse of `text`."""
    return datetime.fromisoformat(moment)


def after(moment: datetime, milliseconds: int) -> datetime:
    """`moment` plus a budget."""
    return moment + timedelta(milliseconds=milliseconds)


def left_ms(deadline: str, clock: Clock) -> int:
    """Milliseconds until a recorded deadline; negative when it has passed."""
    return int((parse(deadline) - clock.now()).total_seconds() * 1000)

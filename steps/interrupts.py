"""SIGTERM ends a step as Ctrl-C does: whatever it has started is stopped and removed on the way out."""

from __future__ import annotations

import signal
import threading
from types import FrameType


def terminate_as_interrupt() -> None:
    """By itself SIGTERM ends Python at once and runs no clean-up."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt

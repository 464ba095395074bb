"""What can go wrong, as types. Each one knows its exit code and prints as one sentence.

StepError
├── Refusal          2  bad input or a missing prerequisite: what, where, expected, next step
│   └── UsageError   3  the command itself was called wrongly
├── Infrastructure   2  our own machinery broke: never blamed on the agent (R-E5)
└── AttemptFailed    -  the submitted work failed: data of a run, never an exit code (R-E4)
"""

from __future__ import annotations

DONE = 0
JUDGED_NO = 1
MACHINERY = 2
USAGE = 3
INTERRUPTED = 130


class StepError(Exception):
    """Base of all errors that a command reports as one sentence."""

    exit_code = MACHINERY


class Refusal(StepError):
    """Input that cannot be used; nothing was judged.

    `what` is wrong, `where` it stands, what was `expected`, and what to do `next`.
    """

    def __init__(self, what: str, *, where: str = "", expected: str = "", next: str = "") -> None:
        self.what, self.where, self.expected, self.next = what, where, expected, next
        super().__init__(self.sentence())

    def sentence(self) -> str:
        """All known parts on one line, control characters escaped so that input cannot forge output lines."""
        text = f"{self.where}: {self.what}" if self.where else self.what
        if self.expected:
            text += f"; expected {self.expected}"
        if self.next:
            text += f"; {self.next}"
        return printable(text)


class UsageError(Refusal):
    """The command line is wrong."""

    exit_code = USAGE


class Infrastructure(StepError):
    """Broken machinery. A broken harness is not a failing agent."""


class AttemptFailed(Exception):
    """The submitted work failed before it could be graded; `category` is a `failureCategory` of run.json."""

    def __init__(self, category: str, detail: str = "") -> None:
        self.category, self.detail = category, printable(detail)
        super().__init__(f"{category}: {self.detail}" if detail else category)


BIDI = {0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}


def printable(text: str) -> str:
    """`text` with control and bidirectional characters escaped: safe for a terminal (security row 40)."""
    return "".join(
        f"\\u{ord(c):04x}" if ord(c) < 32 or 127 <= ord(c) < 160 or ord(c) in BIDI or 0xD800 <= ord(c) < 0xE000 else c
        for c in text
    )

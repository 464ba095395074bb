"""The closed list of reasons why evidence does not qualify. The list is schemas/reasons.json; docs/reasons.md is made
from it, and `python -m steps.judging.reasons` prints that page.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from steps import documents, layout
from steps.errors import printable

MAX_VALUE = 1500  # characters of one value in a sentence: evidence may be hostile


class Code(NamedTuple):
    """One reason: the check that finds it, a sentence over the check's values, what to do, and what it protects."""

    check: int
    sentence: str
    next: str
    why: str


@cache
def codes() -> dict[str, Code]:
    """All codes in the order of the checks."""
    return {code: Code(**entry) for code, entry in documents.read(layout.SCHEMAS / "reasons.json").items()}


def reason(code: str, where: str = "", **values: object) -> dict[str, str]:
    """One entry of qualification.json's `reasons`. An unknown code or a missing value is a bug and raises KeyError."""
    entry = codes()[code]
    shown = {key: printable(str(value))[:MAX_VALUE] for key, value in values.items()}
    return {"code": code, "sentence": entry.sentence.format(**shown), "where": printable(where), "next": entry.next}


def document() -> str:
    """The text of docs/reasons.md."""
    lines = [
        "# Reasons why a batch does not qualify",
        "",
        "Made from `schemas/reasons.json` by `python -m steps.judging.reasons`; a test compares. The number names the",
        "check in `steps/judging/qualify.py`. Each code has at least one case in `fixtures/evidence/`.",
        "",
    ]
    for code, entry in codes().items():
        lines += [f"## {code}", "", entry.why, ""]
        lines += [f"- Check {entry.check}", f"- Says: {entry.sentence}", f"- Next: {entry.next}", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


if __name__ == "__main__":
    print(document(), end="")

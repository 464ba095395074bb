"""index.jsonl: one line for each thing that happened to a batch. It only grows, so no batch can be forgotten."""

from __future__ import annotations

import sys
from typing import Any

from steps import documents, layout
from steps.errors import Refusal
from steps.running import journal

KEPT = ("batchId", "openedAt", "status", "firstSuccesses", "finalSuccesses", "reason")


def append(document: dict[str, Any]) -> None:
    """One line about a batch.json or a receipt.json, with the call of doit that wrote it."""
    line = {key: document[key] for key in KEPT if document.get(key) is not None}
    documents.append_line(layout.INDEX, {**line, "segment": journal.segment()})


def entries() -> list[dict[str, Any]]:
    """All lines, oldest first. A line that a full disk cut off is reported and left out."""
    if not layout.INDEX.exists():
        return []
    found = []
    for number, line in enumerate(documents.read_bytes(layout.INDEX).splitlines(), 1):
        try:
            found.append(documents.parse_strict(line, where=f"{layout.INDEX}:{number}"))
        except Refusal as error:
            print(f"skipped: {error}", file=sys.stderr)
    return [entry for entry in found if isinstance(entry, dict)]

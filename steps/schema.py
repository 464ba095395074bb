"""Validates documents against the hand-written schemas in schemas/: one sentence for the first fault found."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from steps import documents
from steps.errors import Refusal
from steps.layout import SCHEMAS


@cache
def _validator(name: str) -> Any:
    # Imported late: jsonschema costs more than a whole no-op `doit` may.
    from jsonschema import Draft202012Validator
    from referencing import Registry, Resource

    folder = {path.name: documents.read(path) for path in SCHEMAS.glob("*.schema.json")}
    registry = Registry().with_resources((file, Resource.from_contents(body)) for file, body in folder.items())
    return Draft202012Validator(folder[f"{name}.schema.json"], registry=registry)


def faults(value: object, name: str) -> list[str]:
    """All faults of `value` against `schemas/<name>.schema.json`, each `pointer: message`, sorted."""
    found = []
    for error in _validator(name).iter_errors(value):
        pointer = "/" + "/".join(str(part) for part in error.absolute_path)
        found.append(f"{pointer}: {error.message[:300]}")
    return sorted(found)


def check(value: object, name: str, *, where: str) -> Any:
    """`value` itself when it fits the schema, else Refusal with the first fault. An unknown version is refused."""
    found = faults(value, name)
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise Refusal(f"{found[0]}{more}", where=where, expected=f"a document of schemas/{name}.schema.json")
    return value


def load(path: Path | str, name: str) -> Any:
    """Read, parse strictly and check a JSON file."""
    return check(documents.read(path), name, where=str(path))

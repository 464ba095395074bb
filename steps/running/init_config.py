"""`doit init_config`: a runner.json to start from, with what this machine can say filled in. It never overwrites one.

What only a person can review, the runner and the model, stays as it stands in the example, and a batch refuses it.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from steps import documents, layout
from steps.errors import Refusal
from steps.isolation import engine, images

EXAMPLE = layout.FIXTURES / "runners" / "runner.example.json"
TARGET = layout.EVIDENCE / "runner.json"
REVIEWED = ("executable", "args", "envAllowlist", "expectedRunner", "expectedModel", "runnerImage")


def write(out: Path = TARGET) -> dict[str, Any]:
    """Write the file; returns where, and which fields a person has to fill in."""
    body = documents.read(EXAMPLE)
    todo = list(REVIEWED)
    if found := shutil.which("docker"):
        body["runtimePath"] = found
    else:
        todo.append("runtimePath")
    if reference := _verifier(body["runtimePath"]):
        body["verifierImage"] = reference
    else:
        todo.append("verifierImage")
    if not documents.write_once(out, body):
        raise Refusal("is there already", where=str(out), expected="no file", next="edit it, or move it away")
    return {"config": str(out), "fillIn": todo}


def _verifier(runtime: str) -> str | None:
    """The pinned reference of the verifier image that `doit images` made here, if it did."""
    try:
        client = engine.client(runtime)
    except Refusal:
        return None
    name = images.verifier().name
    found = [digest for image in client.images.list() for digest in image.attrs["RepoDigests"] or []]
    return next((reference for reference in sorted(found) if f"/{name}@" in reference), None)

"""`doit bundle` and `doit verify`: one file that a third party can judge on another machine, and the judging of it.

A bundle is hostile until proved otherwise: it is read in memory within bounds, only plain files with safe names are
unpacked, into a folder of their own, and then it is judged like any batch folder. Submitted code runs only where
`doit qualify` would run it: in the verifier image, or not at all. The file proves nothing by being a bundle.
"""

from __future__ import annotations

import gzip
import io
import json
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from steps import digest, documents, layout, records, schema
from steps.errors import DONE, Refusal, UsageError
from steps.judging import qualify_command
from steps.packing import tarball

LEFT_OUT = {"qualification.json"}  # an opinion about the evidence, made anew by whoever reads it
STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:appkit-agent-eval:receipt:1"


def pack(folder: Path) -> bytes:
    """The bundle of a batch folder: the same bytes for the same files, whoever packs them and when."""
    stream = io.BytesIO()
    with gzip.GzipFile(fileobj=stream, mode="wb", mtime=0) as zipped, tarfile.open(fileobj=zipped, mode="w") as tar:
        for path in digest.walk(folder):
            name = path.relative_to(folder).as_posix()
            if name in LEFT_OUT:
                continue
            entry = tarfile.TarInfo(f"{folder.name}/{name}")
            data = documents.read_bytes(path)
            entry.size, entry.mode = len(data), 0o755 if digest.entry(path)[1] else 0o644
            tar.addfile(entry, io.BytesIO(data))
    return stream.getvalue()


def unpack(data: bytes, out: Path, *, where: str) -> Path:
    """The receipt of a bundle unpacked below `out`; Refusal for whatever is not a plain bundle."""
    entries = tarball.read(data, where=where)
    if "receipt.json" not in entries:
        raise Refusal("holds no receipt.json", where=where, expected="a file made by `doit bundle`")
    body = documents.parse_strict(entries["receipt.json"].data, where=f"{where}!receipt.json")
    receipt = schema.check(body, "receipt", where=f"{where}!receipt.json")
    folder = out / receipt["batchId"]
    for name, entry in entries.items():
        executable = entry.executable and name.startswith("inputs/")
        documents.write_atomic(folder / name, entry.data, mode=0o755 if executable else 0o644)
    return folder / "receipt.json"


def statement(folder: Path, bundle: bytes) -> dict[str, Any]:
    """An unsigned in-toto Statement v1: the archives are the subject, the receipt's facts the predicate."""
    receipt = schema.load(folder / "receipt.json", "receipt")
    archives = schema.load(folder / "archives.json", "archives")
    batch = schema.load(folder / "batch.json", "batch")
    return {
        "_type": STATEMENT,
        "subject": [
            {"name": entry["file"], "digest": {"sha256": entry["sha256"].removeprefix("sha256:")}}
            for entry in archives["archives"]
        ],
        "predicateType": PREDICATE,
        "predicate": {
            "batchId": receipt["batchId"],
            "bundle": digest.of_bytes(bundle),
            "receipt": digest.of_json(receipt),
            "completed": receipt["completed"],
            **{key: f"{receipt[key]}/{receipt['scheduled']}" for key in ("firstSuccesses", "finalSuccesses")},
            **{name: batch["inputs"][name]["digest"] for name in ("suite", "evaluator")},
            "runner": archives["runner"],
            "model": archives["model"],
            "images": archives["images"],
            "notice": records.NOTICE,
        },
    }


def write(receipt: Path | None, out: Path | None) -> int:
    """Write the bundle and its statement; nothing in either is judged here."""
    folder = (receipt or layout.CURRENT / "receipt.json").parent.resolve()
    if not (folder / "receipt.json").is_file() or not (folder / "batch.json").is_file():
        raise UsageError("no batch to bundle", where=str(folder), expected="the receipt.json of a batch that ran")
    target = out or layout.EVIDENCE / f"{folder.name}.bundle.tgz"
    data = pack(folder)
    documents.write_atomic(target, data)
    told = target.with_name(f"{target.name}.intoto.json")
    documents.write_atomic(told, statement(folder, data))
    sys.stderr.write(f"{target}: {len(data)} bytes, {digest.of_bytes(data)}\n{told}: unsigned\n")
    sys.stdout.write(json.dumps({"bundle": str(target), "digest": digest.of_bytes(data)}) + "\n")
    return DONE


def verify(bundle: Path) -> int:
    """Judge a bundle as `doit qualify` judges a batch folder; the same exit codes."""
    data = documents.read_bytes(bundle, max_bytes=tarball.MAX_ARCHIVE)
    with tempfile.TemporaryDirectory(prefix="bundle-") as name:
        receipt = unpack(data, Path(name), where=str(bundle))
        return qualify_command.run(receipt, None, expect=None, digests_only=False)

"""Every field of every kept JSON file is detected when it changes, or stands in the list of claims (security row 43).

A changed field is tried twice: alone, and by a forger who then makes every digest and total anew. Nothing here names a
field of a schema except the claims, so a new field is tried without a change of this file.
"""

from __future__ import annotations

import copy
import itertools
import json
import re
import shutil

import pytest
from good import BATCH_ID, REPAIRED, make, read
from honest import Batch

from steps import documents, layout, records
from steps.judging import evidence, qualify

RUN = f"runs/{REPAIRED[0]}-{REPAIRED[1]}"
FILES = (
    "batch.json",
    "archives.json",
    "receipt.json",
    "consumer-lock.json",
    f"{RUN}/run.json",
    f"{RUN}/started.json",
    f"{RUN}/attempt-1/analysis.json",
    f"{RUN}/attempt-2/analysis.json",
)
CLAIMED = {
    "batch.json": records.CLAIMED_BATCH,
    "archives.json": records.CLAIMED_ARCHIVES,
    f"{RUN}/run.json": (*records.CLAIMED_RUN, *(f"attempts/*/{name}" for name in records.CLAIMED_ATTEMPT)),
}
# The receipt's own part that a person adds: who reviewed is nothing that bytes derive.
CLAIMED["receipt.json"] = ("reviewDecisions/*/reviewer",)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    folder = tmp_path_factory.mktemp("good")
    return folder / BATCH_ID, make(folder)


def leaves(value, path=()):
    """Every place below a JSON value that holds no other value, or an empty object or list."""
    if isinstance(value, dict | list) and value:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from leaves(item, (*path, key))
    else:
        yield path, value


def other(value):
    """A different value of the same kind, of a form that schemas accept where that can be known."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return ["x"]
    if isinstance(value, dict):
        return {"x": "x"}
    if value is None:
        return "x"
    if re.fullmatch(r".*Z", value):
        return value.replace(".000Z", ".001Z")
    if re.search("[0-9a-f]{12}$", value):
        return value[:-1] + ("1" if value[-1] == "0" else "0")
    return value + "x"


def put(body, path, value):
    target = body
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value


def claimed(file, path):
    shown = "/".join("*" if isinstance(key, int) else key for key in path)
    return any(shown == name or shown.startswith(f"{name}/") for name in CLAIMED.get(file, ()))


@pytest.fixture
def batch(base, tmp_path):
    """A copy of the good batch that each change is made to and taken back from."""
    return Batch(shutil.copytree(base[0], tmp_path / BATCH_ID), base[1])


def codes(batch, file, body, *, reseal):
    """Reasons with `body` as the content of `file`; None when making the records anew took the change back."""
    kept = {
        path: path.read_bytes()
        for path in [
            batch.root / "batch.json",
            batch.root / "receipt.json",
            batch.root / file,
            *batch.root.glob("runs/*/run.json"),
        ]
    }
    try:
        (batch.root / file).write_bytes(documents.pretty(body))
        if reseal:
            batch.reseal()
            if (batch.root / file).read_bytes() == kept[batch.root / file]:
                return None
        decided = qualify.qualify(evidence.read(batch.root / "receipt.json"), batch.derived, frozenset())
        return {entry["code"] for entry in decided["reasons"]}
    finally:
        for path, data in kept.items():
            if path.read_bytes() != data:
                path.write_bytes(data)


@pytest.mark.parametrize("file", FILES)
def test_i3_every_changed_field_is_detected(batch, file, record_property):
    stored = read(batch.root / file)
    tried = 0
    for path, value in leaves(stored):
        if file == "receipt.json" and path[0] == "runs" and path[1] != 0:
            continue  # one run stands for the eighteen
        body = copy.deepcopy(stored)
        put(body, path, other(value))
        tried += 1
        if not (file == "receipt.json" and claimed(file, path)):
            assert codes(batch, file, body, reseal=False), (path, value)
    assert tried
    record_property("tried", tried)


@pytest.mark.parametrize("file", FILES)
def test_i3_a_field_that_a_forger_can_change_is_a_listed_claim(batch, file):
    stored = read(batch.root / file)
    used = set()
    for path, value in leaves(stored):
        if file == "receipt.json" and path[0] != "reviewDecisions":
            continue  # making the receipt anew removes the change
        body = copy.deepcopy(stored)
        put(body, path, other(value))
        try:
            found = codes(batch, file, body, reseal=True)
            if found is None:
                continue
        except (KeyError, TypeError, AttributeError, ValueError):
            continue  # the builders cannot make records anew from this: no forger can either
        if claimed(file, path):
            used.add(path)
        else:
            assert found, f"{file} {path}: {json.dumps(value)} can be changed without a trace"
    assert bool(used) == bool(CLAIMED.get(file))


@pytest.mark.parametrize("file", FILES)
def test_i3_a_removed_or_added_field_is_detected(batch, file):
    stored = read(batch.root / file)
    for name in stored:
        body = {key: value for key, value in stored.items() if key != name}
        assert codes(batch, file, body, reseal=False), name
    assert codes(batch, file, {**stored, "more": 1}, reseal=False)


@pytest.mark.parametrize("harm", ["delete", "truncate", "link", "fifo"])
def test_i3_every_file_of_a_batch_is_needed_as_it_is(batch, harm):
    files = [path for path in sorted(batch.root.rglob("*")) if path.is_file()]
    first = [path for path in files if "-2/" not in str(path) and "-3/" not in str(path)]
    for path in first:  # the first repetition stands for the others
        data, file = path.read_bytes(), path.relative_to(batch.root).as_posix()
        batch.apply({"ops": [{"op": harm, "path": file}]})
        assert qualify.qualify(evidence.read(batch.root / "receipt.json"), batch.derived, frozenset())["reasons"], file
        path.unlink(missing_ok=True)
        path.write_bytes(data)
    assert len(first) > 30


def test_i3_two_files_of_a_kind_cannot_change_places(batch):
    kinds = ("run.json", "started.json", "analysis.json", "solution.ts", ".tgz")
    tried = 0
    for kind in kinds:
        files = [path for path in sorted(batch.root.rglob(f"*{kind}")) if "inputs" not in path.parts]
        for one, two in itertools.pairwise(files):
            bytes_of = one.read_bytes(), two.read_bytes()
            if bytes_of[0] == bytes_of[1]:
                continue
            one.write_bytes(bytes_of[1]), two.write_bytes(bytes_of[0])
            decided = qualify.qualify(evidence.read(batch.root / "receipt.json"), batch.derived, frozenset())
            assert decided["reasons"], (one, two)
            one.write_bytes(bytes_of[0]), two.write_bytes(bytes_of[1])
            tried += 1
    assert tried > 20


def test_docs_evidence_lists_every_claimed_field():
    text = (layout.ROOT / "docs" / "evidence.md").read_text()
    fields = (*records.CLAIMED_RUN, *records.CLAIMED_ATTEMPT, *records.CLAIMED_BATCH, *records.CLAIMED_ARCHIVES)
    assert [name for name in fields if f"`{name}`" not in text] == []

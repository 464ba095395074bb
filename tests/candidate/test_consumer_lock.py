"""The kept lock: it follows from the archives, names no registry and admits nothing foreign."""

from __future__ import annotations

import copy
import dataclasses
from pathlib import Path
from typing import Any

import pytest

from steps import documents
from steps.errors import Refusal
from steps.packing import consumer, consumer_lock
from steps.packing.tarball import Archive
from steps.suite import Suite


@pytest.fixture
def packs(archives: Path, suite: Suite) -> list[Archive]:
    return consumer.read_archives(archives, suite)


@pytest.fixture
def lock(suite: Suite, packs: list[Archive]) -> Any:
    return documents.parse_strict(consumer_lock.derive(suite, packs), where="derived")


def with_manifest(pack: Archive, **fields: Any) -> Archive:
    return dataclasses.replace(pack, manifest={**pack.manifest, **fields})


def test_c3_the_kept_lock_belongs_to_the_suite_and_names_no_registry(suite: Suite) -> None:
    entries = consumer_lock.base(suite)["packages"]
    assert entries[""]["dependencies"] == suite.consumer["dependencies"]
    assert all("resolved" not in entry for entry in entries.values())
    assert all(entry["integrity"].startswith("sha512-") for path, entry in entries.items() if path)


def test_c1_the_lock_follows_from_the_archives_alone(suite: Suite, packs: list[Archive], lock: Any) -> None:
    assert documents.pretty(lock) == consumer_lock.derive(suite, list(reversed(packs)))
    for pack in packs:
        assert lock["packages"][f"node_modules/{pack.package}"]["integrity"] == pack.integrity


def test_c3_every_pinned_version_stays_when_a_candidate_brings_its_own(
    suite: Suite, packs: list[Archive], tmp_path: Path
) -> None:
    """npm is asked for one package more and must leave an older transitive version where the suite put it."""
    base = consumer_lock.base(suite)
    older = {"version": "5.0.0", "integrity": "sha512-" + "A" * 86 + "=="}
    base["packages"]["node_modules/entities"] |= older
    base["packages"]["node_modules/parse5"]["dependencies"]["entities"] = "*"
    documents.write_atomic(tmp_path / consumer_lock.BASE, base)
    moved = dataclasses.replace(suite, folder=tmp_path)
    packs[0] = with_manifest(packs[0], dependencies={"lz-string": "1.4.4"})
    made = documents.parse_strict(consumer_lock.derive(moved, packs), where="made")["packages"]
    assert {key: made["node_modules/entities"][key] for key in older} == older
    assert made[f"node_modules/{packs[0].package}/node_modules/lz-string"]["version"] == "1.4.4"


def test_c3_a_suite_edit_without_a_new_lock_is_refused(suite: Suite, packs: list[Archive]) -> None:
    listed = {**suite.consumer["dependencies"], "react": "19.0.0"}
    edited = dataclasses.replace(suite, consumer={"dependencies": listed})
    with pytest.raises(Refusal, match="relock"):
        consumer_lock.derive(edited, packs)


def foreign(lock: Any, suite: Suite) -> dict[str, Any]:
    """One forged lock per way in."""
    core = f"node_modules/{suite.packages[0]}"
    forged = {}
    for name, path, change in [
        ("other bytes for the candidate", core, {"integrity": "sha512-" + "A" * 86 + "=="}),
        ("other place for the candidate", core, {"resolved": "file:elsewhere.tgz"}),
        ("another react", "node_modules/react", {"integrity": "sha512-" + "A" * 86 + "=="}),
        ("older react", "node_modules/react", {"version": "19.0.0"}),
        ("address", "node_modules/react", {"resolved": "https://example.invalid/react.tgz"}),
        ("link", "node_modules/zz", {"link": True, "resolved": "../../src", "integrity": "sha512-x"}),
        ("unhashed", "node_modules/zz", {"version": "1.0.0"}),
        ("outside", "node_modules/../../zz", {"version": "1.0.0", "integrity": "sha512-x"}),
        ("workspace", "packages/zz", {"version": "1.0.0", "integrity": "sha512-x"}),
        ("another root", "", {"dependencies": {}}),
    ]:
        forged[name] = copy.deepcopy(lock)
        forged[name]["packages"].setdefault(path, {}).update(change)
    return forged


def test_c1_a_forged_lock_is_refused(suite: Suite, packs: list[Archive], lock: Any) -> None:
    consumer_lock.check(suite, packs, documents.pretty(lock), where="good.json")
    accepted = []
    for name, forged in foreign(lock, suite).items():
        try:
            consumer_lock.check(suite, packs, documents.pretty(forged), where="forged.json")
        except Refusal:
            continue
        accepted.append(name)
    assert accepted == []


@pytest.mark.parametrize("data", [b"[]", b"{}", b'{"lockfileVersion": 2, "packages": {}}', b"{"])
def test_c1_what_is_no_lock_is_refused(data: bytes, suite: Suite, packs: list[Archive]) -> None:
    with pytest.raises(Refusal):
        consumer_lock.check(suite, packs, data, where="lock.json")

"""What a manifest promises is compared with the files as Node resolves them."""

from __future__ import annotations

import pytest

from steps.packing import manifest

FILES = ["dist/index.js", "dist/index.d.ts", "dist/a/one.js", "dist/a/two.js", "data.json", "index.js"]


NOT_IN_A_REGISTRY = ["workspace:*", "catalog:", "file:../core", "link:../x", "owner/name", "git+ssh://x", 1]


@pytest.mark.parametrize("wanted", NOT_IN_A_REGISTRY)
def test_c4_a_range_without_a_registry_answer_is_a_fault(wanted: object) -> None:
    assert manifest.range_faults({"dependencies": {"a": "^1.0.0", "b": wanted}}) == [f"dependencies.b is {wanted!r}"]


def test_c4_registry_ranges_and_aliases_are_fine() -> None:
    ranges = {"a": "^1.0.0", "b": ">=1 <3 || ~5.0", "c": "npm:other@^1.0.0", "d": "*"}
    assert manifest.range_faults({"dependencies": ranges, "peerDependencies": ranges}) == []


@pytest.mark.parametrize(
    ("promise", "fault"),
    [
        ({"exports": "./dist/index.js"}, None),
        ({"exports": {".": {"types": "./dist/index.d.ts", "default": "./dist/none.js"}}}, "none.js"),
        ({"exports": {"./*": "./dist/a/*.js", "./inner/*": None}}, None),
        ({"exports": {"./*": "./lib/*.js"}}, "lib"),
        ({"exports": {".": [{"import": "./dist/index.js"}, "./gone.js"]}}, "gone.js"),
        ({"exports": "dist/index.js"}, "dist/index.js"),
        ({"exports": "./../index.js"}, "index.js"),
        ({"exports": {".": 7}}, "7"),
        ({"main": "index"}, None),
        ({"main": "lib/index"}, "lib/index"),
        ({"types": "dist/none.d.ts", "main": "index.js"}, "none.d.ts"),
        ({"bin": {"x": "./cli.js"}, "main": "index.js"}, "cli.js"),
    ],
)
def test_c4_a_promised_file_that_is_not_packed_is_a_fault(promise: dict, fault: str | None) -> None:
    found = manifest.target_faults({"name": "p", **promise}, FILES)
    assert (len(found) == 1 and fault in found[0]) if fault else found == []


def test_c4_a_package_with_no_entry_at_all_is_a_fault() -> None:
    assert manifest.target_faults({"name": "p"}, ["readme.md"])


def test_c4_every_javascript_entry_point_is_importable_once() -> None:
    exports = {
        ".": {"types": "./dist/index.d.ts", "import": "./dist/index.js", "default": "./index.js"},
        "./a/*": "./dist/a/*.js",
        "./types": {"types": "./dist/index.d.ts"},
        "./data": "./data.json",
        "./private/*": None,
    }
    assert manifest.importable({"name": "@s/p", "exports": exports}, FILES) == ["@s/p", "@s/p/a/one", "@s/p/a/two"]
    assert manifest.importable({"name": "p", "main": "index.js"}, FILES) == ["p"]


def test_c3_optional_peers_are_not_required() -> None:
    body = {"peerDependencies": {"a": "1", "b": "1"}, "peerDependenciesMeta": {"b": {"optional": True}}}
    assert manifest.peers(body) == ["a"]

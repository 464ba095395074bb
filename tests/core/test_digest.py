"""Digests depend on path, kind, exec bit and bytes, and on nothing else (design: digests and staleness)."""

from __future__ import annotations

import ast
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steps import digest, layout
from steps.errors import Refusal

NAMES = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=20).filter(
    lambda name: name not in (".", "..") and len(name.encode()) < 200
)
TREES = st.dictionaries(NAMES, st.binary(max_size=30), min_size=1, max_size=6)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=4)
    ),
    max_leaves=20,
)


def write(root, tree):
    for name, data in tree.items():
        (root / name).write_bytes(data)
    return root


def fresh():
    return tempfile.TemporaryDirectory(prefix="digest-")


@settings(max_examples=50, deadline=None)
@given(TREES, st.randoms())
def test_the_order_of_making_and_of_listing_a_tree_does_not_matter(tree, random):
    shuffled = list(tree.items())
    random.shuffle(shuffled)
    with fresh() as one, fresh() as two:
        first, second = write(Path(one), tree), write(Path(two), dict(shuffled))
        files = digest.walk(second)
        random.shuffle(files)

        assert digest.of_tree(first) == digest.of_tree(second) == digest.of_tree(second, files)


@settings(max_examples=50, deadline=None)
@given(TREES, st.data())
def test_every_change_of_one_byte_name_mode_or_kind_changes_the_digest(tree, data):
    name = data.draw(st.sampled_from(sorted(tree)))
    with fresh() as folder:
        root = write(Path(folder), tree)
        seen = [digest.of_tree(root)]
        (root / name).chmod(0o755)
        seen.append(digest.of_tree(root))
        (root / name).write_bytes(tree[name] + b"x")
        seen.append(digest.of_tree(root))
        (root / name).unlink()
        seen.append(digest.of_tree(root))
        (root / name).symlink_to("target")
        seen.append(digest.of_tree(root))
        (root / name).rename(root / "a new name that is no other")
        seen.append(digest.of_tree(root))

    assert len(set(seen)) == len(seen)


def test_read_and_write_permissions_do_not_matter_since_a_umask_decides_them(tmp_path):
    write(tmp_path, {"a": b"x"})
    before = digest.of_tree(tmp_path)
    (tmp_path / "a").chmod(0o600)
    assert digest.of_tree(tmp_path) == before


def test_bytes_cannot_move_between_two_files(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir(), two.mkdir()
    assert digest.of_tree(write(one, {"a": b"xy", "b": b"z"})) != digest.of_tree(write(two, {"a": b"x", "b": b"yz"}))


def test_a_link_is_hashed_as_its_text_and_not_followed(tmp_path):
    (tmp_path / "secret").write_text("x")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "link").symlink_to("../secret")
    before = digest.of_tree(tmp_path / "tree")
    (tmp_path / "secret").write_text("y")
    assert digest.of_tree(tmp_path / "tree") == before


def test_a_fifo_is_refused_without_blocking(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Refusal, match="neither a regular file nor a link"):
        digest.of_tree(tmp_path)


@given(JSON)
def test_digest_of_json_ignores_the_order_of_keys(value):
    def turned(part):
        if isinstance(part, dict):
            return {key: turned(part[key]) for key in reversed(part)}
        return [turned(item) for item in part] if isinstance(part, list) else part

    assert digest.of_json(turned(value)) == digest.of_json(value)


@given(
    st.lists(st.text(st.characters(codec="utf-8")), max_size=4),
    st.lists(st.text(st.characters(codec="utf-8")), max_size=4),
)
def test_seeds_of_different_parts_differ_and_are_exact_in_javascript(one, two):
    assert 0 <= digest.seed(*one) < 2**48
    assert (digest.seed(*one) == digest.seed(*two)) == (one == two)


def test_one_module_imports_hashlib():
    importers = set()
    for path in (layout.ROOT / "steps").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            if "hashlib" in names:
                importers.add(path.stem)
    assert importers == {"digest"}

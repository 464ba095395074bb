"""The consumer: exactly the archives' bytes, the same tree everywhere, nothing of the evaluator, nothing half-made."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import HERE

from steps import digest, documents, layout, node
from steps.errors import Infrastructure, Refusal
from steps.packing import consumer, consumer_lock, npm, pack
from steps.packing.consumer import Consumer
from steps.suite import Suite


@pytest.fixture(scope="session")
def prepared(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Consumer:
    """One prepared consumer; tests must not change it."""
    return consumer.prepare(archives, None, tmp_path_factory.mktemp("prepared") / "consumer")


def swap(archives: Path, tmp_path: Path) -> Path:
    """The archives with one byte of the first one's source changed and packed again under the same name."""
    swapped = shutil.copytree(archives, tmp_path / "swapped")
    unpacked = tmp_path / "unpacked"
    shutil.unpack_archive(archives / "appkit-core.tgz", unpacked, "gztar", filter="data")
    (unpacked / "package" / "dist" / "math.js").write_text("export const double = (value) => value * 4;\n")
    npm.run(unpacked / "package", "pack", "--ignore-scripts", "--pack-destination", str(tmp_path))
    shutil.move(next(tmp_path.glob("*.tgz")), swapped / "appkit-core.tgz")
    return swapped


def test_c1_every_installed_file_is_the_archives(prepared: Consumer, archives: Path, suite: Suite) -> None:
    for shipped in consumer.read_archives(archives, suite):
        installed = prepared.path / "node_modules" / shipped.package
        found = {path.relative_to(installed).as_posix(): path.read_bytes() for path in digest.walk(installed)}
        assert found == {name: entry.data for name, entry in shipped.entries.items()}


def test_c1_the_layout_is_the_one_of_the_table_of_paths(prepared: Consumer) -> None:
    assert sorted(path.name for path in prepared.path.iterdir()) == [
        "consumer-lock.json",
        "node_modules",
        "package.json",
        "task-contract.d.ts",
        "tsconfig.json",
    ]
    assert (prepared.path / "task-contract.d.ts").read_bytes() == b""
    assert (prepared.path / "tsconfig.json").read_bytes() == consumer.TSCONFIG.read_bytes()
    assert prepared.lock_digest == digest.of_file(prepared.path / "consumer-lock.json")


def test_c3_the_explicit_list_is_the_manifest(prepared: Consumer, suite: Suite) -> None:
    listed = documents.read(prepared.path / "package.json")["dependencies"]
    assert listed == {
        **suite.consumer["dependencies"],
        **{name: f"file:archives/{file}" for name, file in suite.archives.items()},
    }
    assert {"@testing-library/react", "@testing-library/dom"} <= listed.keys()


def test_k1_no_grader_fixture_or_solution_is_in_the_consumer(prepared: Consumer) -> None:
    solutions, runners = layout.FIXTURES / "solutions", layout.FIXTURES / "runners"
    ours = layout.files_under(layout.GRADERS, solutions, runners, layout.TASKS)
    secret = {digest.of_file(path) for path in ours if Path(path).stat().st_size} - {digest.of_file(consumer.TSCONFIG)}
    assert len(secret) > 10
    assert secret.isdisjoint(entry[2] for entry in digest.tree(prepared.path).values())


def test_c1_the_tree_is_the_same_elsewhere_under_another_umask_and_offline(
    prepared: Consumer, archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("npm_config_offline", "true")
    before = os.umask(0o077)
    try:
        again = consumer.prepare(archives, prepared.path / "consumer-lock.json", tmp_path / "a b" / "c")
    finally:
        os.umask(before)
    assert (again.lock_digest, again.tree_digest) == (prepared.lock_digest, prepared.tree_digest)
    modes = {path.stat().st_mode & 0o777 for path in again.path.rglob("*") if not path.is_symlink()}
    assert modes == {0o755, 0o644}


def test_c1_a_swapped_archive_is_refused_before_npm_sees_it(
    prepared: Consumer, archives: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swapped = swap(archives, tmp_path)
    monkeypatch.setattr(npm, "run", lambda *_, **__: pytest.fail("npm was started"))
    with pytest.raises(Refusal, match="does not belong to these archives"):
        consumer.prepare(swapped, prepared.path / "consumer-lock.json", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("change", ["edit", "add", "remove", "link"])
def test_c1_an_installed_file_that_is_not_the_archives_is_found(
    change: str, prepared: Consumer, archives: Path, suite: Suite, tmp_path: Path
) -> None:
    shipped = consumer.read_archives(archives, suite)[0]
    installed = shutil.copytree(prepared.path / "node_modules" / shipped.package, tmp_path / "installed")
    consumer.compare_installed(shipped, installed)
    victim = installed / "dist" / "math.js"
    if change == "edit":
        victim.write_bytes(victim.read_bytes().replace(b"2", b"3"))
    elif change == "add":
        (installed / "dist" / "more.js").write_text("")
    else:
        victim.rename(tmp_path / "moved.js")
    if change == "link":
        victim.symlink_to(tmp_path / "moved.js")
    with pytest.raises(Infrastructure, match=r"dist/(math|more)\.js"):
        consumer.compare_installed(shipped, installed)


def test_c1_a_lock_that_asks_for_install_scripts_gets_none(
    checkout: Callable[..., Path], suite: Suite, tmp_path: Path
) -> None:
    pack.pack(checkout(HERE / "cases" / "install-script"), tmp_path / "out")
    packs = consumer.read_archives(tmp_path / "out" / "archives", suite)
    lock = documents.parse_strict(consumer_lock.derive(suite, packs), where="derived")
    for archive in packs:
        lock["packages"][f"node_modules/{archive.package}"]["hasInstallScript"] = True
    documents.write_atomic(tmp_path / "lock.json", lock)
    made = consumer.prepare(tmp_path / "out" / "archives", tmp_path / "lock.json", tmp_path / "consumer")
    assert not list(made.path.rglob("installed.txt"))


def test_c1_a_folder_in_use_is_refused(archives: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(Refusal, match="not an empty folder"):
        consumer.prepare(archives, None, tmp_path)
    assert (tmp_path / "mine.txt").read_text() == "keep"


def test_c1_archives_under_each_others_names_are_refused(archives: Path, tmp_path: Path) -> None:
    mixed = shutil.copytree(archives, tmp_path / "mixed")
    shutil.copy(archives / "appkit-react.tgz", mixed / "appkit-core.tgz")
    with pytest.raises(Refusal, match="holds @alneas/appkit-react"):
        consumer.prepare(mixed, None, tmp_path / "out")


def test_c3_a_package_of_the_checkout_cannot_stand_in_for_a_missing_one(prepared: Consumer, tmp_path: Path) -> None:
    """Node looks in every parent folder; the smoke import may read the consumer only."""
    parent = tmp_path / "node_modules" / "undeclared-helper"
    parent.mkdir(parents=True)
    (parent / "index.js").write_text("export {};\n")
    (parent / "package.json").write_text('{"type": "module", "main": "index.js"}')
    inside = shutil.copytree(prepared.path, tmp_path / "consumer", symlinks=True)
    plain = [str(node.binary()), "--input-type=module", "-e", "await import('undeclared-helper')"]
    assert node.run(plain, cwd=inside, timeout=20, check=False).returncode == 0
    with pytest.raises(Refusal, match="importing 'undeclared-helper'"):
        consumer.candidate.smoke_import(inside, "undeclared-helper")
    consumer.candidate.smoke_import(inside, "@alneas/appkit-react")

"""Packing: the same bytes from anywhere, nothing written into a checkout, both forms of a candidate."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import HERE

from steps import digest, documents
from steps.errors import Refusal
from steps.packing import candidate, pack, tarball
from steps.suite import Suite


@pytest.fixture
def umask_077() -> Iterator[None]:
    before = os.umask(0o077)
    yield
    os.umask(before)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.tgz")}


@pytest.mark.usefixtures("umask_077")
def test_c1_archives_are_byte_identical_from_another_folder_under_another_umask(
    checkout: Callable[..., Path], archives: Path, tmp_path: Path
) -> None:
    folder = checkout(name="else where")
    for path in folder.rglob("*"):
        path.chmod(path.stat().st_mode & 0o700)
        os.utime(path, (1, 1))
    pack.pack(folder, tmp_path / "out")
    assert bytes_of(tmp_path / "out" / "archives") == bytes_of(archives)
    assert sorted(bytes_of(archives)) == ["appkit-core.tgz", "appkit-react.tgz"]


def test_c1_execute_bits_survive_and_everything_else_is_plain(archives: Path) -> None:
    entries = tarball.load(archives / "appkit-core.tgz").entries
    assert [name for name, entry in entries.items() if entry.executable] == ["cli.mjs", "tools/run.sh"]


def test_c1_a_checkout_is_not_written_to(checkout: Callable[..., Path], tmp_path: Path) -> None:
    folder = checkout()
    before = digest.tree(folder)
    pack.pack(folder, tmp_path / "out")
    assert digest.tree(folder) == before


def test_c1_build_output_installed_packages_and_old_archives_do_not_count(
    checkout: Callable[..., Path], archives: Path, tmp_path: Path
) -> None:
    folder = checkout()
    for name in ("core/dist/index.js", "node_modules/x/index.js", "old.tgz", ".git/HEAD"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("stale")
    assert pack.source_digest(folder) == pack.source_digest(HERE / "good")
    pack.pack(folder, tmp_path / "out")
    assert bytes_of(tmp_path / "out" / "archives") == bytes_of(archives)


def test_f3_the_stamp_names_archives_source_and_catalog(archives: Path) -> None:
    stamp = documents.read(archives.parent / "archives.json")
    for record in stamp["archives"]:
        data = (archives / record["file"]).read_bytes()
        assert (record["bytes"], record["sha256"]) == (len(data), digest.of_bytes(data))
        assert record["integrity"] == digest.integrity(data)
        catalog = tarball.parse(data, record["file"], where="").entries["api-catalog.json"].data
        assert stamp["catalog"][record["package"]] == digest.of_bytes(catalog)
    assert stamp["source"] == {
        "kind": "checkout",
        "path": "tests/candidate/good",
        "digest": pack.source_digest(HERE / "good"),
    }


@pytest.mark.parametrize("form", ["pair", "folder"])
def test_c4_two_given_archives_are_taken_as_they_are(form: str, archives: Path, tmp_path: Path) -> None:
    given = ",".join(map(str, archives.glob("*.tgz"))) if form == "pair" else archives
    stamp = pack.pack(given, tmp_path / "out")
    assert bytes_of(tmp_path / "out" / "archives") == bytes_of(archives)
    assert stamp["source"] == {"kind": "archives", "path": None, "digest": None}


@pytest.mark.parametrize(
    ("given", "phrase"),
    [
        ("appkit-core.tgz", "the archives hold @alneas/appkit-core"),
        ("appkit-core.tgz,appkit-core.tgz", "is in appkit-core.tgz and in appkit-core.tgz"),
        ("appkit-core.tgz,missing.tgz", "cannot be read"),
        ("no-such-folder", "no such folder"),
    ],
)
def test_c4_a_wrong_candidate_is_refused(given: str, phrase: str, archives: Path, tmp_path: Path) -> None:
    value = ",".join(str(archives / name) for name in given.split(","))
    with pytest.raises(Refusal, match=phrase):
        pack.pack(value, tmp_path / "out")


def test_c4_given_archives_must_ship_what_they_promise(
    checkout: Callable[..., Path], suite: Suite, tmp_path: Path
) -> None:
    folder = checkout(HERE / "cases" / "exports-target-missing")
    with pack.staged(folder) as (copy, _):
        candidate.own_checks(copy, suite)
        made = [pack.npm_pack(copy / name, f"@alneas/appkit-{name}", suite) for name in ("core", "react")]
    for archive in made:
        (tmp_path / archive.file).write_bytes(archive.data)
    with pytest.raises(Refusal, match=r"extra\.js.*pass two \.tgz"):
        pack.pack(",".join(str(tmp_path / archive.file) for archive in made), tmp_path / "out")


def test_c1_a_link_out_of_the_candidate_is_refused(checkout: Callable[..., Path], tmp_path: Path) -> None:
    folder = checkout()
    (folder / "core" / "secret.md").symlink_to("/etc/hostname")
    with pytest.raises(Refusal, match="links out of the candidate"):
        pack.pack(folder, tmp_path / "out")


def test_c2_a_stamp_is_current_until_source_or_archive_changes(checkout: Callable[..., Path], tmp_path: Path) -> None:
    folder, out = checkout(), tmp_path / "out"
    assert not pack.current(folder, out)
    pack.pack(folder, out)
    assert pack.current(folder, out)
    (folder / "core" / "README.md").write_text("changed")
    assert not pack.current(folder, out)
    (folder / "core" / "README.md").unlink()
    assert pack.current(folder, out)
    kept = out / "archives" / "appkit-core.tgz"
    kept.write_bytes(kept.read_bytes() + b"\0")
    assert not pack.current(folder, out)


def test_c2_the_same_version_with_other_bytes_is_another_candidate(
    checkout: Callable[..., Path], archives: Path, tmp_path: Path
) -> None:
    folder = checkout()
    (folder / "core" / "src" / "math.js").write_text("export const double = (value) => value + value;\n")
    stamp = pack.pack(folder, tmp_path / "out")
    before = documents.read(archives.parent / "archives.json")
    assert [a["version"] for a in stamp["archives"]] == [a["version"] for a in before["archives"]]
    assert stamp["archives"][0]["integrity"] != before["archives"][0]["integrity"]

"""Tarballs are data that may be hostile: names, kinds, sizes and clashes are refused before anything is unpacked."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Callable

import pytest

from steps.errors import Refusal
from steps.packing import tarball

MANIFEST = b'{"name": "p", "version": "1.0.0"}'


def file(tar: tarfile.TarFile, name: str, data: bytes = b"x", **fields: object) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for field, value in fields.items():
        setattr(info, field, value)
    tar.addfile(info, io.BytesIO(data))


def special(name: str, kind: bytes, target: str = "") -> Callable[[tarfile.TarFile], None]:
    return lambda tar: file(tar, name, b"", type=kind, linkname=target)


def packed(*more: Callable[[tarfile.TarFile], None]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", format=tarfile.PAX_FORMAT) as tar:
        file(tar, "package/package.json", MANIFEST)
        for add in more:
            add(tar)
    return buffer.getvalue()


def named(*names: str) -> tuple[Callable[[tarfile.TarFile], None], ...]:
    return tuple(lambda tar, name=name: file(tar, name) for name in names)


def raw(headers: bytes) -> bytes:
    return gzip.compress(headers + bytes(1024))


def chain(kind: bytes, data: bytes, length: int) -> bytes:
    """Many headers that each only speak of the next one."""
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = kind, len(data)
    one = info.tobuf(tarfile.GNU_FORMAT) + data + bytes(-len(data) % 512)
    return raw(one * length)


def sparse(**headers: str) -> bytes:
    """An entry whose extended headers claim to be a sparse file."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", format=tarfile.PAX_FORMAT) as tar:
        file(tar, "package/a", pax_headers={f"GNU.sparse.{key}": value for key, value in headers.items()})
    return buffer.getvalue()


UNREADABLE = {
    "a chain of GNU names": chain(tarfile.GNUTYPE_LONGNAME, b"package/a\0", 5000),
    "a chain of PAX headers": chain(tarfile.XHDTYPE, b"15 path=packag\n", 5000),
    "a sparse map of words": sparse(map="a,b"),
    "a sparse size of words": sparse(major="1", minor="0", name="package/a", realsize="many"),
    "an odd sparse map": sparse(map="1,2,3", size="9"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_headers_that_cannot_be_read_are_refused_in_one_sentence(name: str) -> None:
    with pytest.raises(Refusal, match=r"not a readable \.tgz|holds no package|is not a regular file"):
        tarball.parse(UNREADABLE[name], "a.tgz", where="a.tgz")


HOSTILE = {
    "long name": (named("package/" + "a" * 256), "is not safe"),
    "long path": (named("package/" + "/".join(["a" * 99] * 11)), "is not safe"),
    "parent folder": (named("package/../../evil"), "is not safe"),
    "absolute": (named("/etc/evil"), "is not safe"),
    "no leading folder": (named("evil"), "is not safe"),
    "backslash": (named("package/a\\b"), "is not safe"),
    "newline": (named("package/a\nb"), "is not safe"),
    "bundled packages": (named("package/node_modules/react/index.js"), "is not safe"),
    "symlink": ((special("package/a", tarfile.SYMTYPE, "/etc/passwd"),), "not a regular file"),
    "hard link": ((special("package/a", tarfile.LNKTYPE, "package/package.json"),), "not a regular file"),
    "fifo": ((special("package/a", tarfile.FIFOTYPE),), "not a regular file"),
    "device": ((special("package/a", tarfile.CHRTYPE),), "not a regular file"),
    "twice": (named("package/a", "package/a"), "stands twice"),
    "case twin": (named("package/a", "package/A"), "one file on some machines"),
    "unicode twin": (named("package/\u00e9", "package/e\u0301"), "one file on some machines"),
    "file and folder": (named("package/a", "package/a/b"), "a file and a folder"),
}


@pytest.mark.parametrize("why", HOSTILE)
def test_c1_a_hostile_entry_is_refused(why: str) -> None:
    more, phrase = HOSTILE[why]
    with pytest.raises(Refusal, match=phrase):
        tarball.parse(packed(*more), "p.tgz", where="p.tgz")


def test_c1_the_leading_folder_may_have_any_name_and_modes_are_kept() -> None:
    data = packed(lambda tar: file(tar, "other/bin/x", b"run", mode=0o755))
    archive = tarball.parse(data, "p.tgz", where="p.tgz")
    assert archive.entries["bin/x"] == (b"run", True)
    assert archive.entries["package.json"].data == MANIFEST
    assert archive.record()["bytes"] == len(data)


def test_c1_a_bomb_ends_at_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tarball, "MAX_UNPACKED", 1 << 20)
    bomb = packed(lambda tar: file(tar, "package/zeros", bytes(4 << 20)))
    assert len(bomb) < 10_000
    with pytest.raises(Refusal, match="unpacks to too many bytes"):
        tarball.parse(bomb, "p.tgz", where="p.tgz")


def test_c1_too_many_entries_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tarball, "MAX_ENTRIES", 10)
    with pytest.raises(Refusal, match="too many entries"):
        tarball.parse(packed(*named(*(f"package/{n}" for n in range(20)))), "p.tgz", where="p.tgz")


DAMAGED = {
    "empty": b"",
    "no gzip": b"not gzip",
    "cut gzip": packed()[:-20],
    "no tar": gzip.compress(b"not a tar" * 100),
    "cut tar": gzip.compress(gzip.decompress(packed())[:520]),
}
NO_MANIFEST = [b"[]", b'{"name": "p"}', b'{"name": 1, "version": "1"}', b'{"name":"a","name":"b"}']


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_c1_a_damaged_archive_is_refused(data: bytes) -> None:
    with pytest.raises(Refusal):
        tarball.parse(data, "p.tgz", where="p.tgz")


@pytest.mark.parametrize("manifest", NO_MANIFEST)
def test_c1_a_package_without_a_manifest_is_refused(manifest: bytes) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        file(tar, "package/package.json", manifest)
    with pytest.raises(Refusal, match=r"package\.json"):
        tarball.parse(buffer.getvalue(), "p.tgz", where="p.tgz")

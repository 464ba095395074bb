"""R-K2, security rows 32-34: only regular, bounded, allow-listed files are collected, whatever lies in the folder."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest

from steps.errors import AttemptFailed, Refusal
from steps.running import collect as collector
from steps.running.collect import collect

LIMITS = {"solutionFileBytes": 1000, "outputEntries": 50}
GOOD = b"export const answer = 42;\n"
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device file")


def _good(out: Path) -> None:
    (out / "solution.ts").write_bytes(GOOD)


def _link_to_good(out: Path, *, hard: bool = False) -> None:
    (out / "other.ts").write_bytes(GOOD)
    (out / "solution.ts").hardlink_to(out / "other.ts") if hard else (out / "solution.ts").symlink_to("other.ts")


def _host_link(out: Path) -> None:
    (out / "solution.ts").symlink_to("/etc/passwd")


def _loop(out: Path) -> None:
    (out / "solution.ts").symlink_to("solution.ts")


def _socket(out: Path) -> None:
    here = Path.cwd()
    os.chdir(out)  # A socket's path is limited to about 100 bytes.
    try:
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("solution.ts")
    finally:
        os.chdir(here)


def _sparse(out: Path, size: int) -> None:
    with (out / "solution.ts").open("wb") as handle:
        handle.truncate(size)


def _mode(out: Path, mode: int) -> None:
    _good(out)
    (out / "solution.ts").chmod(mode)


def _crowd(out: Path, count: int) -> None:
    _good(out)
    for number in range(count):
        (out / f"f{number}").touch()


def _deep(out: Path, depth: int) -> None:
    _good(out)
    here = Path.cwd()
    os.chdir(out)
    try:
        for _ in range(depth):
            Path("d").mkdir()
            os.chdir("d")
    finally:
        os.chdir(here)


def _write(name: str, data: bytes, *, beside: bool = False) -> Callable[[Path], None]:
    def make(out: Path) -> None:
        if beside:
            _good(out)
        (out / name).write_bytes(data)

    return make


REJECTED: dict[str, tuple[Callable[[Path], object], str]] = {
    "symlink leaf to a sibling": (_link_to_good, "not a regular file"),
    "symlink leaf to a host file": (_host_link, "not a regular file"),
    "symlink loop": (_loop, "not a regular file"),
    "hard link": (lambda out: _link_to_good(out, hard=True), "more than one name"),
    "FIFO": (lambda out: os.mkfifo(out / "solution.ts"), "not a regular file"),
    "socket": (_socket, "not a regular file"),
    "folder as file": (lambda out: (out / "solution.ts").mkdir(), "not a regular file"),
    "sparse and huge": (lambda out: _sparse(out, 1 << 40), "more than 1000"),
    "sparse and small": (lambda out: _sparse(out, 1000), "NUL"),
    "one byte over the limit": (_write("solution.ts", b"x" * 1001), "1001 bytes, more than 1000"),
    "empty file": (_write("solution.ts", b""), "empty"),
    "nothing at all": (lambda _: None, "none of the allowed files"),
    "NUL": (_write("solution.ts", b"a\0b"), "NUL"),
    "bad UTF-8": (_write("solution.ts", b"abc\xff"), "not UTF-8 (byte 3)"),
    "surrogate in UTF-8": (_write("solution.ts", b"\xed\xa0\x80"), "not UTF-8"),
    "case twin": (_write("Solution.ts", GOOD, beside=True), "only by case"),
    "long s twin": (_write("\u017folution.ts", GOOD, beside=True), "only by case"),
    "case twin alone": (_write("SOLUTION.TS", GOOD), "only by case"),
    "trailing space alone": (_write("solution.ts ", GOOD), "none of the allowed"),
    "newline in the name": (_write("solution.ts\n", GOOD), "none of the allowed"),
    "dots before the name": (_write("..solution.ts", GOOD), "none of the allowed"),
    "accented NFD name": (_write("solu\u0301tion.ts", GOOD), "none of the allowed"),
    "set-uid": (lambda out: _mode(out, 0o4644), "set-uid"),
    "set-gid": (lambda out: _mode(out, 0o2755), "set-uid"),
    "sticky": (lambda out: _mode(out, 0o1644), "set-uid"),
    "mode 000": (lambda out: _mode(out, 0), "not readable by its owner"),
    "too many entries": (lambda out: _crowd(out, 50), "more than 50 entries"),
    "deep nesting": (lambda out: _deep(out, 40), "nested more than 32 deep"),
}


@pytest.mark.parametrize("name", REJECTED)
def test_k2_a_hostile_output_is_a_failed_attempt_with_one_sentence(name: str, tmp_path: Path) -> None:
    make, expected = REJECTED[name]
    make(tmp_path)
    with pytest.raises(AttemptFailed) as failure:
        collect(tmp_path, ["solution.ts"], LIMITS)
    assert failure.value.category == "collection"
    assert expected in failure.value.detail
    assert "\n" not in failure.value.detail


@needs_root
def test_k2_a_device_is_never_opened(tmp_path: Path) -> None:
    os.mknod(tmp_path / "solution.ts", 0o666 | 0o020000, os.makedev(1, 5))  # /dev/zero: reading never ends
    with pytest.raises(AttemptFailed, match="not a regular file"):
        collect(tmp_path, ["solution.ts"], LIMITS)


ACCEPTED: dict[str, tuple[Callable[[Path], object], bytes, list[str]]] = {
    "a plain file": (_good, GOOD, []),
    "exactly the limit": (_write("solution.ts", b"x" * 1000), b"x" * 1000, []),
    "a BOM": (_write("solution.ts", b"\xef\xbb\xbfexport {};"), b"\xef\xbb\xbfexport {};", []),
    "an executable file": (lambda out: _mode(out, 0o755), GOOD, []),
    "trailing space beside": (_write("solution.ts ", b"x", beside=True), GOOD, ["solution.ts "]),
    "newline beside": (_write("a\nb", b"x", beside=True), GOOD, ["a\nb"]),
    "NFD beside": (_write("solu\u0301tion.ts", b"x", beside=True), GOOD, ["solu\u0301tion.ts"]),
    "a note beside": (_write("notes.md", b"", beside=True), GOOD, ["notes.md"]),
    "49 files beside": (lambda out: _crowd(out, 49), GOOD, sorted(f"f{n}" for n in range(49))),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_k2_extra_files_are_recorded_and_not_collected(name: str, tmp_path: Path) -> None:
    make, data, extra = ACCEPTED[name]
    make(tmp_path)
    result = collect(tmp_path, ["solution.ts"], LIMITS)
    assert (result.files, result.extra) == ({"solution.ts": data}, extra)


def test_k2_a_linked_folder_on_the_way_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "form.tsx").write_bytes(GOOD)
    out = tmp_path / "out"
    out.mkdir()
    (out / "src").symlink_to(outside, target_is_directory=True)
    with pytest.raises(AttemptFailed, match="none of the allowed"):
        collect(out, ["src/form.tsx"], LIMITS)
    (out / "src").unlink()
    outside.rename(out / "src")
    assert collect(out, ["src/form.tsx"], LIMITS).files == {"src/form.tsx": GOOD}


def test_k2_a_linked_output_folder_is_not_followed(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    _good(real)
    (tmp_path / "link").symlink_to(real)
    with pytest.raises(AttemptFailed, match="output folder"):
        collect(tmp_path / "link", ["solution.ts"], LIMITS)


@pytest.mark.parametrize("path", ["../solution.ts", "/etc/passwd", "a/../b.ts", "a//b.ts", "", "é.ts", "a\n.ts"])
def test_k2_an_allow_list_that_could_leave_the_folder_is_refused(path: str, tmp_path: Path) -> None:
    with pytest.raises(Refusal):
        collect(tmp_path, [path], LIMITS)


@pytest.mark.slow
def test_k2_a_hundred_thousand_entries_end_at_the_bound(tmp_path: Path) -> None:
    _crowd(tmp_path, 100_000)
    with pytest.raises(AttemptFailed, match="more than 2000 entries"):
        collect(tmp_path, ["solution.ts"], {**LIMITS, "outputEntries": 2000})


def test_k2_a_file_that_grows_while_it_is_read_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _good(tmp_path)
    real = collector._read_up_to

    def read_and_append(handle: BinaryIO, size: int) -> bytes:
        data = real(handle, size)
        with (tmp_path / "solution.ts").open("ab") as late:
            late.write(b"// later")
        return data

    monkeypatch.setattr(collector, "_read_up_to", read_and_append)
    with pytest.raises(AttemptFailed, match="changed while it was collected"):
        collect(tmp_path, ["solution.ts"], LIMITS)


def _to_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


def _to_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _to_other_file(path: Path) -> None:
    path.unlink()
    path.write_bytes(GOOD)


@pytest.mark.parametrize("swap", [_to_link, _to_fifo, _to_other_file])
def test_k2_a_file_swapped_after_it_was_checked_is_rejected_without_blocking(
    swap: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _good(tmp_path)
    monkeypatch.setattr(collector, "check_status", lambda *_: swap(tmp_path / "solution.ts"))
    with pytest.raises(AttemptFailed, match=r"cannot be read|changed while"):
        collect(tmp_path, ["solution.ts"], LIMITS)


@pytest.mark.parametrize("swap", ["rename", "rewrite"])
def test_k2_a_racing_writer_never_gets_mixed_bytes_collected(swap: str, tmp_path: Path) -> None:
    versions = (b"a" * 900, b"b" * 900)
    (tmp_path / "solution.ts").write_bytes(versions[0])
    stop = threading.Event()

    def flip() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            if swap == "rename":
                (tmp_path / ".next").write_bytes(versions[number % 2])
                (tmp_path / ".next").replace(tmp_path / "solution.ts")
            else:
                with (tmp_path / "solution.ts").open("r+b") as handle:
                    handle.write(versions[number % 2])

    writer = threading.Thread(target=flip)
    writer.start()
    outcomes = set()
    try:
        for _ in range(300):
            try:
                outcomes.add(collect(tmp_path, ["solution.ts"], LIMITS).files["solution.ts"])
            except AttemptFailed as failure:
                outcomes.add(failure.category)
    finally:
        stop.set()
        writer.join()
    assert outcomes <= {*versions, "collection"}
    assert outcomes & set(versions)

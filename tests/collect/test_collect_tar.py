"""R-K2, security rows 32-34: what comes out of an output volume as a tar stream meets the rules of the collector."""

from __future__ import annotations

import io
import os
import tarfile
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_collect import GOOD, LIMITS, REJECTED

from steps.errors import AttemptFailed, Refusal
from steps.running.collect import Collected, collect
from steps.running.collect_tar import collect_tar

MOST = 1 << 20
ELSEWHERE = {
    # Docker's tar leaves sockets out, and a sparse file of a terabyte can be made on no output volume.
    "socket": "none of the allowed files",
    "sparse and huge": None,
}


def archived(folder: Path) -> bytes:
    """The folder as Docker sends it: below its own name, links kept, sockets left out."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        tar.add(folder, arcname="solution")
    return buffer.getvalue()


def made(*entries: tuple[tarfile.TarInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for entry, data in entries:
            entry.size = entry.size or len(data)
            tar.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def entry(name: str, data: bytes = GOOD, **changes: object) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    for field, value in changes.items():
        setattr(info, field, value)
    return info, data


def chunks(data: bytes, size: int = 700) -> Iterator[bytes]:
    return (data[place : place + size] for place in range(0, len(data), size))


def gather(data: bytes, allowed: tuple[str, ...] = ("solution.ts",), most: int = MOST) -> Collected:
    return collect_tar(chunks(data), "solution", list(allowed), LIMITS, most=most)


@pytest.mark.parametrize("name", [name for name in REJECTED if ELSEWHERE.get(name, "") is not None])
def test_k2_a_stream_is_rejected_like_the_folder_it_was_made_of(name: str, tmp_path: Path) -> None:
    make, expected = REJECTED[name]
    make(tmp_path)
    with pytest.raises(AttemptFailed) as failure:
        gather(archived(tmp_path))
    assert failure.value.category == "collection"
    assert ELSEWHERE.get(name, expected) in failure.value.detail
    assert "\n" not in failure.value.detail


def test_k2_a_good_folder_gives_the_same_bytes_and_the_same_extra_names(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    for path in ("solution.ts", "lib/a.ts", "notes.md", "lib/z.txt"):
        (tmp_path / path).write_bytes(GOOD)
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / os.fsdecode(b"not-\xff-text")).write_bytes(GOOD)
    allowed = ("solution.ts", "lib/a.ts", "absent.ts")
    found = gather(archived(tmp_path), allowed)
    assert found == collect(tmp_path, list(allowed), LIMITS)
    assert len(found.extra) == 4


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "a device": (lambda: made(entry("solution/solution.ts", b"", type=tarfile.CHRTYPE)), "not a regular file"),
    "a kind that no tar knows": (lambda: made(entry("solution/solution.ts", type=b"Z")), "not a regular file"),
    "the same file twice": (lambda: made(*[entry("solution/solution.ts")] * 2), "stands twice"),
    "another file twice": (lambda: made(*[entry("solution/a")] * 2), "stands twice"),
    "outside the folder": (lambda: made(entry("solution/solution.ts"), entry("elsewhere")), "does not lie in"),
    "an absolute name": (lambda: made(entry("/solution/solution.ts")), "does not lie in"),
    "a second name later": (
        lambda: made(
            entry("solution/solution.ts"),
            entry("solution/z", b"", type=tarfile.LNKTYPE, linkname="solution/solution.ts"),
        ),
        "more than one name",
    ),
    "a second name earlier": (
        lambda: made(
            entry("solution/a"), entry("solution/solution.ts", b"", type=tarfile.LNKTYPE, linkname="solution/a")
        ),
        "more than one name",
    ),
    "100,000 entries": (
        lambda: made(entry("solution/solution.ts"), *(entry(f"solution/{n}", b"") for n in range(100_000))),
        "more than 50 entries",
    ),
    "huge beside it": (lambda: made(entry("solution/a", b"x" * (MOST + 1))), f"more than {MOST} bytes"),
    "no end": (lambda: made(entry("solution/solution.ts"))[:1024], "archive is broken"),
    "half an end": (lambda: made(entry("solution/solution.ts"))[: 1024 + 512], "archive is broken"),
    "cut in a file": (lambda: made(entry("solution/solution.ts", b"x" * 900))[:1000], "cannot be read"),
    "a broken header": (
        lambda: made(entry("solution/solution.ts"))[:1024] + b"\1" * 512 + b"\0" * 1024, "archive is broken"
    ),
    "something after the end": (lambda: made(entry("solution/solution.ts")) + b"x" * 512, "archive is broken"),
    "nothing": (lambda: b"", "cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_k2_a_hostile_stream_is_a_failed_attempt_with_one_sentence(name: str) -> None:
    make, expected = HOSTILE[name]
    with pytest.raises(AttemptFailed) as failure:
        gather(make(), most=1 << 30 if name.startswith("100") else MOST)
    assert (failure.value.category, "\n" in failure.value.detail) == ("collection", False)
    assert expected in failure.value.detail


def test_k2_a_stream_without_end_stops_at_its_bound_in_little_memory() -> None:
    def endless() -> Iterator[bytes]:
        sparse, _ = entry("solution/sparse", size=1 << 40)
        yield sparse.tobuf(tarfile.GNU_FORMAT)
        while True:
            yield bytes(65536)

    tracemalloc.start()
    try:
        with pytest.raises(AttemptFailed, match="more than"):
            collect_tar(endless(), "solution", ["solution.ts"], LIMITS, most=8 * MOST)
        assert tracemalloc.get_traced_memory()[1] < MOST
    finally:
        tracemalloc.stop()


BASE = made(entry("solution/solution.ts"), entry("solution/ünï" + "x" * 120), entry("solution/l", b"", type=b"2"))


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.integers(0, len(BASE) - 1), st.binary(min_size=1, max_size=4)), max_size=6))
def test_k2_a_damaged_stream_is_collected_or_rejected_and_nothing_else(damage: list[tuple[int, bytes]]) -> None:
    data = bytearray(BASE)
    for place, value in damage:
        data[place : place + len(value)] = value
    try:
        found = gather(bytes(data))
    except AttemptFailed as failure:
        assert failure.category == "collection"
    else:
        assert set(found.files) == {"solution.ts"}


def test_k2_an_inexact_allow_list_is_refused() -> None:
    with pytest.raises(Refusal):
        gather(BASE, ("../solution.ts",))

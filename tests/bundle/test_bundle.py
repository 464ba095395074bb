"""R-I3: a bundle is judged exactly like the folder it was made from, and is hostile until proved otherwise."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import sys
import tarfile
from pathlib import Path

import pytest

from steps import digest, documents, layout
from steps.errors import Refusal, UsageError
from steps.judging import qualify_command
from steps.reporting import bundle

sys.path.insert(0, str(layout.ROOT / "tests" / "qualify"))
import good  # the small complete batch that qualification's tests use


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A batch folder; against this checkout it is stale, which is all that these tests need to see."""
    root = tmp_path_factory.mktemp("good")
    good.make(root)
    return root / good.BATCH_ID


def judged(capsys: pytest.CaptureFixture, call) -> tuple[int, dict]:
    code = call()
    return code, json.loads(capsys.readouterr().out)


def at_home(folder: Path):
    return lambda: qualify_command.run(folder / "receipt.json", None, expect=None, digests_only=False)


def tar_of(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    stream = io.BytesIO()
    with gzip.GzipFile(fileobj=stream, mode="wb") as zipped, tarfile.open(fileobj=zipped, mode="w") as tar:
        for info, data in members:
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def member(name: str, data: bytes = b"x", **fields) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    for key, value in fields.items():
        setattr(info, key, value)
    return info, data


def test_the_same_files_give_the_same_bundle_wherever_they_lie(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / folder.name))
    (copy / "qualification.json").write_text("{}")
    (copy / "receipt.json").touch()
    assert bundle.pack(copy) == bundle.pack(folder)


def test_every_byte_and_every_mode_comes_back(folder: Path, tmp_path: Path) -> None:
    receipt = bundle.unpack(bundle.pack(folder), tmp_path, where="bundle")
    assert receipt.parent.name == folder.name
    assert digest.tree(receipt.parent) == digest.tree(folder)


def test_i3_a_bundle_is_judged_as_its_folder_is(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path = tmp_path / "b.tgz"
    path.write_bytes(bundle.pack(folder))
    home = judged(capsys, at_home(folder))
    assert judged(capsys, lambda: bundle.verify(path)) == home
    assert home[0] == 1


def test_i3_a_tampered_bundle_has_a_reason_more(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / folder.name))
    documents.write_atomic(copy / "receipt.json", {**documents.read(copy / "receipt.json"), "firstSuccesses": 18})
    path = tmp_path / "b.tgz"
    path.write_bytes(bundle.pack(copy))
    codes = [
        {entry["code"] for entry in judged(capsys, call)[1]["reasons"]}
        for call in (at_home(folder), lambda: bundle.verify(path))
    ]
    assert codes[1] - codes[0] == {"receipt-differs"}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a bundle",
        gzip.compress(b"\0" * 100),
        tar_of(member("b/batch.json")),
        tar_of(member("b/receipt.json", b"{")),
        tar_of(member("b/receipt.json", b'{"schemaVersion": 2}')),
        tar_of(member("b/../../escape")),
        tar_of(member("/etc/escape")),
        tar_of(member("b/link", b"", type=tarfile.SYMTYPE, linkname="/etc/passwd")),
        tar_of(member("b/link", b"", type=tarfile.LNKTYPE, linkname="b/receipt.json")),
        tar_of(member("b/pipe", b"", type=tarfile.FIFOTYPE)),
        tar_of(member("b/receipt.json"), member("b/receipt.json")),
        tar_of(member("b/receipt.json"), member("b/Receipt.json")),
        gzip.compress(b"\0" * (300 * 1024 * 1024), compresslevel=1),
    ],
    ids=[
        "empty",
        "noise",
        "no-tar",
        "no-receipt",
        "half-json",
        "other-version",
        "dots",
        "absolute",
        "symlink",
        "hardlink",
        "fifo",
        "twice",
        "case-twin",
        "bomb",
    ],
)
def test_a_hostile_bundle_is_refused_and_leaves_nothing(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(Refusal):
        bundle.unpack(data, tmp_path / "out", where="bundle")
    assert not list(tmp_path.rglob("*escape*")) and not list(tmp_path.rglob("receipt.json"))


def test_the_statement_names_the_archives_and_carries_denominators(folder: Path) -> None:
    made = bundle.statement(folder, b"bundle")
    assert made["_type"] == "https://in-toto.io/Statement/v1"
    archives = {entry["file"]: entry["sha256"] for entry in documents.read(folder / "archives.json")["archives"]}
    assert {entry["name"]: f"sha256:{entry['digest']['sha256']}" for entry in made["subject"]} == archives
    assert made["predicate"]["firstSuccesses"] == "17/18" and made["predicate"]["bundle"] == digest.of_bytes(b"bundle")


def test_nothing_to_bundle_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        bundle.write(tmp_path / "receipt.json", None)

"""R-H1: a decision is bound to the reviewed bytes, changes nothing else, and never overturns a safety failure."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from steps import documents, layout, records
from steps.errors import UsageError
from steps.reporting import review

sys.path.insert(0, str(layout.ROOT / "tests" / "qualify"))
import good  # the small complete batch that qualification's tests use

PENDING = records.solution_digest({"solution.ts": f"// {good.REVIEWED}, attempt 1\n".encode()})


@pytest.fixture(scope="module")
def undecided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A batch in which one solution needs review and nobody has decided yet."""
    folder = tmp_path_factory.mktemp("good")
    good.make(folder)
    path = folder / good.BATCH_ID / "receipt.json"
    documents.write_atomic(path, {**documents.read(path), "reviewDecisions": []})
    return path.parent


@pytest.fixture
def receipt(undecided: Path, tmp_path: Path) -> Path:
    """Its receipt, in a copy that a test may change."""
    return Path(shutil.copytree(undecided, tmp_path / undecided.name)) / "receipt.json"


def call(receipt: Path, capsys: pytest.CaptureFixture, accept: str = "", reviewer: str = "") -> tuple[int, dict, str]:
    code = review.run(receipt, accept=accept, reviewer=reviewer)
    shown = capsys.readouterr()
    return code, json.loads(shown.out), shown.err


def edit(path: Path, change) -> None:
    body = documents.read(path)
    change(body)
    documents.write_atomic(path, body)


def test_h1_pending_code_is_shown_with_marked_lines_and_its_digest(receipt, capsys):
    code, answer, shown = call(receipt, capsys)
    assert code == 1 and {item["solutionDigest"] for item in answer["pending"]} == {PENDING}
    assert f"> solution.ts:1    // {good.REVIEWED}, attempt 1    <- dynamic-code" in shown


def test_h1_an_accepted_decision_changes_nothing_else(receipt, capsys):
    before = documents.read(receipt)
    code, answer, _ = call(receipt, capsys, PENDING, "a maintainer")
    after = documents.read(receipt)
    assert (code, answer["recorded"], answer["pending"]) == (0, True, [])
    assert after.pop("reviewDecisions") == [
        {"solutionDigest": PENDING, "decision": "accept", "reviewer": "a maintainer"}
    ]
    before.pop("reviewDecisions")
    assert after == before


@pytest.mark.parametrize("reviewer", ["", "   ", "\t\n"])
def test_h1_an_empty_reviewer_is_refused(receipt, capsys, reviewer):
    untouched = receipt.read_bytes()
    code, answer, _ = call(receipt, capsys, PENDING, reviewer)
    assert (code, [entry["code"] for entry in answer["reasons"]]) == (1, ["review-invalid"])
    assert receipt.read_bytes() == untouched


@pytest.mark.parametrize(
    ("accept", "code"),
    [
        ("sha256:" + "0" * 64, "review-foreign"),
        ("not a digest", "review-invalid"),
        (records.solution_digest({"solution.ts": b"// storage-hash, attempt 1\n"}), "review-invalid"),
    ],
)
def test_h1_another_digest_is_refused(receipt, capsys, accept, code):
    untouched = receipt.read_bytes()
    assert [entry["code"] for entry in call(receipt, capsys, accept, "x")[1]["reasons"]] == [code]
    assert receipt.read_bytes() == untouched


def test_h1_a_second_decision_is_refused(receipt, capsys):
    call(receipt, capsys, PENDING, "one")
    assert call(receipt, capsys, PENDING, "two")[1]["reasons"][0]["code"] == "review-duplicate"


@pytest.mark.parametrize("value", ["fail", "not-observed"])
def test_h1_a_safety_failure_is_never_accepted(receipt, capsys, value):
    path = receipt.parent / "runs" / f"{good.REVIEWED}-1" / "run.json"
    edit(path, lambda run: run["attempts"][0]["safety"].update(safe=value))
    batch, runs = documents.read(receipt.parent / "batch.json"), []
    for place in sorted(receipt.parent.glob("runs/*/run.json")):
        runs.append(documents.read(place))
    documents.write_atomic(receipt, records.receipt(batch, runs, []))
    assert call(receipt, capsys, PENDING, "x")[1]["reasons"][0]["code"] == "review-unsafe"


@pytest.mark.parametrize("field", ["firstSuccesses", "finalSuccesses", "scheduled"])
def test_h1_an_edited_receipt_takes_no_decision(receipt, capsys, field):
    edit(receipt, lambda body: body.update({field: 1}))
    edited = receipt.read_bytes()
    code, answer, _ = call(receipt, capsys, PENDING, "x")
    assert (code, answer["recorded"]) == (1, False)
    assert [entry["code"] for entry in answer["reasons"]] == ["receipt-differs"]
    assert receipt.read_bytes() == edited


def test_h1_an_edited_solution_takes_no_decision(receipt, capsys):
    (receipt.parent / "runs" / f"{good.REVIEWED}-1" / "attempt-1" / "solution" / "solution.ts").write_text("// other\n")
    assert call(receipt, capsys, PENDING, "x")[1]["reasons"][0]["code"] == "solution-differs"


def test_hostile_source_cannot_write_to_the_terminal(receipt, capsys):
    """Security row 40: escapes and bidirectional marks in stored code are shown, not performed."""
    found = review.evidences.read(receipt)
    attempt = {**review.waiting(found)[0][1], "diagnostics": []}
    shown = "\n".join(review._attempt("k", attempt, {"solution.ts": "// \x1b[2J \u202e x\n".encode()}))
    assert "\x1b" not in shown and "\u202e" not in shown and "\\u001b" in shown and "\\u202e" in shown


def test_nothing_to_review_without_a_batch(tmp_path):
    with pytest.raises(UsageError):
        review.run(tmp_path / "receipt.json", accept="", reviewer="")

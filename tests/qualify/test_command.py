"""`doit qualify`: exit codes, outputs, and who may call the pure function with which list of scripted runners."""

from __future__ import annotations

import ast
import inspect
import json
import shutil
from dataclasses import replace

import pytest
from good import BATCH_ID, make

from steps import documents, errors, layout, records, schema
from steps.errors import UsageError
from steps.judging import judge_candidate, qualify_command, rederive


@pytest.fixture
def batch(tmp_path, monkeypatch):
    """A copy of the good batch, and the derived side in place of this checkout's, which has another suite."""
    derived = make(tmp_path)
    monkeypatch.setattr(qualify_command.inputs, "trees", lambda: derived.trees)
    monkeypatch.setattr(
        rederive,
        "checkout",
        lambda _evidence, _trees: replace(derived, analyses={}, verdicts={}, fresh={}, consumer=None),
    )
    monkeypatch.setattr(rederive, "attempts", lambda _evidence, _base, seed, _say: replace(derived, fresh_seed=seed))
    return tmp_path / BATCH_ID / "receipt.json"


def run(capsys, receipt, *, archives=None, expect=None, digests_only=False):
    code = qualify_command.run(receipt, archives, expect=expect, digests_only=digests_only)
    out, err = capsys.readouterr()
    (line,) = out.splitlines()
    return code, json.loads(line), err


def codes(decided):
    return {reason["code"] for reason in decided["reasons"]}


def test_i1_a_locally_made_batch_is_a_self_test_and_nothing_else(batch, capsys):
    code, decided, _ = run(capsys, batch)
    assert (code, decided["qualified"], codes(decided)) == (errors.JUDGED_NO, False, {"self-test"})


def test_i1_the_expected_sole_reason_exits_0_and_still_says_not_qualified(batch, capsys):
    code, decided, err = run(capsys, batch, expect="self-test")
    assert (code, decided["qualified"]) == (errors.DONE, False)
    assert "not qualified" in err


def test_i1_a_second_reason_beside_the_expected_one_exits_1(batch, capsys):
    (batch.parent / "notes.txt").touch()
    code, decided, _ = run(capsys, batch, expect="self-test")
    assert (code, codes(decided)) == (errors.JUDGED_NO, {"self-test", "unexpected-file"})


def test_an_expected_reason_that_is_not_there_exits_1(batch, capsys):
    assert run(capsys, batch, expect="stale-suite")[0] == errors.JUDGED_NO


def test_an_unknown_expected_reason_is_a_usage_error(batch):
    with pytest.raises(UsageError, match="no reason 'selftest'"):
        qualify_command.run(batch, None, expect="selftest", digests_only=False)


def test_digests_only_can_only_say_no(batch, capsys, monkeypatch):
    monkeypatch.setattr(rederive, "scripted_runners", frozenset)
    assert run(capsys, batch)[:2] == (errors.DONE, {"qualified": True, "reasons": []})
    code, decided, _ = run(capsys, batch, digests_only=True)
    assert (code, codes(decided)) == (errors.JUDGED_NO, {"not-rederived"})


def test_i1_no_receipt_is_not_qualified_and_leaves_no_file(tmp_path, capsys):
    code, decided, _ = run(capsys, tmp_path / "nowhere" / "receipt.json")
    assert (code, codes(decided)) == (errors.JUDGED_NO, {"receipt-missing"})
    assert not list(tmp_path.iterdir())


def test_e5_the_receipt_of_a_batch_that_never_opened_gives_its_reason(tmp_path, capsys):
    receipt = records.not_run_receipt(BATCH_ID, "2026-11-30T12:00:00.000Z", 18, "no runner configuration")
    documents.write_atomic(tmp_path / BATCH_ID / "receipt.json", receipt)
    _, decided, err = run(capsys, tmp_path / BATCH_ID / "receipt.json")
    assert codes(decided) == {"not-run"}
    assert "no runner configuration" in err


def test_i1_the_decision_is_kept_beside_the_receipt_and_fits_its_schema(batch, capsys):
    _, decided, _ = run(capsys, batch)
    assert schema.load(batch.parent / "qualification.json", "qualification") == decided
    assert run(capsys, batch)[1] == decided


def test_a_folder_that_cannot_be_written_is_judged_and_printed_only(batch, capsys, monkeypatch):
    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(documents, "write_atomic", refuse)
    code, decided, err = run(capsys, batch)
    assert (code, codes(decided)) == (errors.JUDGED_NO, {"self-test"})
    assert "printed only" in err


def test_i2_i5_people_read_counts_with_denominators_reasons_actions_and_the_notice(batch, capsys):
    _, decided, err = run(capsys, batch)
    assert "first successes 17/18, final successes 18/18, unsupported references in final attempts 0" in err
    assert "derived again: 19/19 attempts, fresh seed " in err
    assert decided["reasons"][0]["next"] in err
    assert records.NOTICE in err


def test_i3_another_record_of_the_archives_is_held_against_the_batch(batch, capsys, tmp_path):
    other = tmp_path / "reviewed.json"
    body = json.loads((batch.parent / "archives.json").read_bytes())
    documents.write_atomic(other, body)
    assert codes(run(capsys, batch, archives=other)[1]) == {"self-test"}
    documents.write_atomic(other, {**body, "model": {"id": "another", "settings": {}}})
    assert codes(run(capsys, batch, archives=other)[1]) == {"self-test", "archives-record-differs"}
    assert codes(run(capsys, batch, archives=tmp_path / "missing.json")[1]) == {"file-missing"}


def test_a_bug_while_judging_is_not_taken_for_an_answer(batch, monkeypatch):
    def broken(*_):
        raise KeyError("a bug")

    monkeypatch.setattr(qualify_command.qualify, "qualify", broken)
    with pytest.raises(KeyError):
        qualify_command.run(batch, None, expect=None, digests_only=False)
    assert not (batch.parent / "qualification.json").exists()


def test_hostile_text_in_evidence_reaches_no_terminal_as_it_is(batch, capsys):
    body = json.loads((batch.parent / "batch.json").read_bytes())
    body["config"]["executable"] = "\u001b[2Jrunner\u202e\nqualified"
    documents.write_atomic(batch.parent / "batch.json", body)
    (batch.parent / "\u001b[31mfile\nqualified").touch()
    _, decided, err = run(capsys, batch)
    assert {"plan-differs", "unexpected-file"} <= codes(decided)
    assert not {"\u001b", "\u202e"} & set(err + json.dumps(decided))
    assert "\nqualified" not in err


def calls(name):
    """(module, arguments as source) of every call of a function of that name in steps/."""
    found = []
    for path in sorted((layout.ROOT / "steps").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == name:
                found.append((path.stem, [ast.unparse(argument) for argument in node.args], node.keywords))
    return found


def test_i3_no_command_environment_or_config_reaches_an_empty_list_of_scripted_runners():
    """The list is an argument of the pure function alone; the one caller in steps/ passes the repository's own."""
    assert calls("qualify") == [("qualify_command", ["evidence", "derived", "rederive.scripted_runners()"], [])]
    assert not inspect.signature(rederive.scripted_runners).parameters
    source = inspect.getsource(rederive.scripted_runners) + inspect.getsource(layout)
    assert "RUNNERS" in inspect.getsource(rederive.scripted_runners)
    assert "os.environ" not in inspect.getsource(rederive)
    assert "FIXTURES = ROOT /" in source and "ROOT = Path(__file__)" in source


def test_i3_every_scripted_runner_and_the_missing_image_are_signs_of_a_self_test(tmp_path, monkeypatch):
    signs = rederive.scripted_runners()
    files = [
        path for path in (layout.FIXTURES / "runners").rglob("*") if path.is_file() and "__pycache__" not in str(path)
    ]
    assert len(files) > 10
    assert judge_candidate.NO_IMAGE in signs
    assert len(signs) > len({path.read_bytes() for path in files if path.stat().st_size})
    monkeypatch.setenv("APPKIT_EVAL_STATE", str(tmp_path))
    shutil.copytree(layout.FIXTURES / "runners", tmp_path / "runners")
    assert rederive.scripted_runners() == signs

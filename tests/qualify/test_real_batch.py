"""A real self-test batch, derived again: a self-test and nothing else; without that sign, qualified (R-I1 to R-I3).

Real runners, collector, analyser and graders make the batch; only the suite's own tests are not run before it opens.
"""

from __future__ import annotations

import json
import shutil
import uuid

import pytest
from honest import Batch

from steps import inputs, layout, suite
from steps.clock import Clock
from steps.judging import evidence, qualify, qualify_command, rederive
from steps.running import batch, journal, opening, run

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("real-batch")]

FIRST_FAILS = "core-validation-1"  # the run that the cases of fixtures/evidence take for the repaired one
CONFIG = {
    "launcher": "local",
    "executable": "fixtures/runners/self_test.py",
    "args": ["fixtures/solutions", f"{FIRST_FAILS}=reject-first-issue"],
    "expectedRunner": {"name": "scripted-runner", "version": "1"},
    "expectedModel": {"id": "authored-solutions", "settings": {}},
    "submissionTimeoutMs": 120000,
    "batchTimeoutMs": 3600000,
}


@pytest.fixture(scope="module")
def made(prepared, tmp_path_factory):
    """(folder, decision of the command, derived): made once, as `doit batch` and `doit qualify` do."""
    assert prepared.path.is_dir()
    home = tmp_path_factory.mktemp("real")
    (home / "runner.json").write_text(json.dumps(CONFIG))
    folder = home / f"20261130T120000Z-{uuid.uuid4()}"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "_require_tested", lambda _suite: None)
        patch.setattr(layout, "INDEX", home / "index.jsonl")
        plan = opening.build(str(home / "runner.json"), folder.name, folder, layout.ROOT, Clock())
        for slot in journal.slots(plan, folder):
            run.run_slot(slot, folder, layout.ROOT)
        batch.seal(folder, "the test ended")
    decided, derived = qualify_command.judge(evidence.read(folder / "receipt.json"), digests_only=False)
    return folder, decided, derived


def test_i1_the_self_test_batch_completes_with_a_repair_and_is_a_self_test_and_nothing_else(made):
    folder, decided, derived = made
    receipt = json.loads((folder / "receipt.json").read_bytes())
    assert (receipt["completed"], receipt["firstSuccesses"], receipt["finalSuccesses"]) == (True, 17, 18)
    assert [entry["code"] for entry in decided["reasons"]] == ["self-test"], decided["reasons"]
    assert len(derived.verdicts) == len(derived.fresh) == 19


def test_i1_seen_without_the_list_of_scripted_runners_the_same_bytes_qualify(made):
    folder, _, derived = made
    found = evidence.read(folder / "receipt.json")
    assert qualify.qualify(found, derived, frozenset()) == {"qualified": True, "reasons": []}


def test_i3_every_mutation_adds_exactly_its_reasons_to_a_real_batch(made, tmp_path):
    folder, _, derived = made
    cases = {file.stem: suite.read_yaml(file) for file in sorted((layout.FIXTURES / "evidence").glob("*.yaml"))}
    wrong, tried = {}, 0
    for name, case in cases.items():
        if case.get("only") == "synthetic":
            continue
        home = tmp_path / name
        changed = Batch(shutil.copytree(folder, home / folder.name), derived)
        changed.apply(case)
        found = evidence.read(changed.root / "receipt.json")
        decided = qualify.qualify(found, changed.derived, changed.scripted)
        if {entry["code"] for entry in decided["reasons"]} != set(case["reasons"]):
            wrong[name] = decided["reasons"][:5]
        shutil.rmtree(home)
        tried += 1
    assert not wrong
    assert tried > 140


def test_i3_a_solution_that_nobody_authored_is_never_executed_here(made, tmp_path):
    folder, _, _ = made
    copy = shutil.copytree(folder, tmp_path / folder.name)
    (solution,) = (copy / "runs" / "storage-hash-1" / "attempt-1" / "solution").glob("*")
    solution.write_text(solution.read_text() + "\n// not the authored one\n")
    found = evidence.read(copy / "receipt.json")
    jobs, missing = rederive.jobs_of(found, rederive.checkout(found, inputs.trees()))
    assert "storage-hash-1/attempt-1" not in {job.key for job in jobs}
    assert set(missing) == {"storage-hash-1/attempt-1"}
    assert "never executed" in missing["storage-hash-1/attempt-1"]


def test_b4_one_byte_of_a_prompt_names_the_file_and_taken_back_all_is_as_before(made, monkeypatch):
    folder, decided, derived = made
    trees = json.loads(json.dumps(derived.trees))
    trees["suite"]["files"]["tasks/core-validation/prompt.md"][2] = "sha256:" + "0" * 64
    monkeypatch.setattr(inputs, "trees", lambda: trees)
    found = evidence.read(folder / "receipt.json")
    again, underived = qualify_command.judge(found, digests_only=False)
    assert [entry["code"] for entry in again["reasons"]] == ["stale-suite", "self-test"]
    assert again["reasons"][0]["sentence"].endswith(": ~tasks/core-validation/prompt.md")
    assert not underived.verdicts, "what would be derived would be another suite's"
    assert qualify.qualify(found, derived, rederive.scripted_runners()) == decided

"""How attempts, runs and the receipt follow from bytes: rows R-E2 to R-E6, R-F2, R-I2."""

from __future__ import annotations

import copy

import pytest

from steps import digest, records, schema, suite

BATCH_ID = "20261130T120000Z-00000000-0000-4000-8000-000000000000"
IDENTITY = (BATCH_ID, "core-validation", 1)
DIGEST = "sha256:" + "0" * 64
ANALYSIS = {
    "unsupportedApiCount": 0,
    "hallucinatedApiCount": 0,
    "needsReview": False,
    "reviewReasons": {},
    "diagnosticCategories": [],
    "diagnostics": [],
    "contract": {"missing": [], "mismatched": [], "any": []},
    "integration": [{"symbols": ["f"], "satisfied": True}],
    "importViolations": [],
}
VERDICT = {"assertions": {"a": True, "safe": True}, "safety": {"safe": "pass"}, "scenarios": []}
CLAIMED = {
    "attempt": 1,
    "elapsedMs": 10,
    "usage": None,
    "endedBy": None,
    "detail": "",
    "extraFiles": {"count": 0, "names": []},
    "protected": {"before": DIGEST, "after": DIGEST},
}
RUN_CLAIMED = {
    "segment": "1",
    "startedAt": "2026-11-30T12:00:00Z",
    "endedAt": "2026-11-30T12:00:01Z",
    "observed": {"runner": None, "model": None, "identity": "none"},
    "infrastructure": {"state": "ok", "detail": ""},
    "endedBy": None,
}
FILES = {"solution.ts": b"export {};\n"}


def attempt(claimed=CLAIMED, files=FILES, analysis=ANALYSIS, verdict=VERDICT, **changes):
    return records.attempt_record(
        {**claimed, **changes}, IDENTITY, files, analysis, verdict, suite=suite.load(), texts={"a": "fixed text"}
    )


def run(*attempts, n=1, task="core-validation", **changes):
    return records.run_record(BATCH_ID, task, n, {**RUN_CLAIMED, **changes}, list(attempts))


def batch():
    return {
        "batchId": BATCH_ID,
        "openedAt": "2026-11-30T12:00:00Z",
        "schedule": [{"taskId": t, "repetition": n} for t, n in suite.load().schedule],
    }


def receipt(runs):
    return records.receipt(batch(), runs, [])


def eighteen():
    return [run(attempt(), n=n, task=task) for task, n in suite.load().schedule]


def test_a_right_attempt_passes_and_fits_the_schema():
    assert attempt()["passed"] and attempt()["failureCategory"] is None
    assert schema.faults(run(attempt()), "run") == []


@pytest.mark.parametrize(
    ("change", "category"),
    [
        ({"verdict": {**VERDICT, "assertions": {"a": False, "safe": True}}}, "failed-checks"),
        ({"verdict": {**VERDICT, "assertions": {}}}, "failed-checks"),
        ({"verdict": {**VERDICT, "safety": {"safe": "fail"}}}, "failed-checks"),
        ({"verdict": {**VERDICT, "safety": {"safe": "not-observed"}}}, "failed-checks"),
        ({"verdict": {**VERDICT, "safety": {"safe": "not-applicable"}}}, "failed-checks"),
        ({"verdict": None}, "verifier-no-verdict"),
        ({"analysis": None, "verdict": None}, "analysis"),
        ({"analysis": {**ANALYSIS, "diagnosticCategories": ["type"]}}, "failed-checks"),
        ({"analysis": {**ANALYSIS, "contract": {"missing": ["f"], "mismatched": [], "any": []}}}, "failed-checks"),
        ({"analysis": {**ANALYSIS, "integration": [{"symbols": ["f"], "satisfied": False}]}}, "failed-checks"),
        ({"analysis": {**ANALYSIS, "importViolations": [{}]}}, "failed-checks"),
        ({"analysis": {**ANALYSIS, "unsupportedApiCount": 1}}, "failed-checks"),
        ({"protected": {"before": DIGEST, "after": DIGEST[:-1] + "1"}}, "protected-changed"),
        ({"endedBy": "timeout", "files": None, "analysis": None, "verdict": None, "protected": None}, "timeout"),
    ],
)
def test_f4_nothing_short_of_everything_is_a_pass(change, category):
    record = attempt(**change)
    assert record["failureCategory"] == category
    assert record["passed"] is False


def test_e3_only_a_submitted_first_attempt_gets_feedback():
    wrong = {**VERDICT, "assertions": {"a": False, "safe": True}}
    assert "fixed text" in attempt(verdict=wrong)["feedback"]
    assert attempt(verdict=wrong, attempt=2)["feedback"] is None
    assert attempt()["feedback"] is None
    for category in ("timeout", "refusal", "invalid-response", "collection", "protected-changed"):
        assert attempt(endedBy=category, files=None, analysis=None, verdict=None)["feedback"] is None


def test_feedback_is_bounded_and_stays_utf8():
    many = [
        {"file": "solution.ts", "line": n, "category": "type", "code": "TS1", "message": "é" * 2000} for n in range(50)
    ]
    text = attempt(analysis={**ANALYSIS, "diagnosticCategories": ["type"], "diagnostics": many})["feedback"]
    assert len(text.encode()) <= suite.load().limits["feedbackBytes"]


def test_the_seed_cannot_be_chosen_and_differs_between_attempts():
    first, second = attempt()["seed"], attempt(attempt=2)["seed"]
    other = attempt(files={"solution.ts": b"export {}; \n"})["seed"]
    assert len({first, second, other}) == 3
    assert first == records.seed_of(*IDENTITY, 1, records.solution_digest(FILES))


def test_e2_the_denominator_stays_and_totals_follow_from_attempts():
    result = receipt(eighteen())
    assert (result["scheduled"], result["firstSuccesses"], result["finalSuccesses"]) == (18, 18, 18)
    assert result["completed"] and schema.faults(result, "receipt") == []


def test_a_repaired_run_is_a_final_success_only():
    runs = eighteen()
    wrong = attempt(verdict={**VERDICT, "assertions": {"a": False, "safe": True}})
    runs[0] = run(wrong, attempt(attempt=2))
    assert (receipt(runs)["firstSuccesses"], receipt(runs)["finalSuccesses"]) == (17, 18)


@pytest.mark.parametrize("ended", records.LOST)
def test_e5_a_lost_run_leaves_the_batch_incomplete(ended):
    runs = eighteen()
    runs[3] = run(n=runs[3]["repetition"], task=runs[3]["taskId"], endedBy=ended)
    result = receipt(runs)
    assert result["completed"] is False and result["status"] == "incomplete"
    assert (result["scheduled"], result["finalSuccesses"]) == (18, 17)


def test_a_missing_run_is_never_a_success():
    assert receipt(eighteen()[:-1])["completed"] is False
    assert receipt([])["finalSuccesses"] == 0
    assert records.final_success(run()) is False


def test_e6_failed_runs_do_not_make_a_batch_incomplete():
    runs = [
        run(attempt(endedBy="timeout", files=None, analysis=None, verdict=None), n=n, task=t)
        for t, n in suite.load().schedule
    ]
    assert receipt(runs)["completed"] is True
    assert receipt(runs)["finalSuccesses"] == 0


def test_the_receipt_depends_on_every_byte_of_the_plan():
    changed = copy.deepcopy(batch())
    changed["schedule"][0]["repetition"] = 2
    assert records.receipt(batch(), [], [])["batchDigest"] != records.receipt(changed, [], [])["batchDigest"]
    assert digest.of_json(batch()) == records.receipt(batch(), [], [])["batchDigest"]

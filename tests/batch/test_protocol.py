"""R-J1, R-J2 and security row 42: what is asked of a runner, and what counts as its answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steps.errors import AttemptFailed, Refusal
from steps.layout import FIXTURES
from steps.running import config, protocol

CONFIG = config.load(FIXTURES / "runners" / "self-test.yaml", {})
TASK = {"id": "core-validation", "allowedOutputPaths": ["solution.ts"]}
LIMIT = 65536
R_J1 = {
    "schemaVersion", "runId", "taskId", "taskText", "consumerDir", "outputDir", "allowedOutputPaths", "attempt",
    "timeBudgetMs",
}  # fmt: skip


def request(**changes: Any) -> dict[str, Any]:
    fields = {
        "run": "batch/core-validation-1",
        "task": TASK,
        "text": "Write it.",
        "consumer_dir": "/consumer",
        "output_dir": "/solution",
        "attempt": 1,
        "time_budget_ms": 1000,
        "feedback": None,
    }
    return protocol.request(**{**fields, **changes})


def response(**changes: Any) -> dict[str, Any]:
    return {
        "schemaVersion": 1,
        "runId": "batch/core-validation-1",
        "taskId": "core-validation",
        "status": "completed",
        "runner": CONFIG.expectedRunner,
        "model": CONFIG.expectedModel,
        **changes,
    }


def parse(data: Any) -> protocol.Response:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return protocol.parse_response(raw, request(), CONFIG, max_bytes=LIMIT)


def test_j1_a_request_has_exactly_the_fields_of_the_guide() -> None:
    assert set(request()) == R_J1
    assert set(request(attempt=2, feedback="types: …")) == R_J1 | {"feedback"}


@pytest.mark.parametrize("changes", [{"attempt": 3}, {"time_budget_ms": 0}, {"text": ""}])
def test_j1_a_request_outside_the_protocol_is_never_sent(changes: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        request(**changes)


def test_j2_a_proper_response_is_accepted_and_its_scores_are_ignored() -> None:
    plain = parse(response())
    scored = parse(response(scores={"passed": True}, assertions={"a": True}, usage={"inputTokens": 5}))
    assert (scored.runner, scored.model) == (plain.runner, plain.model)
    assert not {"scores", "assertions"} & set(vars(scored))
    assert scored.usage == {"inputTokens": 5}


def raw(text: str) -> bytes:
    return text.encode()


WRONG: dict[str, tuple[Any, str]] = {
    "nothing": (b"", "invalid-response"),
    "prose": (b"done", "invalid-response"),
    "a list": (b"[]", "invalid-response"),
    "two objects": (raw(json.dumps(response()) * 2), "invalid-response"),
    "trailing text": (raw(json.dumps(response()) + "ok"), "invalid-response"),
    "a key twice": (raw(json.dumps(response())[:-1] + ', "status": "failed"}'), "invalid-response"),
    "NaN": (raw(json.dumps(response(usage={"a": float("nan")}))), "invalid-response"),
    "infinite by exponent": (raw(json.dumps(response())[:-1] + ', "usage": {"a": 1e999}}'), "invalid-response"),
    "a BOM": (b"\xef\xbb\xbf" + json.dumps(response()).encode(), "invalid-response"),
    "UTF-16": (json.dumps(response()).encode("utf-16"), "invalid-response"),
    "bad UTF-8": (json.dumps(response()).encode()[:-1] + b', "x": "\xff"}', "invalid-response"),
    "a lone surrogate": (raw(json.dumps(response(note="\ud800"))), "invalid-response"),
    "nested too deep": (
        raw(json.dumps(response())[:-1] + ', "x": ' + "[" * 5000 + "]" * 5000 + "}"),
        "invalid-response",
    ),
    "too long": (response(note="x" * LIMIT), "invalid-response"),
    "version 2": (response(schemaVersion=2), "invalid-response"),
    "version true": (response(schemaVersion=True), "invalid-response"),
    "no status": ({k: v for k, v in response().items() if k != "status"}, "invalid-response"),
    "another status": (response(status="passed"), "invalid-response"),
    "a long usage": (response(usage={"text": "free text"}), "invalid-response"),
    "another run": (response(runId="batch/core-validation-2"), "response-mismatch"),
    "another task": (response(taskId="storage-hash"), "response-mismatch"),
    "failed": (response(status="failed"), "refusal"),
    "failed by another model": (response(status="failed", model={"id": "x", "settings": {}}), "refusal"),
    "another runner": (response(runner={"name": "x", "version": "1"}), "runner-mismatch"),
    "another model": (response(model={"id": "x", "settings": {}}), "model-mismatch"),
    "other settings": (response(model={**CONFIG.expectedModel, "settings": {"a": 1}}), "model-mismatch"),
}


@pytest.mark.parametrize("name", WRONG)
def test_j2_a_wrong_response_is_a_failed_attempt_of_its_category(name: str) -> None:
    data, category = WRONG[name]
    with pytest.raises(AttemptFailed) as failure:
        parse(data)
    assert failure.value.category == category
    assert "\n" not in failure.value.detail


def test_j2_settings_are_compared_as_json_not_as_python() -> None:
    strict = config.check(
        {
            **{key: getattr(CONFIG, key) for key in ("launcher", "executable", "args", "expectedRunner")},
            "expectedModel": {"id": "m", "settings": {"seed": 1}},
            "submissionTimeoutMs": 1,
            "batchTimeoutMs": 1,
        },
        where="x",
    )
    for other in (True, 1.0, "1"):
        answer = json.dumps(response(model={"id": "m", "settings": {"seed": other}})).encode()
        with pytest.raises(AttemptFailed, match="model-mismatch"):
            protocol.parse_response(answer, request(), strict, max_bytes=LIMIT)


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_j2_no_bytes_crash_the_parser(data: bytes) -> None:
    with pytest.raises(AttemptFailed):
        parse(data)
    assert protocol.claimed_identity(data, LIMIT) == (None, None)


@given(st.data())
def test_j2_cutting_or_doubling_a_response_is_never_accepted(data: st.DataObject) -> None:
    whole = json.dumps(response()).encode()
    cut = data.draw(st.integers(0, len(whole) - 1))
    for broken in (whole[:cut], whole + whole[cut:]):
        with pytest.raises(AttemptFailed):
            parse(broken)

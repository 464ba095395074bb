"""Host acceptance: what is not exactly a verdict is a failed attempt (security 3.7, row 24)."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from steps.errors import AttemptFailed, Infrastructure
from steps.grading.launch import STDOUT_BYTES, Launched
from steps.grading.verdict import accept_verdict

TASK = {"id": "toy", "assertionIds": ["a", "b"], "safetyAssertionIds": ["b"]}
GOOD: dict[str, Any] = {
    "schemaVersion": 1,
    "nonce": "n" * 32,
    "taskId": "toy",
    "seed": 7,
    "assertions": {"a": False, "b": True},
    "safety": {"b": "pass"},
    "scenarios": [{"name": "one", "outcome": "judged", "failed": ["a"]}],
}


def accept(stdout: bytes, returncode: int | None = 0) -> dict[str, Any]:
    return accept_verdict(Launched(returncode, stdout, b"why\n"), nonce="n" * 32, seed=7, task=TASK)


def line(body: Any) -> bytes:
    return json.dumps(body).encode() + b"\n"


def test_k3_the_one_good_line_is_accepted_without_its_nonce() -> None:
    assert accept(line(GOOD)) == {key: value for key, value in GOOD.items() if key != "nonce"}


@pytest.mark.parametrize("returncode", [1, 70, 137, 143, -9, None, 2])
def test_e4_any_other_exit_code_is_a_failed_attempt_even_with_a_perfect_line(returncode: int | None) -> None:
    with pytest.raises(AttemptFailed) as caught:
        accept(line(GOOD), returncode)
    assert caught.value.category == "verifier-no-verdict"


def test_e5_a_failure_before_go_is_infrastructure_and_names_its_reason() -> None:
    with pytest.raises(Infrastructure, match="why"):
        accept(b"", 71)


RAW = {
    "nothing": b"",
    "no newline": line(GOOD)[:-1],
    "two lines": line(GOOD) * 2,
    "a line before": b"hello\n" + line(GOOD),
    "blank line after": line(GOOD) + b"\n",
    "two objects in one line": line(GOOD)[:-1] + line(GOOD),
    "a key twice": line(GOOD).replace(b'"a": false', b'"a": false, "a": true'),
    "NaN": line(GOOD).replace(b"7", b"NaN", 1),
    "UTF-16": json.dumps(GOOD).encode("utf-16") + b"\n",
    "a BOM": b"\xef\xbb\xbf" + line(GOOD),
    "bad UTF-8": line(GOOD).replace(b"one", b"\xff\xfe"),
    "a list": b"[]\n",
    "empty object": b"{}\n",
    "deep nesting": b"[" * 100_000 + b"]" * 100_000 + b"\n",
    "too long": b'"' + b"x" * STDOUT_BYTES + b'"\n',
    "a lone surrogate": line(GOOD).replace(b"one", b"\\ud800"),
}


@pytest.mark.parametrize("name", RAW)
def test_k3_bytes_that_are_no_single_strict_json_line_fail(name: str) -> None:
    with pytest.raises(AttemptFailed):
        accept(RAW[name])


def edit(*path: str | int, value: Any = None, drop: bool = False) -> Callable[[], dict[str, Any]]:
    """GOOD with the value at `path` replaced or dropped."""

    def made() -> dict[str, Any]:
        body: Any = copy.deepcopy(GOOD)
        at = body
        for key in path[:-1]:
            at = at[key]
        if drop:
            del at[path[-1]]
        else:
            at[path[-1]] = value
        return body

    return made


EDITS = {
    "wrong nonce": edit("nonce", value="m" * 32),
    "no nonce": edit("nonce", drop=True),
    "null nonce": edit("nonce", value=None),
    "another task": edit("taskId", value="other"),
    "another seed": edit("seed", value=8),
    "seed as a float": edit("seed", value=7.0),
    "unknown version": edit("schemaVersion", value=2),
    "version as true": edit("schemaVersion", value=True),
    "an id less": edit("assertions", "a", drop=True),
    "an id more": edit("assertions", "c", value=True),
    "no ids": edit("assertions", value={}),
    "true as text": edit("assertions", "a", value="true"),
    "true as 1": edit("assertions", "a", value=1),
    "null": edit("assertions", "a", value=None),
    "a safety id less": edit("safety", value={}),
    "a safety id more": edit("safety", "a", value="fail"),
    "an unknown safety value": edit("safety", "b", value="ok"),
    "safety as boolean": edit("safety", "b", value=True),
    "safety against its assertion": edit("safety", "b", value="fail"),
    "a field more": edit("score", value=1),
    "no scenarios": edit("scenarios", drop=True),
    "an unknown outcome": edit("scenarios", 0, "outcome", value="fine"),
}


@pytest.mark.parametrize("name", EDITS)
def test_k3_a_verdict_with_one_thing_wrong_fails(name: str) -> None:
    with pytest.raises(AttemptFailed):
        accept(line(EDITS[name]()))

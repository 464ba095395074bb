"""Host acceptance of a verdict: one function decides, and everything that is not a verdict is a failed attempt.

security.md 3.7: exit code, exactly one line, strict JSON, nonce, exact id sets, real booleans.
"""

from __future__ import annotations

from typing import Any

from steps import documents, schema
from steps.errors import AttemptFailed, Infrastructure, Refusal
from steps.grading.launch import STDOUT_BYTES, Launched

BROKEN_BEFORE_GO = 71  # graders/verifier/main.mjs: nothing of the submission had been loaded
CATEGORY = "verifier-no-verdict"


def accept_verdict(launched: Launched, *, nonce: str, seed: int, task: dict[str, Any]) -> dict[str, Any]:
    """The verdict without its nonce. Raises AttemptFailed, or Infrastructure for a failure before the go barrier."""
    if launched.returncode == BROKEN_BEFORE_GO:
        raise Infrastructure(f"the verifier could not start: {_last_line(launched.stderr)}")
    if launched.returncode != 0:
        raise AttemptFailed(CATEGORY, f"the verifier ended with {launched.returncode}")
    if not launched.stdout.endswith(b"\n") or launched.stdout.count(b"\n") != 1:
        raise AttemptFailed(CATEGORY, "the verifier did not print exactly one line")
    try:
        body = documents.parse_strict(launched.stdout, where="verdict", max_bytes=STDOUT_BYTES)
    except Refusal as refusal:
        raise AttemptFailed(CATEGORY, str(refusal)) from refusal
    if not isinstance(body, dict) or body.pop("nonce", None) != nonce:
        raise AttemptFailed(CATEGORY, "the verdict does not carry this attempt's nonce")
    fault = next(iter(schema.faults(body, "verdict")), None) or _fault(body, seed, task)
    if fault:
        raise AttemptFailed(CATEGORY, fault)
    return body


def _fault(body: dict[str, Any], seed: int, task: dict[str, Any]) -> str | None:
    """What contradicts the task or itself. The schema has checked the shape before."""
    if type(body["seed"]) is not int or (body["taskId"], body["seed"]) != (task["id"], seed):
        return "the verdict is for another task or seed"
    for field, declared in (("assertions", "assertionIds"), ("safety", "safetyAssertionIds")):
        if set(body[field]) != set(task[declared]):
            return f"the ids of {field} are not those of task.json"
    if any(type(value) is not bool for value in body["assertions"].values()):
        return "an assertion is no boolean"
    if any((value == "pass") != body["assertions"][name] for name, value in body["safety"].items()):
        return "a safety value contradicts its assertion"
    return None


def _last_line(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:500] if lines else "no reason given"

"""The vendor-neutral runner protocol: the request on stdin, exactly one JSON object back on stdout (R-J1, R-J2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from steps import documents, schema
from steps.errors import AttemptFailed, Refusal, printable
from steps.running.config import Config


@dataclass(frozen=True)
class Response:
    """What a runner claims. Nothing here is evidence of a provider (R-K6), and no score is ever read (R-J2)."""

    runner: dict[str, str]
    model: dict[str, Any]
    usage: dict[str, Any] | None


def run_id(batch_id: str, task_id: str, repetition: int) -> str:
    """The id that request and response share."""
    return f"{batch_id}/{task_id}-{repetition}"


def request(
    *,
    run: str,
    task: dict[str, Any],
    text: str,
    consumer_dir: str,
    output_dir: str,
    attempt: int,
    time_budget_ms: int,
    feedback: str | None,
) -> dict[str, Any]:
    """The request: exactly the fields of R-J1, `feedback` only where there is some."""
    body = {
        "schemaVersion": 1,
        "runId": run,
        "taskId": task["id"],
        "taskText": text,
        "consumerDir": consumer_dir,
        "outputDir": output_dir,
        "allowedOutputPaths": task["allowedOutputPaths"],
        "attempt": attempt,
        "timeBudgetMs": time_budget_ms,
    }
    if feedback:
        body["feedback"] = feedback
    return schema.check(body, "request", where="request")


def parse_response(data: bytes, asked: dict[str, Any], config: Config, *, max_bytes: int) -> Response:
    """The response in `data`, or AttemptFailed with the category that says what is wrong with it.

    Order: one strict object; the ids asked for; a refusal; then who ran. A refusal by another model is still a refusal.
    """
    body = _one_object(data, max_bytes)
    for key in ("runId", "taskId"):
        if body[key] != asked[key]:
            raise AttemptFailed("response-mismatch", f"{key} is {_short(body[key])}, not the one of the request")
    if body["status"] == "failed":
        raise AttemptFailed("refusal", "the runner reports status failed")
    if body["runner"] != config.expectedRunner:
        raise AttemptFailed("runner-mismatch", f"answered by {_short(body['runner'])}, not by the expected runner")
    if not _same(body["model"], config.expectedModel):
        raise AttemptFailed("model-mismatch", f"answered by {_short(body['model'])}, not by the expected model")
    return Response(body["runner"], body["model"], body.get("usage"))


def claimed_identity(data: bytes, max_bytes: int) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """(runner, model) as far as a response names them, for the record of a run that failed; (None, None) otherwise."""
    try:
        body = _one_object(data, max_bytes)
    except AttemptFailed:
        return None, None
    return body["runner"], body["model"]


def _one_object(data: bytes, max_bytes: int) -> dict[str, Any]:
    try:
        body = documents.parse_strict(data, where="response", max_bytes=max_bytes)
        return schema.check(body, "response", where="response")
    except Refusal as refusal:
        raise AttemptFailed("invalid-response", refusal.what[:500]) from refusal


def _same(left: Any, right: Any) -> bool:
    """Equal as JSON: `True` is not `1`, `1.0` is not `1`."""
    return documents.canonical(left) == documents.canonical(right)


def _short(value: Any) -> str:
    return printable(documents.canonical(value).decode())[:300]

"""Live evidence is derived again in the verifier image it names, and nowhere else (R-I3)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from steps import documents, layout, records, suite
from steps.grading import grade
from steps.isolation import rootfs
from steps.judging import rederive
from steps.judging.derived import Derived
from steps.judging.evidence import Evidence
from steps.packing.consumer import Consumer

TASK = suite.load().tasks[0]
BATCH = "20261130T120000Z-00000000-0000-4000-8000-000000000000"
FRESH = 99


def evidence(prepared: Consumer, image: str | None, files: dict[str, bytes]) -> Evidence:
    """A live batch with one attempt, as far as deriving reads it."""
    attempt = {"attempt": 1, "behavior": {}, "safety": {}}
    run = {"batchId": BATCH, "taskId": TASK, "repetition": 1, "attempts": [attempt]}
    recorded = {"lockDigest": prepared.lock_digest, "treeDigest": prepared.tree_digest}
    config = {
        "launcher": "docker",
        "runtimePath": "/nonexistent/docker",
        "verifierImage": image,
        "runnerImage": image,
        "executable": f"/{rootfs.NODE}",
        "args": [],
    }
    return Evidence(
        BATCH,
        documents={"batch": {"batchId": BATCH, "config": config, "inputs": {"consumer": recorded}}},
        lock=documents.read_bytes(layout.CONSUMER_LOCK),
        archives={path.name: path.read_bytes() for path in layout.ARCHIVES.iterdir()},
        runs={f"{TASK}-1": run},
        solutions={f"{TASK}-1/attempt-1": files},
    )


def derive(found: Evidence) -> Derived:
    loaded = suite.load()
    task = suite.load_task(loaded.task_dir(TASK))
    base = Derived(loaded, {TASK: task}, {}, {}, {}, {}, {})
    return rederive.attempts(found, base, FRESH, lambda _: None)


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """A right solution that no fixture holds: only a container may execute it."""
    case = sorted((layout.FIXTURES / "solutions" / TASK).glob("accept-*"))[0]
    allowed = suite.load_task(suite.load().task_dir(TASK))["allowedOutputPaths"]
    found = {path: (case / path).read_bytes() for path in allowed if (case / path).is_file()}
    return {path: data + b"\n// by nobody of ours\n" for path, data in found.items()}


def test_i3_a_live_attempt_is_analysed_and_graded_in_the_recorded_image(
    prepared: Consumer, verifier_image: str, files: dict[str, bytes], tmp_path: Path
) -> None:
    derived, key = derive(evidence(prepared, verifier_image, files)), f"{TASK}-1/attempt-1"
    assert derived.missing == {}
    assert (list(derived.runner["files"]), derived.runner["selfTestLabel"]) == ([f"/{rootfs.NODE}"], False)
    assert derived.runner_unseen == ""
    assert derived.analyses[key]["solutionDigest"] == records.solution_digest(files)
    for path, data in files.items():
        documents.write_atomic(tmp_path / path, data)
    seed = records.seed_of(BATCH, TASK, 1, 1, records.solution_digest(files))
    where = suite.load().task_dir(TASK)
    assert derived.verdicts[key] == grade.grade(prepared.path, where, tmp_path, seed)
    assert all(derived.fresh[key]["assertions"].values())


def refused(derived: Derived) -> str:
    assert (derived.analyses, derived.verdicts, derived.fresh) == ({}, {}, {})
    return derived.missing[""]


def test_i3_without_its_image_nothing_is_derived(engine: Any, prepared: Consumer, files: dict[str, bytes]) -> None:
    absent = "localhost:5151/appkit-eval/absent@sha256:" + "ab" * 32
    assert "the image is not on this machine" in refused(derive(evidence(prepared, absent, files)))
    assert "no verifier" in refused(derive(evidence(prepared, None, files)))
    unseen = derive(evidence(prepared, absent, files))
    assert (unseen.runner, "the image is not on this machine" in unseen.runner_unseen) == (None, True)


def test_i3_an_image_without_the_recorded_executable_is_not_taken_for_one_that_is_absent(
    prepared: Consumer, verifier_image: str, files: dict[str, bytes]
) -> None:
    found = evidence(prepared, verifier_image, files)
    found.batch["config"]["executable"] = "/opt/agent"
    seen = rederive.runner_of(found)
    assert (seen["runner"]["files"], seen["runner"]["refused"]) == ({}, "the executable cannot be run")


def test_i3_without_an_engine_nothing_is_derived(
    engine: Any, verifier_image: str, prepared: Consumer, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nonexistent/docker.sock")
    assert "does not answer" in refused(derive(evidence(prepared, verifier_image, files)))

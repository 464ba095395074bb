"""A small complete batch that qualifies, made by the builders of records.py, and the derived side that belongs to it.

Its analyses and verdicts are not those of real tools: the checks compare, and what they compare is given here. The same
mutations are applied to a real batch in test_real_batch.py.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from steps import digest, documents, records, suite
from steps.judging.derived import Derived

BATCH_ID = "20261130T120000Z-00000000-0000-4000-8000-000000000000"
OPENED, DEADLINE = "2026-11-30T12:00:00.000Z", "2026-11-30T13:00:00.000Z"
REPAIRED = ("core-validation", 1)
REVIEWED = "react-form"
RUNNER = {"name": "runner", "version": "1"}
MODEL = {"id": "model", "settings": {}}
SHA = "sha256:" + "0" * 64
SOURCE = "fixtures/appkit"
ANALYSIS = {
    "schemaVersion": 1,
    "toolchain": {"typescript": "6.0.3", "analyserDigest": SHA, "consumerLockDigest": SHA, "catalogDigest": SHA},
    "solutionDigest": SHA,
    "imports": [],
    "importViolations": [],
    "unsupportedApiCount": 0,
    "hallucinatedApiCount": 0,
    "unsupported": [],
    "hallucinated": [],
    "integration": [{"symbols": ["f"], "mode": "all", "satisfied": True, "detail": ""}],
    "uses": {},
    "contract": {"missing": [], "mismatched": [], "any": []},
    "diagnostics": [],
    "diagnosticCategories": [],
    "needsReview": False,
    "reviewReasons": {},
    "emitted": [],
}
VERDICT = {
    "assertions": {"right": True, "safe": True},
    "safety": {"safe": "pass"},
    "scenarios": [{"name": "one", "outcome": "judged", "failed": []}],
}
TASK = {
    "allowedOutputPaths": ["solution.ts", "extra.ts"],
    "assertionIds": ["right", "safe"],
    "safetyAssertionIds": ["safe"],
}


def make(folder: Path) -> Derived:
    """Write the batch below `folder` (its name becomes the batch id) and return the derived side."""
    root = folder / BATCH_ID
    fixed = suite.load()
    trees = {
        name: _tree(root, name, path)
        for name, path in (("suite", "tasks/suite.yaml"), ("evaluator", "graders/a.mjs"), ("machinery", "steps/cli.py"))
    }
    toolchain = {"node": "24.0.0", "npm": "11.0.0", "typescript": "6.0.3", "lockDigest": SHA}
    archives, lock = _archives(root, fixed.archives, toolchain)
    consumer = {"lockDigest": lock, "treeDigest": SHA}
    batch = _batch(
        fixed, {**trees, "consumer": consumer, "runnerFiles": {"runner": SHA}, "toolchain": toolchain}, archives
    )
    documents.write_atomic(root / "batch.json", batch)
    derived = Derived(
        suite=fixed,
        tasks={task: {**TASK, "id": task} for task in fixed.tasks},
        texts={task: {"right": "It was not right."} for task in fixed.tasks},
        trees=trees,
        toolchain=toolchain,
        catalog=archives["catalog"],
        packages={file: [package, "1.0.0"] for package, file in fixed.archives.items()},
        source=SHA,
        consumer=consumer,
        fresh_seed=7,
    )
    runs = [_run(root, derived, task, n) for task, n in fixed.schedule]
    review = [
        {
            "solutionDigest": records.solution_digest({"solution.ts": _source(REVIEWED, 1)}),
            "decision": "accept",
            "reviewer": "a maintainer",
        }
    ]
    documents.write_atomic(root / "receipt.json", records.receipt(batch, runs, review))
    return derived


def _tree(root: Path, name: str, path: str) -> dict[str, Any]:
    documents.write_atomic(root / "inputs" / path, f"{name}\n".encode())
    files = digest.tree(root / "inputs", [root / "inputs" / path])
    return {"digest": digest.of_json(files), "files": files}


def _archives(root: Path, named: dict[str, str], toolchain: dict[str, str]) -> tuple[dict[str, Any], str]:
    entries, packages = [], {}
    for package, file in named.items():
        data = package.encode()
        documents.write_atomic(root / "archives" / file, data)
        entry = {
            "package": package,
            "version": "1.0.0",
            "file": file,
            "bytes": len(data),
            "sha256": digest.of_bytes(data),
            "integrity": digest.integrity(data),
        }
        entries.append(entry)
        packages[f"node_modules/{package}"] = {"integrity": entry["integrity"]}
    lock = documents.pretty({"packages": packages})
    documents.write_atomic(root / "consumer-lock.json", lock)
    record = {
        "schemaVersion": 1,
        "archives": entries,
        "source": {"kind": "checkout", "path": SOURCE, "digest": SHA},
        "catalog": dict.fromkeys(named, SHA),
        "toolchain": toolchain,
        "images": None,
        "runner": RUNNER,
        "model": MODEL,
        "consumerLockDigest": digest.of_bytes(lock),
    }
    documents.write_atomic(root / "archives.json", record)
    return record, digest.of_bytes(lock)


def _batch(fixed: suite.Suite, inputs: dict[str, Any], archives: dict[str, Any]) -> dict[str, Any]:
    return {
        "schemaVersion": 1,
        "batchId": BATCH_ID,
        "openedAt": OPENED,
        "deadline": DEADLINE,
        "schedule": [{"taskId": task, "repetition": n} for task, n in fixed.schedule],
        "config": {
            "launcher": "local",
            "executable": "runner",
            "args": [],
            "envAllowlist": [],
            "expectedRunner": RUNNER,
            "expectedModel": MODEL,
            "submissionTimeoutMs": 1000,
            "batchTimeoutMs": 3_600_000,
            "runtimePath": None,
            "runnerImage": None,
            "verifierImage": None,
        },
        "inputs": inputs,
        "archivesDigest": digest.of_json(archives),
    }


def _source(task: str, attempt: int) -> bytes:
    return f"// {task}, attempt {attempt}\n".encode()


def _run(root: Path, derived: Derived, task: str, n: int) -> dict[str, Any]:
    key, folder = f"{task}-{n}", root / "runs" / f"{task}-{n}"
    claim = {"segment": "one", "startedAt": OPENED}
    documents.write_atomic(
        folder / "started.json", {"schemaVersion": 1, "batchId": BATCH_ID, "taskId": task, "repetition": n, **claim}
    )
    attempts = []
    for number in (1, 2) if (task, n) == REPAIRED else (1,):
        failing = (task, n, number) == (*REPAIRED, 1)
        attempts.append(_attempt(folder, derived, (BATCH_ID, task, n), number, failing))
    claimed = {
        **claim,
        "endedAt": DEADLINE,
        "observed": {"runner": RUNNER, "model": MODEL, "identity": "claimed"},
        "infrastructure": {"state": "ok", "detail": ""},
        "endedBy": None,
    }
    run = records.run_record(BATCH_ID, task, n, claimed, attempts)
    documents.write_atomic(root / "runs" / key / "run.json", run)
    return run


def _attempt(
    folder: Path, derived: Derived, identity: tuple[str, str, int], number: int, failing: bool
) -> dict[str, Any]:
    key, task = f"{folder.name}/attempt-{number}", identity[1]
    files = {"solution.ts": _source(task, number)}
    analysis, verdict = copy.deepcopy(ANALYSIS), copy.deepcopy(VERDICT)
    if task == REVIEWED:
        analysis |= {"needsReview": True, "reviewReasons": {"dynamic-code": ["solution.ts:1:1"]}}
    if failing:
        verdict["assertions"]["right"] = False
    for path, data in files.items():
        documents.write_atomic(folder / f"attempt-{number}" / "solution" / path, data)
    documents.write_atomic(folder / f"attempt-{number}" / "analysis.json", analysis)
    derived.analyses[key], derived.verdicts[key], derived.fresh[key] = analysis, verdict, copy.deepcopy(verdict)
    claimed = {
        "attempt": number,
        "elapsedMs": 5,
        "usage": None,
        "endedBy": None,
        "detail": "",
        "extraFiles": {"count": 0, "names": []},
        "protected": {"before": SHA, "after": SHA},
    }
    return records.attempt_record(
        claimed, identity, files, analysis, verdict, suite=derived.suite, texts=derived.texts[task]
    )


def read(path: Path) -> Any:
    """Any JSON, also what the strict parser refuses."""
    return json.loads(path.read_bytes())

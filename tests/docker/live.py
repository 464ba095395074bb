"""A live batch as `doit batch` makes it, step by step: the same commands, a state folder of its own, a real engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from steps import documents, layout, suite

# The suite's own tests are another matter and take minutes: what opens here is not made to wait for them.
OPEN = """
import fcntl, json, sys
from steps import layout
from steps.running import batch, opening
opening._require_tested = lambda _suite: None
layout.EVIDENCE.mkdir(parents=True, exist_ok=True)
with layout.LOCK.open("w") as handle:
    fcntl.flock(handle, fcntl.LOCK_EX)
    print(json.dumps(batch.open_batch(sys.argv[1], resume=sys.argv[2:] == ["--resume"])))
"""


class State:
    """`.verification` of one test: its own evidence, this checkout's build and caches."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.evidence = home / "agent-eval"
        for name in ("build", "consumers", "toolchain"):
            (home / name).symlink_to(layout.STATE / name)

    @property
    def batch(self) -> Path:
        return (self.evidence / "current").resolve()

    def environment(self, **more: str) -> dict[str, str]:
        return {**os.environ, "APPKIT_EVAL_STATE": str(self.home), "APPKIT_EVAL_SELECTED": '["batch"]',
                "APPKIT_EVAL_SEGMENT": "the-test", **more}  # fmt: skip

    def open(self, config: dict[str, Any], *words: str, **more: str) -> dict[str, Any]:
        """The answer of batch-open: progress, or the summary of a batch that did not run."""
        file = self.home / "runner.json"
        documents.write_atomic(file, config)
        done = subprocess.run(
            [sys.executable, "-c", OPEN, str(file), *words], cwd=layout.ROOT, env=self.environment(**more),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def start(self, task: str, repetition: int, **more: str) -> subprocess.Popen[str]:
        """One run, executed by the frozen copy."""
        frozen = {"PYTHONPATH": str(self.evidence / "current" / "inputs"), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-P", "-m", "steps.cli", "batch-run", task, str(repetition)]
        return subprocess.Popen(
            command, cwd=layout.ROOT, env=self.environment(**frozen, **more), text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip

    def run(self, task: str, repetition: int, **more: str) -> subprocess.CompletedProcess[str]:
        child = self.start(task, repetition, **more)
        out, err = child.communicate()
        return subprocess.CompletedProcess(child.args, child.returncode, out, err)

    def run_all(self) -> list[subprocess.CompletedProcess[str]]:
        """The whole schedule, two runs at a time, as doit does it."""
        with ThreadPoolExecutor(max_workers=2) as pool:
            return list(pool.map(lambda slot: self.run(*slot), suite.load().schedule))

    def seal(self, because: str = "") -> dict[str, Any]:
        """The receipt: of all runs, or of those that there were."""
        words = ["batch-not-run", f"--reason={because}"] if because else ["batch-receipt"]
        return json.loads(self.call(*words).stdout)

    def call(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Any other step."""
        command = [sys.executable, "-P", "-m", "steps.cli", *words]
        return subprocess.run(
            command, cwd=layout.ROOT, env=self.environment(**more), capture_output=True, text=True, check=False
        )


def runner_json(runner: str, verifier: str, **changes: Any) -> dict[str, Any]:
    """The file that an operator writes."""
    return {
        "executable": "/usr/local/bin/node",
        "args": ["/opt/agent/agent.mjs", "/opt/agent/answers"],
        "envAllowlist": [],
        "expectedRunner": {"name": "answering-agent", "version": "2.0.1"},
        "expectedModel": {"id": "fixed-answers", "settings": {}},
        "submissionTimeoutMs": 120_000,
        "batchTimeoutMs": 7_200_000,
        "runtimePath": os.environ.get("APPKIT_TEST_DOCKER_CLI") or "/usr/local/bin/docker",
        "runnerImage": runner,
        "verifierImage": verifier,
        **changes,
    }

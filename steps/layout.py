"""Every path of the project, once, and the schedule that tasks/suite.yaml fixes. Standard library only."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TASKS = ROOT / "tasks"
GRADERS = ROOT / "graders"
SCHEMAS = ROOT / "schemas"
FIXTURES = ROOT / "fixtures"
SUITE = TASKS / "suite.yaml"

# A run executes the frozen copy of the code inside its batch folder; its state stays in the checkout.
STATE = Path(os.environ.get("APPKIT_EVAL_STATE") or ROOT / ".verification")
DOIT_DB = STATE / "doit.json"
# Another candidate than the stand-in gets a build folder of its own: a path to a checkout or to archives.
CANDIDATE = os.environ.get("APPKIT_EVAL_CANDIDATE") or str(FIXTURES / "appkit")
_STAND_IN = str(FIXTURES / "appkit")
_OTHER = "".join(c if c.isalnum() else "-" for c in CANDIDATE)[-60:]
_KEY = f"-{_OTHER}" if CANDIDATE != _STAND_IN else ""
BUILD = STATE / f"build{_KEY}"  # stamps and archives that any machine can make again
TOOLCHAIN = STATE / "toolchain"
CONSUMERS = STATE / "consumers"  # disposable, keyed by the lock's digest
ARCHIVES = BUILD / "archives"
EVIDENCE = STATE / "agent-eval"
CURRENT = EVIDENCE / "current"
INDEX = EVIDENCE / "index.jsonl"
LOCK = EVIDENCE / ".lock"

SUITE_STAMP = BUILD / "suite.json"
CONSUMER_LOCK = BUILD / "consumer-lock.json"
ARCHIVES_STAMP = BUILD / "archives.json"


def stamp(task: str) -> Path:
    """Where `test_graders` leaves its result for one task."""
    return BUILD / "graders" / f"{task}.json"


def run_dir(batch: Path, task: str, repetition: int) -> Path:
    """`runs/<task>-<n>`, n from 1 (R-F1)."""
    return batch / "runs" / f"{task}-{repetition}"


def attempt_dir(run: Path, attempt: int) -> Path:
    """`attempt-<k>`, k is 1 or 2 (R-F1)."""
    return run / f"attempt-{attempt}"


def files_under(*folders: Path) -> list[str]:
    """All regular files below the folders, sorted, without caches and installed or built output."""
    skipped = {"__pycache__", "node_modules", "dist"}
    return sorted(
        str(path)
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and not skipped.intersection(path.relative_to(folder).parts)
    )

"""What bytes and this checkout say about a batch, as a value: the other side of every comparison in qualification."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from steps.suite import Suite


@dataclass(frozen=True)
class Derived:
    """Made by steps/judging/rederive.py alone; keys of attempts are those of Evidence."""

    suite: Suite
    tasks: dict[str, dict[str, Any]]  # task.json by id
    texts: dict[str, dict[str, str]]  # feedback sentences by task and assertion id
    trees: dict[str, dict[str, Any]]  # suite, evaluator, machinery as they are now
    toolchain: dict[str, str]
    catalog: dict[str, str]  # package to digest, read out of the kept archives
    packages: dict[str, list[str]]  # archive file to the package name and version inside it
    source: str | None = None  # digest of the candidate's sources now, when they lie in this repository
    consumer: dict[str, str] | None = None  # lockDigest and treeDigest of the consumer prepared again
    analyses: dict[str, dict[str, Any] | None] = field(default_factory=dict)  # None: the analyser gave up again
    verdicts: dict[str, dict[str, Any] | None] = field(default_factory=dict)  # None: no verdict again
    fresh: dict[str, dict[str, Any] | None] = field(default_factory=dict)  # verdicts with `fresh_seed`
    fresh_seed: int = 0
    runner: dict[str, Any] | None = None  # `files` and `selfTestLabel` read out of the runner image again
    runner_unseen: str = ""  # why a live batch's runner image was not read again
    missing: dict[str, str] = field(default_factory=dict)  # attempt, or "" for all, to why it was not derived

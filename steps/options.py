"""Options of doit's tasks: each described once, spelled `--name=value`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from doit import task_params

HELP = {
    "candidate": "a checkout or two .tgz instead of the stand-in",
    "out": "FILE or folder to write",
    "runner-config": "FILE: the reviewed runner",
    "task": "ID of the task",
    "seeds": "how many seeds for each right solution; 200 when absent",
    "solution": "file to try; it is never evidence",
    "receipt": "FILE instead of the current batch's",
    "archives": "FILE: archives.json, when not beside the receipt",
    "expect-unqualified": "CODE: exit 0 only if this is the sole reason",
    "bundle": "FILE made by `doit bundle`",
    "accept": "digest of the solution to accept",
    "reviewer": "who accepts it",
    "a": "a batch folder",
    "b": "another batch folder; `current` is the newest",
}
FLAGS = {
    "resume": "finish runs that never started",
    "digests-only": "quick; can only say no",
    "json": "one JSON line on stdout",
    "anyway": "show counts that were not measured alike",
}


def takes(*names: str) -> Callable[[Callable], Callable]:
    """Gives a task creator these options; its parameters are the names with underscores."""
    return task_params([_option(name) for name in names])


def _option(name: str) -> dict[str, Any]:
    described = {"name": name.replace("-", "_"), "long": name}
    if name in FLAGS:
        return {**described, "type": bool, "default": False, "help": FLAGS[name]}
    return {**described, "default": "", "help": HELP[name]}


def words(**given: str | bool) -> list[str]:
    """`--name=value` for every option that was given, `--name` for every flag that was set."""
    spelled = {name.replace("_", "-"): value for name, value in given.items() if value}
    return [f"--{name}" if value is True else f"--{name}={value}" for name, value in spelled.items()]

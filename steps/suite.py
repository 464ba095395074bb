"""Loads the suite and its tasks: checked data, no judgement. The lints are in steps/authoring/check_suite.py."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from steps import layout, schema
from steps.errors import Refusal


@dataclass(frozen=True)
class Suite:
    """`tasks/suite.yaml`; field meanings stand in schemas/suite.schema.json."""

    tasks: tuple[str, ...]
    repetitions: int
    attempts: int
    thresholds: dict[str, int]
    limits: dict[str, int]
    candidate: dict[str, Any]
    consumer: dict[str, Any]
    folder: Path

    @property
    def schedule(self) -> list[tuple[str, int]]:
        """(task id, repetition from 1) of all first submissions: 6 x 3 = 18 (R-E2)."""
        return [(task, n) for task in self.tasks for n in range(1, self.repetitions + 1)]

    @property
    def packages(self) -> list[str]:
        """npm names of the candidate's packages."""
        return [package["name"] for package in self.candidate["packages"]]

    @property
    def archives(self) -> dict[str, str]:
        """npm name to archive file name."""
        return {package["name"]: package["archive"] for package in self.candidate["packages"]}

    def task_dir(self, task: str) -> Path:
        """The folder of one task; Refusal when the suite has no such task."""
        if task not in self.tasks:
            raise Refusal(f"no task {task!r}", where=str(self.folder), expected=f"one of {', '.join(self.tasks)}")
        return self.folder / task


def read_yaml(path: Path) -> Any:
    """One YAML document by the safe loader, duplicate keys refused; Refusal with line and column otherwise."""
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        _refuse_duplicates(node, path)
        return yaml.safe_load(text)
    except OSError as error:
        raise Refusal(f"cannot be read ({error.strerror})", where=str(path), expected="a YAML file") from error
    except UnicodeDecodeError as error:
        raise Refusal("not UTF-8", where=str(path), expected="a YAML file in UTF-8") from error
    except yaml.YAMLError as error:
        raise Refusal(f"not valid YAML: {' '.join(str(error).split())}", where=str(path)) from error


def _refuse_duplicates(node: Any, path: Path) -> None:
    import yaml

    if isinstance(node, yaml.MappingNode):
        keys = [key.value for key, _ in node.value]
        for key, value in node.value:
            if keys.count(key.value) > 1:
                raise Refusal(f"the key {key.value!r} stands twice", where=f"{path}:{key.start_mark.line + 1}")
            _refuse_duplicates(value, path)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _refuse_duplicates(value, path)


@cache
def load(path: Path = layout.SUITE) -> Suite:
    """The suite, checked against its schema."""
    body = dict(schema.check(read_yaml(path), "suite", where=str(path)))
    del body["schemaVersion"]
    return Suite(**{**body, "tasks": tuple(body["tasks"])}, folder=path.parent)


def load_task(folder: Path) -> dict[str, Any]:
    """`task.json` of any task folder, checked against its schema; safety ids must be declared assertions."""
    task = schema.load(folder / "task.json", "task")
    undeclared = set(task["safetyAssertionIds"]) - set(task["assertionIds"])
    if undeclared:
        raise Refusal(
            f"safetyAssertionIds names {', '.join(sorted(undeclared))}, which assertionIds does not",
            where=str(folder / "task.json"),
            expected="a subset of assertionIds",
        )
    return task

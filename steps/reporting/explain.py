"""`doit explain`: what is fresh and what is stale, which file made it so, and what that means for stored batches.

Advice for people, made from digests alone: it runs nothing, believes no verdict and is no part of the evidence.
Reverting the bytes makes everything fresh again, because only bytes are looked at.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from steps import digest, documents, graph, inputs, layout
from steps.errors import Refusal, printable
from steps.packing import pack
from steps.reporting import effects

SHOWN = 12  # changed files listed per stage or batch


def changes(recorded: dict[str, list], live: dict[str, list]) -> list[dict[str, Any]]:
    """`{file, old, new}` for every path whose kind, exec bit or bytes differ; null where it does not exist."""
    return [
        {"file": path, "old": _short(recorded.get(path)), "new": _short(live.get(path))}
        for path in sorted(recorded.keys() | live.keys())
        if list(recorded.get(path, ())) != list(live.get(path, ()))
    ]


def _short(entry: list | None) -> str | None:
    return None if entry is None else f"{entry[2][:19]}{' (executable)' if entry[1] else ''}"


def stages() -> list[dict[str, Any]]:
    """Each stage of the graph by doit's own records: a cache, so a missing record reads as never run."""
    database = documents.read(layout.DOIT_DB) if layout.DOIT_DB.is_file() else {}
    return [_stage(name, files, target, database.get(name, {})) for name, files, target in _graph()]


def _graph() -> Iterator[tuple[str, list[str], Path]]:
    everything = layout.files_under(layout.TASKS, layout.SCHEMAS, layout.GRADERS, layout.FIXTURES / "solutions")
    yield "check_suite", [*everything, *graph.JUDGING], layout.SUITE_STAMP
    yield "pack", [*graph.candidate_files(), str(layout.SUITE), *graph.JUDGING], layout.ARCHIVES_STAMP
    yield (
        "consumer",
        [str(layout.ARCHIVES_STAMP), *layout.files_under(layout.TASKS), *graph.JUDGING],
        layout.CONSUMER_LOCK,
    )
    for task in graph.TASKS:
        yield f"test_graders:{task}", [*graph.grader_files(task), *graph.JUDGING], layout.stamp(task)


def _stage(name: str, files: list[str], target: Path, record: dict[str, Any]) -> dict[str, Any]:
    recorded = {path: state for path, state in record.items() if isinstance(state, list) and path.startswith("/")}
    live = {path: _entry(path) for path in {*files, *recorded} if Path(path).is_file()}
    changed = changes(recorded, live) if recorded else []
    for change in changed:
        change["file"] = _relative(change["file"])
    state = "never run" if not recorded or not target.exists() else "stale" if changed else "fresh"
    return {"stage": name, "state": state, "changed": changed}


_ENTRIES: dict[str, list] = {}


def _entry(path: str) -> list:
    if path not in _ENTRIES:
        _ENTRIES[path] = digest.entry(path)
    return _ENTRIES[path]


def _relative(path: str) -> str:
    return Path(path).relative_to(layout.ROOT).as_posix() if Path(path).is_relative_to(layout.ROOT) else path


def batches(trees: dict[str, Any], toolchain: dict[str, str]) -> list[dict[str, Any]]:
    """Every stored batch, oldest first, against what is here now."""
    folders = sorted(path for path in layout.EVIDENCE.glob("*-*") if path.is_dir() and not path.is_symlink())
    current = layout.CURRENT.resolve().name if layout.CURRENT.is_symlink() else ""
    return [{**_batch(folder, trees, toolchain), "current": folder.name == current} for folder in folders]


def _never_opened(folder: Path) -> dict[str, Any]:
    """A folder without a plan: a batch that could not open and says so, or one that nobody can read."""
    try:
        reason = documents.read(folder / "receipt.json")["reason"]
    except (Refusal, KeyError, TypeError) as error:
        return {"batch": folder.name, "state": "unreadable", "why": str(error), "changed": [], "other": [], "runs": []}
    return {"batch": folder.name, "state": "not-run", "why": str(reason), "changed": [], "other": [], "runs": []}


def _batch(folder: Path, trees: dict[str, Any], toolchain: dict[str, str]) -> dict[str, Any]:
    if not (folder / "batch.json").exists():
        return _never_opened(folder)
    try:
        batch = documents.read(folder / "batch.json")
        recorded, schedule = batch["inputs"], [(entry["taskId"], entry["repetition"]) for entry in batch["schedule"]]
        changed = [
            {**change, "tree": name}
            for name in ("suite", "evaluator")
            for change in changes(recorded[name]["files"], trees[name]["files"])
        ]
        other = _other_inputs(folder, recorded, toolchain)
    except (Refusal, KeyError, TypeError) as error:
        return {"batch": folder.name, "state": "unreadable", "why": str(error), "changed": [], "other": [], "runs": []}
    paths = [change["file"] for change in changed]
    runs = [f"{task}-{n}" for task, n in schedule] if other else effects.runs_reached(paths, schedule)
    return {
        "batch": folder.name,
        "state": "stale" if changed or other else "fresh",
        "changed": changed,
        "other": other,
        "runs": runs,
        "previews": sorted({effects.of(path).preview for path in paths}),
    }


def _other_inputs(folder: Path, recorded: dict[str, Any], toolchain: dict[str, str]) -> list[str]:
    """Inputs that are no file of suite or evaluator: toolchain, candidate, runner."""
    found = [
        f"{name}: {recorded['toolchain'].get(name)} -> {value}"
        for name, value in toolchain.items()
        if recorded["toolchain"].get(name) != value
    ]
    archives = documents.read(folder / "archives.json")
    source, place = archives["source"], archives["source"]["path"]
    if place is not None:
        now = _source_now(layout.ROOT / place)
        if now != source["digest"]:
            found.append(f"candidate {place}: {_brief(source['digest'])} -> {_brief(now)}")
    for name, was in recorded["runnerFiles"].items():
        path = layout.ROOT / name
        now = digest.of_file(path) if path.is_file() else None
        if now != was:
            found.append(f"runner {name}: {_brief(was)} -> {_brief(now)}")
    return found


@cache
def _source_now(place: Path) -> str | None:
    """Many batches have one candidate: its tree is read once in a call."""
    return pack.source_digest(place) if place.is_dir() else None


def _brief(value: str | None) -> str:
    return value[:19] if value else "missing"


def explain() -> dict[str, Any]:
    """`{stages, batches}` as `--json` prints it."""
    return {"schemaVersion": 1, "stages": stages(), "batches": batches(inputs.trees(), inputs.toolchain())}


def run(*, as_json: bool) -> None:
    """Text for people on stderr, or the whole answer as one JSON line on stdout."""
    found = explain()
    if as_json:
        sys.stdout.write(json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n")
        return
    lines = ["stages (doit's cache, no evidence)"]
    for stage in found["stages"]:
        lines.append(f"  {stage['state']:<10} {stage['stage']}")
        lines += _changed_lines(stage["changed"])
    lines.append("stored batches (by their bytes against what is here now)")
    for batch in found["batches"] or [None]:
        lines += ["  none"] if batch is None else list(_batch_lines(batch))
    sys.stderr.write("\n".join(lines) + "\n")


def _changed_lines(changed: list[dict[str, Any]]) -> list[str]:
    lines = [f"             {c['file']}: {c['old'] or 'absent'} -> {c['new'] or 'absent'}" for c in changed[:SHOWN]]
    return lines + ([f"             and {len(changed) - SHOWN} more"] if len(changed) > SHOWN else [])


def _batch_lines(batch: dict[str, Any]) -> Iterator[str]:
    yield f"  {batch['state']:<10} {batch['batch']}{' (current)' if batch['current'] else ''}"
    if "why" in batch:
        yield f"             {printable(batch['why'])}"
    yield from _changed_lines(batch["changed"])
    yield from (f"             {line}" for line in batch["other"])
    for path in [change["file"] for change in batch["changed"]][:SHOWN]:
        effect = effects.of(path)
        yield f"             {path} reaches {effect.reaches}; {_advice(effect)}"
    if batch["state"] == "stale":
        reached = ", ".join(batch["runs"]) if len(batch["runs"]) < 18 else "all runs"
        yield f"             reached: {reached or 'no run'}"
        yield "             to qualify: put these bytes back, or run a new batch"


def _advice(effect: effects.Effect) -> str:
    if effect.preview == effects.ONLY_A_BATCH:
        return f"nothing to grade again: {effect.preview}"
    if effect.preview == effects.NO_SCORE:
        return f"the suite's digest changed, but {effect.preview}"
    return f"`doit regrade` previews {effect.preview}"

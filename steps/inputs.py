"""What a result depends on besides the candidate: the suite, the evaluator and the toolchain, digested per file.

One function makes a tree's digests for the live checkout, for the frozen copy in a batch folder and for qualification,
so that a stale file can be named (R-B4, R-I4).
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from steps import digest, layout, node
from steps.analysis import toolchain as compiler_toolchain
from steps.errors import Refusal

# The import closure of the steps that run, collect, analyse, grade and qualify. Reports, explanations, progress and
# fixtures stay out: a nicer report must not disqualify a paid batch. tests/qualify compares this with the imports.
EVALUATOR_ROOTS = (
    "running/run",
    "running/collect",
    "analysis/analyze",
    "grading/grade",
    "judging/qualify",
    "judging/rederive",
    "judging/evidence",
)
EVALUATOR_STEPS = (
    "__init__",
    "analysis/__init__",
    "analysis/analyser",
    "analysis/analyser_docker",
    "analysis/analyser_warm",
    "analysis/analyze",
    "analysis/toolchain",
    "clock",
    "digest",
    "documents",
    "errors",
    "grading/__init__",
    "grading/grade",
    "grading/judges",
    "grading/launch",
    "grading/launch_docker",
    "grading/verdict",
    "inputs",
    "interrupts",
    "isolation/__init__",
    "isolation/containers",
    "isolation/docker_stream",
    "isolation/engine",
    "isolation/seccomp",
    "judging/__init__",
    "judging/again",
    "judging/derived",
    "judging/evidence",
    "judging/judge_attempts",
    "judging/judge_candidate",
    "judging/judge_plan",
    "judging/judge_records",
    "judging/judge_results",
    "judging/qualify",
    "judging/reasons",
    "judging/rederive",
    "layout",
    "modes",
    "node",
    "packing/__init__",
    "packing/candidate",
    "packing/consumer",
    "packing/consumer_cache",
    "packing/consumer_lock",
    "packing/manifest",
    "packing/npm",
    "packing/pack",
    "packing/tarball",
    "records",
    "running/__init__",
    "running/attempt",
    "running/collect",
    "running/collect_tar",
    "running/config",
    "running/credentials",
    "running/journal",
    "running/protocol",
    "running/run",
    "running/runner",
    "running/runner_docker",
    "running/runner_image",
    "running/solution_volume",
    "running/workspace",
    "schema",
    "scratch",
    "suite",
)

# Neither holds sources; everything else below the folders counts, links included.
_SKIPPED = {"__pycache__", "node_modules"}


def _below(root: Path, folder: str) -> list[Path]:
    if not (root / folder).is_dir():
        raise Refusal("no such folder", where=str(root / folder), expected="a complete checkout")
    return [path for path in digest.walk(root / folder) if not _SKIPPED.intersection(path.relative_to(root).parts)]


def _tree(root: Path, files: list[Path]) -> dict[str, Any]:
    found = digest.tree(root, files)
    return {"digest": digest.of_json(found), "files": found}


def suite_tree(root: Path = layout.ROOT) -> dict[str, Any]:
    """`{digest, files}` of `tasks/**`, paths relative to `root`."""
    return _tree(root, _below(root, "tasks"))


def evaluator_tree(root: Path = layout.ROOT) -> dict[str, Any]:
    """`{digest, files}` of `graders/**`, `schemas/**` and EVALUATOR_STEPS."""
    steps = [root / "steps" / f"{name}.py" for name in EVALUATOR_STEPS]
    missing = [path.name for path in steps if not path.is_file()]
    if missing:
        raise Refusal(f"{', '.join(missing)} missing", where=str(root / "steps"), expected="a complete checkout")
    return _tree(root, [*_below(root, "graders"), *_below(root, "schemas"), *steps])


def machinery_tree(root: Path = layout.ROOT) -> dict[str, Any]:
    """`{digest, files}` of all other steps: what a run executes besides the evaluator, but no judgement depends on."""
    others = sorted(
        path
        for path in (root / "steps").rglob("*.py")
        if path.relative_to(root / "steps").with_suffix("").as_posix() not in EVALUATOR_STEPS
    )
    return _tree(root, others)


def trees(root: Path = layout.ROOT) -> dict[str, Any]:
    """The three trees by name, as batch.json's `inputs` holds them."""
    return {"suite": suite_tree(root), "evaluator": evaluator_tree(root), "machinery": machinery_tree(root)}


def freeze(out: Path, root: Path = layout.ROOT) -> dict[str, Any]:
    """Copy everything that a run executes to `out`, then digest the copy: what was digested is what runs.

    Returns `{"suite": tree, "evaluator": tree, "machinery": tree}`, values for batch.json's `inputs`.
    """
    for tree in trees(root).values():
        for path in tree["files"]:
            (out / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / path, out / path, follow_symlinks=False)
    return trees(out)


def toolchain() -> dict[str, str]:
    """Versions of the tools that produce evidence, and the digest of the lock that pins the analyser's compiler."""
    return {
        "node": node.version(),
        "npm": node.npm_version(),
        "typescript": compiler_toolchain.compiler_version(),
        "lockDigest": digest.of_file(layout.GRADERS / "package-lock.json"),
    }


def differing(recorded: dict[str, list], live: dict[str, list]) -> str:
    """`+added -removed ~changed` paths between two trees, as one line; empty when they are equal."""
    marks = []
    for path in sorted(recorded.keys() | live.keys()):
        if path not in recorded:
            marks.append(f"+{path}")
        elif path not in live:
            marks.append(f"-{path}")
        elif list(recorded[path]) != list(live[path]):
            marks.append(f"~{path}")
    shown = " ".join(marks[:20])
    return shown if len(marks) <= 20 else f"{shown} and {len(marks) - 20} more"

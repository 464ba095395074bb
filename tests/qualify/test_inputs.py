"""What suite, evaluator and toolchain digests cover: rows R-B4, R-I4."""

from __future__ import annotations

import ast
import os

import pytest

from steps import digest, inputs, layout
from steps.authoring import mutant_results
from steps.errors import Refusal

STEPS = layout.ROOT / "steps"
# What a person reads, and what only orders work: none of it may disqualify a paid batch.
OUTSIDE = {
    "cli",
    "graph",
    "doitkit",
    "reporter",
    "judging/qualify_command",
    "authoring/check_suite",
    "authoring/check_graders",
    "authoring/cases",
    "running/batch",
    "running/opening",
    "running/index",
    "authoring/leaks",
    "authoring/try_solution",
}


def imported(module):
    """Names of the steps that a module imports anywhere, late imports included."""
    found = set()
    for node in ast.walk(ast.parse((STEPS / f"{module}.py").read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "steps":
            wanted = [f"{node.module}.{name.name}" for name in node.names]
        elif isinstance(node, ast.Import):
            wanted = [name.name for name in node.names if name.name.startswith("steps.")]
        else:
            continue
        found |= {step for name in wanted for step in steps_of(name)}
    return found


def steps_of(name):
    """The module that a dotted name lies in or is, and the packages around it, which are imported with it."""
    parts = name.split(".")[1:]
    for n in range(len(parts) + 1):
        path = "/".join(parts[:n])
        if (STEPS / f"{path}.py").is_file():
            yield path
        elif (STEPS / path / "__init__.py").is_file():
            yield f"{path}/__init__".removeprefix("/")


def closure(roots):
    found, todo = {"__init__"}, list(roots)
    while todo:
        module = todo.pop()
        if module not in found:
            found.add(module)
            todo += imported(module)
    return found


def test_b4_the_declared_evaluator_steps_are_the_import_closure():
    assert closure(inputs.EVALUATOR_ROOTS) == set(inputs.EVALUATOR_STEPS)


def test_reports_and_orchestration_are_outside_the_evaluator():
    assert not OUTSIDE & set(inputs.EVALUATOR_STEPS)
    assert {path.relative_to(STEPS).with_suffix("").as_posix() for path in STEPS.rglob("*.py")} >= OUTSIDE


@pytest.fixture
def copy(tmp_path):
    """A small checkout with the same layout."""
    for name in inputs.EVALUATOR_STEPS:
        path = tmp_path / "steps" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tmp_path / "steps" / "report.py").write_text("a report")
    for path in ("tasks/suite.yaml", "graders/tasks/a.mjs", "schemas/a.schema.json"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    return tmp_path


def changes(copy, change):
    before = inputs.trees(copy)
    change()
    after = inputs.trees(copy)
    return {name for name in before if before[name]["digest"] != after[name]["digest"]}


def test_b4_one_byte_of_a_task_is_a_change_of_the_suite_alone(copy):
    assert changes(copy, lambda: (copy / "tasks/suite.yaml").write_text("tasks/suite.yamm")) == {"suite"}


def test_b4_one_byte_of_a_grader_is_a_change_of_the_evaluator_alone(copy):
    assert changes(copy, lambda: (copy / "graders/tasks/a.mjs").write_text("x")) == {"evaluator"}


def test_a_nicer_report_changes_neither_suite_nor_evaluator(copy):
    assert changes(copy, lambda: (copy / "steps/report.py").write_text("nicer")) == {"machinery"}


def test_an_edit_that_keeps_size_and_time_is_a_change(copy):
    path = copy / "graders/tasks/a.mjs"
    status = path.stat()

    def edit():
        path.write_text(path.read_text().replace("a.mjs", "b.mjs"))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    assert changes(copy, edit) == {"evaluator"}


def test_a_linked_folder_below_the_graders_is_a_change(copy):
    assert changes(copy, lambda: (copy / "graders" / "more").symlink_to(copy / "tasks")) == {"evaluator"}


def test_caches_and_installed_packages_are_no_change(copy):
    def install():
        for name in ("graders/node_modules/x/index.js", "graders/__pycache__/a.pyc"):
            (copy / name).parent.mkdir(parents=True)
            (copy / name).write_text("x")

    assert changes(copy, install) == set()


def test_a_missing_step_is_refused_by_name(copy):
    (copy / "steps" / "grading" / "grade.py").unlink()
    with pytest.raises(Refusal, match=r"grade\.py missing"):
        inputs.evaluator_tree(copy)


def test_freezing_copies_what_was_digested_and_nothing_else(copy, tmp_path_factory):
    out = tmp_path_factory.mktemp("frozen")
    (copy / "graders" / "node_modules").mkdir()
    (copy / "graders" / "node_modules" / "x.js").write_text("x")

    frozen = inputs.freeze(out, copy)

    assert frozen == inputs.trees(copy)
    assert {path for tree in frozen.values() for path in tree["files"]} == set(digest.tree(out))


def test_differing_marks_added_removed_and_changed_and_is_bounded():
    before = {"a": ["f", 0, "1"], "b": ["f", 0, "1"], "c": ["f", 0, "1"]}
    after = {"b": ["f", 1, "1"], "c": ["f", 0, "1"], "d": ["f", 0, "1"]}

    assert inputs.differing(before, after) == "-a ~b +d"
    assert inputs.differing({str(n): [] for n in range(30)}, {}).endswith("and 10 more")


def test_the_toolchain_names_four_identities():
    assert set(inputs.toolchain()) == {"node", "npm", "typescript", "lockDigest"}


def test_b1_a_kept_mutant_result_depends_on_no_step_outside_its_key():
    """Only `graph` is imported besides, for the stamps of another command."""
    authoring = {f"authoring/{path.stem}" for path in mutant_results.authoring_steps()}
    outside = closure(["authoring/mutant_results"]) - set(inputs.EVALUATOR_STEPS) - authoring
    assert outside == {"graph"}

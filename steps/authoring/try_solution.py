"""Shows a task author at once what analysis and grader say of one file. Never evidence, writes nothing."""

from __future__ import annotations

import sys
from pathlib import Path

from steps import digest, records, suite
from steps.analysis import analyze
from steps.authoring import check_graders
from steps.errors import DONE, JUDGED_NO, AttemptFailed, UsageError
from steps.grading import grade
from steps.packing import consumer


def solution_files(given: Path, allowed: list[str]) -> dict[str, Path]:
    """The files to submit: a single file stands for the only allowed path; a folder holds the allowed paths."""
    if given.is_dir():
        found = {path: given / path for path in allowed if (given / path).is_file()}
    else:
        same_suffix = [path for path in allowed if path == given.name] or allowed[:1]
        found = {same_suffix[0]: given} if given.is_file() else {}
    if not found:
        raise UsageError(
            "no solution here", where=f"--solution={given}", expected=f"a file, or a folder with {', '.join(allowed)}"
        )
    return found


def show(task_id: str, given: Path) -> int:
    """Print static findings, assertions and safety; exit code 0 when all hold, else 1."""
    suite_ = suite.load()
    folder = suite_.task_dir(task_id)
    task = suite.load_task(folder)
    seed = digest.seed("try", task_id)
    say = sys.stderr.write
    with check_graders.staged(solution_files(given, task["allowedOutputPaths"])) as solution, consumer.current() as at:
        try:
            analysis = analyze.analyze(at.path, folder, solution)
            verdict = grade.grade(at.path, folder, solution, seed)
        except AttemptFailed as failure:
            say(f"{task_id}: {failure}\n")
            return JUDGED_NO
    texts = grade.texts(folder)
    for item in analysis["diagnostics"]:
        say(f"  {item['file']}:{item['line']} [{item['category']}] {item['code']}: {item['message']}\n")
    for fault in records.static_faults(analysis):
        say(f"  no   static: {fault}\n")
    for reason, places in analysis["reviewReasons"].items():
        say(f"  review {reason}: {', '.join(places)}\n")
    failed = check_graders.failed_ids(verdict)
    for name in task["assertionIds"]:
        safety = f" [safety: {verdict['safety'][name]}]" if name in verdict["safety"] else ""
        say(f"  {'no  ' if name in failed else 'yes '} {name}{safety}{': ' + texts[name] if name in failed else ''}\n")
    passed = not failed and not records.static_faults(analysis)
    say(f"{task_id}: {'passes' if passed else 'does not pass'} with one seed; shown to its author, never evidence\n")
    return DONE if passed else JUDGED_NO

"""TypeScript 7's own `tsc` must find what the analyser reports: same files, lines and codes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from steps import documents, node
from steps.analysis.analyser import MAIN
from steps.analysis.analyze import Analyser

CASES = Path(__file__).parent / "cases"
# TypeScript 6 reports a missing name after `implements` twice.
ONLY_OURS = {"type-queries-and-heritage": {("solution.ts", 7, 2339)}}
LINE = re.compile(r"^cases/([^/]+)/(.+?)\((\d+),\d+\): error TS(\d+):", re.MULTILINE)
# Files that change what others see, and files whose directives the analyser disarms, cannot share a program.
APART = re.compile(r"declare (module|global)|/// <reference|@ts-|@jsx|task-contract|\}\s*\(;|createAgent\(;")


def shared_program(folder: Path, consumer: Path) -> list[Path]:
    """Lay out the cases that can share one program, beside the consumer's packages."""
    options = documents.read(MAIN.parent / "tsconfig.consumer.json")
    documents.write_atomic(folder / "tsconfig.json", {**options, "include": ["cases/**/*.ts", "cases/**/*.tsx"]})
    documents.write_atomic(folder / "package.json", {"type": "module"})
    (folder / "node_modules").symlink_to(consumer / "node_modules")
    chosen = []
    for case in sorted(path for path in CASES.iterdir() if path.is_dir()):
        texts = {path: path.read_text(encoding="utf-8-sig") for path in (case / "solution").rglob("*.ts*")}
        if any(APART.search(text) for text in texts.values()):
            continue
        chosen.append(case)
        for path, text in texts.items():
            # As deep as the analyser's overlay lies: relative paths into node_modules mean the same.
            target = folder / "cases" / case.name / path.relative_to(case / "solution")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
    return chosen


@pytest.mark.slow
def test_g3_a_second_compiler_finds_the_same(
    consumer: Path, analyser: Analyser, compiler7: Path, tmp_path: Path
) -> None:
    chosen = shared_program(tmp_path, consumer)
    assert len(chosen) > 90
    command = [str(node.binary()), str(compiler7), "--project", str(tmp_path), "--pretty", "false"]
    done = node.run(command, cwd=tmp_path, timeout=120, check=False)
    theirs: dict[str, set[tuple[str, int, int]]] = {case.name: set() for case in chosen}
    for case, file, line, code in LINE.findall(done.stdout.decode()):
        theirs[case].add((file, int(line), int(code)))
    for case in chosen:
        analysis = analyser.analyse(consumer, case, case / "solution")
        ours = {
            (each["file"], each["line"], each["code"])
            for each in analysis["diagnostics"]
            if isinstance(each["code"], int) and each["category"] != "contract"
        }
        assert ours == theirs[case.name] | ONLY_OURS.get(case.name, set()), case.name

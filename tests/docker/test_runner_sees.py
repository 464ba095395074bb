"""What an agent finds in its container: all it needs to check its own work, and nothing that judges it (R-K1, R-K5)."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import agents
import pytest

from steps import layout, suite
from steps.packing.consumer import Consumer

LONG = 60  # characters: shorter lines stand in anybody's code
# Walks everything below / but what the kernel makes up, and answers which of the lines on stdin stand where.
SCAN = """
const fs = require('node:fs'), path = require('node:path');
const wanted = new Set(JSON.parse(fs.readFileSync(0, 'utf8')));
const found = { files: 0, folders: [], hits: {}, unread: [] };
const walk = (folder) => {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (['/proc', '/sys', '/dev'].includes(place)) continue;
    if (entry.name === '.git') found.folders.push(place);
    if (entry.isDirectory()) walk(place);
    if (!entry.isFile()) continue;
    found.files += 1;
    try {
      for (const line of fs.readFileSync(place, 'latin1').split('\\n')) {
        if (wanted.has(line.trim())) (found.hits[place] ??= []).push(line.trim());
      }
    } catch (error) { found.unread.push([place, error.code]); }
  }
};
walk('/');
console.log(JSON.stringify(found));
"""
CHECK = """
const { spawnSync } = require('node:child_process');
const run = (...words) => {
  const done = spawnSync(process.execPath, words, { cwd: '/solution', encoding: 'utf8' });
  return { status: done.status, said: done.stdout + done.stderr };
};
require('node:fs').writeFileSync('/solution/try.mjs', `
  import * as made from '/solution/out/${process.argv[1]}';
  console.log(Object.keys(made).length);`);
console.log(JSON.stringify({
  types: run('/node_modules/typescript/lib/tsc.js', '--project', '/consumer/tsconfig.json', '--noEmit'),
  emitted: run('/consumer/node_modules/typescript/lib/tsc.js', '-p', '/consumer/tsconfig.json',
    '--noEmit', 'false', '--outDir', '/solution/out', '--rootDir', '/solution'),
  tried: run('/solution/try.mjs'),
  common: require('node:fs').readFileSync(`/solution/out/${process.argv[1]}`, 'utf8').includes('exports.'),
}));
"""


def secret_lines() -> list[str]:
    """Every long line of graders, authored solutions, scripted runners and this program."""
    folders = (layout.GRADERS, layout.FIXTURES / "solutions", layout.FIXTURES / "runners", layout.ROOT / "steps")
    # The compiler settings are the one grader file that an agent is to have.
    texts = [Path(name) for name in layout.files_under(*folders) if not name.endswith((".json", ".d.ts"))]
    # What the candidate's own guides show is no secret.
    shown = {line.strip() for name in layout.files_under(layout.FIXTURES / "appkit") for line in _lines(Path(name))}
    lines = {line.strip() for text in texts for line in _lines(text)} - shown
    return sorted(line for line in lines if len(line) >= LONG)


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8", errors="replace").splitlines()


def scan(made: Any) -> dict[str, Any]:
    lines = secret_lines()
    assert len(lines) > 1000
    ended = agents.run(made, json.dumps(lines).encode(), seconds=300, max_stdout=1 << 22)
    assert (ended.exit_code, ended.stopped) == (0, None), ended.stderr_tail
    return json.loads(ended.stdout)


def test_k1_no_line_of_a_grader_or_a_fixture_is_anywhere_in_the_container(
    engine, verifier_image: str, prepared: Consumer
) -> None:
    with agents.space(engine, verifier_image, prepared, SCAN) as made:
        found = scan(made)
        assert found["files"] > 5000
        assert (found["hits"], found["folders"]) == ({}, [])
        assert {code for _, code in found["unread"]} <= {"EACCES"}


def test_k1_the_scan_would_find_a_single_mounted_grader(engine, verifier_image: str, prepared: Consumer) -> None:
    with agents.space(engine, verifier_image, prepared, SCAN) as made:
        grader = layout.GRADERS / "tasks" / f"{agents.TASK}.mjs"
        more = {str(grader): "/opt/x", str(layout.ROOT / ".git"): "/.git"}
        made.spec = dataclasses.replace(made.spec, binds={**made.spec.binds, **more})
        found = scan(made)
        assert "/opt/x" in found["hits"] and "/.git" in found["folders"]


@pytest.mark.parametrize("task", ["core-validation", "react-form"])
def test_k1_an_agent_can_compile_and_run_its_own_work(
    task: str, engine, verifier_image: str, prepared: Consumer
) -> None:
    folder = suite.load().task_dir(task)
    allowed = suite.load_task(folder)["allowedOutputPaths"]
    case = sorted((layout.FIXTURES / "solutions" / task).glob("accept-*"))[0]
    start = {path: (case / path).read_bytes() for path in allowed if (case / path).is_file()}
    emitted = str(Path(allowed[0]).with_suffix(".js"))
    with agents.space(engine, verifier_image, prepared, CHECK, start=start, task=task) as made:
        made.spec = dataclasses.replace(made.spec, command=[*made.spec.command, emitted])
        ended = agents.run(made, seconds=120)
        assert ended.exit_code == 0, ended.stderr_tail
        said = json.loads(ended.stdout)
        assert said["types"] == {"status": 0, "said": ""}
        assert said["emitted"] == {"status": 0, "said": ""}
        assert said["common"] is False  # ES modules, as analyser and grader take them
        assert said["tried"]["status"] == 0 and int(said["tried"]["said"]) > 0, said["tried"]
        assert made.collect(allowed, suite.load().limits).files == start

"""The trusted JavaScript type-checks against its JSDoc, with the analyser's pinned compiler."""

from __future__ import annotations

import json
from pathlib import Path

from steps import layout, node
from steps.analysis import toolchain


def test_all_graders_type_check(tmp_path: Path) -> None:
    modules = toolchain.ready() / "node_modules"
    config = {
        "extends": str(layout.GRADERS / "tsconfig.json"),
        "compilerOptions": {
            "typeRoots": [str(modules / "@types")],
            "paths": {"typescript": [str(modules / "typescript")]},
        },
        "include": [f"{layout.GRADERS}/{folder}/**/*.mjs" for folder in ("analyser", "child", "tasks", "verifier")]
        + [str(layout.ROOT / "steps" / "**" / "*.mjs"), str(layout.GRADERS / "types.d.ts")]
        + [str(Path(__file__).parent / "toys" / "**" / "grader.mjs")],
    }
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    compiler = modules / "typescript" / "bin" / "tsc"
    done = node.run([str(node.binary()), str(compiler), "-p", str(tmp_path)], timeout=120, check=False)
    assert done.returncode == 0, done.stdout.decode()[-6000:]

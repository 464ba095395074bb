"""Commands for people: they show, compare, record a decision or try things out; nothing here makes evidence."""

from __future__ import annotations

import json as jsons
import sys
from pathlib import Path
from typing import Annotated, Any

import typer


def answer(value: dict[str, Any]) -> None:
    """The one JSON line on stdout. `{"line": ...}` is progress; anything else is the command's result."""
    sys.stdout.write(jsons.dumps(value, ensure_ascii=False) + "\n")


def canary(task: str = "", runner_config: Annotated[str, typer.Option()] = "") -> None:
    """One real run in a folder of its own; never evidence."""
    from steps.running import canary as step

    found, code = step.start(task, runner_config)
    answer(found)
    raise typer.Exit(code)


def doctor(runner_config: Annotated[str, typer.Option()] = "", json: bool = False) -> None:
    """Look at everything that a live batch needs."""
    from steps.running import doctor as step

    raise typer.Exit(step.run(runner_config, as_json=json))


def init_config(out: Annotated[str, typer.Option()] = "") -> None:
    """Write a runner.json to start from."""
    from steps.running import init_config as step

    answer(step.write(Path(out) if out else step.TARGET))


def try_solution(task: str, solution: Annotated[Path, typer.Option()] = Path()) -> None:
    """Show what analysis and grader say of one solution. Never evidence."""
    from steps.authoring import try_solution as step

    raise typer.Exit(step.show(task, solution))


def regrade(task: str, receipt: str = "") -> None:
    """Try the stored solutions of one task under today's graders. Advice only."""
    from steps.reporting import regrade as step

    raise typer.Exit(step.run(task, Path(receipt) if receipt else None))


def explain(json: bool = False) -> None:
    """Say what is stale, what made it so, and what that means for stored batches."""
    from steps.reporting import explain as step

    step.run(as_json=json)


def review(receipt: str = "", accept: str = "", reviewer: str = "") -> None:
    """Show the code that needs a person's judgement, or record that it was accepted."""
    from steps.reporting import review as step

    raise typer.Exit(step.run(Path(receipt) if receipt else None, accept=accept, reviewer=reviewer))


def compare(a: str, b: str, anyway: bool = False) -> None:
    """Show two batches side by side, if they were measured alike."""
    from steps.reporting import compare as step

    raise typer.Exit(step.run(a, b, anyway=anyway))


def bundle(receipt: str = "", out: str = "") -> None:
    """Write a batch as one file that others can judge, with an unsigned statement about it."""
    from steps.reporting import bundle as step

    raise typer.Exit(step.write(Path(receipt) if receipt else None, Path(out) if out else None))


def verify(bundle: Annotated[Path, typer.Option()]) -> None:
    """Judge a bundle that somebody else made."""
    from steps.reporting import bundle as step

    raise typer.Exit(step.verify(bundle))


COMMANDS = {
    "try": try_solution,
    "review": review,
    "regrade": regrade,
    "compare": compare,
    "explain": explain,
    "bundle": bundle,
    "verify": verify,
    "doctor": doctor,
    "canary": canary,
    "init-config": init_config,
}

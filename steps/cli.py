"""Every step as a command: `python -m steps.cli <step>`. doit and people run the identical line.

Imports stand inside the commands: a step pays only for what it uses.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from steps import cli_people, errors, layout
from steps.cli_people import answer

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, help=__doc__)

Folder = Annotated[Path, typer.Option(exists=True, file_okay=False, resolve_path=True)]


def judged_no(faults: list[str], title: str) -> NoReturn:
    """Exit 1 with every fault on stderr."""
    sys.stderr.write("".join(f"  {fault}\n" for fault in faults) + f"{title}: {len(faults)} faults\n")
    raise typer.Exit(errors.JUDGED_NO)


@app.command()
def check_suite() -> None:
    """Lint tasks, prompts, contracts, graders and cases."""
    from steps import documents, inputs
    from steps.authoring import check_suite as step
    from steps.packing import consumer

    with consumer.current() as prepared:
        faults = step.check(prepared.path)
    if faults:
        judged_no(faults, "suite")
    digests = {"suite": inputs.suite_tree()["digest"], "evaluator": inputs.evaluator_tree()["digest"]}
    documents.write_atomic(layout.SUITE_STAMP, {"schemaVersion": 1, **digests})
    answer({"line": f"suite {digests['suite'][:19]}", **digests})


@app.command()
def pack() -> None:
    """Check the candidate and pack it."""
    from steps.packing import pack as step

    archives = step.build(layout.CANDIDATE)
    answer({"line": ", ".join(f"{a['file']} {a['sha256'][:19]}" for a in archives["archives"])})


@app.command()
def consumer(out: Annotated[Path | None, typer.Option(resolve_path=True)] = None) -> None:
    """Install exactly the packed bytes; with --out, leave a prepared consumer there (the guide's prepareCandidate)."""
    from steps import suite
    from steps.packing import candidate
    from steps.packing import consumer as step

    prepared = step.build(out)
    if faults := candidate.fits(suite.load(), prepared.path):
        raise errors.Refusal(
            f"the suite does not fit the candidate: {'; '.join(faults)}",
            where=layout.CANDIDATE,
            expected="every required symbol, allowed import and peer of tasks/*/task.json",
        )
    answer({"line": f"lock {prepared.lock_digest[:19]}"})


@app.command()
def relock() -> None:
    """Resolve the consumer's registry dependencies anew: an edit of tasks/consumer-lock.json, to be reviewed."""
    from steps import suite
    from steps.packing import consumer_lock

    answer({"lock": str(consumer_lock.relock(suite.load()).relative_to(layout.ROOT))})


@app.command()
def test_graders(task: str) -> None:
    """Run all authored cases of one task."""
    from steps.authoring import check_graders as step
    from steps.packing import consumer

    inputs = step.stamp_inputs(task)
    with consumer.current() as prepared:
        faults, cases = step.check(task, prepared.path)
    if faults:
        judged_no(faults, task)
    step.write_stamp(task, cases, inputs)
    answer({"line": f"{cases} cases"})


@app.command()
def many_seeds(task: str, seeds: int = 200) -> None:
    """Grade every right solution of one task under many seeds; none may be rejected."""
    from steps.authoring import many_seeds as step
    from steps.packing import consumer

    with consumer.current() as prepared:
        flakes, made = step.check(task, prepared.path, seeds)
    answer(step.answer(task, seeds, flakes, made))
    if flakes:
        raise typer.Exit(errors.JUDGED_NO)


@app.command()
def mutate_graders(task: Annotated[str, typer.Option()] = "") -> None:
    """Plant mistakes into the right solutions and see whether the graders find them."""
    from steps.authoring import mutate_graders as step

    faults, summary = step.check(task)
    answer(summary)
    if faults:
        judged_no(faults, "mutants")


@app.command()
def analyze(consumer: Folder, task: Folder, solution: Folder, out: Annotated[Path, typer.Option()]) -> None:
    """Analyse one solution statically and write analysis.json."""
    from steps import documents
    from steps.analysis import analyze as step

    try:
        result = step.analyze(consumer, task, solution)
    except errors.AttemptFailed as failure:
        _submission_failed(failure)
    documents.write_atomic(out, result)
    answer({key: result[key] for key in ("unsupportedApiCount", "hallucinatedApiCount", "needsReview")})


@app.command()
def grade(
    consumer: Folder,
    task: Folder,
    solution: Folder,
    seed: Annotated[int, typer.Option(min=0)],
    out: Annotated[Path, typer.Option()],
    verifier_image: Annotated[str, typer.Option()] = "",
) -> None:
    """Grade one solution's behaviour and write the verdict."""
    from steps import documents
    from steps.grading import grade as step
    from steps.grading import judges

    bench = judges.contained(verifier_image, consumer) if verifier_image else judges.local()
    try:
        verdict = step.grade(consumer, task, solution, seed, launcher=bench.verifier, analyser=bench.analyser)
    except errors.AttemptFailed as failure:
        _submission_failed(failure)
    documents.write_atomic(out, verdict)
    right = all(verdict["assertions"].values()) and all(value == "pass" for value in verdict["safety"].values())
    answer({"passed": right, "failed": sorted(k for k, ok in verdict["assertions"].items() if not ok)})
    raise typer.Exit(errors.DONE if right else errors.JUDGED_NO)


def _submission_failed(failure: errors.AttemptFailed) -> NoReturn:
    """The submission itself made judging impossible: that is a no, and no file is written."""
    answer({"failureCategory": failure.category, "detail": failure.detail})
    raise typer.Exit(errors.JUDGED_NO)


@app.command()
def images() -> None:
    """Make the local images and print their pinned references."""
    from steps.isolation import engine
    from steps.isolation import images as step

    made = step.prepare(engine.client(), [step.verifier(), step.scripted_runner()])
    answer({name.rpartition("/")[2]: reference for name, reference in made.items()})


@app.command()
def batch_open(runner_config: Annotated[str, typer.Option()] = "", resume: bool = False) -> None:
    """Open a new batch, or resume an unsealed one."""
    from steps.running import batch as step

    _batch_answer(step.open_batch(runner_config, resume=resume))


@app.command()
def batch_check(runner_config: Annotated[str, typer.Option()] = "", resume: bool = False) -> None:
    """Refuse a batch that could never open, before anything is built for it."""
    from steps.running import batch as step

    if (summary := step.check_call(runner_config, resume=resume)) is not None:
        _batch_answer(summary)


@app.command()
def batch_run(task: str, repetition: int) -> None:
    """Run one task once: at most two attempts, then run.json."""
    from steps.running import run as step

    answer({"line": step.run(task, repetition)})


@app.command()
def batch_receipt() -> None:
    """Build the receipt of the current batch."""
    from steps.running import batch as step

    _batch_answer(step.write_receipt())


def _batch_answer(summary: dict[str, Any]) -> None:
    """A completed batch exits 0 whatever it scored; one that is not completed is no result."""
    answer(summary)
    if summary.get("status", "completed") != "completed":
        sys.stderr.write(f"{summary['status']}: {errors.printable(summary.get('reason') or summary['receipt'])}\n")
        raise typer.Exit(errors.MACHINERY)


@app.command()
def batch_not_run(reason: Annotated[str, typer.Option()]) -> None:
    """Leave the minimal receipt of a batch that could not open."""
    from steps.running import batch as step

    _batch_answer(step.not_run(reason))


@app.command()
def batch_sweep() -> None:
    """After an interrupt: remove containers and volumes that the current batch left."""
    from steps.running import batch as step

    step.sweep()


@app.command()
def qualify(receipt: str = "", archives: str = "", expect_unqualified: str = "", digests_only: bool = False) -> None:
    """Derive everything again from the bytes and decide."""
    from steps.interrupts import terminate_as_interrupt
    from steps.judging import qualify_command as step

    terminate_as_interrupt()
    raise typer.Exit(
        step.run(
            Path(receipt) if receipt else None,
            Path(archives) if archives else None,
            expect=expect_unqualified or None,
            digests_only=digests_only,
        )
    )


for _name, _command in cli_people.COMMANDS.items():
    app.command(name=_name)(_command)


def main() -> NoReturn:
    """Run a command; what is expected to go wrong is one sentence and an exit code, never a traceback."""
    try:
        app()
    except errors.StepError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(error.exit_code)
    except OSError as error:
        sys.stderr.write(
            f"error: {errors.printable(str(error))}; nothing was left half-written; free the cause and try again\n"
        )
        sys.exit(errors.MACHINERY)
    except KeyboardInterrupt:
        sys.exit(errors.INTERRUPTED)
    sys.exit(errors.DONE)


if __name__ == "__main__":
    main()

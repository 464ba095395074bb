"""Where solutions are analysed and graded: on this machine, or in containers of one verifier image."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from steps.analysis import analyser
from steps.grading import launch


@dataclass(frozen=True)
class Judges:
    """The two launchers that a judgement needs."""

    analyser: analyser.Launcher
    verifier: launch.Launcher
    end: Callable[[], object] = lambda: None  # removes what these judges have running, when nobody waits for it


def local() -> Judges:
    """This machine: self-tests, tests and authored solutions only."""
    return Judges(analyser.LocalLauncher(), launch.LocalLauncher())


def contained(
    image: str,
    consumer: Path,
    *,
    runtime: str | None = None,
    about: Mapping[str, str] | None = None,
    network: str = "none",
    warm: str | None = None,
) -> Judges:
    """Containers of the verifier image; `about` labels them (batch, run, attempt), `network` is an empty one.

    `warm` is the batch whose runs share one analyser in turn; without it the caller has one of its own.
    `runtime` is the reviewed CLI of a configuration: never one that evidence names, since asking it means running it.
    Raises Refusal when the engine does not answer or the image is not on this machine: nothing is pulled.
    """
    # Late: the docker package costs more than a whole no-op.
    from steps.analysis import analyser_docker, analyser_warm
    from steps.grading import launch_docker
    from steps.isolation import containers, engine

    client = engine.client(runtime)
    engine.require_image(client, image)
    serves = containers.about_labels(**(about or {}))
    analysing, verifying = ({**containers.labels(role), **serves} for role in ("analyser", "verifier"))
    analysis = analyser_docker.DockerAnalyser(client, image, consumer, analysing, network)
    return Judges(
        analyser_warm.WarmAnalyser(analysis, warm) if warm else analysis,
        launch_docker.DockerLauncher(client, image, verifying, network),
        (lambda: containers.sweep(client, serves)) if serves else (lambda: None),
    )

"""Where solutions are analysed and graded: on this machine, or in containers of one verifier image."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from steps.analysis import analyser
from steps.grading import launch


@dataclass(frozen=True)
class Judges:
    """The two launchers that a judgement needs."""

    analyser: analyser.Launcher
    verifier: launch.Launcher


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
) -> Judges:
    """Containers of the verifier image; `about` labels them (batch, run, attempt), `network` is an empty one.

    `runtime` is the reviewed CLI of a configuration: never one that evidence names, since asking it means running it.
    Raises Refusal when the engine does not answer or the image is not on this machine: nothing is pulled.
    """
    # Late: the docker package costs more than a whole no-op.
    from steps.analysis import analyser_docker
    from steps.grading import launch_docker
    from steps.isolation import containers, engine

    client = engine.client(runtime)
    engine.require_image(client, image)
    analysing, verifying = (containers.labels(role, **(about or {})) for role in ("analyser", "verifier"))
    return Judges(
        analyser_docker.DockerAnalyser(client, image, consumer, analysing, network),
        launch_docker.DockerLauncher(client, image, verifying, network),
    )

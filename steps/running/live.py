"""What a real runner needs of Docker before anything is spent (R-D1, R-D5, R-E5): one check each, one sentence each.

`doit batch` stops at the first check that fails, `doit doctor` shows all of them.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from steps import layout
from steps.analysis import analyser_warm
from steps.errors import Infrastructure, Refusal
from steps.isolation import containers, engine, seccomp
from steps.isolation.containers import Spec
from steps.running import runner_image
from steps.running.config import Config
from steps.running.runner_image import RunnerImage

if TYPE_CHECKING:
    import docker

MIN_NODE = 24
CLI_SECONDS = 20
CANARIES = layout.STATE / "canary"


@dataclass(frozen=True)
class Docker:
    """The engine and the images of one configuration, looked up once."""

    config: Config

    @cached_property
    def client(self) -> docker.DockerClient:
        return engine.client(self.config.runtimePath)

    @cached_property
    def runner(self) -> RunnerImage:
        return runner_image.read(self.client, str(self.config.runnerImage), self.config.executable, self.config.args)

    def images(self) -> dict[str, str]:
        return {"runnerImage": str(self.config.runnerImage), "verifierImage": str(self.config.verifierImage)}


def cli(docker: Docker) -> str:
    """The reviewed CLI runs and reaches an engine."""
    path = str(docker.config.runtimePath)
    command = [path, "version", "--format", "{{.Client.Version}}, engine {{.Server.Version}}"]
    expected, then = "the reviewed Docker CLI, and an engine that answers it", "start Docker, or set DOCKER_HOST"
    try:
        done = subprocess.run(command, capture_output=True, timeout=CLI_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        what = f"the Docker CLI does not answer within {CLI_SECONDS} s"
        raise Refusal(what, where=path, expected=expected, next=then) from error
    except OSError as error:
        what = f"the Docker CLI cannot be run ({error.strerror})"
        raise Refusal(what, where=path, expected=expected, next="set runtimePath to your docker program") from error
    if done.returncode:
        said = (done.stderr.decode(errors="replace").strip().splitlines() or ["nothing"])[-1]
        raise Refusal(f"the Docker CLI says: {said[:300]}", where=path, expected=expected, next=then)
    return done.stdout.decode(errors="replace").strip()


def daemon(docker: Docker) -> str:
    """The engine answers this process, too."""
    found = docker.client.version()
    return f"{found['Os']}/{found['Arch']}, API {found['ApiVersion']}"


def images(docker: Docker) -> str:
    """Both images are here under their digest, for this engine's architecture, and write to no volume of their own."""
    architecture = docker.client.version()["Arch"]
    for field, reference in docker.images().items():
        found = engine.require_image(docker.client, reference)
        if reference not in (found["RepoDigests"] or []):
            raise Refusal(f"{field} is not pinned by a digest that the engine knows", where=reference,
                          expected=" or ".join(found["RepoDigests"] or []) or "name@sha256:...",
                          next="push it to a registry, or make it with doit images")  # fmt: skip
        if found["Architecture"] != architecture:
            raise Refusal(f"{field} is for {found['Architecture']}", where=reference, expected=architecture)
        if volumes := sorted((found["Config"] or {}).get("Volumes") or {}):
            raise Refusal(f"{field} declares the volume {volumes[0]}, which would grow on this machine's disk",
                          where=reference, expected="an image without VOLUME")  # fmt: skip
    return f"both images here, {architecture}"


def verifier_node(docker: Docker) -> str:
    """The verifier image really runs Node 24 or newer."""
    image = str(docker.config.verifierImage)
    spec = Spec(image, ["--version"], containers.labels("probe"), entrypoint=["node"], seccomp=seccomp.profile())
    expected = f"Node {MIN_NODE} or newer on its PATH"
    try:
        ended = containers.run(docker.client, spec, b"", seconds=CLI_SECONDS, max_stdout=1000, max_stderr=1000)
    except Infrastructure as error:
        raise Refusal(f"the verifier image does not run node ({error})", where=image, expected=expected) from error
    version = ended.stdout.decode("utf-8", "replace").strip()
    major = re.fullmatch(r"v([0-9]+)\.[0-9]+\.[0-9]+.*", version)
    if ended.exit_code != 0 or major is None or int(major[1]) < MIN_NODE:
        said = version[:100] or ended.stderr.decode("utf-8", "replace").strip()[:200] or f"exit code {ended.exit_code}"
        raise Refusal(f"the verifier image's node says {said!r}", where=image, expected=expected)
    return version


def runner_files(docker: Docker) -> str:
    """The executable and its argument files are in the runner image."""
    found = docker.runner
    return f"{len(found.files)} files{', labelled as a self-test' if found.self_test else ''}"


def network(docker: Docker) -> str:
    """The runner's network was made by the operator, or there is none."""
    import docker as sdk

    name = docker.config.runnerNetwork
    if name is None:
        return "none"
    try:
        found = docker.client.networks.get(name).attrs
    except sdk.errors.NotFound as error:
        raise Refusal("there is no such Docker network", where=f"runnerNetwork {name}", expected="one that you made",
                      next="docker network create --internal NAME") from error  # fmt: skip
    except (sdk.errors.DockerException, OSError) as error:
        raise Refusal(f"the network cannot be looked up ({engine.first_line(error)})", where=name) from error
    if found["Driver"] in ("host", "null") or name == "bridge":
        raise Refusal(f"{name} is one of Docker's own networks", where="runnerNetwork", expected="one that you made")
    return f"{name} ({'internal' if found.get('Internal') else 'reaches outside'})"


CHECKS: dict[str, Callable[[Docker], str]] = {
    "docker-cli": cli,
    "docker-engine": daemon,
    "images": images,
    "verifier-node": verifier_node,
    "runner-files": runner_files,
    "runner-network": network,
}


# Without these nothing else can be looked at.
BASIC = ("docker-cli", "docker-engine")


def review(config: Config) -> RunnerImage:
    """All checks; Refusal for the first one that fails."""
    docker = Docker(config)
    for check in CHECKS.values():
        check(docker)
    return docker.runner


def sweep(config: Config) -> int:
    """Remove what earlier batches and canaries of this checkout left behind; the caller holds the lock (R-E4).

    A batch id is known here when its folder is: other checkouts and tests may use the same engine.
    """
    client = engine.client(config.runtimePath)
    key = f"{containers.LABEL}.batch"
    ours = [path.name for home in (layout.EVIDENCE, CANARIES) if home.is_dir() for path in home.iterdir()]
    found = client.containers.list(all=True, filters={"label": key}, ignore_removed=True)
    volumes = client.volumes.list(filters={"label": key})
    named = {item.attrs["Config"]["Labels"][key] for item in found} | {item.attrs["Labels"][key] for item in volumes}
    count = sum(containers.sweep(client, {key: name}) for name in sorted(named.intersection(ours)))
    analyser_warm.forget()
    return count


def end(config: Config, batch: str) -> None:
    """What a batch or canary keeps between its runs is removed. Nothing depends on it: a failure is only said."""
    try:
        analyser_warm.end(engine.client(config.runtimePath), batch)
    except (Infrastructure, Refusal) as error:
        print(f"the warm analyser is left to the next sweep: {error}", file=sys.stderr)

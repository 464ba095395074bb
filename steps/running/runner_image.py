"""What a runner image holds that says who made the evidence: executable, argument files, self-test label (R-I3).

Everything is read out of the image by Docker, from a container that is never started.
"""

from __future__ import annotations

import contextlib
import posixpath
import stat
import tarfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from steps import digest
from steps.errors import Refusal
from steps.isolation import containers, engine
from steps.isolation.containers import Spec
from steps.running.collect_tar import Stream, TooLong

if TYPE_CHECKING:
    import docker

MAX_FILE = 512 * 1024 * 1024  # an agent's single binary may be large; it is read once per batch
MAX_LINKS = 20


@dataclass(frozen=True)
class RunnerImage:
    """`files` by the text in the configuration; `self_test` when the image carries our label."""

    image_id: str
    self_test: bool
    files: dict[str, str]


def read(client: docker.DockerClient, reference: str, command: str, args: list[str]) -> RunnerImage:
    """Refusal when `command` is not an executable file of the image, named by its whole path."""
    found = engine.require_image(client, reference)
    if not command.startswith("/"):
        raise Refusal(f"executable {command!r} is no whole path", where=reference, expected="a path that begins with /")
    spec = Spec(reference, [], containers.labels("reader"), entrypoint=[command])
    with containers.created(client, spec) as container:
        executable = _file(container, command)
        if executable is None or not executable[0] & 0o111:
            raise Refusal("the executable cannot be run", where=f"{reference} {command}",
                          expected="an executable file inside the runner image")  # fmt: skip
        files = {command: executable[1]}
        for arg in args:
            # `--import=/opt/agent.mjs` names a file as well.
            place = arg if arg.startswith("/") else arg.partition("=")[2]
            if place.startswith("/") and (file := _file(container, place)) is not None:
                files[arg] = file[1]
    labels = (found["Config"] or {}).get("Labels") or {}
    return RunnerImage(found["Id"], engine.SELF_TEST_LABEL in labels, files)


def _file(container: Any, path: str) -> tuple[int, str] | None:
    """(mode, digest) of a regular file, links followed inside the image; None when there is none."""
    import docker

    for _ in range(MAX_LINKS):
        try:
            stream, status = container.get_archive(path)
        except docker.errors.NotFound:
            return None
        except (docker.errors.DockerException, OSError) as error:
            raise Refusal(f"Docker cannot read {path} ({engine.first_line(error)})", where="runnerImage") from error
        with contextlib.closing(stream):
            if not status["linkTarget"]:
                return _digest(stream, path)
        path = posixpath.normpath(posixpath.join(posixpath.dirname(path), status["linkTarget"]))
    raise Refusal(f"{path} is a chain of more than {MAX_LINKS} links", where="runnerImage")


def _digest(stream: Any, path: str) -> tuple[int, str] | None:
    try:
        with tarfile.open(fileobj=Stream(stream, MAX_FILE), mode="r|") as archive:
            entry = archive.next()
            if entry is None or not entry.isreg():
                return None
            return stat.S_IMODE(entry.mode), digest.of_stream(archive.extractfile(entry))
    except (tarfile.TarError, TooLong) as error:
        raise Refusal(f"{path} cannot be read out of the image ({error})", where="runnerImage") from error

"""/solution of one attempt: a bounded volume in memory, kept alive by a container that never runs the agent.

A tmpfs volume exists for as long as some container has it mounted. The holder, Node of the verifier image waiting for
the end of its stdin, keeps it from before the runner starts until its content was read as a tar stream. So nothing that
an agent writes reaches the host's disk, whoever runs the batch, and a holder whose orchestrator dies ends by itself.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steps.errors import AttemptFailed, Infrastructure
from steps.isolation import containers, seccomp
from steps.isolation.containers import Spec
from steps.isolation.engine import first_line
from steps.running.collect import Collected
from steps.running.collect_tar import collect_tar

if TYPE_CHECKING:
    import docker

PLACE = "/solution"
AGENT_ID = 65534
BYTES = 64 * 1024 * 1024  # what an agent may have in its output folder at once
SPARE_ENTRIES = 64  # above the collector's limit, so that it is the collector who says no
_PER_ENTRY = 4 * 512  # a header, a long name, padding
_WAIT = "process.stdin.resume().on('end', () => process.exit(0))"


@dataclass(frozen=True)
class Volume:
    """A mounted volume: `name` for the runner's mount, `network` for a runner that is to have none."""

    name: str
    holder: Any

    @property
    def network(self) -> str:
        """The holder's own empty network namespace: making another one costs as much as half a container."""
        return f"container:{self.holder.id}"

    def collect(self, allowed: list[str], limits: dict[str, int]) -> Collected:
        """What lies in the volume, by the collector's rules. The agent has run, so any failure is the attempt's."""
        import docker
        import requests

        most = BYTES + (limits["outputEntries"] + SPARE_ENTRIES) * _PER_ENTRY
        try:
            self.holder.reload()
            if self.holder.status != "running":
                raise AttemptFailed("collection", "the container that held the output folder has ended")
            stream, _ = self.holder.get_archive(PLACE)
            with contextlib.closing(stream):
                return collect_tar(stream, Path(PLACE).name, allowed, limits, most=most)
        except (docker.errors.DockerException, requests.exceptions.RequestException, OSError) as error:
            detail = f"Docker did not deliver the output folder: {first_line(error)}"
            raise AttemptFailed("collection", detail) from error


@contextlib.contextmanager
def held(
    engine: docker.DockerClient, image: str, labels: Mapping[str, str], start: dict[str, bytes], limits: dict[str, int]
) -> Iterator[Volume]:
    """A volume that holds `start` at first and is gone after the `with`; what fails before is infrastructure."""
    with _volume(engine, labels, limits) as volume, contextlib.ExitStack() as stack:
        running = contextlib.ExitStack()
        holder, _ = running.enter_context(containers.started(engine, _holder(image, labels, volume.name)))
        stack.callback(_leave, running)
        _put(holder, start)
        yield Volume(volume.name, holder)


def _leave(running: contextlib.ExitStack) -> None:
    """End the holder. Nothing depends on it any more, so what cannot be removed is left to the next sweep by label."""
    try:
        running.close()
    except Infrastructure as error:
        print(f"left behind: {error}", file=sys.stderr)


@contextlib.contextmanager
def _volume(engine: docker.DockerClient, labels: Mapping[str, str], limits: dict[str, int]) -> Iterator[Any]:
    import docker

    entries = limits["outputEntries"] + SPARE_ENTRIES
    options = f"size={BYTES},nr_inodes={entries},uid={AGENT_ID},gid={AGENT_ID},mode=0755,nosuid,nodev"
    try:
        volume = engine.volumes.create(
            driver="local",
            driver_opts={"type": "tmpfs", "device": "tmpfs", "o": options},
            labels={containers.LABEL: "1", **labels},
        )
    except (docker.errors.DockerException, OSError) as error:
        raise Infrastructure(f"Docker could not make the output volume: {first_line(error)}") from error
    try:
        yield volume
    finally:
        try:
            volume.remove(force=True)
        except (docker.errors.DockerException, OSError) as error:
            print(f"left behind: volume {volume.name} ({first_line(error)})", file=sys.stderr)


def _holder(image: str, labels: Mapping[str, str], volume: str) -> Spec:
    return Spec(
        image=image,
        entrypoint=["node"],
        command=["--max-old-space-size=32", "-e", _WAIT],
        labels={**labels, **containers.labels("holder")},
        user=f"{AGENT_ID}:{AGENT_ID}",
        seccomp=seccomp.profile(),
        volumes={volume: PLACE},
        memory=128 * 1024 * 1024,
        pids=32,
    )


def _put(holder: Any, start: dict[str, bytes]) -> None:
    """Lay the first files, owned by the agent, who is to edit them."""
    import docker

    if not start:
        return
    folders = {parent.as_posix() for path in start for parent in Path(path).parents} - {"."}
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted({*start, *folders}):
            entry = tarfile.TarInfo(path)
            entry.uid = entry.gid = AGENT_ID
            data = start.get(path)
            entry.type, entry.mode = (tarfile.DIRTYPE, 0o755) if data is None else (tarfile.REGTYPE, 0o644)
            entry.size = len(data or b"")
            tar.addfile(entry, io.BytesIO(data or b""))
    try:
        holder.put_archive(PLACE, buffer.getvalue())
    except (docker.errors.DockerException, OSError) as error:
        raise Infrastructure(f"Docker could not fill the output volume: {first_line(error)}") from error

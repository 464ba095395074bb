"""Runs the verifier's trusted parent in a container of its own: the profile of security.md 3.1 (R-K3, R-K4, R-K5).

The same `launch` as the local launcher. What the container sees is staged with explicit modes, whatever the umask: the
grader for the parent alone, the child's bootstrap and the submission for everybody. The job, seed and nonce come on
stdin; nothing in argv or the environment is secret.
"""

from __future__ import annotations

import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steps import documents, layout, scratch
from steps.errors import Infrastructure, Refusal
from steps.grading.launch import (
    CHILD,
    DEADLINE_SECONDS,
    PARENT,
    PARENT_FLAGS,
    STDERR_BYTES,
    STDOUT_BYTES,
    Launched,
    Work,
)
from steps.isolation import containers, seccomp
from steps.isolation.containers import Ended, Spec

if TYPE_CHECKING:
    import docker

CHILD_ID = 65534
CAPABILITIES = ("SETUID", "SETGID", "DAC_OVERRIDE", "KILL")
TMPFS = {"/tmp": "rw,nosuid,nodev,noexec,size=8m,nr_inodes=256,mode=1777"}
PRIVATE = "/grader"
READABLE = ("/runner", "/submission", "/consumer", "/node_modules")
GONE = b"verifier: go\n"  # graders/verifier/main.mjs: from here on submitted code has run


@dataclass(frozen=True)
class DockerLauncher:
    """One container per verification, removed when `launch` returns."""

    engine: docker.DockerClient
    image: str
    labels: Mapping[str, str] = field(default_factory=lambda: containers.labels("verifier"))
    network: str = "none"  # or the empty network of a container that is there anyway: making one is half the start

    def launch(self, work: Work, order: dict[str, Any]) -> Launched:
        """Raises Infrastructure for all that fails before the parent has let submitted code run."""
        with scratch.folder("verify") as root:
            grader = stage(root, work)
            spec = self.spec(root, work)
            ended = containers.run(
                self.engine,
                spec,
                documents.canonical(job(grader, work, order)),
                seconds=DEADLINE_SECONDS,
                max_stdout=STDOUT_BYTES,
                max_stderr=STDERR_BYTES,
            )
        if work.trace:
            sys.stderr.write(ended.stderr.decode("utf-8", "replace"))
        return _launched(ended)

    def spec(self, root: Path, work: Work) -> Spec:
        """The whole profile; containers.py adds what every container of ours has."""
        return Spec(
            image=self.image,
            entrypoint=["node"],
            command=[*PARENT_FLAGS, f"{PRIVATE}/graders/{PARENT.as_posix()}", "container"],
            labels=dict(self.labels),
            network=self.network,
            user="0:0",
            capabilities=CAPABILITIES,
            seccomp=seccomp.profile(),
            tmpfs=TMPFS,
            binds={
                str(root / "grader"): PRIVATE,
                str(root / "runner"): "/runner",
                str(root / "submission"): "/submission",
                str(work.consumer.resolve()): "/consumer",
                str((work.consumer / "node_modules").resolve()): "/node_modules",
            },
        )


def job(grader: str, work: Work, order: dict[str, Any]) -> dict[str, Any]:
    """What the parent reads from stdin: the order, and where things are inside the container."""
    return {
        **order,
        "grader": f"{PRIVATE}/{grader}",
        "trace": work.trace,
        "child": {
            "bootstrap": "/runner/bootstrap.mjs",
            "submission": "/submission",
            "readable": list(READABLE),
            "cwd": "/submission",
            "tmp": "/tmp",
        },
    }


def stage(root: Path, work: Work) -> str:
    """Fill `root` with what the container sees; returns the grader's path below its private folder."""
    private = root / "grader"
    grader = _private_part(private, work.grader.resolve())
    shutil.copytree(layout.GRADERS / CHILD, root / "runner")
    shutil.copytree(work.emitted, root / "submission")
    documents.write_atomic(root / "submission" / "package.json", {"type": "module"})
    for folder, directories, files in (
        (private, 0o700, 0o600),
        (root / "runner", 0o755, 0o644),
        (root / "submission", 0o755, 0o644),
    ):
        settle(folder, directories, files)
    check_private(private)
    return grader


def _private_part(private: Path, grader: Path) -> str:
    """The parent's code and one task's grader at the places that they have in the checkout, and nothing else."""
    if not grader.is_relative_to(layout.ROOT):
        raise Refusal("a grader outside the checkout cannot be mounted", where=str(grader))
    place = grader.relative_to(layout.ROOT)
    for folder in (PARENT.parent, Path(CHILD)):
        shutil.copytree(layout.GRADERS / folder, private / "graders" / folder)
    (private / place).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(grader, private / place, follow_symlinks=False)
    if (parts := grader.with_suffix("")).is_dir():
        shutil.copytree(parts, (private / place).with_suffix(""), symlinks=True)
    return place.as_posix()


def settle(folder: Path, directories: int, files: int) -> None:
    """Explicit modes for a staged tree, whatever the umask and the checkout say; links are left for the check."""
    for path in _below(folder):
        if not path.is_symlink():
            path.chmod(directories if path.is_dir() else files)


def check_private(folder: Path) -> None:
    """Refuse a tree of which the child could read anything; the parent proves it again inside (R-K4)."""
    for path in _below(folder):
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            raise Infrastructure(f"private input {path.name} is a link")
        if status.st_uid == CHILD_ID or status.st_mode & 0o077:
            raise Infrastructure(f"private input {path.name} could be read by the submission")


def _below(folder: Path) -> Iterator[Path]:
    yield folder
    yield from sorted(folder.rglob("*"))


def _launched(ended: Ended) -> Launched:
    """The parent's own word decides whose failure it is: until it has said go, no submitted byte was loaded."""
    if ended.exit_code != 0 and GONE not in ended.stderr:
        raise Infrastructure(f"the verifier container ended before any submitted code ran: {_why(ended)}")
    return Launched(ended.exit_code, ended.stdout, ended.stderr)


def _why(ended: Ended) -> str:
    lines = ended.stderr.decode("utf-8", "replace").strip().splitlines()
    if lines:
        return lines[-1][:500]
    return f"stopped ({ended.stopped})" if ended.stopped else f"exit code {ended.exit_code}"

"""What the verifier container is given, without an engine: files, modes, filter and job (R-K4, R-K5)."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
import toys

from steps import documents, layout, suite
from steps.errors import Refusal
from steps.grading import launch_docker
from steps.grading.launch import Work
from steps.grading.launch_docker import DockerLauncher
from steps.isolation import seccomp

# security.md 3.1: what Docker's own profile allows and ours must not.
FORBIDDEN = {
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "pidfd_getfd",
    "kcmp",
    "memfd_create",
    "memfd_secret",
    "mq_open",
    "mq_unlink",
    "mq_timedsend",
    "mq_timedreceive",
    "mq_notify",
    "mq_getsetattr",
    "shmget",
    "shmat",
    "shmctl",
    "shmdt",
    "semget",
    "semop",
    "semctl",
    "semtimedop",
    "msgget",
    "msgsnd",
    "msgrcv",
    "msgctl",
    "personality",
    "name_to_handle_at",
    "open_by_handle_at",
    "mknod",
    "mknodat",
    "link",
    "linkat",
    "vmsplice",
    "socket",
    "socketcall",
    "unshare",
    "setns",
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "bpf",
    "perf_event_open",
    "keyctl",
    "userfaultfd",
}
TASK = suite.load().tasks[0]


def staged(folder: Path, grader: Path) -> tuple[Path, Work]:
    """A staged verification of a toy solution."""
    solution = toys.submission(folder / "solution", toys.HOSTILE / "honest-twin.js")
    work = Work(solution, toys.empty_consumer(folder / "consumer"), grader)
    root = folder / "root"
    root.mkdir()
    launch_docker.stage(root, work)
    return root, work


def files(folder: Path) -> set[str]:
    """Relative paths of all files."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def sources(*folders: str) -> set[str]:
    """The files of these folders of the checkout."""
    found = layout.files_under(*(layout.ROOT / folder for folder in folders))
    return {Path(path).relative_to(layout.ROOT).as_posix() for path in found}


def test_k5_the_parent_gets_its_own_code_and_one_grader(tmp_path: Path) -> None:
    root, _ = staged(tmp_path, layout.GRADERS / "tasks" / f"{TASK}.mjs")
    own = {f"graders/tasks/{TASK}.mjs", *sources("graders/verifier", "graders/child", f"graders/tasks/{TASK}")}
    assert files(root / "grader") == own


def test_k5_everybody_gets_the_bootstrap_and_the_submission_and_nothing_else(tmp_path: Path) -> None:
    root, work = staged(tmp_path, layout.GRADERS / "tasks" / f"{TASK}.mjs")
    assert {path.name for path in root.iterdir()} == {"grader", "runner", "submission"}
    assert files(root / "runner") == {Path(path).name for path in sources("graders/child")}
    assert files(root / "submission") == files(work.emitted) | {"package.json"}


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077], ids=oct)
def test_k4_modes_are_explicit_whatever_the_umask(mask: int, tmp_path: Path) -> None:
    before = os.umask(mask)
    try:
        root, _ = staged(tmp_path, toys.TOYS / "approval" / "grader.mjs")
    finally:
        os.umask(before)
    wanted = {"grader": (0o700, 0o600), "runner": (0o755, 0o644), "submission": (0o755, 0o644)}
    for name, (folders, plain) in wanted.items():
        for path in (root / name, *(root / name).rglob("*")):
            assert stat.S_IMODE(path.stat().st_mode) == (folders if path.is_dir() else plain), path


def test_k4_a_grader_outside_the_checkout_is_refused(tmp_path: Path) -> None:
    (tmp_path / "grader.mjs").write_text("export const grader = {};\n")
    with pytest.raises(Refusal, match="outside the checkout"):
        staged(tmp_path, tmp_path / "grader.mjs")


def test_k4_the_filter_allows_a_list_and_none_of_what_must_not_be_there() -> None:
    profile = documents.parse_strict(seccomp.profile().encode(), where="profile")
    assert (profile["defaultAction"], profile["defaultErrnoRet"]) == ("SCMP_ACT_ERRNO", 1)
    assert all(entry["subArchitectures"] == [] for entry in profile["archMap"]), "32-bit calls have other numbers"
    plain = {
        name
        for rule in profile["syscalls"]
        if "args" not in rule
        for name in rule["names"]
        if rule["action"] == "SCMP_ACT_ALLOW"
    }
    assert plain.isdisjoint(FORBIDDEN | {"clone", "clone3"})
    assert {"execve", "socketpair", "setgroups", "arch_prctl"} <= plain


def test_k4_the_profile_is_complete_and_nothing_secret_stands_in_it(tmp_path: Path) -> None:
    root, work = staged(tmp_path, toys.TOYS / "approval" / "grader.mjs")
    spec = DockerLauncher(None, "image@sha256:0").spec(root, work)
    assert (spec.user, spec.network, spec.ipc) == ("0:0", "none", "none")
    assert sorted(spec.capabilities) == ["DAC_OVERRIDE", "KILL", "SETGID", "SETUID"]
    assert (spec.memory, spec.cpus, spec.pids, spec.files) == (512 << 20, 1.0, 64, 256)
    assert spec.tmpfs == {"/tmp": "rw,nosuid,nodev,noexec,size=8m,nr_inodes=256,mode=1777"}
    assert sorted(spec.binds.values()) == ["/consumer", "/grader", "/node_modules", "/runner", "/submission"]
    assert (spec.environment, spec.volumes) == ({}, {})
    order = {"nonce": "n0nce", "taskId": "t", "seed": 4711}
    told = launch_docker.job("tests/grader.mjs", work, order)
    assert order.items() <= told.items() and "n0nce" not in repr(spec) and "4711" not in repr(spec)

"""The system calls that a container may make: graders/seccomp.json, an allow list.

It is the part of Docker's default profile that 64-bit Node needs, without what security.md 3.1 removes: io_uring,
ptrace and its relatives, memfd_create, message queues and shared memory, hard links, devices, vmsplice, socket. There
is no fallback: an engine that does not take the profile cannot start the container, and the verifier's parent proves
that the filter is this one (graders/verifier/attest.mjs).
"""

from __future__ import annotations

from functools import cache

from steps import documents, layout

PROFILE = layout.GRADERS / "seccomp.json"


@cache
def profile() -> str:
    """The profile as the engine's API takes it."""
    return documents.canonical(documents.read(PROFILE)).decode()

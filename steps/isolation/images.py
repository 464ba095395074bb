"""Makes local images with a real digest: load the archive, push it to a loopback registry, print `name@sha256:...`."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING

from steps import layout
from steps.errors import Infrastructure
from steps.isolation import registry, rootfs
from steps.isolation.engine import SELF_TEST_LABEL

if TYPE_CHECKING:
    import docker

PORT = 5151  # stands in the image's name, so it stays the same from one call to the next
_ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def verifier() -> rootfs.Image:
    """Node and its libraries only: graders, consumer and submission are mounted."""
    return rootfs.Image("appkit-eval/verifier")


def scripted_runner() -> rootfs.Image:
    """The built-in scripted agent with the authored solutions. Its label makes every batch with it a self-test."""
    runners, solutions = layout.FIXTURES / "runners", layout.FIXTURES / "solutions"
    files = {
        f"opt/{path.relative_to(layout.FIXTURES).as_posix()}": path.read_bytes()
        for folder in (runners, solutions)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    return rootfs.Image("appkit-eval/scripted-runner", files, {SELF_TEST_LABEL: "true"})


def prepare(client: docker.DockerClient, images: list[rootfs.Image], port: int = PORT) -> dict[str, str]:
    """Image name to its pinned reference. The same bytes give the same digest each time."""
    with registry.loopback(port) as host:
        return {image.name: _pinned(client, image, host) for image in images}


def _pinned(client: docker.DockerClient, image: rootfs.Image, host: str) -> str:
    loaded = client.images.load(rootfs.archive(image, _ARCHITECTURES.get(platform.machine(), platform.machine())))[0]
    repository = f"{host}/{image.name}"
    loaded.tag(repository, "latest")
    for line in client.images.push(repository, tag="latest", stream=True, decode=True):
        if "error" in line:
            raise Infrastructure(
                f"the image {image.name} could not be pushed to the loopback registry: {line['error']}"
            )
    loaded.reload()
    references = [name for name in loaded.attrs["RepoDigests"] if name.startswith(f"{repository}@")]
    if not references:
        raise Infrastructure(f"Docker names no digest of {repository} after the push")
    return references[0]

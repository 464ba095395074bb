"""An image without a registry: a root file system from the pinned Node and its libraries, as a docker-archive.

Nothing but Node, its shared libraries and what the caller adds: no shell, no Python, no compiler (security row 26). The
archive is byte for byte the same each time, so `docker load` gives the same image id (measured; `docker import` and
`docker build` do not).
"""

from __future__ import annotations

import io
import re
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

from steps import digest, documents, node
from steps.errors import Infrastructure

CREATED = "1970-01-01T00:00:00Z"
NODE = "usr/local/bin/node"
FOLDERS = ("consumer", "etc", "grader", "input", "node_modules", "runner", "solution", "submission", "tmp")
ACCOUNTS = {
    "etc/passwd": b"root:x:0:0:root:/:/nonexistent\nnobody:x:65534:65534:nobody:/:/nonexistent\n",
    "etc/group": b"root:x:0:\nnogroup:x:65534:\n",
}


@dataclass(frozen=True)
class Image:
    """What goes into an image: extra files by path without leading slash, labels, and the default command."""

    name: str
    files: dict[str, bytes] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    entrypoint: list[str] = field(default_factory=lambda: [f"/{NODE}"])


def libraries(binary: Path) -> dict[str, Path]:
    """Path in the image to file, for every shared library of `binary`, its loader included."""
    listed = node.run(["ldd", str(binary)], timeout=20).stdout.decode()
    paths = re.findall(r"(?:=> )?(/\S+) \(0x[0-9a-f]+\)", listed)
    if not paths:
        raise Infrastructure(f"ldd names no library of {binary}: {listed.strip()[:200]}")
    return {path.lstrip("/"): Path(path).resolve(strict=True) for path in sorted(paths)}


def layer(image: Image) -> bytes:
    """The one layer as a tar: sorted, owned by root, dated zero, modes 0755 and 0644 (0755 for binaries)."""
    contents = {NODE: node.binary().read_bytes(), **ACCOUNTS}
    executable = {NODE}
    for path, source in libraries(node.binary()).items():
        contents[path] = source.read_bytes()
        executable.add(path)
    contents |= image.files
    folders = {parent.as_posix() for path in contents for parent in Path(path).parents} - {"."}
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted({*contents, *folders, *FOLDERS}):
            _add(tar, path, contents.get(path), path in executable)
    return buffer.getvalue()


def _add(tar: tarfile.TarFile, path: str, data: bytes | None, executable: bool) -> None:
    entry = tarfile.TarInfo(path)
    if data is None:
        entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if path == "tmp" else 0o755
        tar.addfile(entry)
    else:
        entry.size, entry.mode = len(data), 0o755 if executable else 0o644
        tar.addfile(entry, io.BytesIO(data))


def archive(image: Image, architecture: str) -> bytes:
    """The docker-archive of one image, ready for `docker load`."""
    body = layer(image)
    config = documents.canonical(
        {
            "architecture": architecture,
            "os": "linux",
            "created": CREATED,
            "config": {"Entrypoint": image.entrypoint, "Env": ["PATH=/usr/local/bin"], "Labels": image.labels},
            "rootfs": {"type": "layers", "diff_ids": [digest.of_bytes(body)]},
            "history": [{"created": CREATED, "created_by": "appkit-agent-eval"}],
        }
    )
    name = digest.of_bytes(config).removeprefix("sha256:")
    manifest = [{"Config": f"{name}.json", "RepoTags": [f"{image.name}:latest"], "Layers": ["layer.tar"]}]
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for path, data in (
            (f"{name}.json", config),
            ("layer.tar", body),
            ("manifest.json", documents.canonical(manifest)),
        ):
            _add(tar, path, data, executable=False)
    return buffer.getvalue()

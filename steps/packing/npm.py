"""Runs the pinned npm with settings of our own: no configuration file of the machine or its user takes part."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from steps import node

SETTINGS = {
    "audit": "false",
    "fund": "false",
    "update_notifier": "false",
    "progress": "false",
    "strict_peer_deps": "true",
    "omit_lockfile_registry_resolved": "true",
}
# How this machine reaches a registry; what arrives is bound by the lock's hashes, so these may differ between machines.
NETWORK = (
    "npm_config_registry",
    "npm_config_cache",
    "npm_config_cafile",
    "npm_config_offline",
    "NODE_EXTRA_CA_CERTS",
    "HTTPS_PROXY",
    "https_proxy",
    "NO_PROXY",
    "no_proxy",
)


def run(folder: Path, *arguments: str, timeout: float = 600, check: bool = True) -> subprocess.CompletedProcess[bytes]:
    """`npm <arguments>` in `folder`. Raises Infrastructure with npm's last words when it fails and `check` is set."""
    with tempfile.TemporaryDirectory(prefix="npm-config-") as empty:
        # Two different absent files: npm refuses one file in both roles.
        settings = {**SETTINGS, "userconfig": f"{empty}/user", "globalconfig": f"{empty}/global"}
        environment = {f"npm_config_{key}": value for key, value in settings.items()}
        environment |= {name: os.environ[name] for name in NETWORK if name in os.environ}
        return node.run(
            [str(node.binary()), str(node.npm_cli()), *arguments],
            cwd=folder,
            timeout=timeout,
            env=node.clean_env(**environment),
            check=check,
        )

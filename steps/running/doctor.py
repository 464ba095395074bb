"""`doit doctor`: everything that a live batch needs, looked at before anything is spent; each failure says what to do.

The checks are those that `doit batch` makes when it opens. Here all of them are made, and nothing is written.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from steps import errors, layout, node, suite
from steps.errors import Refusal, StepError, printable
from steps.packing import candidate, consumer
from steps.running import config, credentials, init_config, live, opening
from steps.running.config import Config
from steps.running.runner_docker import MEMORY

GIB = 1024**3


@dataclass(frozen=True)
class Finding:
    """One check: `ok` is None when it could not be made."""

    check: str
    ok: bool | None
    detail: str


def run(runner_config: str, *, as_json: bool) -> int:
    """Text for people on stderr, the whole answer as one JSON line on stdout with `as_json`. 0 ready, 1 not."""
    findings = []
    for finding in diagnose(runner_config or str(init_config.TARGET)):
        findings.append(finding)
        mark = {True: "✔", False: "✘", None: "-"}[finding.ok]
        sys.stderr.write(f"{mark} {finding.check:<16} {printable(finding.detail)}\n")
    ready = all(finding.ok for finding in findings)
    sys.stderr.write(f"{'ready' if ready else 'not ready'}: {sum(bool(f.ok) for f in findings)}/{len(findings)}\n")
    if as_json:
        answer = {"schemaVersion": 1, "ready": ready, "checks": [asdict(finding) for finding in findings]}
        sys.stdout.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n")
    return errors.DONE if ready else errors.JUDGED_NO


def diagnose(runner_config: str) -> Iterator[Finding]:
    """Every check in the order in which one depends on another."""
    yield _made("node", lambda: f"Node {node.version()}, npm {node.npm_version()}")
    loaded: list[Config] = []
    yield _made("configuration", lambda: _load(runner_config, loaded))
    chosen = loaded[0] if loaded else None
    live_config = chosen if chosen and chosen.launcher != "local" else None
    yield from _docker(live_config)
    if chosen is None:
        yield Finding("credentials", None, "not looked at: no configuration")
    else:
        yield _made("credentials", lambda: _credentials(chosen))
    for name, check in {**opening.CHECKS, "suite-fits": _fits}.items():
        yield _made(name, check)


def _made(name: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, check())
    except StepError as error:
        return Finding(name, False, str(error))
    except OSError as error:
        return Finding(name, False, f"{error.strerror or error}: {error.filename or ''}")


def _load(path: str, loaded: list[Config]) -> str:
    if path == str(init_config.TARGET) and not Path(path).exists():
        raise Refusal("no configuration yet", where=path, next="make one with `doit init_config`, then fill it in")
    loaded.append(config.load(Path(path), os.environ))
    found = loaded[0]
    if found.launcher == "local":
        raise Refusal("it is a scripted runner of this machine: a self-test, no live batch", where=path,
                      expected="runnerImage and verifierImage", next="make one with `doit init_config`")  # fmt: skip
    return f"{found.expectedRunner['name']} {found.expectedRunner['version']}, {found.expectedModel['id']}"


def _docker(chosen: Config | None) -> Iterator[Finding]:
    """The live checks, as long as those before them hold; without an engine nothing else can be seen."""
    reached = chosen is not None
    for name, check in live.CHECKS.items():
        if not reached:
            yield Finding(name, None, "not looked at: it needs what failed above")
            continue
        found = _made(name, lambda check=check: check(live.Docker(chosen)))
        reached = reached and (found.ok is True or name not in live.BASIC)
        yield found
    yield _made("memory", lambda: _memory(chosen)) if reached else Finding("memory", None, "not looked at")


def _memory(chosen: Config) -> str:
    """Two runs at a time, each with at most one runner, beside the engine itself."""
    total, needed = live.Docker(chosen).client.info()["MemTotal"], 2 * MEMORY + GIB
    if total < needed:
        raise Refusal(f"the engine has {total / GIB:.1f} GiB of memory", expected=f"{needed / GIB:.0f} GiB or more",
                      next="give Docker more memory")  # fmt: skip
    return f"{total / GIB:.1f} GiB"


def _fits() -> str:
    with consumer.current() as prepared:
        if faults := candidate.fits(suite.load(), prepared.path):
            raise Refusal(f"suite does not fit candidate: {'; '.join(faults)[:1000]}", where=layout.CANDIDATE)
    return "every task can be solved with this candidate"


def _credentials(chosen: Config) -> str:
    names = ", ".join(credentials.from_environment(chosen, os.environ))
    return f"set: {names}" if names else "none needed"

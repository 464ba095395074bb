"""The candidate: where it lies, its own checks, and whether the suite fits it (R-C4)."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steps import documents, node
from steps import suite as suites
from steps.errors import Refusal
from steps.packing import manifest, npm, tarball
from steps.packing.tarball import Archive
from steps.suite import Suite

PACK_YOURSELF = "pack with your package manager and pass two .tgz"
DEPTH = 2  # packages/appkit-core is the deepest usual place
SKIPPED = {"node_modules", "dist", ".git", ".verification", "__pycache__"}
SCRIPT_TIMEOUT = 900  # seconds for one script of the candidate
# The exit code says that the import came back: a package that ends the process cannot pass with it.
SMOKE = "await import(process.argv[1]); process.exit(42)"
IMPORTED = 42
ERROR = re.compile(r"\w*Error\b")  # the line of Node's report that names the error


@dataclass(frozen=True)
class Candidate:
    """`places`: package name to its folder in a checkout, or to its `.tgz`."""

    kind: str  # "checkout" | "archives", as in archives.json
    root: Path
    places: dict[str, Path]


def locate(given: str | Path, suite: Suite) -> Candidate:
    """What `--candidate` names: a folder with the packages, a folder with their .tgz files, or 'a.tgz,b.tgz'."""
    names = str(given).split(",")
    if len(names) > 1 or names[0].endswith(".tgz"):
        return _archives(Path(names[0]).parent, [Path(name) for name in names], suite)
    root = Path(given)
    if not root.is_dir():
        raise Refusal("no such folder", where=str(given), expected="a checkout, or two .tgz files joined by a comma")
    found = _package_folders(root, suite)
    if len(found) == len(suite.packages):
        return Candidate("checkout", root, found)
    archives = sorted(root.glob("*.tgz"))
    if archives:
        return _archives(root, archives, suite)
    missing = ", ".join(sorted(set(suite.packages) - found.keys()))
    raise Refusal(
        f"no package.json names {missing}",
        where=str(root),
        expected=f"every package at most {DEPTH} folders deep, or their .tgz files",
    )


def _package_folders(root: Path, suite: Suite) -> dict[str, Path]:
    found: dict[str, list[Path]] = defaultdict(list)
    for depth in range(DEPTH + 1):
        for path in sorted(root.glob("*/" * depth + "package.json")):
            if SKIPPED & set(path.relative_to(root).parts):
                continue
            body = documents.read(path)
            if isinstance(body, dict) and body.get("name") in suite.packages:
                found[body["name"]].append(path.parent)
    for name, folders in found.items():
        if len(folders) > 1:
            raise Refusal(
                f"{name} is in {' and '.join(str(folder) for folder in folders)}",
                where=str(root),
                expected="one folder per package",
            )
    return {name: folders[0] for name, folders in found.items()}


def _archives(root: Path, files: list[Path], suite: Suite) -> Candidate:
    found: dict[str, Path] = {}
    for path in files:
        package = tarball.load(path).package
        if package in found:
            raise Refusal(f"{package} is in {found[package].name} and in {path.name}", where=str(root))
        found[package] = path
    if found.keys() != set(suite.packages):
        raise Refusal(
            f"the archives hold {', '.join(sorted(found))}", where=str(root), expected=" and ".join(suite.packages)
        )
    return Candidate("archives", root, found)


def own_checks(staged: Path, suite: Suite) -> None:
    """Install the checkout's development dependencies in the staged copy and run its own scripts (R-C4)."""
    body = documents.read(staged / "package.json") if (staged / "package.json").is_file() else {}
    scripts = body.get("scripts", {})
    missing = [name for name in suite.candidate["scripts"] if name not in scripts]
    if missing:
        raise Refusal(
            f"the candidate's root package.json has no script {', '.join(missing)}",
            expected=", ".join(suite.candidate["scripts"]),
            next=PACK_YOURSELF,
        )
    if not (staged / "package-lock.json").is_file():
        raise Refusal(
            "the candidate has no package-lock.json in its root", expected="an npm checkout", next=PACK_YOURSELF
        )
    npm.run(staged, "ci", "--ignore-scripts")
    for name in suite.candidate["scripts"]:
        done = npm.run(staged, "run", "--silent", name, timeout=SCRIPT_TIMEOUT, check=False)
        if done.returncode:
            raise Refusal(
                f"the candidate's own `{name}` failed: {_last_words(done)}",
                expected="every check of the candidate to pass before it is packed",
            )


def _last_words(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = (done.stdout + b"\n" + done.stderr).decode("utf-8", "replace").split("\n")
    said = [line.strip() for line in lines if line.strip() and not line.startswith("npm ")]
    return " / ".join(said[-3:])[:500] or f"exit {done.returncode}"


def archive_checks(archives: list[Archive], suite: Suite) -> dict[str, bytes]:
    """What must hold for any archive, whoever packed it. Returns the bytes of each catalog."""
    catalogs = {}
    for archive in archives:
        ranges = manifest.range_faults(archive.manifest)
        targets = manifest.target_faults(archive.manifest, archive.entries)
        if ranges or targets:
            said = ranges[0] if ranges else f"{targets[0]}, which the tarball does not hold"
            raise Refusal(f"{said} (in {archive.package})", where=archive.file, next=PACK_YOURSELF)
        name = suite.candidate["catalog"]
        if name not in archive.entries:
            raise Refusal(f"ships no {name}", where=archive.file, expected="an API catalog for the agent (R-K1)")
        documents.parse_strict(archive.entries[name].data, where=f"{archive.file}!{name}")
        catalogs[archive.package] = archive.entries[name].data
    return catalogs


def installed_checks(consumer: Path, archives: list[Archive]) -> None:
    """Smoke import of every entry point, and the packages' own `.d.ts` under `skipLibCheck: false` (R-C4)."""
    for archive in archives:
        for specifier in manifest.importable(archive.manifest, archive.entries):
            smoke_import(consumer, specifier)
    # Imported late here and below: the analyser needs its own compiler, which most commands do without.
    from steps.analysis import analyze

    faults = analyze.package_check(consumer)
    if faults:
        raise Refusal(
            f"the candidate's own declarations do not compile: {faults[0]}"
            + (f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""),
            expected=".d.ts files without errors, as an agent's compiler reads them",
        )


def smoke_import(consumer: Path, specifier: str) -> None:
    """Import one entry point in a process that can read nothing but the consumer: a checkout cannot help it (R-C3)."""
    command = [
        str(node.binary()),
        "--permission",
        f"--allow-fs-read={consumer.resolve()}",
        "--input-type=module",
        "-e",
        SMOKE,
        specifier,
    ]
    done = node.run(command, cwd=consumer, timeout=60, check=False)
    if done.returncode != IMPORTED:
        words = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if ERROR.match(line)]
        raise Refusal(
            f"importing {specifier!r} from the installed consumer failed: "
            f"{words[0].strip()[:300] if words else f'exit {done.returncode}'}",
            expected="every entry point to load",
        )


def fits(suite: Suite, consumer: Path) -> list[str]:
    """Why the suite's tasks cannot be solved with this candidate; empty when they can."""
    from steps.analysis import analyze

    tasks = [suites.load_task(suite.task_dir(task)) for task in suite.tasks]
    installed = documents.read(consumer / "package.json")["dependencies"]
    return misfits(tasks, suite.candidate["scopePrefix"], analyze.catalogue(consumer), installed)


def misfits(
    tasks: list[dict[str, Any]], prefix: str, catalogue: dict[str, list[str]], installed: Iterable[str]
) -> list[str]:
    """`fits` as a function of its data: `catalogue` is entry point to exported names."""
    exported = {name for names in catalogue.values() for name in names}
    problems = []
    for task in tasks:
        found = [f"no export {name}" for group in task["requiredIntegration"] for name in _absent(group, exported)]
        found += [
            f"no entry point {name}"
            for name in task["allowedImports"]
            if name.startswith(prefix) and not _provided(name, catalogue)
        ]
        found += [f"the peer {name} is not installed" for name in sorted(set(task["requiredPeers"]) - {*installed})]
        problems += [f"{task['id']}: {text}" for text in found]
    return problems


def _absent(group: dict[str, Any], exported: set[str]) -> list[str]:
    """Symbols of a group that do not exist; of alternatives one is enough. `ns.member` is judged by `ns`."""
    absent = [name for name in group["symbols"] if name.split(".")[0] not in exported]
    return [] if group.get("mode") == "any" and len(absent) < len(group["symbols"]) else absent


def _provided(allowed: str, catalogue: dict[str, list[str]]) -> bool:
    """Whether an entry of `allowedImports` admits at least one entry point; `P/*` means strict subpaths of P."""
    if allowed.endswith("/*"):
        return any(specifier.startswith(allowed[:-1]) for specifier in catalogue)
    return allowed in catalogue

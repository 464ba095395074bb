"""Static analysis of one solution: what it imports and uses of the candidate, and what the compiler says (rows G, A3).

The judgement is made by `graders/analyser`; this module reads the files, starts it and completes `analysis.json`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Self

from steps import digest, documents, layout, records, schema, suite
from steps.analysis import toolchain
from steps.analysis.analyser import WALL_SECONDS, AnalyserProcess, AnalysisFailed, Launcher
from steps.errors import Refusal

SCHEMA_VERSION = 1
TASK_LISTS = ("allowedOutputPaths", "allowedImports", "requiredIntegration")
LOCKS = ("consumer-lock.json", "package-lock.json")


class Analyser:
    """A warm analyser for many solutions: answers are byte-identical to those of a fresh process per solution."""

    def __init__(
        self,
        candidate: dict[str, Any] | None = None,
        launcher: Launcher | None = None,
        wall_seconds: float = WALL_SECONDS,
    ) -> None:
        self._candidate = candidate
        self._process = AnalyserProcess(launcher, wall_seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.release()

    def analyse(self, consumer: Path, task: Path, solution: Path, emit_dir: Path | None = None) -> dict[str, Any]:
        """`analysis.json` of a solution folder. Raises AnalysisFailed when it breaks or stalls the analyser.

        `emit_dir` receives the emitted JavaScript, whose digests the analysis records.
        """
        definition = read_task(task)
        data = solution_files(solution, definition["allowedOutputPaths"])
        answer = self._ask(
            consumer,
            {
                "operation": "analyse",
                "files": _texts(data),
                "starter": _starter(task, definition),
                "contract": _contract(task),
                "task": definition,
            },
        )
        if emit_dir is not None:
            for path, text in answer["emitted"].items():
                documents.write_atomic(emit_dir / path, text.encode())
        return _document(consumer, data, answer)

    def derive_seeds(self, consumer: Path, task: Path) -> list[str]:
        """Keys of the invalid candidate references that the starter holds, found by the same analysis (R-G2)."""
        definition = read_task(task)
        return self._ask(consumer, {"operation": "seeds", "starter": _starter(task, definition), "task": definition})

    def catalogue(self, consumer: Path) -> dict[str, list[str]]:
        """Exported names by entry point, read from the packed declarations through the exports map."""
        return self._ask(consumer, {"operation": "catalogue"})

    def package_check(self, consumer: Path) -> list[str]:
        """Faults of the candidate's own declarations under `skipLibCheck: false`; any hit makes a batch not-run."""
        return self._ask(consumer, {"operation": "packageCheck"})

    def _ask(self, consumer: Path, job: dict[str, Any]) -> Any:
        names = self._candidate or candidate_names()
        for name in names["packages"]:
            if not (consumer / "node_modules" / name / "package.json").is_file():
                raise Refusal(
                    f"{name} is not installed",
                    where=str(consumer),
                    expected="a prepared consumer",
                    next="prepare one with doit consumer --out=DIR",
                )
        return self._process.ask(consumer, {**job, "candidate": names})


def candidate_names() -> dict[str, Any]:
    """The packages that count as the candidate: data of the suite."""
    loaded = suite.load()
    return {"packages": loaded.packages, "scopePrefix": loaded.candidate["scopePrefix"]}


def analyze(
    consumer: Path, task: Path, solution: Path, emit_dir: Path | None = None, launcher: Launcher | None = None
) -> dict[str, Any]:
    """`analysis.json` of one solution, made by one process of its own."""
    with Analyser(launcher=launcher) as analyser:
        return analyser.analyse(consumer, task, solution, emit_dir)


def derive_seeds(consumer: Path, task: Path) -> list[str]:
    """See `Analyser.derive_seeds`."""
    with Analyser() as analyser:
        return analyser.derive_seeds(consumer, task)


def catalogue(consumer: Path) -> dict[str, list[str]]:
    """See `Analyser.catalogue`."""
    with Analyser() as analyser:
        return analyser.catalogue(consumer)


def package_check(consumer: Path) -> list[str]:
    """See `Analyser.package_check`."""
    with Analyser() as analyser:
        return analyser.package_check(consumer)


def read_task(folder: Path) -> dict[str, Any]:
    """What the analyser needs of any task folder's task.json: absent lists are empty; suite rules are not demanded."""
    where = folder / "task.json"
    body = documents.read(where)
    if not isinstance(body, dict) or body.get("schemaVersion", 1) != 1:
        raise Refusal("not a task definition of version 1", where=str(where), expected="a JSON object, schemaVersion 1")
    task = {name: body.get(name, []) for name in TASK_LISTS}
    faults = schema.faults({name: body[name] for name in TASK_LISTS if name in body}, "analyser-task")
    if faults:
        raise Refusal(faults[0], where=str(where), expected="the lists of a task definition")
    return task


def solution_files(folder: Path, allowed: list[str]) -> dict[str, bytes]:
    """The allowed files that are there. A missing one is data; one that is too large fails the attempt."""
    limit = suite.load().limits["solutionFileBytes"]
    found = {}
    for path in allowed:
        where = folder / path
        if not where.is_symlink() and not where.exists():
            continue
        if where.is_file() and where.stat().st_size > limit:
            raise AnalysisFailed(f"{path} has more than {limit} bytes")
        found[path] = documents.read_bytes(where, max_bytes=limit)
    return found


def _texts(files: dict[str, bytes]) -> dict[str, str]:
    return {path: data.decode("utf-8", "replace").removeprefix("\ufeff") for path, data in files.items()}


def _starter(task: Path, definition: dict[str, Any]) -> dict[str, str]:
    return _texts(solution_files(task / "starter", definition["allowedOutputPaths"]))


def _contract(task: Path) -> str | None:
    where = task / "contract.d.ts"
    return _texts({"": documents.read_bytes(where)})[""] if where.exists() else None


def _document(consumer: Path, data: dict[str, bytes], answer: dict[str, Any]) -> dict[str, Any]:
    emitted = [{"file": path, "sha256": digest.of_bytes(text.encode())} for path, text in answer["emitted"].items()]
    return {
        "schemaVersion": SCHEMA_VERSION,
        "toolchain": {
            "typescript": toolchain.compiler_version(),
            "analyserDigest": analyser_digest(),
            "consumerLockDigest": _consumer_lock(consumer),
            "catalogDigest": digest.of_json(answer["catalogue"]),
        },
        "solutionDigest": records.solution_digest(data),
        **answer["result"],
        "emitted": emitted,
    }


@cache
def analyser_digest() -> str:
    """Digest of the analyser's sources and of the lock that pins its compiler."""
    files = [Path(path) for path in layout.files_under(layout.GRADERS / "analyser")]
    return digest.of_tree(layout.GRADERS, [*files, *(layout.GRADERS / name for name in toolchain.FILES)])


def _consumer_lock(consumer: Path) -> str | None:
    found = [consumer / name for name in LOCKS if (consumer / name).is_file()]
    return digest.of_file(found[0]) if found else None

"""The task graph in the order of the data; `doit list` prints it. Paths and dicts only.

Nothing but `batch` can start a batch, and `qualify` depends on nothing: judging must never start a paid run.
"""

import os
import sys

# Chosen before any path is made: another candidate has its own build folder (steps/layout.py).
for word in sys.argv:
    if word.startswith("--candidate="):
        os.environ["APPKIT_EVAL_CANDIDATE"] = word.partition("=")[2]

from doit import task_params  # noqa: E402

from steps import layout as at  # noqa: E402
from steps.doitkit import Sha256Checker, Step  # noqa: E402
from steps.graph import JUDGING, SCHEDULE, TASKS, candidate_files, frozen, grader_files  # noqa: E402

DOIT_CONFIG = {
    "minversion": "0.37.0",
    "backend": "atomic",
    "dep_file": str(at.DOIT_DB),
    "check_file_uptodate": Sha256Checker,
    "reporter": "eval",
    "num_process": 2,
    "par_type": "thread",
    "continue": True,
    "sort": "definition",
    "default_tasks": ["check_suite", "pack", "consumer", "test_graders"],
}
SUITE = at.files_under(at.TASKS, at.SCHEMAS)
CANDIDATE = {
    "name": "candidate",
    "long": "candidate",
    "default": "",
    "help": "a checkout or two .tgz instead of the stand-in",
}


def task_check_suite():
    """tasks/ graders/ fixtures/solutions/ -> suite.json: the tasks agree with their graders and give no answer away"""
    files = [*SUITE, *at.files_under(at.GRADERS, at.FIXTURES / "solutions"), *JUDGING]
    return {"actions": [Step("check-suite")], "file_dep": [*files, at.CONSUMER_LOCK], "targets": [at.SUITE_STAMP]}


@task_params([CANDIDATE])
def task_pack(candidate):
    """candidate sources -> archives/*.tgz, archives.json: checked, then packed byte for byte the same"""
    files = [*candidate_files(), str(at.SUITE), *JUDGING]
    return {"actions": [Step("pack")], "file_dep": files, "targets": [at.ARCHIVES_STAMP]}


@task_params(
    [CANDIDATE, {"name": "out", "long": "out", "default": "", "help": "leave a prepared consumer in this folder"}]
)
def task_consumer(candidate, out):
    """archives/*.tgz -> consumer-lock.json: exactly these bytes, installed as a consumer does"""
    files = [at.ARCHIVES_STAMP, *at.files_under(at.TASKS), *JUDGING]
    return {
        "actions": [Step("consumer", *([f"--out={out}"] if out else []))],
        "file_dep": files,
        "targets": [at.CONSUMER_LOCK],
        "uptodate": [not out],
    }


def task_test_graders():
    """fixtures/solutions/ + graders -> one stamp per task: right solutions pass, wrong ones fail for their reason"""
    for task in TASKS:
        yield {
            "name": task,
            "actions": [Step("test-graders", task)],
            "file_dep": [*grader_files(task), at.CONSUMER_LOCK, *JUDGING],
            "targets": [at.stamp(task)],
        }


def task_images():
    """the pinned Node -> local images of verifier and scripted runner, printed as name@sha256:...; needs Docker"""
    return {"actions": [Step("images")], "uptodate": [False]}


RUNNER_CONFIG = {"name": "runner_config", "long": "runner-config", "default": "", "help": "FILE: the reviewed runner"}


@task_params([{"name": "out", "long": "out", "default": "", "help": "FILE instead of .verification's"}])
def task_init_config(out):
    """what this machine can say -> runner.json to fill in; never overwrites one"""
    return {"actions": [Step("init-config", f"--out={out}")], "uptodate": [False]}


@task_params([RUNNER_CONFIG, {"name": "json", "long": "json", "type": bool, "default": False, "help": "one JSON line"}])
def task_doctor(runner_config, json):
    """everything that a live batch needs -> what is missing and what to do; spends nothing"""
    words = [f"--runner-config={runner_config}", *(["--json"] if json else [])]
    return {"actions": [Step("doctor", *words)], "uptodate": [False]}


@task_params([RUNNER_CONFIG, CANDIDATE, {"name": "task", "long": "task", "default": "", "help": "ID of the task"}])
def task_canary(runner_config, task, candidate):
    """one real run in a folder of its own, to see that all works; never evidence, may reach a model"""
    words = [f"--task={task}", f"--runner-config={runner_config}"]
    return {"actions": [Step("canary", *words)], "file_dep": [at.CONSUMER_LOCK], "uptodate": [False],
            "task_dep": ["check_suite", "test_graders"]}  # fmt: skip


@task_params([{"name": "solution", "long": "solution", "default": "", "help": "file to try; it is never evidence"}])
def task_try(solution):
    """one solution -> its analysis and assertions, shown to a task author; never evidence"""
    for task in TASKS:
        yield {
            "name": task,
            "actions": [Step("try", task, f"--solution={solution}")],
            "task_dep": ["consumer"],
            "uptodate": [False],
        }


@task_params(
    [
        RUNNER_CONFIG,
        {"name": "resume", "long": "resume", "type": bool, "default": False, "help": "finish runs that never started"},
        CANDIDATE,
    ]
)
def task_batch(runner_config, resume, candidate):
    """suite + consumer + runner -> receipt.json: 18 runs in a new folder, the only stage that may reach a model"""
    yield {"name": None, "doc": task_batch.__doc__}
    yield {
        "name": "open",
        "actions": [Step("batch-open", f"--runner-config={runner_config}", *(["--resume"] if resume else []))],
        "file_dep": [at.CONSUMER_LOCK, at.ARCHIVES_STAMP],
        "task_dep": ["check_suite", "test_graders"],
        "targets": [at.CURRENT / "batch.json"],
        "uptodate": [False],
    }
    for task, repetition in SCHEDULE:
        yield {
            "name": f"run-{task}-{repetition}",
            "actions": [Step("batch-run", task, repetition, environment=frozen())],
            "file_dep": [at.CURRENT / "batch.json"],
            "targets": [at.run_dir(at.CURRENT, task, repetition) / "run.json"],
        }
    runs = [at.run_dir(at.CURRENT, task, repetition) / "run.json" for task, repetition in SCHEDULE]
    yield {
        "name": "receipt",
        "actions": [Step("batch-receipt", environment=frozen())],
        "file_dep": [at.CURRENT / "batch.json", *runs],
        "targets": [at.CURRENT / "receipt.json"],
    }


@task_params(
    [
        {"name": "receipt", "long": "receipt", "default": "", "help": "FILE to judge instead of the current batch's"},
        {
            "name": "archives",
            "long": "archives",
            "default": "",
            "help": "FILE: archives.json, when not beside the receipt",
        },
        {
            "name": "expect",
            "long": "expect-unqualified",
            "default": "",
            "help": "exit 0 only if this is the sole reason",
        },
        {
            "name": "digests_only",
            "long": "digests-only",
            "type": bool,
            "default": False,
            "help": "quick; can only say no",
        },
    ]
)
def task_qualify(receipt, archives, expect, digests_only):
    """the bytes of a batch -> qualification.json: everything derived again; exit 0 qualified, 1 not"""
    options = [f"--receipt={receipt}", f"--archives={archives}", f"--expect-unqualified={expect}"]
    return {"actions": [Step("qualify", *options, *(["--digests-only"] if digests_only else []))], "uptodate": [False]}


@task_params([{"name": "receipt", "long": "receipt", "default": "", "help": "FILE instead of the current batch's"}])
def task_regrade(receipt):
    """stored solutions + today's graders -> what would change; advice, never evidence"""
    for task in TASKS:
        yield {"name": task, "actions": [Step("regrade", task, f"--receipt={receipt}")], "uptodate": [False]}


@task_params([{"name": "json", "long": "json", "type": bool, "default": False, "help": "one JSON line on stdout"}])
def task_explain(json):
    """digests of today and of each stored batch -> what is stale, why, and what to do"""
    return {"actions": [Step("explain", *(["--json"] if json else []))], "uptodate": [False]}


@task_params(
    [
        {"name": "receipt", "long": "receipt", "default": "", "help": "FILE instead of the current batch's"},
        {"name": "accept", "long": "accept", "default": "", "help": "digest of the solution to accept"},
        {"name": "reviewer", "long": "reviewer", "default": "", "help": "who accepts it"},
    ]
)
def task_review(receipt, accept, reviewer):
    """stored solutions that need a person's judgement -> reviewDecisions of the receipt, nothing else"""
    options = [f"--receipt={receipt}", f"--accept={accept}", f"--reviewer={reviewer}"]
    return {"actions": [Step("review", *options)], "uptodate": [False]}


@task_params(
    [
        {"name": "a", "long": "a", "default": "", "help": "a batch folder"},
        {"name": "b", "long": "b", "default": "current", "help": "another one"},
        {"name": "anyway", "long": "anyway", "type": bool, "default": False, "help": "show counts not measured alike"},
    ]
)
def task_compare(a, b, anyway):
    """two batches -> their counts side by side, if they were measured alike"""
    return {"actions": [Step("compare", a, b, *(["--anyway"] if anyway else []))], "uptodate": [False]}

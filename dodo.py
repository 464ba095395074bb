"""The task graph in the order of the data; `doit list` prints it. Paths and dicts only.

Nothing but `batch` can start a batch, and `qualify` depends on nothing: judging must never start a paid run.
"""

import os
import sys

# Chosen before any path is made: another candidate has its own build folder (steps/layout.py).
for word in sys.argv:
    if word.startswith("--candidate="):
        os.environ["APPKIT_EVAL_CANDIDATE"] = word.partition("=")[2]

from steps import layout as at  # noqa: E402
from steps.doitkit import Sha256Checker, Step  # noqa: E402
from steps.graph import FITTED, JUDGING, SCHEDULE, TASKS, candidate_files, frozen, grader_files  # noqa: E402
from steps.options import takes, words  # noqa: E402

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


def always(*action, **more):
    return {"actions": [Step(*action)], "uptodate": [False], **more}


def task_check_suite():
    """tasks/ graders/ fixtures/solutions/ -> suite.json: the tasks agree with their graders and give no answer away"""
    files = [*at.files_under(at.TASKS, at.SCHEMAS, at.GRADERS, at.FIXTURES / "solutions"), *JUDGING, at.CONSUMER_LOCK]
    return {"actions": [Step("check-suite")], "file_dep": files, "targets": [at.SUITE_STAMP]}


@takes("candidate")
def task_pack(candidate):
    """candidate sources -> archives/*.tgz, archives.json: checked, then packed byte for byte the same"""
    files = [*candidate_files(), str(at.SUITE), *JUDGING]
    return {"actions": [Step("pack")], "file_dep": files, "targets": [at.ARCHIVES_STAMP]}


@takes("candidate", "out")
def task_consumer(candidate, out):
    """archives/*.tgz -> consumer-lock.json: exactly these bytes, installed as a consumer does"""
    return {
        "actions": [Step("consumer", *words(out=out))],
        "file_dep": [at.ARCHIVES_STAMP, *FITTED, *JUDGING],
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


@takes("seeds")
def task_many_seeds(seeds):
    """right solutions x seeds -> flakes: no right solution is rejected by the luck of its inputs; slow"""
    for task in TASKS:
        yield always("many-seeds", task, *words(seeds=seeds), name=task, task_dep=["consumer"])


@takes("task")
def task_mutate_graders(task):
    """right solutions with one mistake planted in each -> mutants.json: the graders find every mistake; slow"""
    return always("mutate-graders", *words(task=task), task_dep=["consumer"])


@takes("solution")
def task_try(solution):
    """one solution -> its analysis and assertions, shown to a task author; never evidence"""
    for task in TASKS:
        yield always("try", task, *words(solution=solution), name=task, task_dep=["consumer"])


def task_images():
    """the pinned Node -> local images of verifier and scripted runner, printed as name@sha256:...; needs Docker"""
    return always("images")


@takes("out")
def task_init_config(out):
    """what this machine can say -> runner.json to fill in; never overwrites one"""
    return always("init-config", *words(out=out))


@takes("runner-config", "json")
def task_doctor(runner_config, json):
    """everything that a live batch needs -> what is missing and what to do; spends nothing"""
    return always("doctor", *words(runner_config=runner_config, json=json))


@takes("runner-config", "task", "candidate")
def task_canary(runner_config, task, candidate):
    """one real run in a folder of its own, to see that all works; never evidence, may reach a model"""
    before = {"file_dep": [at.CONSUMER_LOCK], "task_dep": ["check_suite", "test_graders"]}
    return always("canary", *words(task=task, runner_config=runner_config), **before)


@takes("runner-config", "resume", "candidate")
def task_batch(runner_config, resume, candidate):
    """suite + consumer + runner -> receipt.json: 18 runs in a new folder, the only stage that may reach a model"""
    yield {"name": None, "doc": task_batch.__doc__}
    plan = at.CURRENT / "batch.json"
    yield always(
        "batch-open",
        *words(runner_config=runner_config, resume=resume),
        name="open",
        file_dep=[at.CONSUMER_LOCK, at.ARCHIVES_STAMP],
        task_dep=["check_suite", "test_graders"],
        targets=[plan],
    )
    records = [at.run_dir(at.CURRENT, task, repetition) / "run.json" for task, repetition in SCHEDULE]
    for (task, repetition), record in zip(SCHEDULE, records, strict=True):
        yield {
            "name": f"run-{task}-{repetition}",
            "actions": [Step("batch-run", task, repetition, environment=frozen())],
            "file_dep": [plan],
            "targets": [record],
        }
    yield {
        "name": "receipt",
        "actions": [Step("batch-receipt", environment=frozen())],
        "file_dep": [plan, *records],
        "targets": [at.CURRENT / "receipt.json"],
    }


@takes("receipt", "archives", "expect-unqualified", "digests-only")
def task_qualify(receipt, archives, expect_unqualified, digests_only):
    """the bytes of a batch -> qualification.json: everything derived again; exit 0 qualified, 1 not"""
    given = {"receipt": receipt, "archives": archives, "expect_unqualified": expect_unqualified}
    return always("qualify", *words(**given, digests_only=digests_only))


@takes("receipt")
def task_regrade(receipt):
    """stored solutions + today's graders -> what would change; advice, never evidence"""
    for task in TASKS:
        yield always("regrade", task, *words(receipt=receipt), name=task)


@takes("json")
def task_explain(json):
    """digests of today and of each stored batch -> what is stale, why, and what to do"""
    return always("explain", *words(json=json))


@takes("receipt", "accept", "reviewer")
def task_review(receipt, accept, reviewer):
    """stored solutions that need a person's judgement -> reviewDecisions of the receipt, nothing else"""
    return always("review", *words(receipt=receipt, accept=accept, reviewer=reviewer))


@takes("a", "b", "anyway")
def task_compare(a, b, anyway):
    """two batches -> their counts side by side, if they were measured alike"""
    return always("compare", a, b or "current", *words(anyway=anyway))


@takes("receipt", "out")
def task_bundle(receipt, out):
    """a batch -> one file for a third party, and an unsigned statement about it"""
    return always("bundle", *words(receipt=receipt, out=out))


@takes("bundle")
def task_verify(bundle):
    """a bundle that somebody else made -> what `qualify` says of it here"""
    return always("verify", f"--bundle={bundle}")

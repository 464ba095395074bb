"""A live batch of 18 runs in real containers, from runner.json to a receipt that qualifies (R-E1, R-E2, R-I1, R-I3).

The runner is scripted but not the built-in one: its image has no self-test label and none of its files is ours. So
the same commands that a user calls say `qualified` of it, and `not qualified` of every tampering.
"""

from __future__ import annotations

import contextlib
import io
import json
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import agents
import pytest
from live import State, runner_json

from steps import layout, scratch, suite
from steps.isolation import containers
from steps.judging import qualify_command, rederive
from steps.judging.derived import Derived
from steps.packing.consumer import Consumer

sys.path.insert(0, str(Path(__file__).parent.parent / "qualify"))  # honest.py

from honest import Batch

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live-batch")]

REPAIRED = "core-validation-1"
TAMPERINGS = (
    "archive-byte",
    "assertion-edited",
    "catalog-edited",
    "frozen-edited",
    "images-edited",
    "receipt-firstsuccesses-edited",
    "run-deleted",
    "runs-swapped",
    "seed-edited",
    "solution-deleted",
)


class Made:
    """A finished live batch and what the real command said of it."""

    def __init__(self, home: Path, config: dict[str, Any]) -> None:
        self.state = State(home)
        self.opened = self.state.open(config)
        begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        self.runs = self.state.run_all()
        self.seconds, used = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
        self.summary = self.state.seal()
        self.folder = self.state.batch
        self.derived: Derived | None = None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rederive, "attempts", self._keep(rederive.attempts))
            begun = time.monotonic()
            self.code, self.said = qualify(self.folder / "receipt.json")
            self.judged = time.monotonic() - begun

    def _keep(self, attempts: Any) -> Any:
        def kept(*args: Any) -> Derived:
            self.derived = attempts(*args)
            return self.derived

        return kept


def qualify(receipt: Path) -> tuple[int, str]:
    """Exit code and stdout of `doit qualify --receipt`."""
    with contextlib.redirect_stdout(io.StringIO()) as stdout:
        code = qualify_command.run(receipt, None, expect=None, digests_only=False)
    return code, stdout.getvalue()


@pytest.fixture(scope="module")
def made(engine, verifier_image: str, prepared: Consumer, tmp_path_factory: pytest.TempPathFactory) -> Made:
    assert prepared.path.is_dir()
    image = agents.image(engine, tmp_path_factory.getbasetemp().parent)
    args = ["/opt/agent/agent.mjs", "/opt/agent/answers", f"wrong={REPAIRED}"]
    done = Made(tmp_path_factory.mktemp("live"), runner_json(image, verifier_image, args=args))
    print(
        f"18 runs in {done.seconds:.1f} s, {done.cpu / 18:.2f} CPU s each outside Docker; "
        f"judged again in {done.judged:.1f} s",
        file=sys.stderr,
    )
    return done


def test_e1_the_batch_completes_with_18_runs_of_which_one_was_repaired(made: Made) -> None:
    assert [run.stderr for run in made.runs if run.returncode] == []
    assert made.summary["status"] == "completed"
    assert (made.summary["firstSuccesses"], made.summary["finalSuccesses"]) == (17, 18)
    receipt = json.loads((made.folder / "receipt.json").read_bytes())
    assert [len(run["attempts"]) for run in receipt["runs"]].count(2) == 1


def test_e1_what_answered_is_read_out_of_the_image(made: Made) -> None:
    plan = json.loads((made.folder / "batch.json").read_bytes())
    assert set(plan["inputs"]["runnerFiles"]) == {"/usr/local/bin/node", "/opt/agent/agent.mjs"}
    assert plan["inputs"]["runnerImage"]["selfTestLabel"] is False
    assert (plan["config"]["launcher"], plan["config"]["runnerNetwork"]) == ("docker", None)


def test_i1_it_qualifies_and_prints_exactly_that(made: Made) -> None:
    assert (made.code, made.said) == (0, '{"qualified":true,"reasons":[]}\n'), made.said
    assert len(made.derived.verdicts) == len(suite.load().schedule) + 1, "every attempt was graded again"


@pytest.mark.parametrize("name", TAMPERINGS)
def test_i3_no_tampering_qualifies(name: str, made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = suite.read_yaml(layout.FIXTURES / "evidence" / f"{name}.yaml")
    copy = Batch(shutil.copytree(made.folder, tmp_path / made.folder.name), made.derived)
    (copy.root / "qualification.json").unlink()
    copy.apply(case)
    monkeypatch.setattr(rederive, "attempts", lambda *_: copy.derived)  # what these bytes were seen to give
    code, said = qualify(copy.root / "receipt.json")
    decided = json.loads(said)
    assert (code, decided["qualified"]) == (1, False)
    assert set(case["reasons"]) <= {entry["code"] for entry in decided["reasons"]}


def test_i3_the_runner_image_is_read_again(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator who edits the plan and everything that binds it still cannot say what is in the image."""
    assert set(made.derived.runner["files"]) == {"/usr/local/bin/node", "/opt/agent/agent.mjs"}
    copy = Batch(shutil.copytree(made.folder, tmp_path / made.folder.name), made.derived)
    (copy.root / "qualification.json").unlink()
    place = "/inputs/runnerFiles/~1opt~1agent~1agent.mjs"
    copy.apply({"ops": [{"op": "set", "file": "batch.json", "at": place, "to": f"sha256:{'0' * 64}"}], "reseal": True})
    monkeypatch.setattr(rederive, "attempts", lambda *_: copy.derived)
    decided = json.loads(qualify(copy.root / "receipt.json")[1])
    assert {entry["code"] for entry in decided["reasons"]} == {"image-differs"}


def judging(made: Made, folder: Path, engine) -> tuple[subprocess.Popen[str], list[str]]:
    """A `qualify` of a copy of the batch that has a container now, and what it has in the engine."""
    command = [sys.executable, "-P", "-m", "steps.cli", "qualify", f"--receipt={folder}/receipt.json"]
    child = subprocess.Popen(command, cwd=layout.ROOT, env=made.state.environment(), stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, text=True)  # fmt: skip
    end = time.monotonic() + 60
    while not (found := judged(made, engine, child.pid)):
        assert child.poll() is None and time.monotonic() < end, "it never started a container"
        time.sleep(0.1)
    return child, found


def judged(made: Made, engine, owner: int) -> list[str]:
    """Containers of the `qualify` with this process id."""
    key = f"{containers.LABEL}.owner"
    found = engine.containers.list(
        all=True, filters={"label": f"{containers.LABEL}.qualify={made.folder.name}"}, ignore_removed=True
    )
    return [each.id for each in found if each.labels[key].startswith(f"{scratch.PREFIX}qualify-{owner}-")]


def test_e4_a_killed_qualify_leaves_containers_to_the_next_one_and_an_ended_one_none(
    made: Made, engine, tmp_path: Path
) -> None:
    copy = shutil.copytree(made.folder, tmp_path / made.folder.name)
    killed, left = judging(made, copy, engine)
    killed.kill()
    killed.communicate()
    assert set(left) <= set(judged(made, engine, killed.pid)), "nothing was left: the test proves nothing"
    # Its last containers are removed before the next one starts any, and those of a living one are nobody's leftovers.
    with containers.created(engine, living(made)) as other:
        ended, _ = judging(made, copy, engine)
        assert judged(made, engine, killed.pid) == []
        other.reload()
        ended.send_signal(signal.SIGTERM)
        ended.communicate(timeout=60)
        other.reload()
    assert (ended.returncode, judged(made, engine, ended.pid)) == (130, [])
    assert list((made.state.home / "qualify").iterdir()) == []


def living(made: Made) -> containers.Spec:
    """A container of some other qualification of the same batch."""
    serves = containers.labels("verifier", qualify=made.folder.name, owner=f"{scratch.PREFIX}qualify-1-other")
    return containers.Spec(json.loads((made.folder / "batch.json").read_bytes())["config"]["verifierImage"], [], serves)


def test_k_nothing_of_the_batch_is_left_in_the_engine(made: Made, engine) -> None:
    wanted = {"label": f"{containers.LABEL}.batch={made.folder.name}"}
    assert engine.containers.list(all=True, filters=wanted) == []
    assert engine.volumes.list(filters=wanted) == []

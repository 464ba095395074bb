"""What a live batch does when something dies under it, on an engine of the tests' own (R-E4, R-E5).

Whatever dies: the run that had started is recorded once, the receipt says so, `--resume` runs only what never started,
and after the next start nothing of ours is left in the engine.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import agents
import pytest
from live import State, runner_json
from test_failures import OwnEngine, wait_for

from steps import layout, schema
from steps.isolation import containers, images
from steps.packing.consumer import Consumer
from steps.running import journal, run

sys.path.insert(0, str(Path(__file__).parent.parent / "batch"))  # batch_plans.py

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("live-failures"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # the SDK leaks a refused socket
]

# Hangs in every task but one, in which it gives up at once.
AGENT = """process.stdin.once('data', (data) =>
JSON.parse(data).taskId === 'react-form' ? process.exit(3) : setInterval(() => {}, 1e3))""".replace("\n", " ")
GIB = 1 << 30


class Bench:
    """An engine in memory, an open batch on it, and what became of its runs."""

    def __init__(self, own: OwnEngine, folder: Path, home: Path) -> None:
        self.own, self.folder, self.state = own, folder, State(home)
        self.client = own.start()
        self.image = next(iter(images.prepare(self.client, [images.verifier()], agents.PORT).values()))
        self.config = runner_json(self.image, self.image, args=["-e", AGENT], submissionTimeoutMs=60_000)
        self.environment = {"DOCKER_HOST": own.address}
        self.opened = self.state.open(self.config, **self.environment)
        self.plan = schema.load(self.state.batch / "batch.json", "batch")

    def slot(self, task: str, repetition: int) -> journal.Slot:
        return journal.slot(self.plan, self.state.batch, task, repetition)

    def left(self) -> list[str]:
        return agents.left(self.client, {"batch": self.state.batch.name})

    def started(self, task: str, repetition: int) -> subprocess.Popen[str]:
        """A step whose agent hangs in its container."""
        child = self.state.start(task, repetition, **self.environment)
        self.runner(task, repetition)
        return child

    def runner(self, task: str, repetition: int) -> Any:
        key = containers.LABEL
        labels = [f"{key}.run={task}-{repetition}", f"{key}.role=runner", f"{key}.batch={self.state.batch.name}"]
        return wait_for(lambda: next(iter(self.client.containers.list(filters={"label": labels})), None))

    def restart(self, number: int) -> None:
        self.own.end(number)
        self.client.close()
        self.client = self.own.start()

    def resumed(self) -> str:
        return self.state.open(self.config, "--resume", **self.environment)["line"]


@pytest.fixture(scope="module")
def bench(prepared: Consumer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    if shutil.which("dockerd") is None or os.getuid() != 0:
        pytest.skip("an engine of its own needs dockerd and root")
    folder = Path(f"/tmp/f-{os.getpid()}")
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={GIB}", "tmpfs", str(folder)], check=True)
    own = OwnEngine(folder)
    try:
        made = Bench(own, folder, tmp_path_factory.mktemp("failures"))
        yield made
        made.client.close()
    finally:
        own.end()
        for line in reversed(Path("/proc/self/mounts").read_text().splitlines()):
            if (line.split()[1] + "/").startswith(f"{folder}/"):
                subprocess.run(["umount", "-l", line.split()[1]], check=True)
        folder.rmdir()


def _run(record: Path) -> tuple[str, int]:
    task, _, repetition = record.parent.name.rpartition("-")
    return task, int(repetition)


def recorded(bench: Bench, task: str, repetition: int) -> dict[str, Any]:
    return json.loads((bench.slot(task, repetition).folder / "run.json").read_bytes())


def test_e4_a_killed_orchestrator_leaves_a_run_that_is_recorded_once_and_never_repeated(bench: Bench) -> None:
    assert "18 runs" in bench.opened["line"]
    child = bench.started("core-validation", 1)
    child.kill()
    child.communicate()
    assert bench.left(), "nothing was left: the test proves nothing"
    assert "17 runs left" in bench.resumed()
    assert bench.left() == []
    assert recorded(bench, "core-validation", 1)["failureCategory"] == "interrupted"
    again = bench.state.run("core-validation", 1, **bench.environment)
    assert (again.returncode, json.loads(again.stdout)["line"]) == (0, "interrupted")
    assert bench.left() == []


def test_e4_an_interrupted_orchestrator_leaves_nothing_at_all(bench: Bench) -> None:
    child = bench.started("core-validation", 2)
    child.send_signal(signal.SIGTERM)
    child.communicate()
    assert child.returncode == 130
    assert bench.left() == []
    assert recorded(bench, "core-validation", 2)["failureCategory"] == "interrupted"


def test_e4_what_an_interrupted_doit_had_to_kill_is_swept_at_once(bench: Bench) -> None:
    child = bench.started("approval-boundary", 2)
    child.kill()
    child.communicate()
    assert bench.left(), "nothing was left: the test proves nothing"
    swept = bench.state.call("batch-sweep", **bench.environment)
    assert (swept.returncode, bench.left()) == (0, []), swept.stderr


def test_e4_a_killed_container_is_the_run_s_failure(bench: Bench) -> None:
    child = bench.started("core-validation", 3)
    bench.runner("core-validation", 3).kill("SIGKILL")
    _, said = child.communicate()
    assert child.returncode == 0, said
    done = recorded(bench, "core-validation", 3)
    assert (done["failureCategory"], done["infrastructure"]["state"]) == ("runner-failed", "ok")
    assert "137" in done["attempts"][0]["detail"]
    assert bench.left() == []


@pytest.mark.parametrize(
    ("repetition", "number"), [(1, signal.SIGKILL), (2, signal.SIGTERM)], ids=["killed", "restarted"]
)
def test_e4_an_engine_that_goes_away_is_the_run_s_failure_and_the_next_start_is_clean(
    bench: Bench, repetition: int, number: int
) -> None:
    child = bench.started("storage-hash", repetition)
    bench.restart(number)
    _, said = child.communicate(timeout=120)
    assert child.returncode == 0, said
    done = recorded(bench, "storage-hash", repetition)
    assert done["failureCategory"] == "runner-failed", done
    bench.resumed()
    assert bench.left() == []


def test_e5_an_engine_that_is_gone_before_a_run_starts_leaves_it_unstarted(bench: Bench) -> None:
    gone = bench.state.run("storage-hash", 3, DOCKER_HOST="unix:///nowhere")
    assert gone.returncode == 2
    assert "does not answer" in gone.stderr
    assert not bench.slot("storage-hash", 3).folder.exists()


def test_e5_a_full_disk_of_the_engine_is_infrastructure_and_leaves_nothing(bench: Bench) -> None:
    filler = bench.folder / "filler"
    with contextlib.suppress(OSError), filler.open("wb") as handle:
        while True:
            handle.write(bytes(1 << 20))
            handle.flush()
    try:
        full = bench.state.run("storage-hash", 3, **bench.environment)
    finally:
        filler.unlink()
    assert (full.returncode, "no space left" in full.stderr) == (2, True), full.stderr
    done = recorded(bench, "storage-hash", 3)
    assert (done["failureCategory"], done["infrastructure"]["state"]) == ("infrastructure", "broken")
    bench.resumed()
    assert bench.left() == []


def test_e4_a_clock_that_jumps_over_the_deadline_starts_no_container(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    from batch_plans import HeldClock

    clock = HeldClock()
    monkeypatch.setenv("DOCKER_HOST", bench.own.address)
    monkeypatch.setattr(layout, "ROOT", bench.state.batch / "inputs")
    claim = journal.claim

    def late(slot: journal.Slot, held: HeldClock) -> journal.Claim | None:
        clock.pass_ms(24 * 3600 * 1000)
        return claim(slot, held)

    monkeypatch.setattr(journal, "claim", late)
    clock.moment = run.clocks.Clock().now()
    monkeypatch.setattr(containers, "run", lambda *_, **__: pytest.fail("a container was started"))
    done = run.run_slot(bench.slot("approval-boundary", 1), bench.state.batch, layout.ROOT, clock)
    assert (done["failureCategory"], done["attempts"]) == ("not-started", [])


def test_e5_an_image_deleted_after_open_leaves_runs_unstarted_and_the_receipt_says_so(bench: Bench) -> None:
    ends = bench.state.run("react-form", 1, **bench.environment)
    assert (ends.returncode, recorded(bench, "react-form", 1)["failureCategory"]) == (0, "runner-failed")
    for found in bench.client.images.list():
        bench.client.images.remove(found.id, force=True)
    refused = bench.state.run("react-form", 2, **bench.environment)
    assert refused.returncode == 2
    assert "not on this machine" in refused.stderr
    assert not bench.slot("react-form", 2).folder.exists()
    ended = {path.parent.name: recorded(bench, *_run(path)) for path in bench.state.batch.glob("runs/*/run.json")}
    summary = bench.state.seal("stopped by the test")
    assert summary["status"] == "incomplete"
    receipt = schema.load(bench.state.batch / "receipt.json", "receipt")
    assert (receipt["completed"], len(receipt["runs"]), receipt["firstSuccesses"]) == (False, 18, 0)
    states = {f"{found['taskId']}-{found['repetition']}": found["failureCategory"] for found in receipt["runs"]}
    # What had ended keeps its record; all others never started, whatever the tests before this one left.
    assert states == {key: ended[key]["failureCategory"] if key in ended else "not-started" for key in states}
    assert states["react-form-1"] == "runner-failed" and states["react-form-2"] == "not-started"
    assert bench.left() == []

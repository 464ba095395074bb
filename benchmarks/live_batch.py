"""What a live batch costs and where the time goes, all in one run: `python benchmarks/live_batch.py [rounds]`.

First the containers alone against the floor of bare ones (containers.py). Then a graded batch whose agent takes no
time: 18 runs, one of them with a repair, two at a time, each a process of its own as under doit; then `qualify` of it.

The parts of the batch are in worker seconds, so that they add up to twice its wall time. Container time and scenario
time come from the engine's own events: from `create` to `start` and from `die` to `destroy` a container only costs, a
verifier between `start` and `die` runs Node and the scenarios. The stored solutions analysed again, in turn by the same
warm analyser, give the time of the analysis. What is left is Python, hashing, staging, collection and records.
CPU seconds are those of the whole machine, the engine included: quote them only from a quiet one.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import containers as bare

from steps import layout, suite
from steps.analysis import analyser_warm
from steps.analysis.analyser_docker import DockerAnalyser
from steps.analysis.analyser_warm import WarmAnalyser
from steps.analysis.analyze import Analyser
from steps.isolation import containers, engine
from steps.packing import consumer

sys.path.insert(0, str(layout.ROOT / "tests" / "docker"))  # live.py and agents.py: how the tests make a live batch

import agents
import live

if TYPE_CHECKING:
    import docker

REPAIRED = "core-validation-1"
SAMPLE_SECONDS = 0.02


def busy() -> float:
    """CPU seconds that this machine has spent so far."""
    ticks = [int(word) for word in Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def peak_mib(pid: int, until: threading.Event) -> float:
    """The most memory that one process had at once, without its children."""
    peak = 0
    while not until.wait(SAMPLE_SECONDS):
        try:
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        except OSError:
            break
        peak = max([peak, *(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))])
    return peak / 1024


def step(state: live.State, slot: tuple[str, int]) -> float:
    """One run to its end; the peak memory of its process."""
    child, ended = state.start(*slot), threading.Event()
    with ThreadPoolExecutor(1) as watch:
        peak = watch.submit(peak_mib, child.pid, ended)
        _, said = child.communicate()
        ended.set()
        if child.returncode != 0:
            raise SystemExit(f"{slot} ended with {child.returncode}: {said[-500:]}")
        return peak.result()


@contextlib.contextmanager
def moments(client: docker.DockerClient, batch: str) -> Iterator[dict[str, dict[str, Any]]]:
    """When each container of a batch was created, started, died and was destroyed; heard while it happens.

    Asked for afterwards, the engine knows its last 256 events only.
    """
    heard: dict[str, dict[str, Any]] = {}
    stream = client.events(filters={"label": f"{containers.LABEL}.batch={batch}", "type": "container"}, decode=True)

    def listen() -> None:
        for event in stream:
            actor = event["Actor"]
            known = heard.setdefault(actor["ID"], {"role": actor["Attributes"][f"{containers.LABEL}.role"]})
            known.setdefault(event["Action"], event["timeNano"] / 1e9)

    with ThreadPoolExecutor(1) as pool:
        listener = pool.submit(listen)
        try:
            yield heard
        finally:
            stream.close()
            listener.result()


def engine_seconds(heard: dict[str, dict[str, Any]]) -> dict[str, float]:
    """What containers cost, and what verifiers did."""
    found = {"container": 0.0, "scenarios": 0.0}
    for known in heard.values():
        if not {"create", "start", "die", "destroy"} <= known.keys():
            continue
        found["container"] += known["start"] - known["create"] + known["destroy"] - known["die"]
        lived = known["die"] - known["start"]
        if known["role"] == "verifier":
            found["scenarios"] += lived
        elif known["role"] == "runner":
            found["container"] += lived  # an agent that takes no time: Node starts and ends
    return found


def analysed(client: docker.DockerClient, image: str, batch: Path) -> float:
    """Seconds to analyse the stored solutions of a batch, each by a user of its own, in turn."""
    loaded, name = suite.load(), f"benchmark-{os.getpid()}"
    begun = time.monotonic()
    with consumer.current() as prepared:
        for solution in sorted(batch.glob("runs/*/attempt-*/solution")):
            task = solution.parent.parent.name.rpartition("-")[0]
            warm = WarmAnalyser(DockerAnalyser(client, image, prepared.path), name)
            with Analyser(launcher=warm) as analyser:
                analyser.analyse(prepared.path, loaded.task_dir(task), solution)
    seconds = time.monotonic() - begun
    analyser_warm.end(client, name)
    return seconds


def batch(client: docker.DockerClient, image: str, home: Path) -> dict[str, Any]:
    """A whole graded batch and its qualification."""
    args = ["/opt/agent/agent.mjs", "/opt/agent/answers", f"wrong={REPAIRED}"]
    state = live.State(home)
    state.open(live.runner_json(agents.image(client, home), image, args=args))
    begun, spent = time.monotonic(), busy()
    with moments(client, state.batch.name) as heard, ThreadPoolExecutor(bare.AT_ONCE) as pool:
        peaks = list(pool.map(lambda slot: step(state, slot), suite.load().schedule))
    seconds, cpu = time.monotonic() - begun, busy() - spent
    summary = state.seal()
    parts = engine_seconds(heard) | {"analysis": analysed(client, image, state.batch)}
    parts["rest"] = bare.AT_ONCE * seconds - sum(parts.values())
    begun, spent = time.monotonic(), busy()
    judged = state.call("qualify", f"--receipt={state.batch}/receipt.json")
    return {
        "seconds": round(seconds, 1),
        "finalSuccesses": summary["finalSuccesses"],
        "workerSeconds": {name: round(value, 1) for name, value in parts.items()},
        "cpuSecondsPerRun": round(cpu / bare.RUNS, 2),
        "peakMiBOfARun": round(max(peaks), 1),
        "qualify": {
            "seconds": round(time.monotonic() - begun, 1),
            "cpuSeconds": round(busy() - spent, 1),
            "exit": judged.returncode,
            "reasons": sorted({reason["code"] for reason in json.loads(judged.stdout)["reasons"]}),
        },
    }


def main(rounds: int) -> None:
    client, image = engine.client(), os.environ["APPKIT_TEST_VERIFIER_IMAGE"]
    before = os.getloadavg()[0]
    alone = bare.measured(client, image, rounds)
    with tempfile.TemporaryDirectory() as home:
        whole = batch(client, image, Path(home))
    whole["ratioToFloor"] = round(whole["seconds"] / alone["floorSeconds"], 1)
    answer = {"loadBefore": round(before, 2), "containers": alone, "batch": whole}
    sys.stdout.write(json.dumps(answer, indent=1) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)

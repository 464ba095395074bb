"""What a new batch removes: leftovers of this checkout's batches and canaries, and nothing of anybody else (R-E4)."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import agents
import pytest

from steps import layout
from steps.analysis import analyser_warm
from steps.isolation import containers
from steps.isolation.containers import Spec
from steps.running import live


def test_e4_a_sweep_takes_leftovers_of_known_batches_and_leaves_the_rest(
    engine, verifier_image: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "EVIDENCE", tmp_path / "agent-eval")
    monkeypatch.setattr(live, "CANARIES", tmp_path / "canary")
    batch, canary, other = (f"sweep-{uuid.uuid4()}" for _ in range(3))
    (tmp_path / "agent-eval" / batch).mkdir(parents=True)
    (tmp_path / "canary" / canary).mkdir(parents=True)
    for name in (batch, canary, other):
        labels = {containers.LABEL: "1", **containers.labels("runner", batch=name)}
        engine.containers.create(verifier_image, "-e 0", labels=labels)
        engine.volumes.create(labels=labels)
    try:
        assert live.sweep(agents.config(verifier_image, verifier_image)) == 4
        assert agents.left(engine, {"batch": batch}) == agents.left(engine, {"batch": canary}) == []
        assert len(agents.left(engine, {"batch": other})) == 2
    finally:
        containers.sweep(engine, {f"{containers.LABEL}.batch": other})
    _takes_an_idle_analyser(engine, verifier_image, batch, tmp_path, monkeypatch)
    of_qualify = Spec(verifier_image, [], containers.labels("verifier", qualify=batch))
    with containers.created(engine, of_qualify) as container:
        assert live.sweep(agents.config(verifier_image, verifier_image)) == 0
        container.reload()


def _takes_an_idle_analyser(engine: Any, image: str, batch: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a batch keeps between its runs goes with all the rest: the container, and the file that names it."""
    monkeypatch.setattr(analyser_warm, "HOME", home / "analysers")
    (home / "analysers").mkdir()
    spec = Spec(image, ["-e", "0"], analyser_warm.labels(batch), entrypoint=["node"], stays=True)
    (home / "analysers" / batch).write_text(containers.create(engine, spec).id)
    assert live.sweep(agents.config(image, image)) == 1
    assert (agents.left(engine, {"batch": batch}), list((home / "analysers").iterdir())) == ([], [])

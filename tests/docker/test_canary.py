"""`doit canary`: one real run whose evidence can never count (issue of the live batch; R-A7, R-I3)."""

from __future__ import annotations

import fcntl
import json
from pathlib import Path

import agents
import pytest
from live import runner_json

from steps import layout
from steps.errors import Refusal, UsageError
from steps.judging import qualify_command
from steps.packing.consumer import Consumer
from steps.running import batch, canary, live, opening

pytestmark = pytest.mark.xdist_group("canary")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prepared: Consumer) -> Path:
    """Places of its own for canaries and batches; the suite's own tests are not waited for."""
    evidence = tmp_path / "agent-eval"
    monkeypatch.setattr(layout, "EVIDENCE", evidence)
    for name, file in {"INDEX": "index.jsonl", "CURRENT": "current", "LOCK": ".lock"}.items():
        monkeypatch.setattr(layout, name, evidence / file)
    monkeypatch.setattr(canary, "HOME", tmp_path / "canary")
    monkeypatch.setattr(live, "CANARIES", tmp_path / "canary")
    monkeypatch.setattr(opening, "_require_tested", lambda _suite: "tested")
    return tmp_path


@pytest.fixture
def config(home: Path, engine, verifier_image: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    image = agents.image(engine, tmp_path_factory.getbasetemp().parent)
    (home / "runner.json").write_text(json.dumps(runner_json(image, verifier_image)))
    return str(home / "runner.json")


def reasons(receipt: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, set[str]]:
    capsys.readouterr()
    code = qualify_command.run(receipt, None, expect=None, digests_only=True)
    return code, {entry["code"] for entry in json.loads(capsys.readouterr().out)["reasons"]}


def test_a_canary_runs_one_task_and_is_refused_as_evidence_even_when_sealed(
    home: Path, config: str, engine, capsys: pytest.CaptureFixture[str]
) -> None:
    found, code = canary.start("core-validation", config)
    assert (found["passed"], found["attempts"], found["failureCategory"], code) == (True, 1, None, 0)
    assert found["observed"]["runner"] == {"name": "answering-agent", "version": "2.0.1"}
    assert "never counted" in capsys.readouterr().err
    folder = Path(found["canary"])
    assert folder.parent == home / "canary"
    assert not layout.INDEX.exists() and not layout.CURRENT.exists()
    assert reasons(folder / "receipt.json", capsys) == (1, {"receipt-missing"})
    batch.seal(folder, "forged")
    code, codes = reasons(folder / "receipt.json", capsys)
    assert code == 1 and "schedule-differs" in codes
    assert agents.left(engine, {"batch": folder.name}) == []


def test_a_canary_that_cannot_open_leaves_nothing(home: Path, config: str) -> None:
    body = json.loads(Path(config).read_text())
    Path(config).write_text(json.dumps({**body, "executable": "/opt/none"}))
    with pytest.raises(Refusal, match="executable cannot be run"):
        canary.start("core-validation", config)
    assert list((home / "canary").iterdir()) == []


def test_a_canary_runs_neither_an_unknown_task_nor_beside_a_batch(home: Path) -> None:
    with pytest.raises(UsageError, match="no task 'all'"):
        canary.start("all", "")
    layout.EVIDENCE.mkdir()
    with layout.LOCK.open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with pytest.raises(Refusal, match="a batch or a canary is running"):
            canary.start("core-validation", "")

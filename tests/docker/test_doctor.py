"""`doit doctor`, `doit init_config` and the checks that open a live batch: each refusal of R-D1 to R-D5."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import agents
import pytest
from live import runner_json

from steps import layout, schema
from steps.errors import Refusal
from steps.isolation import engine, images, rootfs
from steps.isolation.engine import SELF_TEST_LABEL
from steps.packing.consumer import Consumer
from steps.running import batch, config, doctor, init_config, live, opening

ZERO = "@sha256:" + "0123456789abcdef" * 4
CLI = shutil.which("docker")


@pytest.fixture(scope="session")
def odd_images(engine, verifier_image: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Pinned images that must be refused, made from nothing: each is a few bytes."""
    made = {
        "label": rootfs.Image("appkit-eval-tests/labelled", {"opt/x": b"x"}, {SELF_TEST_LABEL: "true"}),
        "self-test": rootfs.Image(
            "appkit-eval-tests/self-test",
            {"opt/agent.mjs": (layout.FIXTURES / "runners" / "self_test.py").read_bytes()},
        ),
    }
    return images.prepare(engine, list(made.values()), agents.PORT)


def docker(body: dict[str, Any]) -> live.Docker:
    return live.Docker(config.check(body, where="runner.json"))


def refused(body: dict[str, Any]) -> str:
    """The sentence with which a batch does not open."""
    with pytest.raises(Refusal) as caught:
        live.review(config.check(body, where="runner.json"))
    assert "\n" not in str(caught.value)
    return str(caught.value)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a shell": ({"executable": "/bin/sh", "args": ["-c", "id"]}, "is a shell"),
    "a shell expression": ({"executable": "/usr/bin/node agent.mjs"}, "shell expression"),
    "a shell argument": ({"args": ["$(id)"]}, "shell expression"),
    "an npm credential": ({"envAllowlist": ["NPM_TOKEN"]}, "npm credential"),
    "a GitHub credential": ({"envAllowlist": ["GITHUB_TOKEN"]}, "GitHub credential"),
    "a cloud credential": ({"envAllowlist": ["AWS_SECRET_ACCESS_KEY"]}, "cloud credential"),
    "a database credential": ({"envAllowlist": ["DATABASE_TOKEN"]}, "database credential"),
    "a moving model": ({"expectedModel": {"id": "model-latest", "settings": {}}}, "not exact"),
    "a long submission": ({"submissionTimeoutMs": 600_001}, "submissionTimeoutMs is 600001"),
    "no time": ({"batchTimeoutMs": 0}, "batchTimeoutMs is 0"),
    "a tag": ({"runnerImage": "some/runner:1"}, "@sha256: digest"),
    "a made up digest": ({"verifierImage": "some/verifier@sha256:" + "0" * 64}, "@sha256: digest"),
    "a CLI by name": ({"runtimePath": "docker"}, "absolute path"),
    "the host's network": ({"runnerNetwork": "host"}, "Docker's own networks"),
    "no such CLI": ({"runtimePath": "/nowhere/docker"}, "cannot be run (No such file"),
    "another program": ({"runtimePath": shutil.which("false")}, "the Docker CLI says: nothing"),
    "no such runner image": ({"runnerImage": f"some/runner{ZERO}"}, "not on this machine"),
    "no such verifier image": ({"verifierImage": f"some/verifier{ZERO}"}, "not on this machine"),
    "no such executable": ({"executable": "/opt/agent/none"}, "cannot be run; expected an executable file"),
    "a folder as executable": ({"executable": "/usr"}, "cannot be run"),
    "a file that is not executable": ({"executable": "/etc/passwd"}, "cannot be run"),
    "an executable by name": ({"executable": "node"}, "no whole path"),
    "no such network": ({"runnerNetwork": "nobody-made-it"}, "no such Docker network"),
}  # fmt: skip


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for batches and configurations."""
    monkeypatch.setattr(layout, "EVIDENCE", tmp_path)
    for name, file in {"CURRENT": "current", "INDEX": "index.jsonl", "LOCK": ".lock"}.items():
        monkeypatch.setattr(layout, name, tmp_path / file)
    return tmp_path


@pytest.mark.parametrize("name", REFUSED)
def test_e5_a_faulty_configuration_is_not_run_with_a_receipt_and_one_sentence(
    name: str, elsewhere: Path, engine, verifier_image: str
) -> None:
    """R-D1 to R-D5 and R-E5: no batch opens, nothing else runs instead, and the receipt says why."""
    changes, expected = REFUSED[name]
    body = {**runner_json(verifier_image, verifier_image, runtimePath=CLI, args=[]), **changes}
    (elsewhere / "runner.json").write_text(json.dumps(body))
    summary = batch.check_call(str(elsewhere / "runner.json"), resume=False)
    assert summary["status"] == "not-run"
    assert expected in summary["reason"]
    assert "\n" not in summary["reason"]
    receipt = schema.load(layout.ROOT / summary["receipt"], "receipt")
    assert (receipt["completed"], receipt["runs"], receipt["reason"]) == (False, [], summary["reason"])
    assert not layout.CURRENT.exists()


def test_d5_a_proper_configuration_is_reviewed(engine, verifier_image: str) -> None:
    found = live.review(config.check(runner_json(verifier_image, verifier_image, runtimePath=CLI), where="x"))
    assert (set(found.files), found.self_test) == ({agents.NODE}, False)


def test_d5_a_daemon_that_does_not_answer_is_refused(
    engine, verifier_image: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody")
    assert "the Docker CLI says" in refused(runner_json(verifier_image, verifier_image, runtimePath=CLI))


def pretend(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """The engine says something else of every image."""
    real = engine.require_image
    monkeypatch.setattr(engine, "require_image", lambda *args: {**real(*args), **changes})


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"Architecture": "s390x"}, "is for s390x"),
        ({"RepoDigests": ["other@sha256:1"]}, "not pinned by a digest that the engine knows"),
        ({"Config": {"Volumes": {"/data": {}}}}, "declares the volume /data"),
    ],
)
def test_d5_an_image_of_another_kind_is_refused(
    changes: dict[str, Any], expected: str, engine, verifier_image: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, **changes)
    assert expected in refused(runner_json(verifier_image, verifier_image, runtimePath=CLI))


@pytest.mark.parametrize("least", [24, 25])
def test_d5_the_node_of_the_verifier_image_is_run_and_counted(
    least: int, engine, verifier_image: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MIN_NODE", least)
    found = docker(runner_json(verifier_image, verifier_image, runtimePath=CLI))
    if least == 24:
        assert live.verifier_node(found).startswith("v24.")
    else:
        with pytest.raises(Refusal, match=r"says 'v24\.\d+\.\d+'.*expected Node 25 or newer"):
            live.verifier_node(found)


def test_d5_a_network_that_the_operator_made_is_taken_said_and_joined(
    engine, verifier_image: str, prepared: Consumer
) -> None:
    made = engine.networks.create(f"appkit-eval-tests-{os.getpid()}", driver="bridge", internal=True)
    try:
        body = runner_json(verifier_image, verifier_image, runtimePath=CLI, runnerNetwork=made.name)
        assert live.network(docker(body)) == f"{made.name} (internal)"
        code = "console.log(Object.keys(require('node:os').networkInterfaces()).join())"
        with agents.space(engine, verifier_image, prepared, code, runnerNetwork=made.name) as space:
            assert agents.run(space).stdout == b"lo,eth0\n"
    finally:
        made.remove()


@pytest.mark.parametrize("name", ["labelled", "self-test"])
def test_i3_the_built_in_runner_is_known_by_its_files_and_by_its_label(
    name: str, engine, verifier_image: str, odd_images: dict[str, str]
) -> None:
    """Whatever the configuration calls it: the plan holds what makes `qualify` say self-test."""
    from steps.judging import rederive
    from steps.judging.judge_candidate import LABELLED

    image = odd_images[f"appkit-eval-tests/{name}"]
    args = ["/opt/agent.mjs"] if name == "self-test" else []
    found = live.review(
        config.check(runner_json(image, verifier_image, runtimePath=CLI, args=args), where="runner.json")
    )
    signs = {*found.files.values(), *([LABELLED] if found.self_test else [])}
    assert len(signs & rederive.scripted_runners()) == 1


def diagnosed(file: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, bool | None], dict[str, str]]:
    code = doctor.run(str(file), as_json=True)
    said = capsys.readouterr()
    answer = json.loads(said.out)
    assert answer["ready"] is (code == 0)
    assert all(entry["check"] in said.err for entry in answer["checks"])
    return (code, {entry["check"]: entry["ok"] for entry in answer["checks"]},
            {entry["check"]: entry["detail"] for entry in answer["checks"]})  # fmt: skip


@pytest.fixture
def tested(monkeypatch: pytest.MonkeyPatch, prepared: Consumer) -> None:
    """As if the suite's own tests had just passed: they are other tests' business."""
    monkeypatch.setattr(opening, "_require_tested", lambda _suite: "tested")


def test_doctor_says_ready_when_a_batch_could_open(
    tmp_path: Path, engine, verifier_image: str, tested: None, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "runner.json"
    file.write_text(json.dumps(runner_json(verifier_image, verifier_image, runtimePath=CLI)))
    code, checks, details = diagnosed(file, capsys)
    assert code == 0, details
    others = {"node", "configuration", "memory", "credentials", "suite-fits"}
    assert set(checks) == {*others, *live.CHECKS, *opening.CHECKS}


BROKEN: dict[str, tuple[dict[str, Any], str, str]] = {
    "credential not set": ({"envAllowlist": ["MODEL_API_KEY"]}, "credentials", "set it"),
    "image not here": ({"runnerImage": f"some/runner{ZERO}"}, "images", "make it with doit images"),
    "CLI not there": ({"runtimePath": "/nowhere/docker"}, "docker-cli", "set runtimePath"),
    "executable not there": ({"executable": "/opt/none"}, "runner-files", "expected an executable file"),
}


def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the checks that need no Docker and take long."""
    monkeypatch.setattr(opening, "CHECKS", {})
    monkeypatch.setattr(doctor, "_fits", lambda: "not asked")


@pytest.mark.parametrize("name", BROKEN)
def test_doctor_names_what_is_missing_and_what_to_do(
    name: str, tmp_path: Path, engine, verifier_image: str, tested: None, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.delenv("MODEL_API_KEY", raising=False)
    quick(monkeypatch)
    changes, check, advice = BROKEN[name]
    file = tmp_path / "runner.json"
    file.write_text(json.dumps(runner_json(verifier_image, verifier_image, **{"runtimePath": CLI, **changes})))
    code, checks, details = diagnosed(file, capsys)
    assert (code, checks[check]) == (1, False)
    assert advice in details[check]


def test_doctor_says_how_to_get_a_tested_suite(
    tmp_path: Path, engine, prepared: Consumer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "SUITE_STAMP", tmp_path / "suite.json")
    _, checks, details = diagnosed(tmp_path / "runner.json", capsys)
    assert (checks["candidate"], checks["configuration"]) == (False, False)
    assert details["candidate"].endswith("run `doit`")


def test_doctor_takes_no_self_test_for_a_live_batch(
    engine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    quick(monkeypatch)
    code, checks, details = diagnosed(layout.FIXTURES / "runners" / "self-test.yaml", capsys)
    assert (code, checks["configuration"], checks["docker-cli"]) == (1, False, None)
    assert "self-test" in details["configuration"]


def test_init_config_fills_in_what_the_machine_knows_and_the_rest_is_refused(
    tmp_path: Path, engine, verifier_image: str
) -> None:
    out = tmp_path / "runner.json"
    written = init_config.write(out)
    body = json.loads(out.read_text())
    assert body["runtimePath"] == CLI and "runtimePath" not in written["fillIn"]
    assert "runnerImage" in written["fillIn"]
    schema.check(body, "runner-config", where="example")
    with pytest.raises(Refusal, match="runnerImage"):
        config.load(out, {})
    before = out.read_bytes()
    with pytest.raises(Refusal, match="is there already"):
        init_config.write(out)
    assert out.read_bytes() == before


def test_init_config_without_an_engine_says_what_is_left_to_fill_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody")
    written = init_config.write(tmp_path / "runner.json")
    assert {"verifierImage", "runnerImage"} <= set(written["fillIn"])

"""R-D1 to R-D4, and the part of R-D5 that needs no Docker: what a runner configuration may say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from steps.errors import Refusal
from steps.layout import FIXTURES, ROOT
from steps.running import config

DIGEST = "sha256:" + "0123456789abcdef" * 4
REAL: dict[str, Any] = {
    "executable": "/opt/runner/bin/agent-runner",
    "args": ["--mode", "headless", "--budget=5", "a;b"],
    "envAllowlist": ["MODEL_API_KEY"],
    "expectedRunner": {"name": "agent-runner", "version": "1.2.3"},
    "expectedModel": {"id": "model-2026-05-01", "settings": {"temperature": 0}},
    "submissionTimeoutMs": 600000,
    "batchTimeoutMs": 7200000,
    "runtimePath": "/usr/bin/docker",
    "runnerImage": f"local/runner@{DIGEST}",
    "verifierImage": f"registry.example:5000/verifier:1@{DIGEST}",
}
SELF_TEST = FIXTURES / "runners" / "self-test.yaml"


def with_change(path: str, value: Any) -> dict[str, Any]:
    body = json.loads(json.dumps(REAL))
    *parents, last = path.split(".")
    place = body
    for name in parents:
        place = place[name]
    place[last] = value
    return body


def test_d_a_proper_configuration_is_accepted_as_it_stands() -> None:
    chosen = config.check(REAL, where="runner.json")
    assert chosen.record() == {**REAL, "launcher": "docker", "runnerNetwork": None}


REFUSED = [
    ("executable", "agent-runner --fast", "shell expression"),
    ("executable", "$(which agent)", "shell expression"),
    ("executable", "run|tee", "shell expression"),
    ("executable", "/bin/sh", "is a shell"),
    ("executable", "bash", "is a shell"),
    ("executable", "", "/executable"),
    ("args", "--mode headless", "/args"),
    ("args", ["$(cat /etc/passwd)"], "shell expression"),
    ("args", ["`id`"], "shell expression"),
    ("args", ["--key=$MODEL_API_KEY"], "shell expression"),
    ("args", ["a", "&&", "b"], "shell expression"),
    ("args", ["a", "|", "b"], "shell expression"),
    ("args", ["a", ">out.txt"], "shell expression"),
    ("args", ["a\nb"], "shell expression"),
    ("args", [1], "/args/0"),
    ("envAllowlist", ["NPM_TOKEN"], "npm credential"),
    ("envAllowlist", ["NODE_AUTH_TOKEN"], "npm credential"),
    ("envAllowlist", ["GITHUB_TOKEN"], "GitHub credential"),
    ("envAllowlist", ["GH_TOKEN"], "GitHub credential"),
    ("envAllowlist", ["AWS_SECRET_ACCESS_KEY"], "cloud credential"),
    ("envAllowlist", ["GOOGLE_APPLICATION_CREDENTIALS"], "cloud credential"),
    ("envAllowlist", ["CLOUDFLARE_API_TOKEN"], "cloud credential"),
    ("envAllowlist", ["DATABASE_URL"], "database credential"),
    ("envAllowlist", ["PGPASSWORD"], "database credential"),
    ("envAllowlist", ["REDIS_TOKEN"], "database credential"),
    ("envAllowlist", ["PATH"], "no model credential"),
    ("envAllowlist", ["NODE_OPTIONS"], "no model credential"),
    ("envAllowlist", ["LD_PRELOAD"], "no model credential"),
    ("envAllowlist", ["*_API_KEY"], "without values or wildcards"),
    ("envAllowlist", ["MODEL_API_KEY=abc"], "without values or wildcards"),
    ("envAllowlist", ["MODEL_API_KEY", "MODEL_API_KEY"], "/envAllowlist"),
    ("expectedRunner", {"name": "r"}, "/expectedRunner"),
    ("expectedRunner.version", "latest", "not exact"),
    ("expectedRunner.version", "^1.2.0", "not exact"),
    ("expectedRunner.version", " ", "not exact"),
    ("expectedModel.id", "model-latest", "not exact"),
    ("expectedModel.id", "auto", "not exact"),
    ("expectedModel.settings", None, "/expectedModel/settings"),
    ("submissionTimeoutMs", 600001, "up to 600000"),
    ("submissionTimeoutMs", 0, "up to 600000"),
    ("submissionTimeoutMs", -5, "up to 600000"),
    ("submissionTimeoutMs", 1.5, "/submissionTimeoutMs"),
    ("submissionTimeoutMs", True, "/submissionTimeoutMs"),
    ("submissionTimeoutMs", "600000", "/submissionTimeoutMs"),
    ("batchTimeoutMs", 7200001, "up to 7200000"),
    ("runtimePath", "docker", "absolute path"),
    ("runnerImage", "local/runner:1", "real @sha256: digest"),
    ("runnerImage", "local/runner@sha256:" + "0" * 64, "real @sha256: digest"),
    ("verifierImage", "local/verifier@sha256:abc", "real @sha256: digest"),
    ("verifierImage", f"local/verifier@{DIGEST}\n", "real @sha256: digest"),
    ("schemaVersion", 2, "unknown schemaVersion 2"),
    ("apiKey", "x", "apiKey"),
]


@pytest.mark.parametrize(("field", "value", "expected"), REFUSED, ids=[f"{f}={str(v)[:30]}" for f, v, _ in REFUSED])
def test_d_a_faulty_configuration_is_refused_in_one_sentence(field: str, value: Any, expected: str) -> None:
    with pytest.raises(Refusal) as refusal:
        config.check(with_change(field, value), where="runner.json")
    sentence = str(refusal.value)
    assert sentence.startswith("runner.json: ")
    assert expected in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize("field", sorted(REAL))
def test_d_every_field_is_needed(field: str) -> None:
    with pytest.raises(Refusal, match=field):
        config.check({key: value for key, value in REAL.items() if key != field}, where="runner.json")


@pytest.mark.parametrize("name", ["MODEL_API_KEY", "ANTHROPIC_API_KEY", "HF_TOKEN", "GEMINI_API_KEY"])
def test_d2_model_credentials_are_accepted_by_name(name: str) -> None:
    assert config.check(with_change("envAllowlist", [name]), where="x").envAllowlist == [name]


def test_d2_a_credential_value_in_the_file_is_refused_and_not_repeated(tmp_path: Path) -> None:
    secret = "correct-horse-battery"
    path = tmp_path / "runner.json"
    path.write_text(json.dumps(with_change("args", ["--key", secret])))
    assert config.load(path, {}).args == ["--key", secret]
    with pytest.raises(Refusal, match="value of MODEL_API_KEY") as refusal:
        config.load(path, {"MODEL_API_KEY": secret})
    assert secret not in str(refusal.value)


@pytest.mark.parametrize("secret", ["sk-" + "a1" * 12, "ghp_" + "a1" * 15, "AKIA" + "ABCD" * 4, "-----BEGIN KEY"])
def test_d2_what_looks_like_a_credential_is_refused(secret: str, tmp_path: Path) -> None:
    path = tmp_path / "runner.json"
    path.write_text(json.dumps(with_change("expectedModel.settings", {"key": secret})))
    with pytest.raises(Refusal, match="looks like a credential") as refusal:
        config.load(path, {})
    assert secret not in str(refusal.value)


def test_d_the_self_test_configuration_is_local_and_needs_no_image() -> None:
    chosen = config.load(SELF_TEST, {})
    assert (chosen.launcher, chosen.runnerImage, chosen.verifierImage) == ("local", None, None)
    assert (ROOT / chosen.executable).is_file()


@pytest.mark.parametrize("field", ["runnerImage", "runtimePath"])
def test_d_a_local_configuration_cannot_name_a_container(field: str) -> None:
    body = {key: value for key, value in REAL.items() if key not in ("runtimePath", "runnerImage", "verifierImage")}
    with pytest.raises(Refusal, match=field):
        config.check({**body, "launcher": "local", field: REAL[field]}, where="x")


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.json", "{", "not valid JSON"),
        ("a.json", '{"executable": "a", "executable": "b"}', "stands twice"),
        ("a.json", "[]", "object"),
        ("a.yaml", "launcher: [", "not valid YAML"),
        ("a.yaml", "launcher: local\nlauncher: local\n", "stands twice"),
        ("a.yaml", "", "object"),
        ("a.json", " " * 70000, "bytes"),
    ],
)
def test_e5_a_malformed_file_is_one_sentence(name: str, text: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(Refusal, match=expected):
        config.load(tmp_path / name, {})


def test_e5_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="cannot be read"):
        config.load(tmp_path / "runner.json", {})

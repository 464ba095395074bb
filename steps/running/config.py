"""Loads a runner configuration and refuses, one sentence each, what R-D1 to R-D5 forbid. Pure but for the file read.

`launcher: local` is a scripted runner on this machine, for self-tests; everything else is a real runner in a container.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from steps import documents, schema, suite
from steps.errors import Refusal

MAX_CONFIG = 64 * 1024
SHELLS = {"sh", "bash", "dash", "ash", "zsh", "ksh", "csh", "tcsh", "fish", "busybox", "cmd", "pwsh", "powershell"}
_SHELL_SYNTAX = re.compile(r"[\s|&;<>()$`\"'*?\[\]{}~#\\\x00-\x1f]")
_SHELL_ARGUMENT = re.compile(
    r"\$\(|\$\{|`|\$[A-Za-z_]|[\x00-\x08\x0a-\x1f]|^(?:[|;&]{1,2}|[0-9]?>{1,2}.*|<{1,3}|[0-9]>&[0-9])$"
)
_NAME = re.compile(r"[A-Z][A-Z0-9_]{2,63}")
_MODEL_CREDENTIAL = re.compile(r"(?:^|_)(?:API_KEY|KEY|TOKEN|API_TOKEN|CREDENTIAL|CREDENTIALS)$")
_FOREIGN = {
    "npm": re.compile(r"^NPM_|NODE_AUTH_TOKEN|^YARN_|^BUN_AUTH"),
    "GitHub": re.compile(r"^GITHUB_|^GH_|^GITLAB_|^BITBUCKET_|^GIT_"),
    "cloud": re.compile(
        r"^AWS_|^AZURE_STORAGE|^AZURE_CLIENT|^AZURE_TENANT|^ARM_|^GOOGLE_APPLICATION|^GOOGLE_CLOUD|^GCP_|^GCLOUD_|"
        r"^CLOUDSDK_|^CLOUDFLARE_|^DIGITALOCEAN_|^DO_|^HEROKU_|^VERCEL_|^NETLIFY_|^FLY_|^KUBE|^DOCKER_|^TF_|^SSH_"
    ),
    "database": re.compile(r"DATABASE|^DB_|^PG|^POSTGRES|^MYSQL|^MONGO|^REDIS_|^SUPABASE_|^SQL|_DSN$"),
}
_SECRET_SHAPES = re.compile(
    r"sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|AKIA[0-9A-Z]{16}|npm_[A-Za-z0-9]{30,}|"
    r"AIza[0-9A-Za-z_-]{30,}|xox[abp]-[A-Za-z0-9-]{10,}|hf_[A-Za-z0-9]{20,}|-----BEGIN"
)
_IMAGE = re.compile(r"[a-z0-9][A-Za-z0-9._/:-]*@sha256:([0-9a-f]{64})")
_DOCKERS_OWN = {"bridge", "default", "host", "none"}
_MOVING = re.compile(r"(?:^|[-:@/])(?:latest|default|auto|stable|next)$|[*^~]|^[<>=]", re.IGNORECASE)


@dataclass(frozen=True)
class Config:
    """One runner, as it stands in batch.json: credentials by name only (R-D2)."""

    launcher: str
    executable: str
    args: list[str]
    envAllowlist: list[str]
    expectedRunner: dict[str, str]
    expectedModel: dict[str, Any]
    submissionTimeoutMs: int
    batchTimeoutMs: int
    runtimePath: str | None = None
    runnerImage: str | None = None
    verifierImage: str | None = None
    runnerNetwork: str | None = None

    def record(self) -> dict[str, Any]:
        """The `config` of batch.json."""
        return asdict(self)


def load(path: Path, environment: Mapping[str, str]) -> Config:
    """The checked configuration in a JSON or YAML file; `environment` is searched for values that leaked into it."""
    data = documents.read_bytes(path, max_bytes=MAX_CONFIG)
    body = suite.read_yaml(path) if path.suffix in (".yaml", ".yml") else documents.parse_strict(data, where=str(path))
    config = check(body, where=str(path))
    _no_secrets(data.decode("utf-8", "replace"), config, environment, str(path))
    return config


def check(body: Any, *, where: str) -> Config:
    """Every rule that needs no machine: schema, R-D1 to R-D5. Raises Refusal for the first broken one."""
    if isinstance(body, dict) and body.get("schemaVersion", 1) != 1:
        raise Refusal(f"unknown schemaVersion {body['schemaVersion']!r}", where=where, expected="1 or none")
    local = isinstance(body, dict) and body.get("launcher") == "local"
    schema.check(body, "local-config" if local else "runner-config", where=where)
    chosen = {key: body[key] for key in Config.__dataclass_fields__ if key in body}
    config = Config(**{"launcher": "docker", "envAllowlist": [], **chosen})
    _no_shell(config, where)
    for name in config.envAllowlist:
        _model_credential(name, where)
    _exact(config, where)
    _budgets(config, where)
    if not local:
        _container(config, where)
    return config


def _no_shell(config: Config, where: str) -> None:
    """R-D1: an executable and an argument array; nothing that only a shell would understand."""
    if _SHELL_SYNTAX.search(config.executable):
        raise Refusal(
            f"executable {config.executable!r} is a shell expression",
            where=where,
            expected="the path of one executable, with its arguments in args",
        )
    if PurePosixPath(config.executable).name.removesuffix(".exe").lower() in SHELLS:
        raise Refusal(
            f"executable {config.executable!r} is a shell",
            where=where,
            expected="the runner's own executable: shell expressions are refused",
        )
    for arg in config.args:
        if _SHELL_ARGUMENT.search(arg):
            raise Refusal(
                f"args holds {arg!r}, a shell expression",
                where=where,
                expected="literal arguments: no shell expands them",
            )


def _model_credential(name: str, where: str) -> None:
    """R-D2: explicit names of model credentials; the credentials of other systems are refused by kind."""
    if not _NAME.fullmatch(name):
        raise Refusal(
            f"envAllowlist holds {name!r}",
            where=where,
            expected="names such as MODEL_API_KEY, without values or wildcards",
        )
    for kind, pattern in _FOREIGN.items():
        if pattern.search(name):
            raise Refusal(
                f"envAllowlist names {name}, a {kind} credential", where=where, expected="model credentials only"
            )
    if not _MODEL_CREDENTIAL.search(name):
        raise Refusal(
            f"envAllowlist names {name}, which is no model credential",
            where=where,
            expected="a name that ends in _KEY, _TOKEN or _CREDENTIALS",
        )


def _exact(config: Config, where: str) -> None:
    """R-D3: one runner and one model, nothing that may mean another one tomorrow."""
    for field, value in (
        ("expectedRunner.version", config.expectedRunner["version"]),
        ("expectedModel.id", config.expectedModel["id"]),
    ):
        if not value.strip() or _MOVING.search(value):
            raise Refusal(f"{field} is {value!r}, which is not exact", where=where, expected="one fixed version or id")


def _budgets(config: Config, where: str) -> None:
    """R-D4; the limits stand in tasks/suite.yaml."""
    limits = suite.load().limits
    for field in ("submissionTimeoutMs", "batchTimeoutMs"):
        value = getattr(config, field)
        if not 0 < value <= limits[field]:
            raise Refusal(f"{field} is {value}", where=where, expected=f"a positive integer up to {limits[field]}")


def _container(config: Config, where: str) -> None:
    """R-D5, the part that needs no Docker."""
    if not config.runtimePath or not PurePosixPath(config.runtimePath).is_absolute():
        raise Refusal(
            f"runtimePath is {config.runtimePath!r}",
            where=where,
            expected="the absolute path of the reviewed Docker CLI",
        )
    for field in ("runnerImage", "verifierImage"):
        found = _IMAGE.fullmatch(getattr(config, field))
        if found is None or len(set(found[1])) < 4:
            raise Refusal(
                f"{field} is {getattr(config, field)!r}",
                where=where,
                expected="an image name with its real @sha256: digest",
                next="prepare it locally first",
            )
    if config.runnerNetwork in _DOCKERS_OWN:
        raise Refusal(
            f"runnerNetwork is {config.runnerNetwork!r}, one of Docker's own networks",
            where=where,
            expected="a network that you made, or no runnerNetwork at all",
        )


def _no_secrets(text: str, config: Config, environment: Mapping[str, str], where: str) -> None:
    """R-D2: no credential value stands in the file. The message never repeats it."""
    for name in config.envAllowlist:
        if len(environment.get(name, "")) >= 4 and environment[name] in text:
            raise Refusal(
                f"the value of {name} stands in the file",
                where=where,
                expected="its name in envAllowlist",
                next="remove it and revoke the credential",
            )
    if _SECRET_SHAPES.search(text):
        raise Refusal(
            "something in the file looks like a credential",
            where=where,
            expected="names in envAllowlist only",
            next="remove it and revoke the credential",
        )

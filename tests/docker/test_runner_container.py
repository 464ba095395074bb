"""The runner's container on a real engine: what an agent can reach, write and leave behind (R-K1, R-K2, R-K6)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import agents
import pytest

from steps import layout, suite
from steps.errors import AttemptFailed, Infrastructure
from steps.packing.consumer import Consumer
from steps.running.runner import Ended

LIMITS = suite.load().limits
CANARY = "credential-canary-77aa"


def said(ended: Ended) -> dict[str, Any]:
    assert (ended.exit_code, ended.stopped) == (0, None), ended.stderr_tail
    return json.loads(ended.stdout)


@pytest.fixture(scope="module")
def seen(engine, verifier_image: str, prepared: Consumer) -> dict[str, Any]:
    """What one agent tried and saw; it is started with a credential and a first file."""
    code = """
    const fs = require('node:fs'), net = require('node:net');
    const tried = (work) => { try { work(); return 'ok'; } catch (error) { return error.code; } };
    const lines = fs.readFileSync('/proc/self/status', 'utf8').split('\\n');
    const status = Object.fromEntries(lines.map((line) => line.split(/:\\s*/)));
    const found = {
      request: JSON.parse(fs.readFileSync(0, 'utf8')), cwd: process.cwd(), env: process.env,
      ids: [process.getuid(), process.getgid(), ...process.getgroups()],
      caps: [status.CapInh, status.CapPrm, status.CapEff, status.CapBnd, status.CapAmb], sealed: status.NoNewPrivs,
      first: process.pid === 1, solution: fs.readdirSync('/solution'),
      starter: fs.readFileSync('/solution/lib/starter.ts', 'utf8'),
      contract: fs.readFileSync('/consumer/task-contract.d.ts', 'utf8'),
      interfaces: Object.keys(require('node:os').networkInterfaces()),
      write: Object.fromEntries(['/consumer/a', '/consumer/task-contract.d.ts', '/consumer/package.json',
        '/consumer/node_modules/a', '/node_modules/a', '/usr/local/bin/a', '/etc/a', '/a', '/solution/lib/starter.ts',
        '/solution/a', '/tmp/a'].map((path) => [path, tried(() => fs.writeFileSync(path, 'x'))])),
      grow: tried(() => fs.truncateSync('/solution/a', 1e12)),
    };
    const socket = net.connect(443, '192.0.2.1');
    socket.on('error', (error) => { found.connect = error.code; console.log(JSON.stringify(found)); });
    """
    # SIGXFSZ would end it otherwise: Node installs no handler, and the answer is the error code.
    code = f"process.on('SIGXFSZ', () => {{}});{code}"
    with agents.space(engine, verifier_image, prepared, code, start={"lib/starter.ts": b"first"},
                      credentials={"MODEL_API_KEY": CANARY}) as made:  # fmt: skip
        found = said(agents.run(made, b'{"a": 1}\n'))
        found["kept"] = made.collect(["lib/starter.ts", "a"], LIMITS).files
        found["protected"] = made.seal.before == made.seal.after()
        return found


def test_j1_the_request_arrives_on_stdin_and_the_folders_are_the_protocols(seen: dict[str, Any]) -> None:
    assert (seen["request"], seen["cwd"]) == ({"a": 1}, "/consumer")
    assert (seen["solution"], seen["starter"]) == (["lib"], "first")


def test_a3_the_task_s_own_contract_lies_over_the_empty_one(seen: dict[str, Any], prepared: Consumer) -> None:
    assert seen["contract"] == (layout.TASKS / agents.TASK / "contract.d.ts").read_text()
    assert (prepared.path / "task-contract.d.ts").read_bytes() == b""


def test_k1_only_the_output_folder_and_tmp_can_be_written(seen: dict[str, Any]) -> None:
    writable = {path for path, code in seen["write"].items() if code == "ok"}
    assert writable == {"/solution/lib/starter.ts", "/solution/a", "/tmp/a"}
    assert {code for path, code in seen["write"].items() if path not in writable} == {"EROFS"}
    assert seen["kept"] == {"lib/starter.ts": b"x", "a": b"x"}
    assert seen["protected"]


def test_k2_no_file_grows_beyond_the_output_folder(seen: dict[str, Any]) -> None:
    assert seen["grow"] == "EFBIG"


def test_d2_the_environment_is_made_from_nothing_and_the_allow_listed_names(seen: dict[str, Any]) -> None:
    assert os.environ["PATH"] != seen["env"]["PATH"]
    assert set(seen["env"]) == {"PATH", "HOSTNAME", "HOME", "TMPDIR", "LANG", "TZ", "TERM", "CI", "MODEL_API_KEY"}
    assert seen["env"]["MODEL_API_KEY"] == CANARY


def test_k6_the_agent_has_no_identity_no_power_and_no_network(seen: dict[str, Any]) -> None:
    assert set(seen["ids"]) == {65534}
    assert set(seen["caps"]) == {"0" * 16}
    assert (seen["sealed"], seen["first"]) == ("1", False)
    assert set(seen["interfaces"]) <= {"lo"}
    assert seen["connect"] == "ENETUNREACH"


def test_e4_a_hanging_agent_is_removed_at_its_deadline_with_all_that_it_started(
    engine, verifier_image: str, prepared: Consumer
) -> None:
    code = """
    const { spawn } = require('node:child_process');
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'inherit' }).unref();
    setInterval(() => {}, 1000);
    """
    with agents.space(engine, verifier_image, prepared, code) as made:
        begun = time.monotonic()
        ended = agents.run(made, seconds=2)
        assert (ended.stopped, ended.exit_code) == ("time", None)
        assert time.monotonic() - begun < 30, "nobody waits for a grace period"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("process.stdout.write('x'.repeat(5e6))", "stdout"),
        ("process.stderr.write('x'.repeat(5e6)); process.stdout.write('{}')", None),
        ("process.stdout.write('{}'); process.exitCode = 3", None),
        ("", None),
    ],
    ids=["too much stdout", "much stderr", "exit code", "nothing"],
)
def test_j2_what_an_agent_says_is_bounded(
    code: str, expected: str | None, engine, verifier_image: str, prepared: Consumer
) -> None:
    with agents.space(engine, verifier_image, prepared, code) as made:
        ended = agents.run(made, max_stdout=1000)
    assert ended.stopped == expected
    assert len(ended.stdout) <= 1001 and len(ended.stderr_tail) <= 2000
    assert ended.exit_code == (None if expected else 3 if "exitCode" in code else 0)


def test_r38_the_output_of_an_attempt_is_gone_before_the_next(engine, verifier_image: str, prepared: Consumer) -> None:
    code = """const fs = require('node:fs');
    console.log(JSON.stringify(fs.readdirSync('/solution')));
    fs.writeFileSync('/solution/x', 'x');"""
    for _ in range(2):
        with agents.space(engine, verifier_image, prepared, code) as made:
            assert json.loads(agents.run(made).stdout) == []


def test_k2_a_starter_that_does_not_fit_is_infrastructure(engine, verifier_image: str, prepared: Consumer) -> None:
    big = {"a.ts": bytes(80 * 1024 * 1024)}
    with (
        pytest.raises(Infrastructure, match="could not fill"),
        agents.space(engine, verifier_image, prepared, "", start=big),
    ):
        pytest.fail("it cannot have been put there")


def test_k2_a_holder_that_ended_is_a_failed_attempt_and_leaves_nothing(
    engine, verifier_image: str, prepared: Consumer
) -> None:
    with agents.space(engine, verifier_image, prepared, "") as made:
        agents.run(made)
        engine.containers.get(made.spec.network.partition(":")[2]).kill()
        with pytest.raises(AttemptFailed, match="has ended") as failure:
            made.collect(["solution.ts"], LIMITS)
    assert failure.value.category == "collection"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another operator")
def test_k2_an_operator_without_root_under_a_strict_umask_runs_the_same(
    engine, verifier_image: str, prepared: Consumer, tmp_path: Path
) -> None:
    """The daemon does what needs privileges; the operator's own files stay the operator's."""
    socket = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock").removeprefix("unix://")
    operator = 4242
    code = f"""
import os, sys
sys.path[:0] = {[str(Path(__file__).parent), str(layout.ROOT)]!r}
os.environ["TMPDIR"] = {str(tmp_path)!r}
import agents, docker, docker.types, requests
from pathlib import Path
from steps import suite
from steps.isolation import engine
engine.client(); suite.load()  # imported and read as root: the interpreter may be the superuser's own
engine.connection.cache_clear()
os.setgroups([os.stat({socket!r}).st_gid]); os.setgid({operator}); os.setuid({operator}); os.umask(0o077)
from steps.packing.consumer import Consumer
prepared = Consumer(Path({str(prepared.path)!r}), {prepared.lock_digest!r}, {prepared.tree_digest!r})
js = "const fs = require('fs'); fs.copyFileSync('/consumer/task-contract.d.ts', '/solution/solution.ts')"
with agents.space(engine.client(), {verifier_image!r}, prepared, js, start={{"b.ts": b"b"}}) as made:
    ended = agents.run(made)
    assert ended.exit_code == 0, ended
    kept = made.collect(["solution.ts", "b.ts"], suite.load().limits).files
    print(len(kept), made.seal.before == made.seal.after())
"""
    os.chown(tmp_path, operator, operator)
    for folder in tmp_path.parents[:3]:
        folder.chmod(folder.stat().st_mode | 0o011)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.stdout.strip(), done.returncode) == ("2 True", 0), done.stderr
    assert not list(tmp_path.iterdir())

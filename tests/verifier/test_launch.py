"""Launching: bounded in time and output, nothing left running, and no reach outside a container (R-K3, R-K4)."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
import toys

from steps import layout, node
from steps.errors import AttemptFailed, Infrastructure, Refusal
from steps.grading import grade, launch
from steps.grading.launch import Launched, Work, run_bounded

MAIN = layout.GRADERS / "verifier" / "main.mjs"


def node_script(script: str) -> list[str]:
    return [str(node.binary()), "-e", script]


def test_e4_a_parent_that_never_ends_is_killed_at_the_deadline() -> None:
    begun = time.monotonic()
    ended = run_bounded(node_script("process.on('SIGTERM', () => {}); setInterval(() => 0, 1000)"), b"", deadline=0.5)
    assert ended.returncode is None and ended.stdout == b""
    assert time.monotonic() - begun < 10


def test_k3_endless_output_of_the_parent_is_cut() -> None:
    assert (
        run_bounded(
            node_script("(function more() { process.stdout.write('x'.repeat(60000), more); })()"), b""
        ).returncode
        is None
    )
    # Too much is too much even from a parent that ends by itself.
    assert run_bounded(node_script("console.log('x'.repeat(2 ** 20))"), b"").returncode is None
    assert run_bounded(node_script("console.log('x'.repeat(2 ** 20 - 1))"), b"").returncode == 0


def test_k3_closing_the_output_and_staying_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "TERM_SECONDS", 0.5)
    script = "fs.closeSync(1); fs.closeSync(2); setInterval(() => 0, 1000)"
    assert run_bounded(node_script(script), b"").returncode is None


def test_k3_output_exit_code_and_stdin_arrive() -> None:
    script = "process.stdin.on('data', (x) => process.stdout.write(x));"
    script += "process.stdin.on('end', () => { console.error('e'); process.exitCode = 3; })"
    assert run_bounded(node_script(script), b"job") == Launched(3, b"job", b"e\n")


def running(part: str) -> list[str]:
    """Command lines of all processes that contain `part`."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            text = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue  # it ended while we looked
        if part in text:
            found.append(text)
    return found


def test_k3_a_killed_parent_leaves_no_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    original = launch.run_bounded
    monkeypatch.setattr(
        launch, "run_bounded", lambda command, job, **more: original(command, job, deadline=1.5, **more)
    )
    seen: list[str] = []
    pump = launch._pump
    monkeypatch.setattr(
        launch, "_pump", lambda *given: (pump(*given), seen.extend(running(f"{tmp_path}/appkit-eval-verify-")))[0]
    )
    solution = toys.submission(tmp_path / "solution", toys.HOSTILE / "loop-at-import.js")
    with pytest.raises(AttemptFailed):
        toys.graded(toys.empty_consumer(tmp_path / "consumer"), solution)
    assert seen, "the child was not running when the deadline came: the test proves nothing"
    assert running(f"{tmp_path}/appkit-eval-verify-") == []


def test_k4_outside_a_container_the_container_mode_refuses_before_it_reads_the_job() -> None:
    # Its stdin stays open and empty: whoever has not read the job cannot have started a child.
    with subprocess.Popen(
        [str(node.binary()), str(MAIN), "container"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=node.clean_env(),
    ) as process:
        assert process.wait(10) == 71
        assert process.stdout.read() == b""
        assert b"not attested" in process.stderr.read()


def test_k4_kill_of_every_process_stands_in_one_place_behind_the_attestation() -> None:
    sources = [path for path in layout.GRADERS.rglob("*.mjs") if "node_modules" not in path.parts]
    hits = {path.name: path.read_text().count("kill(-1") for path in sources}
    assert {name: count for name, count in hits.items() if count} == {"attest.mjs": 2}  # one of them in a comment
    body = (layout.GRADERS / "verifier" / "attest.mjs").read_text().split("export async function sweep")[1]
    assert body.index("Attestation.holds(attestation)") < body.index("process.kill(-1")


def test_e5_a_grader_that_cannot_be_used_is_infrastructure(tmp_path: Path) -> None:
    broken = tmp_path / "grader.mjs"
    broken.write_text(
        "export const grader = { entry: 'solution.ts', assertions: {}, safety: [], scenarios: () => [] };\n"
    )
    with pytest.raises(Infrastructure, match="no assertions"):
        grade.grade(
            toys.empty_consumer(tmp_path / "consumer"),
            toys.TOYS / "approval",
            toys.TOYS / "approval" / "good",
            1,
            grader=broken,
        )


def test_e5_an_unknown_mode_and_an_unreadable_job_are_infrastructure() -> None:
    assert run_bounded([str(node.binary()), str(MAIN)], b"{}").returncode == 71
    assert run_bounded([str(node.binary()), str(MAIN), "local"], b"{").returncode == 71
    assert run_bounded([str(node.binary()), str(MAIN), "local"], b" " * 70_000).returncode == 71


@pytest.mark.parametrize("seed", [-1, 2**53])
def test_a_seed_that_javascript_cannot_hold_is_refused(tmp_path: Path, seed: int) -> None:
    with pytest.raises(Refusal, match="out of range"):
        toys.graded(tmp_path, toys.TOYS / "approval" / "good", seed=seed)


RSS = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import toys
toys.graded(Path(sys.argv[2]), Path(sys.argv[3]))
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""


@pytest.mark.parametrize("sample", ["frame-flood", "callback-flood", "stdout-flood"])
def test_k3_a_flood_does_not_fill_the_parents_memory(sample: str, tmp_path: Path) -> None:
    solution = toys.submission(tmp_path / "solution", toys.HOSTILE / f"{sample}.js")
    consumer = toys.empty_consumer(tmp_path / "consumer")
    done = subprocess.run(
        [sys.executable, "-c", RSS, str(toys.HERE), str(consumer), str(solution)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        cwd=layout.ROOT,
        env=dict(os.environ),
    )
    assert int(done.stdout) < 250


def test_k3_what_the_child_gets_names_no_grader_and_no_scenario(tmp_path: Path) -> None:
    root = tmp_path / "w"
    root.mkdir()
    child = launch._stage(root, Work(toys.TOYS / "approval" / "good", toys.empty_consumer(tmp_path / "c"), MAIN))
    files = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    assert files == {
        "submission/solution.js",
        "submission/package.json",
        *(f"runner/{path.name}" for path in (layout.GRADERS / "child").iterdir()),
    }
    assert all("grader" not in text and "verifier" not in text for text in child["readable"])

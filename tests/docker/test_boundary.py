"""What the submission's user can reach in the verifier container: nothing; with error and control (R-K4, K5, K7)."""

from __future__ import annotations

import dataclasses
import errno
import platform
import shutil
from pathlib import Path
from typing import Any

import pytest
import toys

from steps import documents
from steps.grading import launch_docker
from steps.grading.launch import Work
from steps.grading.launch_docker import DockerLauncher
from steps.isolation import containers, rootfs
from steps.isolation.containers import Spec
from steps.suite import read_yaml

PROBE = Path(__file__).parent / "probe"
ROWS: dict[str, dict[str, Any]] = read_yaml(Path(__file__).parent / "boundary.yaml")
WIDE = ("SYS_ADMIN", "SYS_CHROOT")
PLACES = ("strict", "open", "wide")
NAMES = {"ok": "ok", **{str(number): name for number, name in errno.errorcode.items()}}


def attempts() -> dict[str, list[dict[str, Any]]]:
    """What to try in which container: each row as the submission's user, and each control."""
    todo: dict[str, list[dict[str, Any]]] = {place: [] for place in PLACES}
    for name, row in ROWS.items():
        control = row["control"]
        todo[control.get("where", "strict")].append(
            {"id": f"{name}/control", "as": control.get("as", "child"), "words": control.get("do", row["do"])}
        )
        for place in ("strict", *(["open"] if "unfiltered" in row else [])):
            todo[place].append({"id": f"{name}/tried", "as": "child", "words": row["do"]})
    # What ends or fills something comes last, so that it disturbs no other row.
    last = ("fill-", "kill-")
    return {place: sorted(todo[place], key=lambda item: item["id"].startswith(last)) for place in PLACES}


def programs() -> tuple[dict[str, str], list[str]]:
    """Mounts and command line of perl with its libraries, which no image of ours holds."""
    perl = shutil.which("perl")
    if perl is None or platform.machine() != "x86_64":
        pytest.skip("the native probe needs perl on x86_64")
    found = rootfs.libraries(Path(perl))
    binds = {str(path): f"/probe/lib/{Path(name).name}" for name, path in found.items()}
    loader = next(target for target in binds.values() if "ld-linux" in target)
    binds |= {str(Path(perl).resolve()): "/probe/perl", str(PROBE / "try.pl"): "/probe/try.pl"}
    return binds, [loader, "--library-path", "/probe/lib", "/probe/perl", "/probe/try.pl"]


def profile(spec: Spec, place: str) -> Spec:
    """The verifier's own profile, the same without its filter, or that with more capabilities as well."""
    if place == "strict":
        return spec
    wide = WIDE if place == "wide" else ()
    return dataclasses.replace(spec, seccomp="unconfined", capabilities=(*spec.capabilities, *wide))


def probe(launcher: DockerLauncher, folder: Path, place: str) -> dict[str, Any]:
    """Run the probe in the place of the verifier's parent."""
    work = Work(toys.TOYS / "approval" / "good", toys.empty_consumer(folder / "consumer"), PROBE / "parent.mjs")
    root = folder / "staged"
    root.mkdir()
    place_of = launch_docker.stage(root, work)
    binds, program = programs()
    spec = launcher.spec(root, work)
    spec = dataclasses.replace(spec, command=[f"/grader/{place_of}"], binds={**spec.binds, **binds})
    job = {"attempts": attempts()[place], "program": program, "attest": place == "strict"}
    ended = containers.run(
        launcher.engine,
        profile(spec, place),
        documents.canonical(job),
        seconds=120,
        max_stdout=1 << 20,
        max_stderr=1 << 16,
    )
    assert ended.exit_code == 0, ended
    return documents.parse_strict(ended.stdout, where="the probe's answer")


@pytest.fixture(scope="module")
def probed(engine, verifier_image: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The answers of the three containers."""
    launcher = DockerLauncher(engine, verifier_image)
    return {place: probe(launcher, tmp_path_factory.mktemp(place), place) for place in PLACES}


def said(probed: dict[str, dict[str, Any]], place: str, name: str) -> str:
    answer = probed[place]["results"][name].split("\n")[0]
    return NAMES.get(answer, answer)


def test_k7_the_table_is_not_empty_and_every_row_has_a_control() -> None:
    assert len(ROWS) >= 60
    assert all({"do", "denied", "control"} <= set(row) for row in ROWS.values())


@pytest.mark.xdist_group("boundary")
@pytest.mark.parametrize("name", ROWS)
def test_k4_the_submission_is_refused_and_the_control_is_not(probed: dict[str, dict[str, Any]], name: str) -> None:
    row, control = ROWS[name], ROWS[name]["control"]
    assert said(probed, "strict", f"{name}/tried") == row["denied"]
    assert said(probed, control.get("where", "strict"), f"{name}/control") == control.get("gives", "ok")
    if "unfiltered" in row:
        assert said(probed, "open", f"{name}/tried") == row["unfiltered"]


@pytest.mark.xdist_group("boundary")
def test_k4_the_sweep_ends_a_fork_bomb_of_detached_processes(probed: dict[str, dict[str, Any]]) -> None:
    strict = probed["strict"]
    assert strict["bombs"] >= 10 and strict["before"] >= strict["bombs"], "nothing survived: the test proves nothing"
    assert strict["after"] == 0


@pytest.mark.xdist_group("boundary")
def test_k5_the_image_holds_no_other_program_and_no_network(probed: dict[str, dict[str, Any]]) -> None:
    strict = probed["strict"]
    assert {path for path in strict["executables"] if ".so" not in path} == {f"/{rootfs.NODE}", "/.dockerenv"}
    assert set(strict["interfaces"]) <= {"lo"}

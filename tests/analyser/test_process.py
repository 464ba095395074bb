"""The analyser as a machine: reproducible bytes, bounds, crashes, and what other steps call."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from steps import digest, documents, layout, node
from steps.analysis import toolchain
from steps.analysis.analyser import MAIN, AnalyserProcess, AnalysisFailed, LocalChannel, LocalLauncher
from steps.analysis.analyze import Analyser
from steps.errors import AttemptFailed, Infrastructure, Refusal

CASES = Path(__file__).parent / "cases"
CANDIDATE = {"packages": ["@alneas/appkit-core", "@alneas/appkit-react"], "scopePrefix": "@alneas/appkit-"}
SOME = ["namespace-member-forms", "contract-faults", "jsx-tags", "augmented-member", "no-false-reviews", "seed-in-jsx"]


def folder(tmp_path: Path, source: str, **task: object) -> Path:
    """A task folder with one solution file."""
    (tmp_path / "solution").mkdir()
    (tmp_path / "solution" / "solution.ts").write_text(source)
    documents.write_atomic(tmp_path / "task.json", {"allowedOutputPaths": ["solution.ts"], **task})
    return tmp_path


def test_analysis_is_reproducible_warm_reversed_and_in_a_process_of_its_own(consumer: Path) -> None:
    with Analyser(CANDIDATE) as warm, Analyser(CANDIDATE) as backwards:
        forth = {name: warm.analyse(consumer, CASES / name, CASES / name / "solution") for name in SOME}
        back = {name: backwards.analyse(consumer, CASES / name, CASES / name / "solution") for name in reversed(SOME)}
    assert documents.pretty(forth) == documents.pretty(back)
    for name in SOME[-2:]:
        with Analyser(CANDIDATE) as cold:
            alone = cold.analyse(consumer, CASES / name, CASES / name / "solution")
        assert documents.pretty(alone) == documents.pretty(forth[name])


def test_analysis_does_not_depend_on_where_the_consumer_lies(
    consumer: Path, analyser: Analyser, tmp_path: Path
) -> None:
    moved = tmp_path / "elsewhere"
    shutil.copytree(consumer, moved, symlinks=True)
    for name in SOME:
        text = documents.pretty(analyser.analyse(moved, CASES / name, CASES / name / "solution"))
        assert text == documents.pretty(analyser.analyse(consumer, CASES / name, CASES / name / "solution"))
        assert str(moved).encode() not in text


def test_e4_nested_brackets_are_the_attempts_failure(consumer: Path, tmp_path: Path) -> None:
    case = folder(tmp_path, f"export const x = {'[' * 60_000}{']' * 60_000};")
    good = CASES / "named-import-missing"
    with Analyser(CANDIDATE) as warm:
        before = warm.analyse(consumer, good, good / "solution")
        with pytest.raises(AnalysisFailed) as caught:
            warm.analyse(consumer, case, case / "solution")
        assert caught.value.category == "analysis"
        assert warm.analyse(consumer, good, good / "solution") == before, "a new process serves the next attempt"


def test_e4_a_type_bomb_ends_in_time_as_the_attempts_failure(consumer: Path, tmp_path: Path) -> None:
    bomb = "type D = 0|1|2|3|4|5|6|7|8|9;\n" + "".join(
        f"type T{i} = `${{D}}${{D}}${{D}}${{D}}${{{i}}}`;\nexport const x{i}: T{i} = 'x';\n" for i in range(400)
    )
    case = folder(tmp_path, bomb)
    with Analyser(CANDIDATE, wall_seconds=1.0) as warm, pytest.raises(AttemptFailed, match="did not end within 1 s"):
        warm.analyse(consumer, case, case / "solution")


def test_a_file_over_the_limit_is_the_attempts_failure(consumer: Path, analyser: Analyser, tmp_path: Path) -> None:
    case = folder(tmp_path, "export const x = 1;\n" + " " * 262_144)
    with pytest.raises(AnalysisFailed, match="262144 bytes"):
        analyser.analyse(consumer, case, case / "solution")


def test_e5_a_broken_consumer_is_never_the_attempts_failure(tmp_path: Path) -> None:
    case = CASES / "named-import-missing"
    with Analyser(CANDIDATE) as warm:
        with pytest.raises(Refusal, match="is not installed"):
            warm.analyse(tmp_path, case, case / "solution")
        for package in CANDIDATE["packages"]:
            (tmp_path / "node_modules" / package).mkdir(parents=True)
            (tmp_path / "node_modules" / package / "package.json").write_text("{ not json")
        with pytest.raises(Infrastructure, match="cannot read the consumer"):
            warm.analyse(tmp_path, case, case / "solution")


def test_e5_a_process_that_dies_at_once_is_infrastructure(tmp_path: Path) -> None:
    class Dying(LocalLauncher):
        def start(self) -> LocalChannel:
            return LocalChannel([str(node.binary()), "-e", "process.exit(3)"])

    with AnalyserProcess(Dying()) as process, pytest.raises(Infrastructure, match="did not start"):
        process.ask(tmp_path, {"operation": "catalogue"})


def test_a_malformed_task_is_refused(consumer: Path, analyser: Analyser, tmp_path: Path) -> None:
    for wrong in ({"allowedOutputPaths": ["a.d.ts"]}, {"allowedOutputPaths": ["../a.ts"]}, {"allowedImports": "x"}):
        documents.write_atomic(tmp_path / "task.json", wrong)
        with pytest.raises(Refusal):
            analyser.analyse(consumer, tmp_path, tmp_path)


def test_emitted_javascript_is_what_the_analysis_names(consumer: Path, analyser: Analyser, tmp_path: Path) -> None:
    case = CASES / "second-file-by-ts-and-js-name"
    analysis = analyser.analyse(consumer, case, case / "solution", emit_dir=tmp_path)
    assert [each["file"] for each in analysis["emitted"]] == ["lib/helper.js", "solution.js"]
    for each in analysis["emitted"]:
        assert each["sha256"] == digest.of_file(tmp_path / each["file"])
    (tmp_path / "package.json").write_text('{"type": "module"}')
    program = "const { value } = await import(process.argv[1]); process.stdout.write(String(value))"
    command = [str(node.binary()), "--input-type=module", "-e", program, str(tmp_path / "solution.js")]
    done = node.run(command, timeout=60)
    assert done.stdout == b"2"


def test_g2_seeds_are_derived_by_the_same_analysis(consumer: Path, analyser: Analyser) -> None:
    seeds = analyser.derive_seeds(consumer, CASES / "seed-of-a-module-and-a-member")
    assert seeds == ["@alneas/appkit-core#ToolRunner.stop", "@alneas/appkit-core/agents"]
    assert analyser.derive_seeds(consumer, CASES / "named-import-missing") == []


def test_catalogue_follows_the_exports_map(consumer: Path, analyser: Analyser) -> None:
    names = analyser.catalogue(consumer)
    assert names["@alneas/appkit-core/features/retry"] == ["retry"]
    assert "@alneas/appkit-core/features/private" not in names
    assert {"policies", "Basket", "parseText"} <= set(names["@alneas/appkit-core"])


def test_c3_package_check_sees_a_type_that_degrades_to_any(consumer: Path, tmp_path: Path) -> None:
    with Analyser(CANDIDATE) as warm:
        assert warm.package_check(consumer) == []
        broken = tmp_path / "consumer"
        shutil.copytree(consumer, broken, symlinks=True)
        shutil.rmtree(broken / "node_modules" / "ajv")
        faults = warm.package_check(broken)
    assert faults and all(fault.startswith("@alneas/appkit-core/lib/index.d.ts:1: TS2307") for fault in faults)


def test_node_types_come_from_the_toolchain_when_the_consumer_has_none(consumer: Path, tmp_path: Path) -> None:
    bare = tmp_path / "consumer"
    shutil.copytree(consumer, bare, symlinks=True)
    shutil.rmtree(bare / "node_modules" / "@types" / "node")
    case = folder(
        tmp_path,
        'import { readFile } from "fs/promises";\nexport const x = [readFile, process.argv];\n',
        allowedImports=["node:fs/promises"],
    )
    with Analyser(CANDIDATE) as warm:
        assert warm.analyse(bare, case, case / "solution")["diagnostics"] == []


def test_the_toolchain_is_made_again_when_it_was_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "TOOLCHAIN", tmp_path)
    toolchain.ready.cache_clear()
    compiler = toolchain.ready() / "node_modules" / "typescript" / "lib" / "typescript.js"
    size = compiler.stat().st_size
    compiler.write_text("throw new Error('changed')")
    toolchain.ready.cache_clear()
    assert (toolchain.ready() / "node_modules" / "typescript" / "lib" / "typescript.js").stat().st_size == size
    toolchain.ready.cache_clear()


def test_analyser_sources_pass_the_type_check(tmp_path: Path) -> None:
    shutil.copytree(MAIN.parent, tmp_path / "analyser")
    (tmp_path / "node_modules").symlink_to(toolchain.ready() / "node_modules")
    compiler = tmp_path / "node_modules" / "typescript" / "lib" / "tsc.js"
    done = node.run(
        [str(node.binary()), str(compiler), "--project", str(tmp_path / "analyser" / "jsconfig.json")],
        timeout=120,
        check=False,
    )
    assert done.stdout.decode() == ""


def test_e4_line_separators_of_unicode_are_text_like_any_other(consumer: Path, tmp_path: Path) -> None:
    """Jobs are lines: a splitter that ends one at U+2028 would turn a submission into broken machinery."""
    odd = {"a": "\u2028", "b": "\u2029", "c": "\u0085"}
    source = "".join(f'export const {name} = "{char}"; // {char}\n' for name, char in odd.items())
    case = folder(tmp_path, source)
    with Analyser(CANDIDATE) as warm:
        analysis = warm.analyse(consumer, case, case / "solution")
    assert analysis["diagnostics"] == [] and [entry["file"] for entry in analysis["emitted"]] == ["solution.js"]

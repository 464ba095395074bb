"""What a hostile agent can leave in its output volume, on a real engine: one sentence each (security rows 32-34)."""

from __future__ import annotations

import agents
import pytest

from steps import suite
from steps.errors import AttemptFailed
from steps.packing.consumer import Consumer

LIMITS = suite.load().limits
GOOD = "fs.writeFileSync('solution.ts', 'export const a = 1;\\n');"
HEAD = "const fs = require('node:fs'); process.chdir('/solution'); process.on('SIGXFSZ', () => {});"

REJECTED = {
    "a link to a host file": ("fs.symlinkSync('/etc/passwd', 'solution.ts')", "not a regular file"),
    "a hard link": (f"{GOOD} fs.linkSync('solution.ts', 'a')", "more than one name"),
    "a hard link made first": ("fs.writeFileSync('a', 'x'); fs.linkSync('a', 'solution.ts')", "more than one name"),
    "a folder": ("fs.mkdirSync('solution.ts')", "not a regular file"),
    "a socket": (
        "require('node:net').createServer().listen('solution.ts', () => process.exit(0))",
        "none of the allowed",
    ),
    "too large": ("fs.writeFileSync('solution.ts', 'x'.repeat(300000))", "more than 262144"),
    "holes": ("fs.writeFileSync('solution.ts', ''); fs.truncateSync('solution.ts', 60e6)", "more than 262144"),
    "holes beside it": (
        f"{GOOD} for (const h of 'abcdefghi') {{ fs.writeFileSync(h, ''); fs.truncateSync(h, 60e6); }}",
        "the output folder holds more than",
    ),
    "not readable": (f"{GOOD} fs.chmodSync('solution.ts', 0)", "not readable by its owner"),
    "set-uid": (f"{GOOD} fs.chmodSync('solution.ts', 0o4755)", "set-uid"),
    "another case": ("fs.writeFileSync('Solution.ts', 'x')", "only by case"),
    "a folder in its way": ("fs.symlinkSync('/consumer', 'lib')", "none of the allowed"),
    "100,000 entries": (
        f"""{GOOD} try {{ for (let i = 0; i < 100000; i += 1) fs.writeFileSync(`f${{i}}`, ''); }}
        catch (error) {{ if (error.code !== 'ENOSPC') throw error; }}""",
        "more than 2000 entries",
    ),
    "nested 200 deep": (
        f"{GOOD} for (let i = 0; i < 200; i += 1) {{ fs.mkdirSync('d'); process.chdir('d'); }}",
        "nested more than 32",
    ),
    "nothing": ("", "none of the allowed"),
}


@pytest.mark.parametrize("name", REJECTED)
def test_k2_a_hostile_output_is_a_failed_attempt(name: str, engine, verifier_image: str, prepared: Consumer) -> None:
    code, expected = REJECTED[name]
    with agents.space(engine, verifier_image, prepared, f"{HEAD} {code}") as made:
        ended = agents.run(made)
        assert ended.exit_code == 0, ended
        with pytest.raises(AttemptFailed) as failure:
            made.collect(["solution.ts", "lib/a.ts"], LIMITS)
    assert (failure.value.category, expected in failure.value.detail) == ("collection", True), failure.value


def test_k2_odd_names_beside_it_are_listed_and_not_collected(engine, verifier_image: str, prepared: Consumer) -> None:
    code = f"""{HEAD} {GOOD}
    const names = ['n\\nl', 'ü'.normalize('NFD'), 'x'.repeat(255), '-rf', 'solution.ts '];
    for (const name of names) fs.writeFileSync(name, '');
    fs.writeFileSync(Buffer.from([0x61, 0xff]), ''); fs.symlinkSync('/etc', 'etc');"""
    with agents.space(engine, verifier_image, prepared, code) as made:
        assert agents.run(made).exit_code == 0
        found = made.collect(["solution.ts"], LIMITS)
    assert found.files == {"solution.ts": b"export const a = 1;\n"}
    assert len(found.extra) == 7, found.extra


def test_k2_a_full_output_folder_is_the_agent_s_own_problem(engine, verifier_image: str, prepared: Consumer) -> None:
    code = f"""{HEAD} {GOOD}
    let written = 0;
    try {{ for (let i = 0; ; i += 1) {{ fs.writeFileSync(`big${{i}}`, Buffer.alloc(4e6)); written += 4e6; }} }}
    catch (error) {{ console.log(error.code, written); }}"""
    with agents.space(engine, verifier_image, prepared, code) as made:
        code, written = agents.run(made).stdout.decode().split()
        assert (code, int(written) <= 64 * 1024 * 1024) == ("ENOSPC", True)
        assert set(made.collect(["solution.ts"], LIMITS).files) == {"solution.ts"}


def test_k2_the_number_of_files_is_bounded_too(engine, verifier_image: str, prepared: Consumer) -> None:
    code = f"""{HEAD}
    let made = 0;
    try {{ for (; made < 1e5; made += 1) fs.writeFileSync(`f${{made}}`, ''); }}
    catch (error) {{ console.log(error.code, made); }}"""
    with agents.space(engine, verifier_image, prepared, code) as made:
        code, count = agents.run(made).stdout.decode().split()
    assert (code, LIMITS["outputEntries"] < int(count) < LIMITS["outputEntries"] + 100) == ("ENOSPC", True)

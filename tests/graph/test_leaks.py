"""R-A3: no answer stands in prompt, contract or starter."""

from __future__ import annotations

from steps.authoring import leaks

SOLUTION = """import { createAjvValidator } from '@alneas/appkit-core';
export function parse(input: unknown): Result {
  const validator = createAjvValidator(schema, { allErrors: true });
  const outcome = validator.validate(input);
  return outcome.ok ? { ok: true, value: outcome.value } : { ok: false, issues: outcome.issues };
}
"""
CONTRACT = "export declare function parse(input: unknown): Result;\n"


def test_a3_three_pasted_lines_are_found() -> None:
    pasted = "\n".join(SOLUTION.splitlines()[2:5])
    assert leaks.shared(f"Do it like so:\n\n```js\n{pasted}\n```\n", [SOLUTION], CONTRACT)


def test_a3_an_answer_in_a_comment_is_found() -> None:
    comment = "// " + SOLUTION.splitlines()[3].strip() + " " + SOLUTION.splitlines()[4].strip()
    assert leaks.shared(CONTRACT + comment, [SOLUTION], CONTRACT)
    block = f"/** {SOLUTION.splitlines()[4]} */"
    assert leaks.shared(CONTRACT + block, [SOLUTION], CONTRACT)


def test_a3_other_white_space_and_quotes_hide_nothing() -> None:
    spread = " ".join(SOLUTION.splitlines()[4].replace(" ", "\n").split("\n"))
    assert leaks.shared(spread, [SOLUTION], CONTRACT)


def test_a3_imports_the_contract_and_prose_are_no_leak() -> None:
    prose = "Build a parser with createAjvValidator that returns all issues and never throws, whatever the input is."
    assert not leaks.shared(prose, [SOLUTION], CONTRACT)
    assert not leaks.shared(SOLUTION.splitlines()[0], [SOLUTION], CONTRACT)
    assert not leaks.shared(CONTRACT, [SOLUTION + CONTRACT], CONTRACT)


def test_eleven_tokens_are_no_run_and_twelve_are() -> None:
    words = [f"a{n}" for n in range(12)]
    solution = " ".join(words)
    assert leaks.shared(" ".join(words), [solution], "")
    assert not leaks.shared(" ".join(words[:11]), [solution], "")


def test_a_solution_may_repeat_the_contract_comments_and_all() -> None:
    contract = "/** The outcome that a parser reports for one value, good or bad. */\n" + CONTRACT * 2
    assert not leaks.shared(contract, [contract + SOLUTION], contract)

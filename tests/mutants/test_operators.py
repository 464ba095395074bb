"""R-B1: each operator plants exactly its mistake, everywhere, and never in a type, an import or free text."""

from __future__ import annotations

from functools import cache

import pytest

from steps.authoring import mutants
from steps.authoring.mutants import Mutant

# operator -> code, and all texts that it must give
SNIPPETS: dict[str, tuple[str, list[str]]] = {
    "condition-negated": ("if (a) f(); else g();", ["if (!(a)) f(); else g();"]),
    "boundary-moved": ("f(a < b, c >= d);", ["f(a <= b, c >= d);", "f(a < b, c > d);"]),
    "equality-flipped": ("f(a === b);", ["f(a !== b);"]),
    "logical-swapped": ("f(a && b);", ["f(a || b);"]),
    "arithmetic-swapped": ("f(a + b);", ["f(a - b);"]),
    "statement-dropped": ("{ f(); throw e; }", ["{  throw e; }", "{ f();  }"]),
    "guard-dropped": ("function f() { if (a) return 1; g(); }", ["function f() { ; g(); }"]),
    "await-dropped": ("async () => { await f(); return await g(); };", ["async () => { (f()); return await g(); };"]),
    "property-dropped": ("f({ a: 1.5, b, ...c, d: e });", ["f({ b, ...c, d: e });", "f({ a: 1.5, b, d: e });"]),
    "attribute-dropped": ('<i a="x" b={y} c />;', ['<i a="x"  c />;', '<i a="x" b={y}  />;']),
    "element-dropped": ('f(["i", "j"], [a, b]);', ['f(["j"], [a, b]);', 'f(["i"], [a, b]);']),
    "options-dropped": ("f(a, { b }); g(c);", ["f(a); g(c);"]),
    "string-changed": ('f("a-code", "some text", "word");', ['f("", "some text", "word");']),
    "anchor-dropped": ("f(/^a$/u);", ["f(/a$/u);", "f(/^a/u);"]),
    "number-raised": ("f(9, { up: 1_000 });", ["f(10, { up: 1_000 });", "f(9, { up: 1001 });"]),
    "number-lowered": ("f(9, { down: 1_000 });", ["f(9, { down: 999 });"]),
    "boolean-flipped": ("f(true, false);", ["f(false, false);", "f(true, true);"]),
    "catch-emptied": ("try { f(); } catch { g(); }", ["try { f(); } catch {}"]),
    "catch-rethrows": (
        "try { f(); } catch { g(); }",
        ["try { f(); } catch (unhandled) { throw unhandled; }"],
    ),
    "finally-dropped": ("try { f(); } finally { g(); }", ["try { f(); } finally {}"]),
    "copy-dropped": (
        "f({ ...a }, structuredClone(b));",
        ["f((a), structuredClone(b));", "f({ ...a }, (b));"],
    ),
    "chain-unguarded": ("f(a?.b);", ["f(a.b);"]),
    "fallback-dropped": ("f(a ?? b);", ["f((a));"]),
    "fallback-always": ("f(a ?? b);", ["f((b));"]),
    "first-branch-always": ("f(a ? b : c);", ["f((b));"]),
    "second-branch-always": ("f(a ? b : c);", ["f((c));"]),
}
NO_BEHAVIOUR = """import { a } from "one";
export type B = "two" | 3;
interface C { readonly d: true }
export { a };
"""


@cache
def made() -> mutants.Made:
    """All snippets at once: starting the compiler is what costs."""
    solutions = {operator: {"s.tsx": code} for operator, (code, _) in SNIPPETS.items()}
    return mutants.make({**solutions, "no-behaviour": {"s.ts": NO_BEHAVIOUR}})


def of(solution: str) -> list[Mutant]:
    return [mutant for mutant in made().mutants if mutant.solution == solution]


@pytest.mark.parametrize("operator", SNIPPETS)
def test_b1_an_operator_plants_exactly_its_mistakes(operator: str) -> None:
    assert [m.text for m in of(operator) if m.operator == operator] == SNIPPETS[operator][1]


def test_b1_every_operator_is_shown_here() -> None:
    assert sorted(made().operators) == sorted(SNIPPETS)


def test_b1_types_imports_and_exports_are_left_alone() -> None:
    assert of("no-behaviour") == []


def test_b1_a_mutant_is_named_by_place_and_operator_and_known_by_its_bytes() -> None:
    found = mutants.make({"accept-a": {"x.ts": "\nf(a < b, c < d);"}}).mutants
    first, second = (mutant for mutant in found if mutant.operator == "boundary-moved")
    assert (first.name, second.name) == ("accept-a/x.ts:2:boundary-moved:1", "accept-a/x.ts:2:boundary-moved:2")
    assert (first.line, first.before, first.after) == (2, "<", "<=")
    assert first.source != second.source


def test_b1_the_same_mistake_in_the_same_table_is_tried_once_and_in_code_everywhere() -> None:
    table = 'const schema = { order: { maxLength: 20, type: "string" } };'
    found = mutants.make({"accept-a": {"x.ts": f"{table}\nf(a < b);"}, "accept-b": {"x.ts": f"\n{table}\nf(a < b);"}})
    assert found.dropped["repeated"] == sum(m.solution == "accept-a" and m.line == 1 for m in found.mutants) > 0
    assert [m.solution for m in found.mutants if m.operator == "boundary-moved"] == ["accept-a", "accept-b"]


def test_b1_two_edits_that_emit_the_same_script_are_one_and_one_that_emits_the_original_is_none() -> None:
    found = mutants.make({"accept-a": {"x.ts": "if (a) { throw e; }\ntry { } catch { g(); }"}})
    assert found.dropped["duplicate"] == 1  # dropping the only statement of `catch` is emptying it
    assert mutants.make({"accept-a": {"x.ts": "try { f(); } catch { f; } finally { }"}}).dropped["unchanged"] == 1

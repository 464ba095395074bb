"""Component scenarios: React and jsdom in the child, queries and verdict in the parent (R-K3, security 3.10)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import toys

from steps.packing.consumer import Consumer

GOOD = toys.TOYS / "form" / "good" / "solution.js"
IDS = toys.toy_task("form")["assertionIds"]

# What one realistic mistake costs: text in the right solution, its replacement, and the ids that become false.
MISTAKES = {
    "label not tied to the field": ("htmlFor: 'email'", "htmlFor: 'mail'", {"labels-field"}),
    "error not described": ("error ? 'email-error' : undefined", "undefined", {"describes-error"}),
    "error not announced": (", role: 'alert'", "", {"describes-error"}),
    "field not marked invalid": ("'aria-invalid': error !== '', ", "", {"describes-error"}),
    "focus stays on the button": ("field.current.focus();", "", {"focuses-invalid"}),
    "button stays enabled": ("disabled: busy", "disabled: false", {"pending-state"}),
    "no form around the field": ("h('form', ", "h('div', ", set(IDS) - {"labels-field"}),
    "Enter does nothing": (
        "type: 'email', ",
        "type: 'email', onKeyDown: (e) => e.preventDefault(), ",
        {"keyboard-submit", "pending-state"},
    ),
    "saves twice": ("await onSave({ email });", "onSave({ email }); await onSave({ email });", {"saves-once"}),
    "saves what is invalid": (
        "setError('Enter an email address');",
        "setError('Enter an email address'); onSave({ email });",
        {"saves-once"},
    ),
}


@pytest.fixture
def solution(tmp_path: Path) -> Path:
    """A copy of the right form that a test may spoil."""
    folder = tmp_path / "solution"
    folder.mkdir()
    shutil.copy(GOOD, folder)
    return folder / "solution.js"


def test_k3_a_right_form_passes_under_any_seed(prepared: Consumer, solution: Path) -> None:
    for seed in (1, 2, 3):
        verdict = toys.graded(prepared.path, solution.parent, toy="form", seed=seed)
        assert verdict["assertions"] == dict.fromkeys(IDS, True)
        assert verdict["safety"] == {"saves-once": "pass"}


@pytest.mark.parametrize("name", MISTAKES)
def test_b1_one_mistake_in_the_form_costs_exactly_its_ids(name: str, prepared: Consumer, solution: Path) -> None:
    right, wrong, lost = MISTAKES[name]
    text = solution.read_text()
    assert text.count(right) == 1
    solution.write_text(text.replace(right, wrong))
    verdict = toys.graded(prepared.path, solution.parent, toy="form")
    assert {name for name, held in verdict["assertions"].items() if not held} == lost
    assert {item["outcome"] for item in verdict["scenarios"]} == {"judged"}


def test_k3_a_component_that_breaks_is_no_crash_of_the_verifier(prepared: Consumer, solution: Path) -> None:
    solution.write_text("export function EmailForm() { throw new Error('render'); }\n")
    verdict = toys.graded(prepared.path, solution.parent, toy="form")
    assert not any(verdict["assertions"].values())
    assert {item["outcome"] for item in verdict["scenarios"]} == {"stopped"}


def test_k3_a_document_without_bounds_breaks_the_scenario(prepared: Consumer, solution: Path) -> None:
    solution.write_text(
        "import { createElement as h } from 'react';\n"
        "export const EmailForm = () => h('div', null, Array.from({ length: 3000 }, (_, key) => h('i', { key })));\n"
    )
    verdict = toys.graded(prepared.path, solution.parent, toy="form")
    assert not any(verdict["assertions"].values())
    assert verdict["safety"] == {"saves-once": "not-observed"}
    assert {item["outcome"] for item in verdict["scenarios"]} == {"unsendable"}

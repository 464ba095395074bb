"""Strict JSON, canonical bytes, whole writes and claims (security.md 3.7; rows R-E4, R-J2)."""

from __future__ import annotations

import json
import multiprocessing
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steps import documents
from steps.errors import Refusal

TEXT = st.text(st.characters(codec="utf-8"))
NUMBERS = st.integers(-(10**300), 10**300) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=25,
)


def same(one, two):
    """Equal with types: True is not 1, 1 is not 1.0, and -0.0 is not 0.0."""
    if type(one) is not type(two):
        return False
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(same(one[key], two[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(two) and all(map(same, one, two))
    return repr(one) == repr(two)


@given(JSON)
def test_canonical_and_pretty_bytes_parse_to_the_same_value_and_stay_fixed(value):
    for form in (documents.canonical, documents.pretty):
        again = documents.parse_strict(form(value), where="test")
        assert same(again, value)
        assert form(again) == form(value)


@given(st.binary(max_size=60))
def test_any_bytes_are_parsed_or_refused(data):
    try:
        value = documents.parse_strict(data, where="test")
    except Refusal:
        return
    assert same(value, json.loads(data))


@given(JSON, st.binary(min_size=1, max_size=5))
def test_nothing_but_white_space_may_follow_the_value(value, tail):
    data = documents.canonical([value]) + tail
    if not tail.strip(b" \t\r\n"):
        assert same(documents.parse_strict(data, where="test"), [value])
    else:
        with pytest.raises(Refusal):
            documents.parse_strict(data, where="test")


@given(st.dictionaries(TEXT, JSON, min_size=1, max_size=4), st.data())
def test_a_key_that_stands_twice_is_refused_at_any_depth(value, data):
    key = data.draw(st.sampled_from(sorted(value)))
    pairs = [*value.items(), (key, data.draw(JSON))]
    body = ",".join(f"{json.dumps(name)}:{json.dumps(item)}" for name, item in pairs)
    for text in (f"{{{body}}}", f'[1,{{"outer":{{{body}}}}}]'):
        with pytest.raises(Refusal, match="stands twice"):
            documents.parse_strict(text.encode(), where="test")


@given(JSON)
def test_other_encodings_and_byte_order_marks_are_refused(value):
    text = json.dumps([value])
    for data in (text.encode("utf-16"), text.encode("utf-32"), text.encode("utf-8-sig")):
        with pytest.raises(Refusal):
            documents.parse_strict(data, where="test")


@given(st.integers(0xD800, 0xDFFF), st.sampled_from(['"%s"', '{"%s": 1}', '[["a%sb"]]']))
def test_lone_surrogates_are_refused_in_values_and_keys(code, place):
    with pytest.raises(Refusal, match="surrogate"):
        documents.parse_strict((place % f"\\u{code:04x}").encode(), where="test")


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999", "[-1e400]", "1" * 401, "-" + "9" * 4000])
def test_numbers_without_a_finite_value_are_refused(text):
    with pytest.raises(Refusal):
        documents.parse_strict(text.encode(), where="test")


@settings(deadline=None)
@given(st.integers(1, 300_000), st.sampled_from(["[", '{"a":']))
def test_depth_is_bounded_and_never_a_crash(depth, opening):
    closing = "]" if opening == "[" else "}"
    text = opening * depth + ("" if opening == "[" else "1") + closing * depth
    if depth <= documents.MAX_DEPTH:
        documents.parse_strict(text.encode(), where="test")
    else:
        with pytest.raises(Refusal):
            documents.parse_strict(text.encode(), where="test")


def test_brackets_in_text_are_not_depth():
    assert documents.parse_strict(json.dumps("[" * 1000 + '\\"').encode(), where="test") == "[" * 1000 + '\\"'


def test_too_many_bytes_are_refused_before_they_are_parsed():
    with pytest.raises(Refusal, match="too many"):
        documents.parse_strict(b"[" + b" " * 100 + b"]", where="test", max_bytes=50)


@pytest.mark.parametrize("make", ["link", "fifo", "folder", "missing"])
def test_only_a_regular_file_is_read(tmp_path, make):
    path = tmp_path / "file"
    if make == "link":
        (tmp_path / "real").write_text("1")
        path.symlink_to("real")
    elif make == "fifo":
        os.mkfifo(path)
    elif make == "folder":
        path.mkdir()
    with pytest.raises(Refusal):
        documents.read(path)


def _claim(path, start, results, number):
    start.wait()
    results.put((number, documents.claim(path, {"by": number})))


def test_e4_of_fifty_racing_processes_exactly_one_claims_and_its_bytes_stay(tmp_path):
    context = multiprocessing.get_context("fork")
    start, results = context.Event(), context.Queue()
    path = tmp_path / "runs" / "a-1" / "started.json"
    racers = [context.Process(target=_claim, args=(path, start, results, n)) for n in range(50)]
    for racer in racers:
        racer.start()
    start.set()
    outcomes = [results.get(timeout=60) for _ in racers]
    for racer in racers:
        racer.join(timeout=60)

    assert [racer.exitcode for racer in racers] == [0] * 50
    (winner,) = [number for number, won in outcomes if won]
    assert documents.read(path) == {"by": winner}
    assert [entry.name for entry in path.parent.iterdir()] == ["started.json"]
    assert documents.claim(path, {"by": "late"}) is False


def _append(path, start, number):
    start.wait()
    for count in range(20):
        documents.append_line(path, {"by": number, "count": count, "pad": "x" * 500})


def test_lines_of_racing_writers_never_mix(tmp_path):
    context = multiprocessing.get_context("fork")
    start, path = context.Event(), tmp_path / "index.jsonl"
    racers = [context.Process(target=_append, args=(path, start, n)) for n in range(10)]
    for racer in racers:
        racer.start()
    start.set()
    for racer in racers:
        racer.join(timeout=60)

    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted((line["by"], line["count"]) for line in lines) == [(n, c) for n in range(10) for c in range(20)]


@settings(deadline=None, max_examples=20)
@given(JSON)
def test_a_failed_write_leaves_the_old_file_and_no_leftover(tmp_path_factory, value):
    folder = tmp_path_factory.mktemp("atomic")
    path = folder / "a.json"
    documents.write_atomic(path, value)
    with pytest.raises((ValueError, TypeError)):
        documents.write_atomic(path, {"bad": float("nan")})

    assert path.read_bytes() == documents.pretty(value)
    assert [entry.name for entry in folder.iterdir()] == ["a.json"]

"""Tests of qualification judge a batch a few thousand times, so what repeats is made cheap, never skipped."""

from __future__ import annotations

import os

import pytest

from steps import documents, schema

FAULTS = schema.faults
known: dict[tuple[bytes, str], list[str]] = {}


def faults_once(value, name):
    """The real faults, found once per document."""
    key = (documents.canonical(value), name)
    if key not in known:
        known[key] = FAULTS(value, name)
    return known[key]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """No document is validated twice, and no small file has to survive a power cut."""
    monkeypatch.setattr(schema, "faults", faults_once)
    monkeypatch.setattr(os, "fsync", lambda _fd: None)

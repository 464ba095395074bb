"""Security row 41: the value of a credential is found plain, cheaply encoded or split, and nothing else is."""

from __future__ import annotations

import base64
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steps.errors import Refusal
from steps.layout import FIXTURES
from steps.running import config, credentials

SECRET = "sk/Live+Key=8fQz!27"
ENCODINGS = {
    "plain": SECRET.encode(),
    "base64": base64.b64encode(SECRET.encode()),
    "base64 without padding": base64.b64encode(SECRET.encode()).rstrip(b"="),
    "base64 for URLs": base64.urlsafe_b64encode(SECRET.encode()),
    "hex": SECRET.encode().hex().encode(),
    "upper hex": SECRET.encode().hex().upper().encode(),
    "percent": quote(SECRET, safe="").encode(),
    "JavaScript hex escapes": "".join(f"\\x{ord(c):02x}" for c in SECRET).encode(),
    "JavaScript unicode escapes": "".join(f"\\u{ord(c):04x}" for c in SECRET).encode(),
    "reversed": SECRET[::-1].encode(),
    "split in two": f'"{SECRET[:7]}" + "{SECRET[7:]}"'.encode(),
    "one letter a line": "\n".join(SECRET).encode(),
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_k6_each_cheap_form_of_a_credential_is_found(name: str) -> None:
    text = b"// a comment\nconst x = '" + ENCODINGS[name] + b"';\n"
    assert credentials.leaked({"MODEL_API_KEY": SECRET}, [b"clean", text]) == "MODEL_API_KEY"


@given(st.binary(max_size=20), st.binary(max_size=20))
def test_k6_base64_of_a_longer_text_is_found_at_every_alignment(before: bytes, after: bytes) -> None:
    text = base64.b64encode(before + SECRET.encode() + after)
    assert credentials.leaked({"MODEL_API_KEY": SECRET}, [text]) == "MODEL_API_KEY"


@pytest.mark.parametrize("text", [b"", SECRET[:-1].encode(), SECRET.swapcase().encode(), b"export const key = 1;"])
def test_k6_part_of_a_credential_is_no_hit(text: bytes) -> None:
    assert credentials.leaked({"MODEL_API_KEY": SECRET}, [text]) is None


@pytest.mark.parametrize("environment", [{}, {"MODEL_API_KEY": ""}, {"MODEL_API_KEY": "short"}])
def test_e5_a_credential_that_is_not_set_is_refused_before_a_batch_opens(environment: dict[str, str]) -> None:
    leaking = config.load(FIXTURES / "runners" / "leaking.yaml", {})
    with pytest.raises(Refusal, match="SELF_TEST_API_KEY is not set"):
        credentials.from_environment(leaking, environment)


def test_d2_only_allow_listed_names_are_read() -> None:
    leaking = config.load(FIXTURES / "runners" / "leaking.yaml", {})
    environment = {"SELF_TEST_API_KEY": SECRET, "OTHER_API_KEY": "not for the runner"}
    assert credentials.from_environment(leaking, environment) == {"SELF_TEST_API_KEY": SECRET}

"""Finds the values of allow-listed credentials in bytes, plain or cheaply encoded (R-K6, security row 41).

What it cannot find: encrypted, compressed or partial values. The real defence is a short-lived key with a low limit.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from steps.errors import Refusal
from steps.running.config import Config

MIN_LENGTH = 8
_NOT_ALPHANUMERIC = re.compile(rb"[^A-Za-z0-9]+")


def from_environment(config: Config, environment: Mapping[str, str]) -> dict[str, str]:
    """Name to value of every allow-listed variable; Refusal when one is unset or too short to be searched for."""
    for name in config.envAllowlist:
        if len(_bare(environment.get(name, "").encode())) < MIN_LENGTH:
            raise Refusal(
                f"{name} is not set to a credential",
                where="environment",
                expected=f"at least {MIN_LENGTH} letters and digits",
                next="set it, or take it out of envAllowlist",
            )
    return {name: environment[name] for name in config.envAllowlist}


def leaked(credentials: Mapping[str, str], texts: Iterable[bytes]) -> str | None:
    """The name of the first credential that stands in any of `texts`, else None."""
    needles = {name: _forms(value.encode()) for name, value in credentials.items()}
    for text in texts:
        # Once more without quotes, plus signs, spaces and line ends: "sk-ab" + "cd" is the value all the same.
        joined = _bare(text)
        for name, forms in needles.items():
            if any(form in text for form in forms) or _bare(credentials[name].encode()) in joined:
                return name
    return None


def _forms(value: bytes) -> set[bytes]:
    reversed_value = value[::-1]
    hexed = value.hex().encode()
    forms = {value, reversed_value, hexed, hexed.upper(), quote(value, safe="").encode()}
    forms.add("".join(f"\\x{byte:02x}" for byte in value).encode())
    forms.add("".join(f"\\u{byte:04x}" for byte in value).encode())
    for shift in range(3):  # base64 of a longer text holds the value at one of three alignments
        shifted = base64.b64encode(b"\0" * shift + value)
        core = shifted[(0, 2, 3)[shift] : (len(shift * b"x" + value) // 3) * 4]
        forms |= {core, core.translate(bytes.maketrans(b"+/", b"-_"))}
    return forms


def _bare(data: bytes) -> bytes:
    return _NOT_ALPHANUMERIC.sub(b"", data)

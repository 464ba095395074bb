"""Finds answers in what the agent sees: long runs of TypeScript tokens shared with an authored solution (R-A3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

RUN = 12  # consecutive tokens that count as copied (design: suite lints)

_IMPORT = re.compile(r"^\s*(import|export)\b[^;]*?\bfrom\s*['\"][^'\"]*['\"];?", re.MULTILINE)
_BLOCK = re.compile(r"^```ts\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@cache
def _lexer():
    from pygments.lexers.javascript import TypeScriptLexer

    return TypeScriptLexer()


def tokens(source: str, *, comments: bool = True) -> Iterator[str]:
    """Tokens of TypeScript without white space; with `comments` their words count too: an answer may hide there."""
    from pygments.token import Comment, Whitespace

    for kind, text in _lexer().get_tokens(source):
        if kind in Comment:
            if not comments:
                continue
            yield from re.findall(r"\w+|[^\w\s*/]", text)
        elif kind not in Whitespace and text.strip():
            yield from re.findall(r"\w+|[^\w\s]", text)


def runs(source: str, *, comments: bool = True) -> set[tuple[str, ...]]:
    """All runs of RUN consecutive tokens, imports left out."""
    found = list(tokens(_IMPORT.sub("", source), comments=comments))
    return {tuple(found[start : start + RUN]) for start in range(len(found) - RUN + 1)}


def contract_blocks(prompt: str) -> list[str]:
    """The contents of the prompt's ```ts blocks."""
    return _BLOCK.findall(prompt)


def without_blocks(prompt: str) -> str:
    """The prompt without its ```ts blocks, which are the contract."""
    return _BLOCK.sub("", prompt)


def shared(visible: str, solutions: Iterable[str], contract: str) -> list[str]:
    """Runs that `visible` shares with the code of any solution, as readable text.

    The contract's own declarations are exempt: a solution may repeat them, comments and all.
    """
    seen = runs(visible) - runs(contract, comments=False)
    return sorted({" ".join(run) for solution in solutions for run in seen & runs(solution, comments=False)})

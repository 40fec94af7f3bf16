"""The parser: from a model's text to its syntax tree, or a ModelError that helps.

Nothing here recurses over the input; its nesting is bounded by line_ends.MAX_NESTING and
MAX_DEPTH, so that what works through the tree may recurse.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import Any

from lark import Lark, UnexpectedInput

from ppdm_formal.declare.language import grammar_tables
from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.language.line_ends import LineEnds
from ppdm_formal.declare.language.syntax_errors import syntax_error
from ppdm_formal.declare.language.tree_builder import TreeBuilder

MAX_DEPTH = 120
"""How deeply operations may nest."""

MAX_WORDS = 60_000
"""How many words, numbers and signs a model may have."""

_WORD = re.compile(r'(?:\s++|#[^\n]*+)*+(?:"(?:[^"\\\n]|\\.)*+"|\w++|[^\s\w#])')


def parse(text: str) -> tuple[s.Declaration, ...]:
    """Read a whole model file."""
    _check_length(text)
    try:
        declarations: tuple[s.Declaration, ...] = _lark().parse(text)  # type: ignore[assignment]
    except UnexpectedInput as problem:
        raise syntax_error(problem, text, _spellings()) from None
    _check_depth(declarations)
    return declarations


@lru_cache(maxsize=1)
def _lark() -> Lark:
    return grammar_tables.parser(LineEnds(), TreeBuilder())


@lru_cache(maxsize=1)
def _spellings() -> dict[str, str]:
    """How each keyword and sign is written."""
    return {terminal.name: str(terminal.pattern.value) for terminal in _lark().terminals}


def _check_length(text: str) -> None:
    """Refuse a file that would take long to read, before reading it."""
    if next(islice(_WORD.finditer(text), MAX_WORDS, None), None) is not None:
        raise ModelError(
            f"a model of more than {MAX_WORDS:,} words, numbers and signs",
            None,
            "a large matrix goes into a file of its own: csv(...)",
        )


def _check_depth(declarations: tuple[s.Declaration, ...]) -> None:
    """Refuse trees so deep that working through them would exhaust the stack."""
    stack: list[tuple[Any, int]] = [(node, 1) for node in declarations]
    while stack:
        node, depth = stack.pop()
        if depth > MAX_DEPTH:
            raise ModelError(f"nested more than {MAX_DEPTH} deep", node.at)
        stack.extend((part, depth + 1) for part in s.parts(node))

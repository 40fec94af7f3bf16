"""Syntax errors in words: what was found, and what could have stood there."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

from lark import Token, UnexpectedInput, UnexpectedToken

from ppdm_formal.declare.language.errors import (
    NAMED_REALS,
    UNNAMED_REALS,
    ModelError,
    Place,
    nth_line,
)

DECLARES = frozenset(["domain", "prior", "property", "operator", "param", "parts", "audit"])
RESERVED = DECLARES | {
    *("with", "if", "else", "return", "choose", "matrix", "otherwise", "forbid", "require"),
    *("and", "or", "not", "in", "mod"),
}

_KEYWORDS = RESERVED | {
    *("on", "each", "given", "breach", "upward", "downward", "under", "for", "knowing", "of"),
}

_OF_CLAIMS = frozenset(
    [
        *("under", "for", "knowing", "after", "reports", "shuffling", "summing", "colluding"),
        *("others", "missing", "except", "probability"),
    ]
)
"""Words that are at home in a claim alone: elsewhere they are names, and what resembles them is."""

_VALUE = frozenset(["NAME", "NUMBER", "STRING", "LPAR"])
"""Where these may stand, any value may."""

_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a label in quotes",
    "_END": "the end of the line",
    "$END": "the end of the file",
    "DIRECTION": "upward, downward",
    "BOUND": "<, <=",
    "EACH": "each",
    "DATE": "a date such as 2026-11-16",
}
_EMPTY_HINT = "a model declares at least one operator; `ppdm new NAME` writes one to start from"
_POINT_HINT = "write 0.01, not .01, and 1, not 1."


def empty_model() -> ModelError:
    """A file of nothing but comments."""
    return ModelError("the model is empty", None, _EMPTY_HINT)


def syntax_error(problem: UnexpectedInput, text: str, spelled: Mapping[str, str]) -> ModelError:
    """The parser's complaint as a ModelError; `spelled` is how keywords and signs are written."""
    line, column = problem.line, problem.column
    if isinstance(problem, UnexpectedToken):
        expected = _expected(problem.accepts or problem.expected, spelled)
        if problem.token.type == "$END":
            return ModelError("the model ends too early", _end(text), f"expected {expected}")
        before = nth_line(text, line)[: column - 1]
        return _unexpected(problem.token, before, expected, Place(line, column))
    found = nth_line(text, line)[column - 1 : column]
    if found == '"':
        hint = 'a label in quotes ends on its line; inside it, write \\" and \\\\'
        return ModelError("this quote is never closed", Place(line, column), hint)
    hint = "expected " + _expected(getattr(problem, "allowed", None) or (), spelled)
    if found == ".":
        after = nth_line(text, line)[column : column + 1]
        hint = "parts of a tuple are numbered: t.1" if after.isidentifier() else _POINT_HINT
    elif found in _INSTEAD:
        hint = _INSTEAD[found]
    shown = found if found.isprintable() else f"U+{ord(found):04X}"
    return ModelError(f"unexpected character {shown}", Place(line, column), hint)


_INSTEAD = {
    "'": 'labels are quoted with ": "yes"',
    "!": "write not, or != for different",
    "&": "write and",
    "≤": "write <=",
    "≥": "write >=",
    "≠": "write !=",
    "→": "write ->",
    "−": "write - (this is another kind of dash)",
    "–": "write - (this is another kind of dash)",
    "∈": "write in",
    "“": 'labels are quoted with straight quotes: "yes"',
}


def _end(text: str) -> Place:
    """Just after the last character that is not white space."""
    stripped = text.rstrip()
    return Place(stripped.count("\n") + 1, len(stripped) - stripped.rfind("\n"))


def _unexpected(token: Token, before: str, expected: str, place: Place) -> ModelError:
    found = str(token.value)
    words = _KEYWORDS | _OF_CLAIMS if {"forbid", "require"} & set(before.split()) else _KEYWORDS
    meant = _misspelt(before, words) or _misspelt(found, words)
    if meant:
        return ModelError(f"unexpected {found[:40]}", place, f"did you mean {meant}?")
    if token.type == "_END" and found != ";":
        return ModelError("the line ends too early", place, f"expected {expected}")
    shown = found if len(found) <= 40 else found[:40] + "..."
    hint = f"expected {expected}"
    if before.split()[-1:] == ["reals"]:
        return ModelError(UNNAMED_REALS, place, NAMED_REALS)
    if token.type == "INDEX":
        hint = _POINT_HINT
    elif found in DECLARES:
        hint += f"; {found} starts a declaration: is a closing bracket missing before it?"
    elif found in ("return", "if", "with") and "the end of the line" in expected:
        hint = f"{found} starts a statement: expected a new line or a semicolon before it"
    elif found in RESERVED:
        hint += f"; {found} is a reserved word (a label can be quoted)"
    elif found == "..":
        hint += "; ranges need parentheses in a product: (1..6) * (1..6)"
    elif found == "|":
        hint += "; a union in a condition needs parentheses: if y in (A | B)"
    elif found in ("+", "-"):
        hint += "; in a matrix, an entry with + or - goes in parentheses: (1 - p)"
    elif found == "=":
        hint += "; equality is written =="
    return ModelError(f"unexpected {shown}", place, hint)


def _misspelt(text: str, known: frozenset[str]) -> str:
    """The keyword that the last word of a text resembles, but is not."""
    words = text.split()
    if not words or words[-1] in known or not words[-1].isidentifier() or len(words[-1]) < 4:
        return ""
    close = difflib.get_close_matches(words[-1], known, n=1, cutoff=0.8)
    return close[0] if close else ""


def _expected(terminals: Iterable[Any], spelled: Mapping[str, str]) -> str:
    """What could stand here, in words: values and ways to go on are not listed one by one."""
    names = {str(name) for name in terminals} - {"_NEWLINE", "_SEMICOLON"}
    words: list[str] = []
    if names >= _VALUE:
        words.append("a value")
        names -= _VALUE | {"MINUS", "NOT", "CHOOSE", "LBRACE"}
    if {spelled.get(name) for name in names} >= DECLARES:
        words.append("a declaration such as operator")
        names -= {name for name in names if spelled.get(name) in DECLARES}
    signs = {name for name in names if spelled.get(name, "x") in _OPERATORS}
    if len(signs) > 3:
        words.append(f"a sign such as {'+' if 'PLUS' in names else '/'}")
        names -= signs | {"INDEX"}
    words += [_WORDS[name] for name in sorted(names) if name in _WORDS]
    words += sorted(spelled[name] for name in names if name not in _WORDS and name in spelled)
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "nothing"


_OPERATORS = {
    *("+", "-", "*", "/", "//", "mod", "^", "..", "\\", "==", "!=", "<", "<=", ">", ">="),
    *("and", "or", "not", "in"),
}

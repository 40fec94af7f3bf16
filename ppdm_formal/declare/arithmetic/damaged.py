"""Damaged numbers: text that looks like a number but is none, and so no name either.

Whoever reads a table guesses which cells are names. 0.00l, O.001, NaN or "0.001;" among them are
mistakes in numbers; 18-25, 65+, 2 children and 1st are names that begin with a digit.
"""

from __future__ import annotations

import re

from ppdm_formal.declare.arithmetic.exact import ratio_of

_NO_NUMBER = re.compile(r"[-+]?\s*(nan|inf|infinity)", re.IGNORECASE)
_BEGINS = re.compile(r"[^\w.(\[{]*(\d|[.,·]\s*\d|[OoIl|][.,·]\s*[\dOoIl|])")
_HEXADECIMAL = re.compile(r"[-+]?0[xXoObB][\dA-Fa-f]*")
_RANGE = re.compile(r"[<>=≤≥]*\s*\d+(\s*([-–—:]|\.\.|to)\s*\d+)*\s*\+?")
_WORDS = re.compile(r"[<>=≤≥]*\s*\d+([-–—]\d+)?[\s_-]*(?P<word>[^\W\d_]{2,}).*")
_TAKEN_FOR_DIGITS = set("OoIleE")


def is_number(text: str) -> bool:
    """Whether the text spells a number: 3, 0.05, 1/20, 5% or 5e-2."""
    try:
        ratio_of(text)
    except ValueError:
        return False
    return True


def is_damaged(text: str) -> bool:
    """Whether the text looks like a number but is none.

    >>> [is_damaged(text) for text in ("0.00l", "O.001", "NaN", "0x0", "0.001;", ".5", "1/0")]
    [True, True, True, True, True, True, True]
    >>> [is_damaged(text) for text in ("0.001", "yes", "18-25", "65+", "2 children", "1st", "")]
    [False, False, False, False, False, False, False]
    """
    if is_number(text):
        return False
    if _NO_NUMBER.fullmatch(text) or _HEXADECIMAL.fullmatch(text):
        return True
    if not _BEGINS.match(text):
        return False
    words = _WORDS.fullmatch(text)
    named = words is not None and not set(words["word"]) <= _TAKEN_FOR_DIGITS
    return not named and not _RANGE.fullmatch(text)

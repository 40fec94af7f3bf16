"""Text that fits: how wide words are at most in a sans serif font, and words cut to a width.

Pictures have no layout of their own, so widths are estimated, on the wide side.
"""

from __future__ import annotations

import unicodedata

from ppdm_formal.report.words.visible import clean

SMALL, TICK = 11.5, 11.0
"""Sizes of text in pictures, as in the style sheet."""

_NARROW = frozenset("iljftrI.,:;'|!()[]{}/\\- ")
_BROAD = frozenset("mwMWQO@%&#~=<>+_→")


def width(words: str, size: float = SMALL) -> float:
    """At most how wide the words are.

    >>> width("iii") < width("aaa") < width("WWW")
    True
    """
    return size * sum(map(_em, words))


def fitted(words: str, room: float, size: float = SMALL) -> str:
    """The words, cut so that they fit."""
    shown = clean(words, 200)
    if width(shown, size) <= room:
        return shown
    while shown and width(shown + "...", size) > room:
        shown = shown[:-1]
    return shown + "..."


def _em(ch: str) -> float:
    if ch in _NARROW:
        return 0.45
    if ch in _BROAD or not ch.isascii():
        wide = unicodedata.east_asian_width(ch) in "WF"
        return 1.1 if wide else 1.0
    return 0.78 if ch.isupper() else 0.66

"""Blocks: what a report is made of, before it becomes HTML or Markdown.

Both formats render the same blocks, so that neither can say what the other does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from markupsafe import Markup


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    words: str
    kind: str = "text"


@dataclass(frozen=True)
class Points:
    """A list."""

    items: Sequence[str]
    kind: str = "points"


@dataclass(frozen=True)
class Facts:
    """Terms with what is said of each, in one sentence or in several."""

    pairs: Sequence[tuple[str, str | Sequence[str]]]
    kind: str = "facts"


@dataclass(frozen=True)
class Table:
    """Rows under a head; `numbers` are columns of numbers, `exact` those of long exact text."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""
    numbers: Sequence[int] = ()
    exact: Sequence[int] = ()
    kind: str = "table"


@dataclass(frozen=True)
class Code:
    """Text as it was written, or a command to type."""

    lines: Sequence[str]
    kind: str = "code"


@dataclass(frozen=True)
class Picture:
    """An SVG picture; the caption says what is to be seen, also to those who get no picture."""

    title: str
    svg: Markup
    caption: str
    kind: str = "picture"


@dataclass(frozen=True)
class Gallery:
    """Pictures side by side where there is room."""

    pictures: Sequence[Picture]
    kind: str = "gallery"


@dataclass(frozen=True)
class Verdict:
    """A claim with its verdict: the badge, what was asked, the finding, and what it rests on."""

    anchor: str
    verdict: str
    badge: str
    claim: str
    asked: str
    finding: str
    details: Sequence[tuple[str, str | Sequence[str]]]
    kind: str = "verdict"


@dataclass(frozen=True)
class Section:
    """A heading with blocks and subsections."""

    title: str
    blocks: Sequence[Block]
    level: int = 2
    anchor: str = ""
    kind: str = "section"


Block: TypeAlias = Text | Points | Facts | Table | Code | Picture | Gallery | Verdict | Section


@dataclass(frozen=True)
class Document:
    """A whole report."""

    title: str
    lead: str
    outcome: str
    outcome_words: str
    sections: Sequence[Section]
    footer: str
    contents: bool = field(default=True)

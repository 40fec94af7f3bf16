"""Blocks: what a report is made of, before it becomes HTML, Markdown or lines on a terminal.

All writers render the same blocks, so that none can say what the others do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ppdm_formal.report.pictures.svg import Picture as Picture

Pairs: TypeAlias = Sequence[tuple[str, str | Sequence[str]]]
"""Terms with what is said of each, in one sentence or in several."""


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
    """A list of terms."""

    pairs: Pairs
    kind: str = "facts"


@dataclass(frozen=True)
class Table:
    """Rows under a head; `numbers` are columns of numbers, `exact` those of long exact text.

    links: for each row the anchor in the same document that its first cell leads to.
    shades: of columns of verdicts, by their position, the colour of each row's.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""
    numbers: Sequence[int] = ()
    exact: Sequence[int] = ()
    links: Sequence[str] = ()
    shades: Mapping[int, Sequence[str]] = field(default_factory=dict)
    kind: str = "table"


@dataclass(frozen=True)
class Math:
    """Formulas in LaTeX, one a line, written by this project (never by a model)."""

    formulas: Sequence[str]
    kind: str = "math"


@dataclass(frozen=True)
class Code:
    """Text as it was written, or a command to type."""

    lines: Sequence[str]
    kind: str = "code"


@dataclass(frozen=True)
class Gallery:
    """Pictures side by side where there is room."""

    pictures: Sequence[Picture]
    kind: str = "gallery"


@dataclass(frozen=True)
class VerdictBlock:
    """A claim with its verdict: the badge, what was asked, the finding, and what it rests on.

    verdict is the colour and word the verdict itself; a writer with little room says `compact`
    instead of what was asked and the details.
    """

    anchor: str
    verdict: str
    word: str
    badge: str
    operator: str
    number: int | None
    claim: str
    asked: str
    finding: str
    details: Pairs
    compact: Sequence[str]
    kind: str = "verdict"

    @property
    def numbered(self) -> str:
        """The claim with its number in the report, and whom it is about."""
        if self.number is None:
            return self.claim
        return f"Claim {self.number}, {self.operator}: {self.claim}"


@dataclass(frozen=True)
class Signatures:
    """Lines to sign on, on paper only."""

    roles: Sequence[str]
    kind: str = "signatures"


@dataclass(frozen=True)
class Section:
    """A heading with blocks and subsections; folded: details that are opened when wanted."""

    title: str
    blocks: Sequence[Block]
    level: int = 2
    anchor: str = ""
    folded: bool = False
    kind: str = "section"


# A Picture of the pictures' room is a block as it is.
Block: TypeAlias = (
    Text
    | Points
    | Facts
    | Table
    | Math
    | Code
    | Picture
    | Gallery
    | VerdictBlock
    | Signatures
    | Section
)


@dataclass(frozen=True)
class Document:
    """A whole report; head: what it says of itself, such as its owner."""

    title: str
    lead: str
    outcome: str
    outcome_words: str
    sections: Sequence[Section]
    footer: str
    contents: bool = field(default=True)
    head: Pairs = ()


def in_lines(blocks: Sequence[Block]) -> list[Block]:
    """Blocks for a terminal: no pictures, and a line for each point and fact."""
    shown: list[Block] = []
    for block in blocks:
        if isinstance(block, Points):
            shown += [Text(f"- {item}") for item in block.items]
        elif isinstance(block, Facts):
            shown += [Text(f"{term}: {words}") for term, words in block.pairs]
        elif isinstance(block, Table):
            shown.append(block)
    return shown


def tables_only(document: Document) -> Document:
    """The sections that have no picture, for a terminal."""
    kept = [s for s in document.sections if not any(isinstance(b, Gallery) for b in s.blocks)]
    return replace(document, lead="", footer="", sections=kept)


def unfolded(section: Section) -> Section:
    """The section with all that is folded in it opened."""
    blocks = [unfolded(part) if isinstance(part, Section) else part for part in section.blocks]
    return replace(section, blocks=blocks, folded=False)

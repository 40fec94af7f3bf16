"""A document on a terminal: the blocks of the other formats, as lines and aligned tables."""

from __future__ import annotations

import os

from rich.console import Console
from rich.padding import Padding
from rich.text import Text as Line

from ppdm_formal.report.formats.grid import grid, line
from ppdm_formal.report.parts import blocks as b

PLAIN_WIDTH = 120
"""Width where the output is not a terminal."""

_COLOURS = {
    "certified": "green",
    "breached": "bold red",
    "unknown": "yellow",
    "partly": "yellow",
    "vacuous": "yellow",
    "": "bold",
}
_INDENT = 6


def console(*, stderr: bool = False) -> Console:
    """A console that is as wide as the terminal, or as COLUMNS says, or wide enough for a file."""
    probe = Console(stderr=stderr)
    if probe.is_terminal or os.environ.get("COLUMNS", "").isdecimal():
        return probe
    return Console(stderr=stderr, width=PLAIN_WIDTH)


def print_document(document: b.Document, to: Console) -> None:
    """Title and outcome, then every section; pictures by their captions."""
    to.print(line(document.title, "bold"))
    if document.outcome_words:
        to.print(line(document.outcome_words, _COLOURS[document.outcome]))
    if document.lead:
        to.print(line(document.lead))
    for section in document.sections:
        _print(section, to)
    if document.footer:
        to.print(line(document.footer))


def _indented(words: str, by: int) -> Padding:
    return Padding(line(words), (0, 0, 0, by))


def _print(block: b.Block, to: Console) -> None:
    match block:
        case b.Text():
            to.print(line(block.words))
        case b.Points():
            for item in block.items:
                to.print(_indented(item, 2))
        case b.Facts():
            for term, words in block.pairs:
                to.print(line(f"{term}:"))
                for sentence in [words] if isinstance(words, str) else words:
                    to.print(_indented(sentence, 2))
        case b.Table():
            to.print(grid(block, to.width))
        case b.Math():
            for formula in block.formulas:
                to.print(_indented(formula, 2))
        case b.Code():
            for code in block.lines:
                to.print(_indented(code, 2))
        case b.Picture():
            to.print(line(f"Picture: {block.title}. {block.caption}"))
        case b.Gallery():
            for picture in block.pictures:
                _print(picture, to)
        case b.VerdictBlock():
            _print_verdict(block, to)
        case b.Signatures():
            return
        case b.Section():
            if block.title:
                to.print(line(block.title, "bold"))
            for part in block.blocks:
                _print(part, to)


def _print_verdict(block: b.VerdictBlock, to: Console) -> None:
    heading = Line()
    heading.append(f"{block.word:<13}", style=_COLOURS[block.verdict])
    heading.append_text(line(f"{block.operator}: {block.claim}"))
    to.print(Padding(heading, (0, 0, 0, 2), expand=False))
    for words in (block.finding, *block.compact):
        to.print(_indented(words, _INDENT))

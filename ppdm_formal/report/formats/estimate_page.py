"""An estimate as a page, in a notebook and on a terminal, from the same blocks."""

from __future__ import annotations

from typing import Literal

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text as Words

from ppdm_formal.report.formats.html import blocks_html, document_html
from ppdm_formal.report.parts.blocks import Facts, Points, Section, Table
from ppdm_formal.report.parts.estimate import blocks, estimate_document
from ppdm_formal.report.words.visible import LONGEST, clean
from ppdm_formal.run.estimate.result import Estimate


def estimate_page(found: Estimate) -> str:
    """One self-contained HTML file."""
    return document_html(estimate_document(found))


def estimate_notebook(found: Estimate) -> str:
    """The tables and pictures without the page around them."""
    document = estimate_document(found)
    parts = zip(document.sections, found.tables, strict=False)
    return blocks_html([Section(section.title, blocks(t, found), 3) for section, t in parts])


def print_estimate(found: Estimate, to: Console) -> None:
    """Tables and remarks; pictures are left to the page."""
    document = estimate_document(found)
    to.print(_words(document.title, "bold"))
    to.print(_words(document.lead))
    if document.outcome_words:
        to.print(_words(document.outcome_words, "yellow"))
    for part, section in zip(found.tables, document.sections, strict=False):
        to.print(_words(section.title, "bold"))
        for block in blocks(part, found):
            if isinstance(block, Table):
                to.print(_grid(block))
            elif isinstance(block, Points):
                for item in block.items:
                    to.print(_words(f"- {item}"))
            elif isinstance(block, Facts):
                for term, said in block.pairs:
                    to.print(_words(f"{term}: {said}", "dim"))


def _grid(table: Table) -> Grid:
    shown = Grid(title=_words(table.caption), title_justify="left", box=box.SIMPLE_HEAD)
    for position, column in enumerate(table.head):
        justify: Literal["left", "right"] = "right" if position in table.numbers else "left"
        shown.add_column(_words(column), justify=justify, overflow="fold")
    for row in table.rows:
        shown.add_row(*(_words(cell) for cell in row))
    return shown


def _words(words: str, style: str = "") -> Words:
    return Words(clean(words, 10 * LONGEST), style=style)

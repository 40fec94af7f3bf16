"""A reconstruction as a page, in a notebook and on a terminal, from the same blocks."""

from __future__ import annotations

from rich.console import Console

from ppdm_formal.numeric.reconstruct.result import Reconstruction
from ppdm_formal.report.formats.grid import grid, line
from ppdm_formal.report.formats.html import blocks_html, document_html
from ppdm_formal.report.parts.blocks import Facts, Table
from ppdm_formal.report.parts.density import (
    cells_table,
    density_document,
    privacy_facts,
    summary,
)


def density_page(found: Reconstruction, column: str) -> str:
    """One self-contained HTML file."""
    return document_html(density_document(found, column))


def density_notebook(found: Reconstruction, column: str) -> str:
    """The first section without the page around it."""
    return blocks_html([density_document(found, column).sections[0]])


def print_density(found: Reconstruction, column: str, to: Console) -> None:
    """Tables and facts; pictures are left to the page."""
    document = density_document(found, column)
    to.print(line(document.title, "bold"))
    to.print(line(document.lead))
    if document.outcome_words:
        to.print(line(document.outcome_words, "yellow"))
    for block in (cells_table(found), *summary(found), Facts(privacy_facts(found))):
        if isinstance(block, Table):
            to.print(grid(block, to.width))
        elif isinstance(block, Facts):
            for term, said in block.pairs:
                to.print(line(f"{term}: {said}", "dim"))

"""An estimate as a page, in a notebook and on a terminal, from the same blocks."""

from __future__ import annotations

from rich.console import Console

from ppdm_formal.report.formats.grid import grid, line
from ppdm_formal.report.formats.html import blocks_html, document_html
from ppdm_formal.report.parts.blocks import Facts, Points, Section, Table
from ppdm_formal.report.parts.estimate import blocks, estimate_document
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
    to.print(line(document.title, "bold"))
    to.print(line(document.lead))
    if document.outcome_words:
        to.print(line(document.outcome_words, "yellow"))
    for part, section in zip(found.tables, document.sections, strict=False):
        to.print(line(section.title, "bold"))
        for block in blocks(part, found):
            if isinstance(block, Table):
                to.print(grid(block, to.width))
            elif isinstance(block, Points):
                for item in block.items:
                    to.print(line(f"- {item}"))
            elif isinstance(block, Facts):
                for term, said in block.pairs:
                    to.print(line(f"{term}: {said}", "dim"))

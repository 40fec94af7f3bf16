"""Who is asked how a record is shown: by the file of parts that it names; and notebook display."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from ppdm_formal.declare.result import Displayed
from ppdm_formal.report.formats.html_page import blocks_html
from ppdm_formal.report.parts.blocks import Document, Text


def document(found: Displayed, **how: Any) -> Document:
    """The record as blocks."""
    made: Document = _part(found).document(found, **how)
    return made


def display(found: Displayed) -> str:
    """What a notebook shows: the outcome and the sections; a part may have a form for it."""
    part = _part(found)
    made: Document = getattr(part, "notebook", part.document)(found)
    outcome = [Text(made.outcome_words)] if made.outcome_words else []
    return blocks_html([*outcome, *made.sections])


def _part(found: Displayed) -> ModuleType:
    return import_module(f"ppdm_formal.report.parts.{found.shown_in}")

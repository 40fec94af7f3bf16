"""A document as one self-contained HTML file: no script, no network, its style allowed by digest.

Every piece of text goes through one place that makes it visible and escapes it.
"""

from __future__ import annotations

import base64
import hashlib
import string
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from ppdm_formal.report.parts.blocks import Block, Document
from ppdm_formal.report.words.visible import LONGEST, clean, visible

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"
_LONGEST_TEXT = 10 * LONGEST


def document_html(document: Document) -> str:
    """A whole page; the same document gives the same bytes."""
    css = style() + _running(document.title)
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    template = environment().get_template("report.html")
    return template.render(document=document, style=Markup(css), style_digest=Markup(digest))


def _running(title: str) -> str:
    """The title at the head of every printed page but the first; nothing of it can end a string."""
    plain = string.ascii_letters + string.digits
    shown = "".join(c if c in plain else f"\\{ord(c):x} " for c in clean(title, 80))
    font = "font: 8pt sans-serif; color: #444;"
    return (
        f'@page {{ @top-left {{ content: "{shown}"; {font} }} }}\n'
        "@page :first { @top-left { content: none; } }\n"
    )


def blocks_html(blocks: list[Block]) -> str:
    """Some blocks for a notebook, with the same style."""
    render = environment().get_template("blocks.html").module.render  # type: ignore[attr-defined]
    body = "\n".join(str(render(block)) for block in blocks)
    return f'<style>{style()}</style><div class="ppdm">{body}</div>'


@cache
def style() -> str:
    """The style sheet that pages and notebooks share."""
    return (TEMPLATES / "style.css").read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """Templates from this package, with escaping always on."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        keep_trailing_newline=True,
    )
    found.filters["mathml"] = _mathml
    return found


def _mathml(latex: str) -> Markup:
    """A formula as MathML, which browsers draw by themselves."""
    from latex2mathml.converter import convert

    return Markup(convert(latex, display="block"))


def _shown(value: Any) -> Any:
    """What a template writes: text made visible and cut if endless; markup made here as it is."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return visible(value) if len(value) <= _LONGEST_TEXT else clean(value, _LONGEST_TEXT)

"""SVG by hand: elements whose attributes and text are always escaped and made visible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

from ppdm_formal.report.words.visible import visible

Attribute = str | int | float


@dataclass(frozen=True)
class Picture:
    """An SVG picture; the caption says what is to be seen, also to those who get no picture."""

    title: str
    svg: Markup
    caption: str
    kind: str = "picture"


def safe(text: object) -> Markup:
    """Text as it may stand in HTML or SVG; markup that was made here stays as it is."""
    return text if isinstance(text, Markup) else escape(visible(str(text)))


def number(value: float) -> str:
    """A coordinate with one decimal, 12 and not 12.0, so that equal pictures are equal text."""
    shown = f"{value:.1f}"
    return shown[:-2] if shown.endswith(".0") else shown


def element(tag: str, *inside: object, **attributes: Attribute | None) -> Markup:
    """An element; class_ is class, stroke_width is stroke-width, None leaves one out.

    >>> print(element("text", "<b>", x=1.0, class_='" onload='))
    <text x="1" class="&#34; onload=">&lt;b&gt;</text>
    """
    shown = ""
    for name, value in attributes.items():
        if value is None:
            continue
        spelled = number(value) if isinstance(value, float) else value
        shown += f' {name.rstrip("_").replace("_", "-")}="{safe(spelled)}"'
    content = "".join(safe(part) for part in inside)
    return Markup(f"<{tag}{shown}>{content}</{tag}>" if content else f"<{tag}{shown}/>")


def picture(width: float, height: float, title: str, parts: Iterable[Markup]) -> Markup:
    """A whole picture, with what it shows in words for those who cannot see it."""
    return element(
        "svg",
        element("title", title),
        *parts,
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="img",
        class_="picture",
    )


def standalone(
    width: float, height: float, title: str, words: str, style: str, parts: Iterable[Markup]
) -> str:
    """A picture as a file of its own, on white; the words describe it."""
    drawn = element(
        "svg",
        element("title", title),
        element("desc", words),
        Markup(f"<style>{style}</style>"),
        element("rect", width=width, height=height, fill="white"),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="img",
    )
    return f"{drawn}\n"


def path(points: Iterable[tuple[float, float]], class_: str) -> Markup:
    """A line through points."""
    steps = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return element("polyline", points=steps, class_=class_)

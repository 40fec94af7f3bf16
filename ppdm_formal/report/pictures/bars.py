"""Horizontal bars: one row a label, with its value written out, and lines to compare with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ppdm_formal.report.pictures.axes import (
    LEGEND_LINE,
    WIDTH,
    Scale,
    legend_lines,
    line_sign,
    text_at,
)
from ppdm_formal.report.pictures.fitting import TICK, fitted
from ppdm_formal.report.pictures.svg import element, picture

_LABEL, _VALUE = 124.0, 74.0
LABEL_ROOM = _LABEL - 12
"""How wide a label may be."""


@dataclass(frozen=True)
class Bar:
    """A length (math.inf goes past the end) and the exact value's words."""

    length: float
    words: str


@dataclass(frozen=True)
class BarRow:
    """A label and its bars."""

    label: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class MarkLine:
    """A vertical line to compare with, explained in the legend."""

    at: float
    words: str


def bar_picture(
    rows: Sequence[BarRow], series: Sequence[str], lines: Sequence[MarkLine], title: str
) -> Markup:
    """All rows, scaled to the longest bar or line that is finite."""
    thick = 14.0 if len(series) == 1 else 13.0
    pitch = thick * len(series) + 9
    finite = [bar.length for row in rows for bar in row.bars] + [line.at for line in lines]
    longest = max((v for v in finite if math.isfinite(v)), default=0) or 1.0
    right = WIDTH - _VALUE
    room = 1.04 if all(map(math.isfinite, finite)) else 1.4
    across = Scale(0, longest * room, _LABEL, right)
    bottom = 8 + pitch * len(rows)
    parts: list[Markup] = []
    for number, row in enumerate(rows):
        top = 8 + pitch * number
        middle = top + thick * len(series) / 2 + 4
        label = element(
            "text",
            fitted(row.label, LABEL_ROOM),
            x=_LABEL - 8,
            y=middle,
            class_="small end",
        )
        parts.append(label)
        for place, bar in enumerate(row.bars):
            y = top + thick * place
            end = right if math.isinf(bar.length) else across(bar.length)
            parts.append(
                element(
                    "rect",
                    x=_LABEL,
                    y=y,
                    width=max(end - _LABEL, 1.0),
                    height=thick - 2,
                    class_=f"bar c{place}" + (" endless" if math.isinf(bar.length) else ""),
                )
            )
            if math.isinf(bar.length):  # broken: its length is not to be compared
                cut = f"M{right - 26:g} {y + thick:g}l6 {-thick - 2:g}m4 0l-6 {thick + 2:g}"
                parts.append(element("path", d=cut, class_="cut"))
            parts.append(
                text_at(right + 6, y + thick - 3.5, fitted(bar.words, _VALUE - 8, TICK), "tick")
            )
    parts.append(element("line", x1=_LABEL, x2=_LABEL, y1=2, y2=bottom, class_="axis"))
    legend: list[tuple[Markup, str]] = []
    if len(series) > 1:
        for place, words in enumerate(series):
            sign = element("rect", x=0, y=-5, width=20, height=9, class_=f"bar c{place}")
            legend.append((sign, words))
    for number, line in enumerate(lines):
        class_ = f"line l{number}"
        sign = Markup("")
        if math.isfinite(line.at):
            sign = line_sign(class_)
            x = across(line.at)
            parts.append(element("line", x1=x, x2=x, y1=2, y2=bottom, class_=class_))
        legend.append((sign, line.words))
    parts += legend_lines(legend, bottom + 14)
    return picture(WIDTH, bottom + 8 + LEGEND_LINE * len(legend), title, parts)

"""A paper's figure as an SVG file of its own: axes, one line a series, bands, and a caption."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from markupsafe import Markup

from ppdm_formal.report.pictures.axes import Plot, covering, line_sign, text_at
from ppdm_formal.report.pictures.svg import element, number, path, standalone

Points = Sequence[tuple[float, float]]


class PaperFigure(Protocol):
    """What a figure needs to say to be drawn."""

    @property
    def name(self) -> str:
        """Of its files."""

    @property
    def title(self) -> str:
        """Above it."""

    @property
    def axis(self) -> str:
        """What goes across."""

    @property
    def y_axis(self) -> str:
        """What goes up."""

    @property
    def caption(self) -> str:
        """Below it."""

    def lines(self) -> Mapping[str, Points]:
        """The points of each series by its name."""

    def bands(self) -> Mapping[str, tuple[Points, Points]]:
        """The lower and the upper end of the band of some series."""

    def csv(self) -> str:
        """All numbers."""


def figure_files(figure: PaperFigure) -> Iterator[tuple[str, str]]:
    """Its numbers and its picture, as files by name."""
    yield f"{figure.name}.csv", figure.csv()
    yield f"{figure.name}.svg", figure_svg(figure)


_WIDTH, _HEIGHT = 640.0, 380.0
_TITLE, _LINE = 34.0, 16.0
_DOTS = 30
"""A line of more points has no dots."""

_STYLE = """
text { font-family: sans-serif; font-size: 12px; }
.tick, .caption { font-size: 11px; fill: #444; } .title { font-size: 15px; }
.middle { text-anchor: middle; } .end { text-anchor: end; }
.grid { stroke: #e4e4e4; } .axis { stroke: #444; }
.line { fill: none; stroke-width: 2; } .band { opacity: .13; }
.line.c0 { stroke: #1b5e9b; } .c0:not(.line) { fill: #1b5e9b; }
.line.c1 { stroke: #b5460f; stroke-dasharray: 7 3; } .c1:not(.line) { fill: #b5460f; }
.line.c2 { stroke: #2d7a3a; stroke-dasharray: 2 3; } .c2:not(.line) { fill: #2d7a3a; }
.line.c3 { stroke: #6a3d9a; stroke-dasharray: 9 3 2 3; } .c3:not(.line) { fill: #6a3d9a; }
"""


def figure_svg(figure: PaperFigure) -> str:
    """The figure as SVG text."""
    lines, bands = figure.lines(), figure.bands()
    drawn = [point for points in lines.values() for point in points]
    drawn += [point for _, high in bands.values() for point in high]
    across = [x for x, _ in drawn]
    plot = Plot(
        (min(across), max(across)),
        covering(0, max(y for _, y in drawn)),
        figure.axis,
        figure.y_axis,
        width=_WIDTH,
        height=_HEIGHT,
    )
    for place, name in enumerate(lines):
        if name in bands:
            low, high = bands[name]
            around = [plot.at(x, y) for x, y in (*high, *reversed(low))]
            steps = "L".join(f"{number(x)} {number(y)}" for x, y in around)
            plot.parts.append(element("path", d=f"M{steps}Z", class_=f"band c{place}"))
    for place, (name, points) in enumerate(lines.items()):
        places = [plot.at(x, y) for x, y in points]
        plot.parts.append(path(places, f"line c{place}"))
        dotted = len(points) <= _DOTS and name not in bands
        plot.parts += [_dot(x, y, place) for x, y in places] if dotted else []
        sign = line_sign(f"line c{place}") + (_dot(10, 0, place) if dotted else Markup())
        plot.note(Markup(sign), name)
    caption = textwrap.wrap(figure.caption, 104)
    bottom = _TITLE + plot.whole_height
    parts = [
        text_at(_WIDTH / 2, 22, figure.title, "title middle"),
        element("g", *plot.elements(), transform=f"translate(0 {_TITLE:g})"),
        *(
            text_at(10, bottom + 8 + _LINE * row, words, "caption")
            for row, words in enumerate(caption)
        ),
    ]
    height = bottom + 8 + _LINE * len(caption)
    return standalone(_WIDTH, height, figure.title, figure.caption, _STYLE, parts)


def _dot(x: float, y: float, place: int) -> Markup:
    return element("circle", cx=float(x), cy=float(y), r=2.4, class_=f"dot c{place}")

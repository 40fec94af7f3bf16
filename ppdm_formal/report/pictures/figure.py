"""A paper's figure as an SVG file of its own: axes, one line a series, and a caption."""

from __future__ import annotations

import textwrap

from markupsafe import Markup

from ppdm_formal.itemsets.figures import Figure
from ppdm_formal.report.pictures.axes import Plot, covering, line_sign, text_at
from ppdm_formal.report.pictures.svg import element, path, standalone

_WIDTH, _HEIGHT = 640.0, 380.0
_TITLE, _LINE = 34.0, 16.0
_STYLE = """
text { font-family: sans-serif; font-size: 12px; }
.tick, .caption { font-size: 11px; fill: #444; } .title { font-size: 15px; }
.middle { text-anchor: middle; } .end { text-anchor: end; }
.grid { stroke: #e4e4e4; } .axis { stroke: #444; }
.line { fill: none; stroke-width: 2; }
.line.c0 { stroke: #1b5e9b; } .dot.c0 { fill: #1b5e9b; }
.line.c1 { stroke: #b5460f; stroke-dasharray: 7 3; } .dot.c1 { fill: #b5460f; }
.line.c2 { stroke: #2d7a3a; stroke-dasharray: 2 3; } .dot.c2 { fill: #2d7a3a; }
"""


def figure_svg(figure: Figure) -> str:
    """The figure as SVG text, LDS in percent against the setting that varies."""
    lines = figure.lines()
    highest = max(y for points in lines.values() for _, y in points)
    plot = Plot(
        (min(figure.positions), max(figure.positions)),
        covering(0, highest),
        figure.axis,
        "lowest discoverable support (%)",
        width=_WIDTH,
        height=_HEIGHT,
    )
    for number, (name, points) in enumerate(lines.items()):
        places = [plot.at(x, y) for x, y in points]
        plot.parts.append(path(places, f"line c{number}"))
        plot.parts += [_dot(x, y, number) for x, y in places]
        plot.note(Markup(line_sign(f"line c{number}") + _dot(10, 0, number)), name)
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


def _dot(x: float, y: float, number: int) -> Markup:
    return element("circle", cx=float(x), cy=float(y), r=2.4, class_=f"dot c{number}")

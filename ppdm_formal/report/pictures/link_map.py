"""A map of items and links: items as discs by support, links as lines by leverage.

Items lie near those that they are linked with (a spring layout, of networkx, from a fixed seed).
Whole lines are links that surely are above independence; dashed ones are measured, and unsure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from markupsafe import Markup

from ppdm_formal.report.pictures.axes import LEGEND_LINE, legend_lines, text_at
from ppdm_formal.report.pictures.fitting import fitted
from ppdm_formal.report.pictures.svg import element, picture

_WIDE, _HIGH, _MARGIN = 464.0, 400.0, 40.0
_LARGEST, _LEAST = 15.0, 3.5
_THICK = 6.0
_LABEL = 80.0


@dataclass(frozen=True)
class Disc:
    """An item, its support, and both in words."""

    name: str
    support: float
    words: str


@dataclass(frozen=True)
class Line:
    """A link between two items (numbers of discs)."""

    first: int
    second: int
    leverage: float
    sure: bool
    words: str


def link_map(discs: Sequence[Disc], lines: Sequence[Line], title: str) -> Markup:
    """The picture; a disc's area is the item's support, a line's width the link's leverage."""
    places = _places(len(discs), lines)
    widest = max((line.leverage for line in lines), default=1.0)
    most = max((disc.support for disc in discs), default=1.0)
    parts: list[Markup] = []
    for line in lines:
        (x1, y1), (x2, y2) = places[line.first], places[line.second]
        parts.append(
            element(
                "line",
                element("title", line.words),
                x1=x1, y1=y1, x2=x2, y2=y2,
                class_="link" if line.sure else "link unsure",
                stroke_width=max(0.8, _THICK * sqrt(max(line.leverage, 0) / widest)),
            )
        )  # fmt: skip
    for disc, (x, y) in zip(discs, places, strict=True):
        size = max(_LEAST, _LARGEST * sqrt(max(disc.support, 0) / most))
        parts.append(
            element("circle", element("title", disc.words), cx=x, cy=y, r=size, class_="disc")
        )
        shown = fitted(disc.name, _LABEL, 11)
        parts.append(text_at(x, y - size - 3, shown, "tick middle"))
    signs = [(_sign("link"), "surely held together more often than if independent")]
    if any(not line.sure for line in lines):
        signs.append((_sign("link unsure"), "measured, and not sure"))
    parts += legend_lines(signs, _HIGH + LEGEND_LINE, _WIDE)
    return picture(_WIDE, _HIGH + LEGEND_LINE * (len(signs) + 1), title, parts)


def _sign(class_: str) -> Markup:
    return element("line", x1=0, y1=-4, x2=22, y2=-4, class_=class_, stroke_width=3)


def _places(many: int, lines: Sequence[Line]) -> list[tuple[float, float]]:
    """Where discs are, each within the frame."""
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(many))
    widest = max((line.leverage for line in lines), default=1.0)
    for line in lines:
        weight = 0.3 + 0.7 * max(line.leverage, 0) / max(widest, 1e-300)
        graph.add_edge(line.first, line.second, weight=weight)
    parts = [sorted(part) for part in nx.connected_components(graph)]
    hubs = [max(part, key=graph.degree) for part in parts]
    for hub in hubs[1:]:  # parts that are not linked would drift apart
        graph.add_edge(hubs[0], hub, weight=0.5)
    laid = nx.spring_layout(graph, k=3.0 / sqrt(max(many, 1)), iterations=200, seed=7)
    xs = [float(laid[node][0]) for node in range(many)]
    ys = [float(laid[node][1]) for node in range(many)]
    return list(zip(_spread(xs, _WIDE), _spread(ys, _HIGH), strict=True))


def _spread(values: Sequence[float], length: float) -> list[float]:
    """From margin to margin."""
    if not values:
        return []
    low, high = min(values), max(values)
    wide = (high - low) or 1.0
    return [_MARGIN + (value - low) / wide * (length - 2 * _MARGIN) for value in values]

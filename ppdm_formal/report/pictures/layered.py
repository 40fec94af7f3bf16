"""Layered graphs: boxes in columns, what each rests on to its left, arrows between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ppdm_formal.report.pictures.axes import legend_lines, text_at
from ppdm_formal.report.pictures.fitting import fitted
from ppdm_formal.report.pictures.svg import element, path

_GAP, _HIGH, _PITCH, _TOP = 34.0, 22.0, 32.0, 6.0


@dataclass(frozen=True)
class GraphNode:
    """One node: its name in the graph, its words, and the class that colours it."""

    name: str
    words: str
    class_: str


@dataclass(frozen=True)
class Layered:
    """A drawn graph: its parts and the height that they take."""

    parts: tuple[Markup, ...]
    height: float


def layered(
    columns: Sequence[Sequence[GraphNode | None]],
    arrows: Sequence[tuple[str, str]],
    legend: Sequence[tuple[str, str]],
    width: float,
) -> Layered:
    """Boxes of a column below each other; arrows (from, to) by names; legend: class and words.

    None leaves a place empty.
    """
    wide = (width - 8 - _GAP * (len(columns) - 1)) / len(columns)
    rows = max(len(column) for column in columns)
    places = dict(_places(columns, wide))
    parts = [_arrow(places[tail], places[head], wide) for tail, head in arrows]
    parts += [_box(box, *places[box.name], wide) for column in columns for box in column if box]
    bottom = _TOP + rows * _PITCH + 10
    parts += legend_lines([(box_sign(class_), words) for class_, words in legend], bottom)
    return Layered(tuple(parts), bottom + 17 * len(legend))


def _places(
    columns: Sequence[Sequence[GraphNode | None]], wide: float
) -> Iterator[tuple[str, tuple[float, float]]]:
    for column, boxes in enumerate(columns):
        for row, box in enumerate(boxes):
            if box is not None:
                yield box.name, (4 + column * (wide + _GAP), _TOP + row * _PITCH)


def _box(box: GraphNode, x: float, y: float, wide: float) -> Markup:
    class_ = f"box {box.class_}"
    frame = element("rect", x=x, y=y, width=wide, height=_HIGH, rx=4, class_=class_)
    words = text_at(x + wide / 2, y + 15, fitted(box.words, wide - 8), "small middle")
    return element("g", frame, words)


def box_sign(class_: str) -> Markup:
    """The legend's sign for boxes of a class."""
    return element("rect", x=0, y=-6, width=20, height=11, rx=3, class_=f"box {class_}")


def _arrow(tail: tuple[float, float], head: tuple[float, float], wide: float) -> Markup:
    """A line to the left side of its head; past other columns it runs between their boxes."""
    x1, y1 = tail[0] + wide, tail[1] + _HIGH / 2
    x2, y2 = head[0], head[1] + _HIGH / 2
    points = [(x1, y1), (x2 - 5, y2)]
    if x2 - x1 > _GAP + 1:
        lane = tail[1] + (_HIGH + _PITCH) / 2
        points[1:1] = [(x1 + _GAP / 2, lane), (x2 - _GAP / 2, lane)]
    tip = element("path", d=f"M{x2:.1f} {y2:.1f}l-7 -3.5v7z", class_="arrow-head")
    return element("g", path(points, "arrow"), tip)

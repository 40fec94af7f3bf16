"""Estimates with their intervals: bars with whiskers, a row a value, or a curve with its band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ppdm_formal.report.pictures.axes import (
    LEGEND_LINE,
    WIDTH,
    Plot,
    Scale,
    legend_lines,
    line_sign,
    percent_label,
    text_at,
    ticks,
)
from ppdm_formal.report.pictures.fitting import TICK, fitted
from ppdm_formal.report.pictures.svg import element, number, path, picture

_LABEL, _VALUE, _PITCH, _THICK = 112.0, 62.0, 19.0, 11.0
_AXIS = 20.0


@dataclass(frozen=True)
class Whisker:
    """An estimate, its interval, and the prior's probability where there is one."""

    label: str
    estimate: float
    low: float
    high: float
    words: str
    prior: float | None = None


def interval_bars(
    rows: Sequence[Whisker],
    level: str,
    prior: str,
    title: str,
    limit: tuple[float, str] | None = None,
) -> Markup:
    """One row a value: the bar is the estimate, the whisker its interval, a tick the prior.

    limit: a value that is marked across all rows, with its name. Without a level no intervals.
    """
    low, high = _ends(rows, [] if limit is None else [limit[0]])
    right = WIDTH - _VALUE
    across = Scale(low, high, _LABEL, right)
    bottom = 6 + _PITCH * len(rows)
    parts: list[Markup] = []
    for tick in ticks(low, high, 4):
        x = across(tick)
        parts.append(element("line", x1=x, x2=x, y1=2, y2=bottom, class_="grid"))
        parts.append(text_at(x, bottom + 14, percent_label(tick), "tick middle"))
    zero = across(0.0)
    for place, row in enumerate(rows):
        top = 6 + _PITCH * place
        middle = top + _THICK / 2
        parts.append(text_at(_LABEL - 6, middle + 4, fitted(row.label, _LABEL - 12), "small end"))
        start, end = sorted((zero, across(row.estimate)))
        parts.append(
            element(
                "rect", x=start, y=top, width=max(end - start, 0.6), height=_THICK, class_="bar c0"
            )
        )
        if level:
            parts += _whisker(across(row.low), across(row.high), middle)
        if row.prior is not None:
            x = across(row.prior)
            parts.append(
                element("line", x1=x, x2=x, y1=top - 3, y2=top + _THICK + 3, class_="line l2")
            )
        parts.append(text_at(right + 5, middle + 4, fitted(row.words, _VALUE - 6, TICK), "tick"))
    parts.append(element("line", x1=zero, x2=zero, y1=2, y2=bottom, class_="axis"))
    legend = _legend(rows, level, prior)
    if limit is not None:
        x = across(limit[0])
        parts.append(element("line", x1=x, x2=x, y1=2, y2=bottom, class_="line l2"))
        legend.append((line_sign("line l2"), limit[1]))
    top = bottom + _AXIS + 10
    parts += legend_lines(legend, top)
    return picture(WIDTH, top + LEGEND_LINE * len(legend), title, parts)


def interval_curve(
    points: Sequence[tuple[float, Whisker]], x_name: str, level: str, prior: str, title: str
) -> Markup:
    """Many numbers: the estimates as a curve, their intervals as a band around it."""
    rows = [row for _, row in points]
    plot = Plot(
        (points[0][0], points[-1][0]), _ends(rows), x_name, "probability", y_label=percent_label
    )
    around = [plot.at(x, row.high) for x, row in points]
    around += [plot.at(x, row.low) for x, row in reversed(points)]
    steps = "L".join(f"{number(x)} {number(y)}" for x, y in around)
    plot.parts.append(element("path", d=f"M{steps}Z", class_="h2"))
    zero = plot.up(0.0)
    left, right = plot.across(points[0][0]), plot.across(points[-1][0])
    plot.parts.append(element("line", x1=left, x2=right, y1=zero, y2=zero, class_="axis"))
    plot.parts.append(path([plot.at(x, row.estimate) for x, row in points], "line c0"))
    if any(row.prior is not None for row in rows):
        known = [plot.at(x, row.prior) for x, row in points if row.prior is not None]
        plot.parts.append(path(known, "line l2"))
    plot.note(line_sign("line c0"), "estimate")
    plot.note(element("rect", x=0, y=-5, width=20, height=9, class_="h2"), f"{level} interval")
    if any(row.prior is not None for row in rows):
        plot.note(line_sign("line l2"), f"prior {prior}")
    return plot.drawn(title)


def _ends(rows: Sequence[Whisker], more: Sequence[float] = ()) -> tuple[float, float]:
    """From 0 or below to the furthest end, with some room; hidden ends would mislead."""
    ends = [0.0, *more, *(v for row in rows for v in (row.estimate, row.low, row.high))]
    ends += [row.prior for row in rows if row.prior is not None]
    low, high = min(ends), max(ends)
    room = (high - low or 1.0) * 0.03
    return (low - room if low < 0 else 0.0), high + room


def _whisker(start: float, end: float, y: float) -> list[Markup]:
    caps = [element("line", x1=x, x2=x, y1=y - 3, y2=y + 3, class_="line l0") for x in (start, end)]
    return [element("line", x1=start, x2=end, y1=y, y2=y, class_="line l0"), *caps]


def _legend(rows: Sequence[Whisker], level: str, prior: str) -> list[tuple[Markup, str]]:
    bar = element("rect", x=0, y=-5, width=20, height=9, class_="bar c0")
    whisker = element("g", *_whisker(0.0, 20.0, 0.0))
    legend = [(bar, "estimate"), (whisker, f"{level} interval")] if level else []
    if any(row.prior is not None for row in rows):
        tick = element("line", x1=10, x2=10, y1=-7, y2=6, class_="line l2")
        legend.append((tick, f"prior {prior}"))
    return legend

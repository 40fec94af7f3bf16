"""Pictures of supports: estimates against the truth, what is found and missed, and recovery."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ppdm_formal.report.pictures.axes import (
    Plot,
    line_sign,
    log_ticks,
    percent_label,
)
from ppdm_formal.report.pictures.svg import element, path

_STEPS = 100
_BINS = 8
_FEWEST = 5
"""Itemsets that a bin needs for its share to be shown."""
_CURVES = 6


@dataclass(frozen=True)
class Against:
    """An itemset: its size, its true support, the estimate with its interval, and whether listed.

    The estimate is None where the reports do not tell any.
    """

    size: int
    true: float
    estimate: float | None
    low: float
    high: float
    frequent: bool
    listed: bool


def _support_label(power: float) -> str:
    return percent_label(float(f"{10**power:.2g}"))


def _logs(values: Sequence[float]) -> tuple[float, float]:
    """The logarithms of the smallest and the largest, with some room."""
    low, high = math.log10(min(values)), math.log10(max(values))
    room = 0.04 * (high - low) + 0.02
    return low - room, high + room


def _thinned(ticks: Sequence[float]) -> list[float]:
    """Few enough ticks for their labels: 1, 2, 5 times powers of ten, or the powers alone."""
    if len(ticks) <= 7:
        return list(ticks)
    return [tick for tick in ticks if abs(tick - round(tick)) < 1e-9]


def _vertical(plot: Plot, x: float, class_: str, words: str) -> None:
    """A line at a value of x, where the plot shows it."""
    if plot.x[0] <= x <= plot.x[1]:
        plot.parts.append(path([plot.at(x, plot.y[0]), plot.at(x, plot.y[1])], class_))
        plot.note(line_sign(class_), words)


def agreement_picture(points: Sequence[Against], names: Mapping[int, str], title: str) -> Markup:
    """Estimated support up, true support across, both logarithmic; whiskers: 95% intervals."""
    shown = [point for point in points if point.estimate is not None and point.true > 0]
    floor = min((point.true for point in shown if point.frequent), default=shown[0].true) / 3
    values = [max(v, floor) for p in shown for v in (p.true, p.low, p.high)]
    start, end = _logs(values)
    marks = _thinned(log_ticks(start, end))
    plot = Plot(
        (start, end),
        (start, end),
        "true support (logarithmic)",
        "estimated support (logarithmic)",
        x_label=_support_label,
        y_label=_support_label,
        height=340.0,
        x_ticks=marks,
        y_ticks=marks,
    )
    plot.parts.append(path([plot.at(start, start), plot.at(end, end)], "line faint"))
    sizes = sorted({point.size for point in shown})
    for number, size in enumerate(sizes):
        for point in shown:
            if point.size != size:
                continue
            x = math.log10(point.true)
            ends = [math.log10(max(value, 10**start)) for value in (point.low, point.high)]
            plot.parts.append(path([plot.at(x, y) for y in ends], f"thin c{number % _CURVES}"))
            y = math.log10(max(point.estimate or 0.0, 10**start))
            plot.parts.append(_dot(plot, x, y, number))
        sign = element("circle", cx=10, cy=0, r=2.6, class_=f"dot c{number % _CURVES}")
        plot.note(sign, f"{names[size]}, with 95% intervals")
    plot.note(line_sign("line faint"), "where estimates would be without noise")
    return plot.drawn(title)


def _dot(plot: Plot, x: float, y: float, number: int) -> Markup:
    across, up = plot.at(x, y)
    return element("circle", cx=across, cy=up, r=2.2, class_=f"dot c{number % _CURVES}")


@dataclass(frozen=True)
class Expected:
    """What was expected of itemsets of one size: the least support, the LDS, and the chance."""

    least: float
    lds: float | None
    lds_words: str
    chance: Callable[[float], float]


def found_picture(points: Sequence[Against], expected: Expected, title: str) -> Markup:
    """Itemsets of one size by their true support: found ones above, missed ones below.

    The curve is the chance to be found that was expected; dots are the shares that were found.
    """
    shown = [point for point in points if point.true > 0]
    limits = [expected.least, *([expected.lds] if expected.lds else [])]
    floor = min(limits) / 4  # what was invented farther away is drawn at the edge
    start, end = _logs([*(max(point.true, floor) for point in shown), *limits])
    plot = Plot(
        (start, end),
        (-0.12, 1.12),
        "true support (logarithmic)",
        "found",
        x_label=_support_label,
        y_label=percent_label,
        x_ticks=_thinned(log_ticks(start, end)),
        y_ticks=(0, 0.25, 0.5, 0.75, 1),
    )
    across = [start + (end - start) * step / _STEPS for step in range(_STEPS + 1)]
    curve = [plot.at(x, expected.chance(10**x)) for x in across]
    plot.parts.append(path(curve, "line c0"))
    plot.note(line_sign("line c0"), "expected chance to be found")
    above, below = (1.02, 1.10), (-0.10, -0.02)
    right = [point for point in shown if point.frequent and point.listed]
    missed = [point for point in shown if point.frequent and not point.listed]
    wrong = [point for point in shown if not point.frequent]
    _ticks(plot, right, above, "thin found", "found, a tick each")
    _ticks(plot, missed, below, "thin missed", "missed")
    _ticks(plot, wrong, above, "thin invented", "listed, and below the least support")
    dots = _shares([point for point in shown if point.frequent])
    for support, share in dots:
        plot.parts.append(_dot(plot, math.log10(support), share, 0))
    if dots:
        sign = element("circle", cx=10, cy=0, r=2.6, class_="dot c0")
        plot.note(sign, "share found, of neighbouring supports")
    _vertical(plot, math.log10(expected.least), "line faint", "least support")
    if expected.lds:
        _vertical(plot, math.log10(expected.lds), "line l2", expected.lds_words)
    return plot.drawn(title)


def _ticks(
    plot: Plot, points: Sequence[Against], ends: tuple[float, float], class_: str, words: str
) -> None:
    """A tick at each true support."""
    for point in points:
        x = math.log10(point.true)
        plot.parts.append(path([plot.at(x, y) for y in ends], class_))
    if points:
        sign = element("line", x1=10, x2=10, y1=-6, y2=5, class_=class_)
        plot.note(sign, f"{words} ({len(points):,})")


def _shares(points: Sequence[Against]) -> list[tuple[float, float]]:
    """Neighbouring supports in bins of equal numbers: their geometric mean, and the share found."""
    bins = min(_BINS, len(points) // _FEWEST)
    order = sorted(points, key=lambda point: point.true)
    found = []
    for number in range(bins):
        some = order[len(order) * number // bins : len(order) * (number + 1) // bins]
        middle = math.exp(sum(math.log(point.true) for point in some) / len(some))
        found.append((middle, sum(point.listed for point in some) / len(some)))
    return found


def recovery_picture(
    lines: Mapping[str, Sequence[tuple[int, float]]],
    expected: Mapping[str, Sequence[tuple[int, float]]],
    title: str,
) -> Markup:
    """The share of the frequent itemsets that were found up, transactions across (logarithmic)."""
    numbers = sorted({number for line in lines.values() for number, _ in line})
    start, end = _logs(numbers)
    plot = Plot(
        (start, end),
        (0, 1),
        "transactions (logarithmic)",
        "frequent itemsets found",
        x_label=lambda power: f"{round(10**power):,}",
        y_label=percent_label,
        x_ticks=[math.log10(number) for number in numbers],
    )
    for number, (name, line) in enumerate(lines.items()):
        places = [plot.at(math.log10(x), y) for x, y in line]
        plot.parts.append(path(places, f"line c{number % _CURVES}"))
        plot.parts += [_dot(plot, math.log10(x), y, number) for x, y in line]
        plot.note(line_sign(f"line c{number % _CURVES}"), f"{name}, found")
    for name, line in expected.items():
        plot.parts.append(path([plot.at(math.log10(x), y) for x, y in line], "line faint"))
        plot.note(line_sign("line faint"), name)
    return plot.drawn(title)

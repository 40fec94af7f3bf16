"""Cumulative shares as steps: the share of things up to each size, a line a series."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from ppdm_formal.report.pictures.axes import Plot, line_sign, log_ticks, percent_label
from ppdm_formal.report.pictures.svg import path

_CURVES = 6


def cumulative_picture(
    lines: Mapping[str, Sequence[tuple[float, float]]], across: str, up: str, title: str
) -> Markup:
    """Points (x, share up to x) with rising x > 0, x on a logarithmic axis."""
    largest = max([2.0, *(x for points in lines.values() for x, _ in points)])
    end = math.log10(largest) * 1.02
    plot = Plot(
        (0.0, end),
        (0.0, 1.0),
        across,
        up,
        lambda value: f"{round(10**value):,}",
        percent_label,
        x_ticks=[x for x in log_ticks(0.0, end) if end < 2 or abs(x - round(x)) < 1e-9],
    )
    for number, (name, points) in enumerate(lines.items()):
        kind = f"line c{number % _CURVES}"
        places = [plot.at(0.0, 0.0)]
        share = 0.0
        for x, now in points:
            places += [plot.at(math.log10(x), share), plot.at(math.log10(x), now)]
            share = now
        if points:
            places.append(plot.at(end, share))
            plot.parts.append(path(places, kind))
        plot.note(line_sign(kind), name if points else f"{name}: none")
    return plot.drawn(title)

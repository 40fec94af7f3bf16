"""Pictures of a plan: lowest supports by size, what is seen of the data, cost against privacy."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from markupsafe import Markup

from ppdm_formal.design.forecast import SeenItemsets
from ppdm_formal.design.levels import PrivacyLevel
from ppdm_formal.report.pictures.axes import (
    Plot,
    covering,
    line_sign,
    log_ticks,
    percent_label,
    plain_label,
)
from ppdm_formal.report.pictures.svg import element, path

_CURVES = 6
_STEPS = 120
_TICKS = 400  # itemsets of the data that are marked, the most frequent first


def _dot(x: float, y: float, number: int) -> Markup:
    return element("circle", cx=float(x), cy=float(y), r=2.6, class_=f"dot c{number % _CURVES}")


def lds_picture(
    lines: Mapping[str, Sequence[tuple[int, float]]], pooled: Sequence[float], title: str
) -> Markup:
    """LDS up, the size of baskets across, a line a series; levels: pooled over all sizes."""
    points = [point for line in lines.values() for point in line]
    sizes = [size for size, _ in points]
    low, high = min(sizes), max(sizes)
    highest = min(1.0, max([*(y for _, y in points), *pooled]))
    plot = Plot(
        (low - 0.5, high + 0.5),
        covering(0, highest),
        "size of the basket",
        "lowest discoverable support",
        y_label=percent_label,
    )
    for number, (name, line) in enumerate(lines.items()):
        places = [plot.at(x, y) for x, y in line]
        if len(places) > 1:
            plot.parts.append(path(places, f"line c{number % _CURVES}"))
        plot.parts += [_dot(x, y, number) for x, y in places]
        sign = Markup(line_sign(f"line c{number % _CURVES}") + _dot(10, 0, number))
        plot.note(sign, name)
    for level in pooled:
        if level <= highest:
            ends = [plot.at(low - 0.5, level), plot.at(high + 0.5, level)]
            plot.parts.append(path(ends, "line faint"))
    if pooled:
        plot.note(line_sign("line faint"), "all sizes pooled")
    return plot.drawn(title)


def seen_picture(found: Sequence[SeenItemsets], names: Sequence[str], title: str) -> Markup:
    """The chance to be seen up, the support across (logarithmic); ticks: the data's own."""
    top = max([0.02, *(s for part in found for s in part.supports[:1])])
    low = min(part.pool.deviation for part in found) / 2
    high = min(1.0, max(top, *(6 * part.pool.deviation for part in found)))
    start, end = math.log10(low), math.log10(high)
    plot = Plot(
        (start, end),
        (0, 1),
        "support (logarithmic)",
        "chance to be seen",
        x_label=lambda power: percent_label(float(f"{10**power:.2g}")),
        y_label=percent_label,
        x_ticks=log_ticks(start, end),
    )
    for number, (part, name) in enumerate(zip(found, names, strict=True)):
        across = [start + (end - start) * step / _STEPS for step in range(_STEPS + 1)]
        curve = [plot.at(x, part.pool.chance(10**x)) for x in across]
        plot.parts.append(path(curve, f"line c{number % _CURVES}"))
        plot.note(line_sign(f"line c{number % _CURVES}"), f"{name}; ticks: in the data")
        bottom = plot.up(0) - 9 * number
        for support in part.supports[:_TICKS]:
            if support >= low:
                x = plot.across(math.log10(support))
                plot.parts.append(
                    element(
                        "line", x1=x, x2=x, y1=bottom, y2=bottom - 7, class_=f"line c{number % 6}"
                    )
                )
    return plot.drawn(title)


def levels_picture(levels: Sequence[PrivacyLevel], own: float, itemset: int, title: str) -> Markup:
    """LDS of the largest itemsets up, gamma across (logarithmic)."""
    return _against_gamma(
        [(float(level.gamma), found) for level in levels if (found := level.lds[itemset])],
        own,
        "lowest discoverable support",
        percent_label,
        title,
    )


def cost_picture(levels: Sequence[PrivacyLevel], own: float, title: str) -> Markup:
    """Bits of a report up, gamma across (logarithmic)."""
    return _against_gamma(
        [(float(level.gamma), float(level.cost.bits)) for level in levels if level.cost],
        own,
        "bits of a report",
        plain_label,
        title,
    )


def _against_gamma(
    points: Sequence[tuple[float, float]],
    own: float,
    name: str,
    label: Callable[[float], str],
    title: str,
) -> Markup:
    logs = [math.log10(gamma) for gamma, _ in points]
    plot = Plot(
        (min(logs), max(logs)),
        covering(0, max(y for _, y in points)),
        "gamma, logarithmic (to the right: less privacy)",
        name,
        x_label=lambda power: plain_label(float(f"{10**power:.2g}")),
        y_label=label,
        x_ticks=log_ticks(min(logs), max(logs)),
    )
    places = [plot.at(x, y) for x, (_, y) in zip(logs, points, strict=True)]
    plot.parts.append(path(places, "line c0"))
    plot.parts += [_dot(x, y, 0) for x, y in places]
    here = math.log10(own)
    plot.parts.append(path([plot.at(here, plot.y[0]), plot.at(here, plot.y[1])], "line faint"))
    plot.note(line_sign("line faint"), "this plan's level")
    return plot.drawn(title)

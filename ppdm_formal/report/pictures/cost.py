"""Privacy against accuracy: epsilon across, how many times as many people up, along a parameter.

The dashed line is the published optimum for the distribution of k values: subset selection with
the best size of sets (Ye, Barg 2018), min over d of (k - 1)(t d + k - d)^2 / (d (k - d)(t - 1)^2)
times as many people at amplification t. Sets of one value are k-ary response; sets of d + 1 values
are better than of d below t^2 = (k - d)(k - d - 1)/(d (d + 1)).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from markupsafe import Markup

from ppdm_formal.certify.audit.audited import OperatorAudit
from ppdm_formal.declare.arithmetic.exact import is_number, substitute
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.derive.measures.utility import Utility
from ppdm_formal.report.pictures.axes import Plot, covering, line_sign, log_ticks
from ppdm_formal.report.pictures.svg import Picture, path
from ppdm_formal.report.words.utility_words import utility_of

_PARTS = 64
_MOST_EPSILON = 8.0
_MOST_VALUES = 100_000
_CURVES = 5
"""How many curves a picture can tell apart, beside the optimum."""


@dataclass(frozen=True)
class CostCurve:
    """An operator's points (epsilon, log10 of the factor), and on how many values it is."""

    name: str
    values: int
    points: tuple[tuple[float, float], ...]


def cost_curve(name: str, found: OperatorAudit) -> CostCurve | None:
    """Along the one free parameter; None where there is none, or no closed form of the cost."""
    cost, gain = utility_of(found), found.amplification
    free = found.operator.parameters
    if len(free) != 1 or gain is None or not isinstance(cost, Utility) or cost.items:
        return None
    points = []
    for value in _inside(free[0]):
        at = {free[0].name: value}
        amplified = gain.at(at)
        try:
            factor = substitute(cost.best.errors.factor, at)
        except (ZeroDivisionError, AttributeError):
            continue
        if is_number(amplified) and is_number(factor) and factor > 0:
            with suppress(OverflowError):
                points.append((math.log(float(amplified)), math.log10(float(factor))))
    kept = tuple(point for point in points if point[0] <= _MOST_EPSILON)
    return CostCurve(name, cost.cells, kept) if len(kept) > 1 else None


def _inside(parameter: Parameter) -> list[Fraction]:
    width = parameter.upper - parameter.lower
    return [parameter.lower + width * Fraction(k, _PARTS) for k in range(1, _PARTS)]


def best_known(values: int, epsilon: float) -> float:
    """The least factor of any published mechanism at an epsilon: subset selection's.

    >>> round(best_known(10, math.log(3)), 4)
    27.4286
    """
    t = math.exp(epsilon)
    ideal = values / (t + 1)
    sizes = {max(1, min(values - 1, size)) for size in (math.floor(ideal), math.ceil(ideal))}
    return min(
        (values - 1) * (t * d + values - d) ** 2 / (d * (values - d) * (t - 1) ** 2) for d in sizes
    )


def changes_at(values: int) -> float | None:
    """The epsilon from which on no sets are better than single values: t^2 = (k-1)(k-2)/2."""
    squared = (values - 1) * (values - 2) / 2
    return math.log(squared) / 2 if squared > 1 else None


def cost_caption(curves: Sequence[CostCurve]) -> str:
    """What is to be seen."""
    words = (
        "How many times as many people as without randomization know the distribution as well, "
        "against epsilon: to the left is safer, lower is cheaper."
    )
    sizes = {curve.values for curve in curves}
    if len(sizes) != 1:
        return words
    (size,) = sizes
    words += " Dashed: the published optimum, subset selection with the best size of its sets."
    change = changes_at(size)
    if change is not None:
        words += f" From epsilon {change:.2f} on that is k-ary response, below it is not."
    return words


def cost_picture(curves: Sequence[CostCurve], title: str) -> Markup:
    """The curves, and the optimum where all are on equally many values."""
    lines = [(f"line c{k % 6}", curve.name, curve.points) for k, curve in enumerate(curves)]
    across = [x for _, _, points in lines for x, _ in points]
    low, high = min(across), max(across)
    sizes = {curve.values for curve in curves}
    (size,) = sizes if len(sizes) == 1 else (0,)
    if 2 <= size <= _MOST_VALUES and high > 0:
        places = [low + (high - low) * step / 100 for step in range(101)]
        best = [(x, math.log10(best_known(size, x))) for x in places if x > 0.01]
        lines.append(("line faint", "published optimum", tuple(best)))
    up = [y for _, _, points in lines for _, y in points]
    top = min(max(up), min(up) + 6)
    plot = Plot(
        (low, high) if high > low else (low, low + 1),
        covering(math.floor(min(up)), max(top, math.floor(min(up)) + 1)),
        "epsilon = ln(amplification)",
        "times as many people",
        y_label=lambda y: f"{10**y:g}" if -1e-9 <= y < 3.5 else f"1e{round(y)}",
    )
    every = log_ticks(*plot.y)
    powers = [y for y in every if abs(y - round(y)) < 1e-9]
    plot.y_ticks = powers if len(powers) > 2 else every
    for class_, name, points in lines:
        for seen, run in groupby(points, lambda point: point[1] <= plot.y[1]):
            inside = [plot.at(x, y) for x, y in run]
            if seen and len(inside) > 1:  # where a parameter says nothing, the curve leaves
                plot.parts.append(path(inside, class_))
        plot.note(line_sign(class_), name)
    return plot.drawn(title)


def cost_pictures(curves: Sequence[CostCurve | None]) -> list[Picture]:
    """Privacy against accuracy, of all that have a closed form of their cost."""
    known = [curve for curve in curves if curve is not None][:_CURVES]
    if not known:
        return []
    title = "Privacy against accuracy"
    return [Picture(title, cost_picture(known, title), cost_caption(known))]

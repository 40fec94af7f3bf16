"""The trade-off of one free parameter: epsilon = ln(amplification) against it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.derive.measures.amplification import Amplification
from ppdm_formal.report.pictures.axes import Plot, line_sign
from ppdm_formal.report.pictures.svg import path

_PARTS = 64
_HIGHEST = math.log(10**4)
"""Near a pole the curve leaves the picture here."""


@dataclass(frozen=True)
class Tradeoff:
    """An operator's amplification along its parameter."""

    name: str
    points: tuple[tuple[Fraction, Fraction], ...]


def tradeoff(name: str, found: Amplification, parameter: Parameter) -> Tradeoff:
    """The curve at evenly spaced values inside the parameter's range."""
    width = parameter.upper - parameter.lower
    points = []
    for k in range(1, _PARTS):
        value = parameter.lower + width * Fraction(k, _PARTS)
        gain = found.at({parameter.name: value})
        if is_number(gain):
            points.append((value, gain))
    return Tradeoff(name, tuple(points))


def tradeoff_picture(parameter: Parameter, curves: Sequence[Tradeoff], title: str) -> Markup:
    """Epsilon up, the parameter across."""
    logs = [
        [(float(x), math.log(g.numerator) - math.log(g.denominator)) for x, g in curve.points]
        for curve in curves
    ]
    highest = min(max((y for line in logs for _, y in line), default=1.0), _HIGHEST) or 1.0
    plot = Plot(
        (float(parameter.lower), float(parameter.upper)),
        (0, highest),
        parameter.name,
        "epsilon = ln(amplification)",
    )
    for number, (curve, line) in enumerate(zip(curves, logs, strict=True)):
        class_ = f"line c{number % 6}"
        plot.parts.append(path([plot.at(x, y) for x, y in line if y <= highest], class_))
        if len(curves) > 1:
            plot.note(line_sign(class_), curve.name)
    return plot.drawn(title)

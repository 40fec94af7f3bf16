"""Regions in words: in eps where the parameter stands for exp(eps), with the exact t beside it."""

from __future__ import annotations

from fractions import Fraction

from ppdm_formal.certify.region import Interval, Region
from ppdm_formal.declare.arithmetic.algebraic import Point, Root, ends
from ppdm_formal.declare.arithmetic.enclosure import Enclosure, log_of
from ppdm_formal.declare.arithmetic.exponential import Real
from ppdm_formal.declare.arithmetic.logarithm import ln, scaled
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.spelling import exp_text, number_text


def region_words(region: Region) -> str:
    """Where a claim holds: p < 3/4; eps < 1.09861... (exp(eps) < 3)."""
    parameter = region.parameter
    if parameter.of is None:
        return region.text
    told = parameter.told
    if not region.intervals or region.complete:
        return f"{'every' if region.intervals else 'no'} {told.name} in {told.interval}"
    said = " or ".join(_interval(part, region) for part in region.intervals)
    return f"{said} ({_power(region) or region.text})"


def _power(region: Region) -> str | None:
    """The only end of a region as a power of e: exp(eps) < 3, where t = e^(eps/6) < 3^(1/6)."""
    parameter, (part, *others) = region.parameter, region.intervals
    upper = region.from_start(part)
    if others or upper == region.to_end(part):
        return None
    number, power = _pure(part.end if upper else part.start)
    if number is None:
        return None
    included = part.end_included if upper else part.start_included
    sign = ("<" if upper else ">") + ("=" if included else "")
    shown = exp_text(power * parameter.step, parameter.told.name)
    return f"{shown} {sign} {number_text(number)}"


def exponent_of(point: Point, parameter: Parameter) -> Enclosure:
    """The eps at which t = e^(step eps) is a point: an interval that contains it."""
    if isinstance(point, Root) and point.number is not None:
        exact = log_of(point.number)
        return Enclosure(exact.lo / parameter.step, exact.hi / parameter.step)
    while isinstance(point, Root) and (point.hi - point.lo) * 10**20 > abs(point.lo):
        point = point.refined()
    low, high = ends(point)
    return Enclosure(
        log_of(low).lo / parameter.step,
        log_of(high).hi / parameter.step,
    )


def _interval(part: Interval, region: Region) -> str:
    parameter = region.parameter
    name = parameter.told.name
    low, high = (_end(end, parameter) for end in (part.start, part.end))
    if part.start == part.end:
        return f"{name} = {low}"
    below, above = ("<=" if kept else "<" for kept in (part.start_included, part.end_included))
    if region.from_start(part):
        return f"{name} {above} {high}"
    if region.to_end(part):
        return f"{name} {'>=' if part.start_included else '>'} {low}"
    return f"{low} {below} {name} {above} {high}"


def _end(point: Point, parameter: Parameter) -> str:
    """An end in eps: 0, 1.09861... = ln(3), 0.48121..."""
    found = exponent_of(point, parameter)
    number, power = _pure(point)
    if number is None:
        return str(found)
    try:
        exact = scaled(ln(number), 1 / (power * parameter.step))
    except ValueError:
        return str(found)
    shown = number_text(exact)
    return shown if isinstance(exact, Fraction) else f"{found} = {shown}"


def _pure(point: Point) -> tuple[Real | None, int]:
    """A number and n where the point is its n-th root."""
    if not isinstance(point, Root):
        return point, 1
    constant, *others, _ = point.coefficients
    return (None, 1) if any(others) else (-constant, len(others) + 1)

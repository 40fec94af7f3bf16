"""Continuous operators in words: what is added to x, and what it hides."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.people import bound_percent, brief, percent, share
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.value import Infinity, Measured, value_text
from ppdm_formal.declare.reals.density import Bell, Density
from ppdm_formal.declare.reals.reals import RealProperty
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.continuous_audit import ContinuousAudit, DensityMeasures
    from ppdm_formal.derive.reals.extremes import Extreme
    from ppdm_formal.derive.reals.worst_case import WorstOutput


def ratio_text(value: Measured) -> str:
    """A ratio with its decimals."""
    if isinstance(value, Infinity | Enclosure):
        return str(value)
    closer = "" if isinstance(value, Fraction) else f" (~{float(value):.4g})"
    return f"{brief(value)}{closer}"


def amplification_words(extreme: Extreme) -> str:
    """The greatest ratio of likelihoods, and which outputs show it."""
    x1, x2 = number_text(extreme.likely), number_text(extreme.unlikely)
    end = "largest" if extreme.side == "top" else "smallest"
    if isinstance(extreme.value, Infinity):
        if extreme.reached == "limit":
            return (
                f"Infinite: the {end} outputs z are ever more likely from x = {x1} than from "
                f"x = {x2}, without bound the further out z lies."
            )
        where = "at" if extreme.reached == "atom" else "among the outputs from"
        at = number_text(extreme.at) if extreme.at is not None else ""
        on = "" if extreme.reached == "atom" else " on to the end"
        return f"Infinite: {where} z = {at}{on}, x = {x1} is possible and x = {x2} is not."
    how = {
        "atom": f"the output z = {_at(extreme)} is",
        "region": f"outputs z from {_at(extreme)} on to the end are",
        "limit": f"outputs z are, in the limit towards {_at(extreme)},",
    }[extreme.reached]
    times = ratio_text(extreme.value)
    return f"{times}: {how} so many times as likely from x = {x1} as from x = {x2}."


def _at(extreme: Extreme) -> str:
    return "" if extreme.at is None else number_text(extreme.at)


def width_words(found: ContinuousAudit) -> list[str]:
    """Evf02's privacy: intervals of the noise, for each confidence, beside the inputs' range."""
    whole = found.operator.inputs.width
    said = []
    for confidence, width in found.widths:
        part = percent(width.lo / whole, 3)
        said.append(
            f"at {percent(confidence)} confidence x is known from z up to an interval of length "
            f"{width}, which is {part} of the range of inputs"
        )
    return said


def measures_words(part: DensityMeasures) -> list[str]:
    """Entropy privacy of a density, before and after."""
    found = part.information
    name = clean(part.density.name)
    worst = [] if part.worst is None else [worst_words(part.worst)]
    if found is None:
        return [f"Information under {name} is not computed: {part.why_not}.", *worst]
    return [
        f"Before z is seen, x is as uncertain under {name} as on an interval of length "
        f"{found.privacy} (Pi(X), AA01)",
        f"after, on average, as on one of length {found.left} (Pi(X|Z)): "
        f"{probability_words(found.loss)} of it is lost",
        *worst,
    ]


def worst_words(worst: WorstOutput) -> str:
    """Worst-case information, with the output that shows it."""
    at = "" if worst.at is None else percentless(worst.at)
    if isinstance(worst.value, Infinity):
        where = f"the closer z comes to {at}" if at else "the further out z lies"
        return f"one output can tell without bound ({where}): worst-case information is infinite"
    told = f"one output tells at most {bound(worst.value)} nats (worst-case information, EGS03)"
    if not at:
        return told
    end = " and all further out" if worst.beyond else ""
    return f"{told}; z = {at}{end} tells at least {float(worst.value.lo):.4g}"


def bound(value: Enclosure) -> str:
    """An upper bound to four digits, rounded up."""
    number, digits = float(value.hi), 4
    if number <= 0:
        return "0"
    scale = 10.0 ** (digits - 1 - math.floor(math.log10(number)))
    return f"{math.ceil(number * scale) / scale:.{digits}g}"


def probability_words(value: Enclosure | None) -> str:
    """A probability that is known exactly, closely, or between two numbers."""
    if value is None:
        return "not known"
    if value.is_exact:
        return share(value.lo)
    low, high = percent(value.lo), percent(value.hi)
    if low == high:
        return f"{low}"
    return f"{bound_percent(value.lo, up=False)} to {bound_percent(value.hi, up=True)}"


def percentless(value: Fraction) -> str:
    """A number on an axis, to six digits."""
    return brief(value) if value.denominator == 1 else f"{float(value):.6g}"


def rule_words(found: ContinuousAudit) -> str:
    """What the operator does."""
    operator = found.operator
    said = f"x between {number_text(operator.inputs.lo)} and {number_text(operator.inputs.hi)}"
    said += f" is sent as z = x + {operator.noise}"
    if operator.window is not None:
        lo, hi = number_text(operator.window.lo), number_text(operator.window.hi)
        if operator.window.kind == "clamped":
            said += f", where outputs below {lo} become {lo}, and above {hi} become {hi}"
        else:
            said += f", drawn again until it lies between {lo} and {hi}"
    return said + "."


def density_words(density: Density) -> str:
    """The parts of a mixture, each with its probability."""
    said = []
    for part in density.components:
        lo, hi = map(number_text, part.support)
        if isinstance(part, Bell):
            mean, deviation = number_text(part.mean), number_text(part.law.deviation)
            how = f"normally about {mean} with standard deviation {deviation}"
            how += f", cut off at {lo} and {hi}"
        else:
            how = f"evenly between {lo} and {hi}"
        said.append(how if part.weight == 1 else f"{brief(part.weight)} {how}")
    return "what the observer believes of x before: " + "; ".join(said)


def interval_words(property: RealProperty) -> str:
    """Where x has the property."""
    parts = [f"{number_text(a)} and {number_text(b)}" for a, b in property.intervals]
    return "true of x between " + ", or between ".join(parts)


def hidden_words(found: ContinuousAudit) -> str:
    """What the noise hides, in a sentence: how closely x is known, how much privacy is lost."""
    confidence, width = found.widths[1]
    said = f"{percent(confidence)} of the noise lies in an interval of length {width}"
    if isinstance(found.amplification.value, Infinity):
        said += "; some outputs tell inputs apart without bound"
    else:
        said += f"; no output is more than {ratio_text(found.amplification.value)} times as likely"
        said += " from one input as from another"
    known = [part for part in found.measures if part.information is not None]
    if known:
        part = known[0]
        assert part.information is not None
        said += f"; {probability_words(part.information.loss)} of the privacy is lost under"
        said += f" {clean(part.density.name)}"
    return said + "."


def epsilon_text(extreme: Extreme) -> str:
    """Epsilon of local differential privacy."""
    return value_text(extreme.epsilon)

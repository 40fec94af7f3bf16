"""Utility in plain words: how many people it takes, with which decoder, and what is lost."""

from __future__ import annotations

from fractions import Fraction

from ppdm_formal.certify.audit.audited import OperatorAudit
from ppdm_formal.declare.arithmetic.decimals import decimal_text, nearest, round_to
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.people import percent
from ppdm_formal.declare.arithmetic.value import Infinity, Measured, value_text
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.moments import SHARE
from ppdm_formal.derive.measures.record import NotComputed
from ppdm_formal.derive.measures.utility import WITHIN, Decoding, Utility, people
from ppdm_formal.report.words.visible import clean

CONFIDENCE = "95 times in 100"

_LONGEST_FORM = 40

_DECODERS = {
    "published": "published",
    "least variance": "least variance",
    "both": "published, of least variance",
    "the only one": "the only one there is",
}


def utility_of(found: OperatorAudit) -> Utility | NotComputed | None:
    """What was found of an operator's utility."""
    one = next((one for one in found.readings if one.measure.name == "utility"), None)
    return one if one is None or isinstance(one, NotComputed) else one.result


def about(count: int | Infinity | None) -> str:
    """A number of people with three digits, rounded up; "" where it is a closed form.

    >>> about(19644), about(999), about(289641783)
    ('19,700', '999', '290,000,000')
    """
    if count is None:
        return ""
    if isinstance(count, Infinity):
        return "cannot be known"
    rounded = int(round_to(Fraction(count), 3, up=True)) if count >= 1000 else count
    if rounded < 10**15:
        return f"{rounded:,}"
    return decimal_text(round_to(Fraction(count), 3, up=True))


def times(value: Measured) -> str:
    """A factor as tables show it: three digits.

    >>> times(Fraction(196, 81)), times(Fraction(10**12))
    ('2.42', '1,000,000,000,000')
    """
    if isinstance(value, Infinity):
        return "infinitely many"
    if isinstance(value, Enclosure):
        value = value.hi
    if not is_number(value):
        form = value_text(value)
        return form if len(form) <= _LONGEST_FORM else "a closed form"
    shown = nearest(value, 3)
    return f"{int(shown):,}" if 100 <= shown < 10**15 else decimal_text(shown)


def decoder_words(found: Utility) -> str:
    """Which decoder the numbers are for, and what the published one would cost."""
    words = _DECODERS[found.best.which]
    other = next((one for one in found.decoders[1:] if one.which == "published"), None)
    if other is None or isinstance(other.errors.factor, Infinity):
        return words
    cost = times(other.errors.factor)
    return f"{words} (published: {cost})"


def asked() -> str:
    """What is to be known."""
    point = "one point" if Fraction(1, 100) == WITHIN else f"{percent(WITHIN)}"
    return f"a share of {percent(SHARE)} within {point}"


def without_randomization() -> str:
    """How many people that takes where nobody randomizes."""
    return about(people(SHARE * (1 - SHARE)))


def cost_words(best: Decoding) -> str:
    """The sentence that people quote."""
    count = best.people
    if count is None or isinstance(count, Infinity):
        return ""
    return (
        f"to know {asked()}, {CONFIDENCE}, you need about {about(count)} people "
        f"({without_randomization()} without randomization)"
    )


def people_needed(found: OperatorAudit) -> str:
    """How many people one point takes, where that is a number."""
    priced = utility_of(found)
    count = priced.best.people if isinstance(priced, Utility) else None
    return about(count) if isinstance(count, int) else ""


def priced_words(found: OperatorAudit) -> str:
    """What an operator costs, in a sentence of its own; "" where that was not measured."""
    priced = utility_of(found)
    if not isinstance(priced, Utility):
        return ""
    said = cost_words(priced.best)
    if not said:
        factor = priced.best.errors.factor
        if isinstance(factor, Infinity):
            said = lost_words(found.operator, priced)
        else:
            said = f"estimates take {times(factor)} times as many people as without randomization"
            if len(value_text(factor)) > _LONGEST_FORM and not is_number(factor):
                names = ", ".join(clean(p.told.name, 20) for p in found.operator.parameters)
                said = f"how many people estimates take depends on {names or 'the parameters'}"
    return f"{said[0].upper()}{said[1:]}." if said else ""


def lost_words(operator: Operator, found: Utility) -> str:
    """Which part of the distribution no number of people shows; "" where all of it shows."""
    if found.rank >= found.cells:
        return ""
    what = "items" if found.items else "values"
    if found.rank <= 1:
        return f"nothing can be recovered of the shares of {found.cells:,} {what}"
    words = (
        f"of the shares of {found.cells:,} {what} only {found.rank:,} numbers can be recovered, "
        "however many people answer"
    )
    lost = found.found.lost if found.found is not None else ()
    pair = next((part.coefficients for part in lost if len(part.coefficients) == 2), None)
    if pair is not None:
        one, two = (clean(show_value(operator.inputs[place]), 30) for place, _ in pair)
        words += f": {one} and {two}, for example, send the same reports"
    return words


def mean_words(found: Utility) -> str:
    """What the mean of numbers costs."""
    if found.mean is None or isinstance(found.mean.factor, Infinity):
        return ""
    return (
        f"the mean takes {times(found.mean.factor)} times as many people as without randomization"
    )

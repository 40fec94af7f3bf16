"""Claims about a record in parts, decided: its cost, and a part's where parts may depend.

    record:      the product of the parts' amplifications against e^bound
    dependence:  amplification_i e^(epsilon_d) against e^bound, for one part i or each

epsilon_d is the dependence among the parts that is given (0: independent). The first is the
record's amplification, and two records break it. The second is the least bound for all laws of the
parts with that dependence: where it is above the bound there is such a law of two parts with two
values each by which an output goes too far, and it is found here in rationals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from ppdm_formal.certify.finding import BoundWitness
from ppdm_formal.declare.arithmetic.exponential import Real
from ppdm_formal.declare.arithmetic.logarithm import e_to
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.parts import Parts, PartsClaim
from ppdm_formal.declare.operators.view import View

Shown: TypeAlias = Mapping[int, Sequence[View]]
"""The views of each part's operator on which a claim rests."""


@dataclass(frozen=True)
class TwoRecords:
    """All outputs together, and two records that differ in their likelihoods by a factor of value.

    extremes: of each part, where its output and the two values stand. value None: infinite.
    """

    extremes: tuple[BoundWitness, ...]
    value: Any


@dataclass(frozen=True)
class LawOfParts:
    """A law of a part (rows: the likely, the unlikely value) and another (columns), and an output.

    Of the likely value, the first column and the output take the belief from before to after.
    other: where the other part stands; None where one column is all there is.
    """

    part: int
    other: int | None
    extreme: BoundWitness
    law: tuple[tuple[Fraction, ...], ...]
    before: Fraction
    after: Any


Broken: TypeAlias = TwoRecords | LawOfParts


def breaking(
    parts: Parts, claim: PartsClaim, shown: Shown, deadline: Deadline
) -> tuple[Broken | None, str]:
    """What breaks the claim, or nothing; and a reason for either."""
    limit = e_to(claim.bound)
    extremes = {position: _extreme(views, deadline) for position, views in shown.items()}
    if claim.of == "record":
        value = _product([one.value for one in extremes.values()], deadline)
        reason = f"the record's amplification is {_said(value)}"
        held = value is not None and (value < limit if claim.relation == "<" else value <= limit)
        return None if held else TwoRecords(tuple(extremes.values()), value), reason
    reason = ""
    for position, extreme in extremes.items():
        name, other = parts.parts[position].name, parts.other(position)
        among = Fraction(1) if other is None else e_to(parts.shared)
        value = None if extreme.value is None else extreme.value * among
        reason = f"of {name} all outputs and other parts tell up to a factor of {_said(value)}"
        if value is None or value > limit:
            view = shown[position][extreme.view]
            return _law(position, other, extreme, view, among, limit, deadline), reason
    return None, reason if claim.part is not None else "every part keeps within the bound"


def _extreme(views: Sequence[View], deadline: Deadline) -> BoundWitness:
    """The output, the likely and the unlikely value of the greatest ratio."""
    found: BoundWitness | None = None
    for position, view in enumerate(views):
        deadline.check()
        if not view.reachable:
            continue
        value = view.amplification
        if found is None or (found.value is not None and (value is None or value > found.value)):
            found = BoundWitness(position, *view.extremes(), value)
    assert found is not None, "every operator reaches some output"
    return found


def _product(values: Sequence[Any], deadline: Deadline) -> Any:
    total: Any = Fraction(1)
    for value in values:
        deadline.check()
        if value is None:
            return None
        total = total * value
    return total


def _law(
    part: int,
    other: int | None,
    extreme: BoundWitness,
    view: View,
    among: Real,
    limit: Real,
    deadline: Deadline,
) -> LawOfParts:
    """A law that breaks the bound: rare values, the likely one c times as likely beside the other.

    P[likely] = P[column] = t, and P[likely | column] = c t. As t falls, P[likely | column, output]
    / t rises to c times the amplification, and all other ratios of the law go to 1.
    """
    likely, unlikely = (view.classes[i or 0].likelihood for i in (extreme.likely, extreme.unlikely))
    for c in _factors(among, extreme.value, limit):
        for digits in (2**k for k in range(1, 15)):
            deadline.check()
            t = Fraction(1, 10**digits)
            law = two_by_two(t, c)
            if not all(cell > 0 for row in law for cell in row):
                continue
            after = after_output(law, likely, unlikely)
            if after > limit * t and within(law, among):
                return LawOfParts(part, other if c > 1 else None, extreme, law, t, after)
    raise ArithmeticError("no law breaks what the least bound exceeds")


def _factors(among: Real, gain: Any, limit: Real) -> Iterator[Fraction]:
    """A rational c <= e^epsilon_d with c times the amplification above the limit."""
    if gain is None or gain > limit:
        yield Fraction(1)
    elif isinstance(among, Fraction):
        yield among
    else:
        for digits in (2**k for k in range(1, 12)):
            c = Fraction(math.floor(among * 10**digits), 10**digits)
            if c * gain > limit:
                yield c
                return


def two_by_two(t: Fraction, c: Fraction) -> tuple[tuple[Fraction, ...], ...]:
    """P[likely] = t, P[column] = t, P[likely | column] = c t; one column where c is 1."""
    if c == 1:
        return (t,), (1 - t,)
    first = t * c * t
    return (first, t - first), (t - first, 1 - 2 * t + first)


def after_output(law: Sequence[Sequence[Fraction]], likely: Real, unlikely: Real) -> Any:
    """P[likely | first column, output]."""
    seen = law[0][0] * likely
    return seen / (seen + law[1][0] * unlikely)


def within(law: Sequence[Sequence[Fraction]], among: Real) -> bool:
    """Whether rows and columns are epsilon_d-dependent: all P[a, b] / (P[a] P[b]) within it."""
    rows = [sum(row, Fraction(0)) for row in law]
    columns = [sum(column, Fraction(0)) for column in zip(*law, strict=True)]
    ratios = [
        cell / (rows[i] * columns[j]) for i, row in enumerate(law) for j, cell in enumerate(row)
    ]
    return all(ratio <= among and ratio * among >= 1 for ratio in ratios)


def _said(value: Any) -> str:
    return "infinite" if value is None else number_text(value)

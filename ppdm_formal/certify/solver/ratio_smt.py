"""Claims about ratios with free parameters as short questions to a solver.

A pair breaks the claim iff more L >= less l (or >), L being likely and l unlikely. Some pair does
iff a number lies between: n <= more L for some class, n >= less l for some class. None does iff
for each view a number lies between all of them, the other way round. Twice the classes instead of
all pairs: a solver answers for hundreds of classes at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from ppdm_formal.certify.region import Region
from ppdm_formal.certify.solver.parametric_smt import (
    Asker,
    all_of,
    any_of,
    polynomial_text,
    region_text,
    step_of,
)
from ppdm_formal.certify.violations import (
    MAX_ALTERNATIVES,
    TooManyAlternatives,
    possible_sides,
    weights,
)
from ppdm_formal.declare.arithmetic.constant_symbol import constants
from ppdm_formal.declare.arithmetic.exact import Exact, exact, is_symbolic, simplify, to_sympy
from ppdm_formal.declare.arithmetic.rational_function import Quotient, read, terms, write
from ppdm_formal.declare.arithmetic.signs import sign_over
from ppdm_formal.declare.claim import BreachClaim, Claim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.view import View

Weighed = tuple[Any, tuple[Any, ...]]
"""A class: what it weighs in the comparison, and what must be above 0 for it to count."""

Shown = list[tuple[str, list[str]]]
"""The same in the words of solvers."""


def ratio_questions(
    views: Sequence[View], claim: Claim, region: Region | None, asker: Asker
) -> list[str]:
    """Questions that are all unsat iff the claim holds in the region (or anywhere) alone."""
    sides = [side for view in views for side in _sides(view, claim, asker.deadline)]
    found = [part for side in sides for parts in side for part in parts]
    if len(found) > MAX_ALTERNATIVES:
        raise TooManyAlternatives("an operator with so many different likelihoods")
    asker.step = step_of(region, [value for weight, above in found for value in (weight, *above)])
    over = ">" if weights(claim)[2] else ">="
    shown = [_polynomials(side, asker) for side in sides]
    violated = any_of(
        [
            all_of([any_of(_counting(likely, over, "n")), any_of(_counting(unlikely, "<=", "n"))])
            for likely, unlikely in shown
        ]
    )
    if region is None:
        return [asker.text([violated], ["n"])]
    where = region_text(region, asker.step)
    asked = [asker.text([where, violated], ["n"])] if region.intervals else []
    if region.complete:
        return asked
    names = [f"n{place}" for place in range(len(shown))]
    none = [
        f"(not {one})"
        for name, (likely, unlikely) in zip(names, shown, strict=True)
        for one in (*_counting(likely, over, name), *_counting(unlikely, "<", name))
    ]
    return [*asked, asker.text([f"(not {where})", *none], names)]


def _counting(parts: Shown, sign: str, number: str) -> list[str]:
    """For each class: it counts, and what it weighs compares so with the number."""
    return [all_of([*above, f"({sign} {weight} {number})"]) for weight, above in parts]


def _sides(
    view: View, claim: Claim, deadline: Deadline
) -> list[tuple[list[Weighed], list[Weighed]]]:
    """The likely classes and the unlikely ones, for each direction of the claim."""
    more, less, _ = weights(claim)

    def part(place: int, factor: Exact, likely: bool) -> Weighed:
        deadline.check()
        own = view.classes[place]
        known = isinstance(claim, BreachClaim) and is_symbolic(own.known)
        above = (*([own.likelihood] if likely else []), *([own.known] if known else []))
        weight = to_sympy(simplify(to_sympy(factor) * to_sympy(own.likelihood**claim.reports)))
        return weight, tuple(map(to_sympy, above))

    return [
        (
            list(dict.fromkeys(part(place, more, True) for place in likely)),
            list(dict.fromkeys(part(place, less, False) for place in unlikely)),
        )
        for likely, unlikely in possible_sides(view, claim)
    ]


def _polynomials(side: tuple[list[Weighed], list[Weighed]], asker: Asker) -> tuple[Shown, Shown]:
    """All weights times their common denominator, squared where its sign is not known."""
    found = [*side[0], *side[1]]
    powers = {
        symbol: step
        for weight, above in found
        for value in (weight, *above)
        for symbol, step in constants(value).items()
    }
    symbols = (*(parameter.symbol for parameter in asker.parameters), *powers)
    common = reduce(_lcm, (read(weight, symbols).reduced().bottom for weight, _ in found))

    form = to_sympy(write(Quotient(common, common / common), symbols))
    sign = None if powers else sign_over(exact(form), asker.parameters)
    factor = sign or common

    def shown(polynomial: Any) -> str:
        return polynomial_text(terms(polynomial), symbols, powers, asker)

    def text(part: Weighed) -> tuple[str, list[str]]:
        asker.deadline.check()
        weight, *above = (read(value, symbols).reduced() for value in (part[0], *part[1]))
        scaled = weight.top * (common / weight.bottom) * factor
        return shown(scaled), [f"(> {shown(each.top * each.bottom)} 0.0)" for each in above]

    return [text(part) for part in side[0]], [text(part) for part in side[1]]


def _lcm(one: Any, two: Any) -> Any:
    return one * (two / one.gcd(two))

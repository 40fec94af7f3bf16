"""Claims that no case can test, with free parameters: derived, whatever the certificate says.

Beliefs beforehand depend on the prior and on what is known, not on likelihoods. Where neither has
a parameter, one value of the parameters speaks for all. Otherwise a case needs a value at which it
is one (the certificate's, or one of a grid); that there is none shows on boxes, by coefficients
(coefficients.py). Where neither is found, nothing is known, and that must be said.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from .canonical import canonical
from .certificate import Certificate
from .claim import BreachClaim
from .closed_form import Quotient, evaluate, multiplied
from .coefficients import Wrong, refuted, table
from .conditions import Condition, symbols_of
from .decision import is_vacuous
from .interval import grid, is_rational, outer
from .limits import ONE
from .reading import Fields, read_count
from .result import need
from .view import Described

MAX_BOXES = 400
"""How many boxes are looked at before nothing is known."""

Kinds = list[tuple[Quotient, Quotient, tuple[bool, ...], int]]
"""Inputs alike beforehand: prior, probability of what is known, properties, how many."""


def vacuous_anywhere(certificate: Certificate) -> bool | None:
    """Whether no case tests the claim, for any value of the parameters; None: not known."""
    claim, raw = certificate.claim, certificate.raw
    described = certificate.subject.described
    if not isinstance(claim, BreachClaim) or certificate.witness is not None:
        need(raw["tested"] is None, "a bound or a breach needs no case besides")
        return False  # a breach, which was replayed, is a case

    def tested(point: dict[str, Fraction]) -> bool:
        return not is_vacuous(certificate.subject.at(point), claim)

    intervals = described.parameters
    if raw["tested"] is not None:
        stated = Fields(raw["tested"], "tested", " ".join(intervals))
        point = {name: stated.number(name) for name in intervals}
        inside = all(interval.holds(point[name]) for name, interval in intervals.items())
        need(inside, "tested: the parameters are out of range")
        need(tested(point), "tested: no case tests the claim there")
        return False
    beforehand = read_beforehand(described)
    middle = {
        name: (outer(interval).low.low + outer(interval).high.low) / 2
        for name, interval in intervals.items()
    }
    if not any(depends(part) for kinds in beforehand for kind in kinds for part in kind[:2]):
        return not tested(middle)
    if claim.family is None and no_case(described, claim, beforehand):
        return True
    return False if any(map(tested, (middle, *grid(intervals)))) else None


def read_beforehand(described: Described) -> list[Kinds]:
    """For each z that may be known the inputs, as closed forms."""
    symbols = symbols_of(described)
    one = next(iter(symbols.values())).lifted(ONE)
    found: dict[Any, Kinds] = {}
    for raw in described.raw["views"]:
        known = canonical(raw.get("known"))
        if known not in found:
            found[known] = [
                (
                    one.lifted(evaluate(part.get("prior", "1"), symbols)),
                    one.lifted(evaluate(part.get("knowledge", "1"), symbols)),
                    tuple(part.get("member", ())),
                    read_count(part["count"]),
                )
                for part in raw["classes"]
            ]
    return list(found.values())


def depends(form: Quotient) -> bool:
    """Whether a closed form has a parameter in it."""
    return any(any(powers) for powers in (*form.top, *form.bottom))


def no_case(described: Described, claim: BreachClaim, beforehand: list[Kinds]) -> bool:
    """Whether boxes show that nothing is a case, whatever the parameters."""
    box = [outer(interval) for interval in described.parameters.values()]
    wrongs: list[Wrong] = []
    for kinds in beforehand:
        for case in cases_of_prior(kinds, claim) if claim.prior else cases_of_all(kinds, claim):
            # A quotient has the sign of the product of both; where its bottom is 0, that is 0.
            signs = [(multiplied(form.top, form.bottom), strict) for form, strict in case]
            if not all(is_rational([*polynomial.values()]) for polynomial, _ in signs):
                return False
            if not any(strict and not polynomial for polynomial, strict in signs):
                wrongs.append([(table(polynomial, box), strict) for polynomial, strict in signs])
    waiting = [(wrongs, tuple((part.low_in, part.high_in) for part in box), 0)]
    for _ in range(MAX_BOXES):
        if not waiting:
            return True
        all_wrongs, ends, depth = waiting.pop()
        left = [wrong for wrong in all_wrongs if not refuted(wrong, ends)]
        if not left:
            continue
        axis = depth % len(box)
        for upper, here in ((False, (ends[axis][0], True)), (True, (True, ends[axis][1]))):
            half = [[(part.halved(axis, upper), strict) for part, strict in w] for w in left]
            waiting.append((half, (*ends[:axis], here, *ends[axis + 1 :]), depth + 1))
    return False


def cases_of_all(kinds: Kinds, claim: BreachClaim) -> Iterator[list[Condition]]:
    """All priors: two inputs that are possible, one with the property and one without."""
    for _, known, _, count in kinds:
        if claim.about is None and count > 1:
            yield [(known, True)]
    for one, two in combinations(kinds, 2):
        if claim.about is None or one[2][claim.about] != two[2][claim.about]:
            yield [(one[1], True), (two[1], True)]


def cases_of_prior(kinds: Kinds, claim: BreachClaim) -> Iterator[list[Condition]]:
    """One prior: the claim's property, or one input (or all others), is small enough."""
    masses = [prior * known for prior, known, _, _ in kinds]
    total = added(n * mass for mass, (_, _, _, n) in zip(masses, kinds, strict=True))
    nothing = total.lifted(0)
    for direction in claim.directions:
        most = claim.rho1 if direction == "upward" else 1 - claim.rho2
        small = masses
        if claim.about is not None:
            wanted = direction == "upward"
            chosen = [
                n * mass
                for mass, (_, _, member, n) in zip(masses, kinds, strict=True)
                if member[claim.about] == wanted
            ]
            small = [added([nothing, *chosen])]
        for mass in small:
            yield [(mass, True), (total.combined(most, mass, -1), False)]


def added(forms: Any) -> Quotient:
    """The sum of closed forms, of which there are some."""
    first, *others = forms
    found: Quotient = sum(others, first)
    return found

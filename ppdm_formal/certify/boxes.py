"""Boxes: evidence that a claim holds for all values of several parameters.

What would be wrong is listed (a probability below 0, a class more likely than the one that stands
for it, a pair that violates the claim) and refuted on the whole range, or on its halves, and so on,
by the signs of coefficients in the Bernstein basis: docs/certificate.md says how it is replayed.
The polynomials are those of the replay, which cancels nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from ppdm_formal.certify.dominance import DominantClasses
from ppdm_formal.certify.loose import Loose
from ppdm_formal.certify.violations import chosen_counts, possible_sides, weights
from ppdm_formal.declare.arithmetic.bernstein import Coefficients, table
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.claim import BreachClaim, Claim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.view import View

MAX_BOXES = 3000
"""Evidence of more boxes is not looked for."""

MAX_DEPTH = 100
"""How often a box is halved at most."""

Condition = tuple[Loose, bool]
"""A closed form that is above 0 (where the flag is set), or at least 0."""

Wrong = tuple[tuple[Coefficients, bool], ...]
"""Something wrong, if all of this holds."""

Ends = tuple[tuple[bool, bool], ...]
"""Along each axis: whether the lower and the upper end belong to the box."""


def certified_on_boxes(
    views: Sequence[View],
    claim: Claim,
    parameters: Sequence[Parameter],
    standing: Sequence[DominantClasses],
    deadline: Deadline,
) -> dict[str, Any] | None:
    """The evidence, or None where it was not found."""
    symbols = tuple(parameter.symbol for parameter in parameters)
    columns = [[_Class(part, symbols) for part in view.classes] for view in views]
    cases = list(_not_probabilities(views, columns))
    if standing:
        cases += _not_covered(columns, standing)
        cases += _pairs(views, columns, claim, standing)
    else:
        assert isinstance(claim, BreachClaim)
        for view, column in zip(views, columns, strict=True):
            cases += _shifts(view, column, claim)
    wrongs = _tables(cases, parameters, deadline)
    if wrongs is None:
        return None
    ends = tuple((p.includes_lower, p.includes_upper) for p in parameters)
    try:
        boxes = _Search(deadline).split(wrongs, ends, 0)
    except _TooManyBoxes:
        return None
    return {
        "kind": "boxes",
        "above": [list(cover.above) for cover in standing],
        "below": [list(cover.below) for cover in standing],
        "boxes": boxes,
    }


class _Class:
    """A class of a view, its numbers as loose quotients."""

    def __init__(self, part: Any, symbols: tuple[Any, ...]) -> None:
        self.likelihood = Loose.of(part.likelihood, symbols)
        self.prior = Loose.of(1 if part.prior is None else part.prior, symbols)
        self.known = Loose.of(part.known, symbols)


def _not_probabilities(
    views: Sequence[View], columns: Sequence[Sequence[_Class]]
) -> Iterator[list[Condition]]:
    """A likelihood, prior or knowledge below 0 or above 1."""
    for view, column in zip(views, columns, strict=True):
        for part in column:
            for number in (part.likelihood, part.prior, part.known):
                yield [(number.plus(0, -1, 1), True)]
                if not (view.relative and number is part.likelihood):
                    yield [(number.plus(1, 1, -1), True)]


def _not_covered(
    columns: Sequence[Sequence[_Class]], standing: Sequence[DominantClasses]
) -> Iterator[list[Condition]]:
    """A class that is more likely than the one that stands for it, or less."""
    for column, cover in zip(columns, standing, strict=True):
        for place, part in enumerate(column):
            over, under = column[cover.above[place]], column[cover.below[place]]
            yield [(part.likelihood.plus(over.likelihood, 1, -1), True)]
            yield [(under.likelihood.plus(part.likelihood, 1, -1), True)]


def _pairs(
    views: Sequence[View],
    columns: Sequence[Sequence[_Class]],
    claim: Claim,
    standing: Sequence[DominantClasses],
) -> Iterator[list[Condition]]:
    """Two classes that stand for others and violate the claim, both taken for possible."""
    more, less, strict = weights(claim)
    for view, column, cover in zip(views, columns, standing, strict=True):
        for inside, outside in possible_sides(view, claim):
            likely = {cover.above[place] for place in inside}
            unlikely = {cover.below[place] for place in outside}
            for one, two in product(sorted(likely), sorted(unlikely)):
                seen, unseen = (column[i].likelihood.raised(claim.reports) for i in (one, two))
                beyond = seen.plus(unseen, more, -less)
                yield [(column[one].likelihood, True), (beyond, strict)]


def _shifts(view: View, column: Sequence[_Class], claim: BreachClaim) -> Iterator[list[Condition]]:
    """A property whose probability an output moves too far, under one prior."""
    held = [part.prior.by(part.known) for part in column]
    seen = [mass.by(part.likelihood) for mass, part in zip(held, column, strict=True)]
    counts = [part.count for part in view.classes]

    def total(chosen: Iterable[int], masses: Sequence[Loose]) -> Loose:
        found = masses[0].number(0)
        for n, mass in zip(chosen, masses, strict=True):
            found = found.plus(mass, 1, n) if n else found
        return found

    everything, output = total(counts, held), total(counts, seen)
    for chosen in chosen_counts(view, claim):
        before, after = total(chosen, held), total(chosen, seen)
        upward = (before, after, everything, output)
        downward = (after, before, output, everything)
        for direction, (low, high, of_low, of_high) in (("upward", upward), ("downward", downward)):
            if claim.direction in (direction, "both"):
                yield [
                    (output, True),
                    (of_low.plus(low, claim.rho1, -1), False),
                    (high.plus(of_high, 1, -claim.rho2), False),
                ]


def _tables(
    cases: Sequence[Sequence[Condition]], parameters: Sequence[Parameter], deadline: Deadline
) -> list[Wrong] | None:
    """Each case by the coefficients of its numerators; and denominators that are 0 somewhere."""
    box = [(p.lower, p.upper) for p in parameters]
    middle = [(p.lower + p.upper) / 2 for p in parameters]
    known: dict[Any, Coefficients | None] = {}
    wrongs: dict[Any, Wrong] = {}

    def coefficients(polynomial: Any, sign: int) -> Coefficients | None:
        deadline.check()
        terms = tuple((p, sign * Fraction(int(c.p), int(c.q))) for p, c in polynomial.terms())
        if terms not in known:
            known[terms] = table(terms, box)
        return known[terms]

    def add(wrong: Sequence[tuple[Coefficients | None, bool]]) -> bool:
        parts = tuple((part, strict) for part, strict in wrong if part is not None)
        wrongs[tuple((id(part), strict) for part, strict in parts)] = parts
        return len(parts) == len(wrong)

    for case in cases:
        found = []
        for form, strict in case:
            sign = form.bottom_sign(middle)
            if not form.bottom.is_constant() and not add(
                [(coefficients(form.bottom, -sign), False)]
            ):
                return None
            found.append((form.top, sign, strict))
        if any(strict and not top for top, _, strict in found):
            continue  # 0 is not above 0
        if not add([(coefficients(top, sign), strict) for top, sign, strict in found]):
            return None
    return list(wrongs.values())


class _TooManyBoxes(Exception):
    """The search goes on for too long."""


class _Search:
    """Halves boxes until nothing that would be wrong is left."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline, self.boxes = deadline, 0

    def split(self, wrongs: Sequence[Wrong], ends: Ends, depth: int) -> Any:
        """The tree of boxes: null where all is refuted at once."""
        self.deadline.check()
        self.boxes += 1
        left = [wrong for wrong in wrongs if not _refuted(wrong, ends)]
        if not left:
            return None
        axis = self._axis(left, depth)
        if axis is None or self.boxes > MAX_BOXES or depth >= MAX_DEPTH:
            raise _TooManyBoxes
        low, high = ends[axis]
        halves = []
        for upper, own in ((False, (low, True)), (True, (True, high))):
            half = [tuple((t.halved(axis, upper), s) for t, s in wrong) for wrong in left]
            halves.append(self.split(half, (*ends[:axis], own, *ends[axis + 1 :]), depth + 1))
        return {"axis": axis, "below": halves[0], "above": halves[1]}

    @staticmethod
    def _axis(left: Sequence[Wrong], depth: int) -> int | None:
        """The axes take turns, those on which nothing depends left out."""
        sizes = [max(column) for column in zip(*(t.shape for w in left for t, _ in w), strict=True)]
        turns = [axis for axis, size in enumerate(sizes) if size > 1]
        return turns[depth % len(turns)] if turns else None


def _refuted(wrong: Wrong, ends: Ends) -> bool:
    """Whether on each face of the box, without its own border, one condition fails."""
    if any(max(part.values) < (1 if strict else 0) for part, strict in wrong):
        return True
    axes = [[None, *([0] * low), *([-1] * high)] for low, high in ends]
    return all(
        any(_fails(part.face(face), strict) for part, strict in wrong) for face in product(*axes)
    )


def _fails(values: list[int], strict: bool) -> bool:
    return max(values) <= 0 and (strict or min(values) < 0)

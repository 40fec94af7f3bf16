"""What a claim says of views: before and after, thresholds, and claims that no case can test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .claim import BreachClaim, Claim
from .limits import ONE, ZERO
from .result import need
from .spelling import spell
from .view import View
from .views import kinds_of


def shift(view: View, inside: Sequence[Fraction], everywhere: Sequence[Fraction]) -> Any:
    """(P[Q | z], P[Q | y, z]) from the masses by class of Q and of all; None if not reached."""
    sums = [ZERO, ZERO, ZERO, ZERO]
    for part, own, mass in zip(view.classes, inside, everywhere, strict=True):
        sums[0] += part.knowledge * own
        sums[1] += part.knowledge * mass
        sums[2] += part.seen * own
        sums[3] += part.seen * mass
    if sums[3] == 0:
        return None
    return sums[0] / sums[1], sums[2] / sums[3]


@dataclass(frozen=True)
class Limits:
    """Between which numbers the two thresholds lie, before they are clipped."""

    above_low: Fraction
    above_high: Fraction
    below_low: Fraction
    below_high: Fraction


@dataclass(frozen=True)
class Decision:
    """Whether the claim is broken, and its thresholds where they are decided.

    partly: broken for some values of a free parameter, and not for others. clients_from: of a
    crowd, from how many clients on the claim holds.
    """

    breached: bool
    limits: Limits | None = None
    partly: bool = False
    clients_from: int | None = None

    @property
    def verdict(self) -> str:
        """As a certificate says it."""
        return ("partly" if self.partly else "breached") if self.breached else "certified"


def decided(
    above: list[tuple[Any, Any]], below: list[tuple[Any, Any]], claim: BreachClaim
) -> Decision:
    """The verdict and the thresholds from enclosures of the maxima."""
    least, most = max(low for low, _ in above), max(high for _, high in above)
    need(most < claim.rho2 or least >= claim.rho2, "the bounds leave the claim open")
    below_high, below_low = 1 - max(low for low, _ in below), 1 - max(high for _, high in below)
    return Decision(least >= claim.rho2, Limits(least, most, below_low, below_high))


def thresholds_json(decision: Decision, claim: Claim) -> Any:
    """The thresholds as they must be written, clipped to what rho1 and rho2 allow."""
    limits = decision.limits
    if decision.clients_from is not None:
        return {"clients_from": decision.clients_from}
    if limits is None or not isinstance(claim, BreachClaim):
        return None
    above = [min(max(end, claim.rho1), ONE) for end in (limits.above_low, limits.above_high)]
    below = [max(min(end, claim.rho2), ZERO) for end in (limits.below_low, limits.below_high)]
    return {
        "rho2_above": threshold_json(above[0], above[1], ONE),
        "rho1_below": threshold_json(below[0], below[1], ZERO),
    }


def threshold_json(low: Fraction, high: Fraction, nothing: Fraction) -> Any:
    """A number, an enclosure, or null where the claim holds for none."""
    if low < high:
        return {"lo": spell(low), "hi": spell(high)}
    return None if low == nothing else spell(low)


def is_vacuous(views: list[View], claim: Claim) -> bool:
    """Whether no case can test the claim.

    A case: an admitted prior, a known z and a property that the claim speaks of, with
    0 < P[Q | z] <= rho1 (upward), or with rho2 <= P[Q | z] < 1 (downward).
    """
    if not isinstance(claim, BreachClaim):
        return False
    one_view_each = {view.known: view for view in views}.values()
    testable = tests_prior if claim.prior is not None else tests_family
    return not any(testable(view, claim) for view in one_view_each)


def tests_prior(view: View, claim: BreachClaim) -> bool:
    """One prior: the mass of the claim's property, or (any property) the least of an input."""
    total = view.mass_of(lambda part: part.prior * part.knowledge)
    if total == 0:
        return False
    if claim.about is not None:
        own = view.mass_of(lambda part: part.prior * part.knowledge * part.member[claim.about or 0])
        upward, downward = own / total, 1 - own / total
    else:  # a property of small mass holds an input of small mass; downward its complement does
        masses = [part.prior * part.knowledge / total for part in view.classes]
        upward = downward = min(mass for mass in masses if mass)
    return ("upward" in claim.directions and 0 < upward <= claim.rho1) or (
        "downward" in claim.directions and 0 < downward <= 1 - claim.rho2
    )


def tests_family(view: View, claim: BreachClaim) -> bool:
    """A family of priors, or all: is there one with such a mass? Linear rows in masses by kind."""
    kinds = list(kinds_of(view).items())
    known = [kind[2] for kind, _ in kinds]
    rows: list[Row] = [Row([ONE] * len(kinds), True)]
    for constraint in claim.family or ():
        # The masses sum to 1, so the bound may be written as bound * (their sum).
        slack = [constraint.factor(kind[0]) - constraint.bound for kind, _ in kinds]
        if "<" not in constraint.relation:
            rows.append(Row(slack, constraint.relation == ">"))
        if ">" not in constraint.relation:
            rows.append(Row([-s for s in slack], constraint.relation == "<"))
    for direction in claim.directions:
        most = claim.rho1 if direction == "upward" else 1 - claim.rho2
        for small, splits in small_sets(claim, direction, kinds):
            mass = [k * inside for k, inside in zip(known, small, strict=True)]
            room = [most * k - m for k, m in zip(known, mass, strict=True)]
            # Among two inputs or more, mass on the kind can be moved away from one of them.
            limit = [] if splits else [Row(room, False)]
            if satisfiable([*rows, Row(mass, True), *limit]):
                return True
    return False


def small_sets(
    claim: BreachClaim, direction: str, kinds: list[Any]
) -> Iterator[tuple[list[bool], bool]]:
    """The sets whose mass must be small, by kind; and whether it can be made as small as liked."""
    if claim.about is not None:
        inside = direction == "upward"
        yield [kind[0][claim.about] == inside for kind, _ in kinds], False
        return
    for place, (_, count) in enumerate(kinds):
        yield [other == place for other in range(len(kinds))], count > 1


@dataclass(frozen=True)
class Row:
    """sum of coefficient * x is at least 0, or above 0 if strict."""

    coefficients: Sequence[Fraction]
    strict: bool


def satisfiable(rows: Sequence[Row]) -> bool:
    """Whether some x >= 0 satisfies all rows: the simplex method in Fractions, Bland's rule.

    Rows have no constants, so that x may be scaled: "above 0" may be read as "at least 1".
    A row is kept as: basic variable + sum of entries * (other variables) = right side >= 0.
    """
    width = len(rows[0].coefficients)
    free = width + len(rows)  # variables: x, then what each row exceeds its bound by
    table: list[list[Fraction]] = []
    basis: list[int] = []
    for place, row in enumerate(rows):
        sign = 1 if row.strict else -1
        entries = [sign * c for c in row.coefficients] + [ZERO] * len(rows)
        entries[width + place] = Fraction(-sign)
        table.append([*entries, Fraction(row.strict)])
        basis.append(free + place if row.strict else width + place)
    while True:  # drive the artificial variables (those from `free` on) to 0
        lacking = [line for line, variable in zip(table, basis, strict=True) if variable >= free]
        if sum(line[-1] for line in lacking) == 0:
            return True
        enter = next((j for j in range(free) if sum(line[j] for line in lacking) > 0), None)
        if enter is None:
            return False
        leave = min(
            (i for i in range(len(table)) if table[i][enter] > 0),
            key=lambda i: (table[i][-1] / table[i][enter], basis[i]),
        )
        scale = table[leave][enter]
        table[leave] = [entry / scale for entry in table[leave]]
        for i, line in enumerate(table):
            if i != leave and line[enter]:
                table[i] = [a - line[enter] * b for a, b in zip(line, table[leave], strict=True)]
        basis[leave] = enter

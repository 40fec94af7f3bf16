"""The worst column that a rounded matrix may have, for each kind of claim.

For one prior and one property the worst column has every input of the property at its most and
every other at its least (downward: reversed). What is left is which prior and property:

    all priors, amplification   two inputs, the greatest `most` against the least `least`
    one prior, every property   a knapsack: before at most rho1, and
                                sum_Q h ((1 - rho2) most + rho2 least) >= rho2 sum_all h least
    a family of priors          the rows of family.py, with `most` inside and `least` outside

h is P[x, z]; downward is upward for the complement, from 1 - rho2 to 1 - rho1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.family import TooManyCases, ViewSearch, some_prior
from ppdm_formal.certify.knapsack import Amounts, Effort, Knapsack, maximize
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.prior import Prior, PriorFamily
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import InputClass, View
from ppdm_formal.declare.operators.within import Cell, Within
from ppdm_formal.derive.measures.discovery import measure_named

ZERO = Fraction(0)
_HALVINGS = 40


@dataclass(frozen=True)
class ExtremeColumn:
    """Cells of one column that breach; pair: two cells that do so in every matrix."""

    cells: Mapping[Cell, Fraction]
    pair: Mapping[str, Any] | None = None


def undecided_kind(operator: Operator, claim: Claim) -> str:
    """Why claims of this kind are not decided for rounded matrices; nothing where they are."""
    if isinstance(claim, BoundClaim) and not measure_named(claim.measure).of_ratios:
        name = claim.measure.replace("_", " ")
        return f"bounds on {name} are not decided for all matrices within rounding: normalize them"
    if claim.by_counts:
        return (
            "several reports of a rounded matrix are decided for all priors only: normalize it, "
            "or leave out the prior"
        )
    knowing = claim.knowing if isinstance(claim, BreachClaim) else None
    if knowing is not None and knowing.parameters:
        return f"{knowing.name} is not known exactly"
    numbers = [] if knowing is None else list(knowing.law.values())
    if isinstance(claim, BreachClaim) and isinstance(claim.under, Prior):
        numbers += claim.under.palette
    if claim.parameters(operator):
        return "a prior with a free parameter is not combined with a rounded matrix: --set it"
    if not all(isinstance(number, Fraction) for number in numbers):
        return "beside a rounded matrix priors and background knowledge are rational numbers"
    return ""


def extreme_breach(
    operator: Operator, within: Within, claim: Claim, deadline: Deadline
) -> ExtremeColumn | Mapping[str, Any] | str:
    """A column that breaches; or what shows that there is none; or why that was not found out."""
    if isinstance(claim, BoundClaim) or claim.under is None:
        return _by_ratio(operator, within, claim)
    if isinstance(claim.under, PriorFamily):
        return _by_family(operator, within, claim, deadline)
    if claim.about is not None:
        return _by_sums(operator, within, claim)
    return _by_knapsack(operator, within, claim, deadline)


def directions(claim: BreachClaim) -> Iterator[str]:
    """The directions that a claim forbids."""
    for direction in ("upward", "downward"):
        if claim.direction in ("both", direction):
            yield direction


def knowns(operator: Operator, claim: Claim) -> list[tuple[int | None, list[Fraction]]]:
    """Each known z by its position with P[z | x] of every input; one sure z without knowledge."""
    if isinstance(claim, BoundClaim) or claim.knowing is None:
        return [(None, [Fraction(1)] * operator.inputs.size)]
    knowing = claim.knowing
    return [
        (place, [Fraction(knowing.probability(x, z)) for x in operator.inputs])
        for place, z in enumerate(knowing.outputs)
    ]


# -- two inputs


def _by_ratio(
    operator: Operator, within: Within, claim: Claim
) -> ExtremeColumn | Mapping[str, Any] | str:
    if isinstance(claim, BoundClaim) and _breaks(claim, Fraction(1), Fraction(1)):
        return "no operator keeps this bound: equal inputs have the ratio 1"
    members = None
    ways: list[str | None] = [None]
    if isinstance(claim, BreachClaim):
        ways = list(directions(claim))
        if claim.about is not None:
            members = [x in claim.properties[0] for x in operator.inputs]
    possible: ExtremeColumn | None = None
    for place, known in knowns(operator, claim):
        allowed = [row for row, chance in enumerate(known) if chance > 0]
        for way in ways:
            inner = way != "downward"
            inside = [r for r in allowed if members is None or members[r] == inner]
            outside = [r for r in allowed if members is None or members[r] != inner]
            for column in range(within.shape[1]):
                high = [within.most[row][column] for row in range(within.shape[0])]
                low = [within.least[row][column] for row in range(within.shape[0])]
                sure = _furthest(inside, outside, low, high)
                if sure is not None and _breaks(claim, low[sure[0]], high[sure[1]]):
                    pair: dict[str, Any] = {
                        "column": column,
                        "likely": sure[0],
                        "unlikely": sure[1],
                    }
                    pair |= {} if way is None else {"direction": way}
                    pair |= {} if place is None else {"known": place}
                    return ExtremeColumn(_two(sure, column, high, low), pair)
                worst = _furthest(inside, outside, high, low)
                if possible is not None or worst is None:
                    continue
                if _breaks(claim, high[worst[0]], low[worst[1]]):
                    possible = ExtremeColumn(_two(worst, column, high, low))
    return {} if possible is None else possible


def _two(
    rows: tuple[int, int], column: int, high: Sequence[Fraction], low: Sequence[Fraction]
) -> dict[Cell, Fraction]:
    return {(rows[0], column): high[rows[0]], (rows[1], column): low[rows[1]]}


def _furthest(
    inside: Sequence[int], outside: Sequence[int], top: Sequence[Fraction], low: Sequence[Fraction]
) -> tuple[int, int] | None:
    """Two different inputs with the greatest top / low; None where there are none."""
    best: tuple[int, int] | None = None
    firsts = sorted(inside, key=lambda row: -top[row])[:2]
    seconds = sorted(outside, key=lambda row: low[row])[:2]
    for one in firsts:
        for two in seconds:
            if one != two and (
                best is None
                or top[one] * low[best[1]] > top[best[0]] * low[two]
                or (top[one] > 0 == low[two] and low[best[1]] > 0)
            ):
                best = one, two
    return best


def _breaks(claim: Claim, likely: Fraction, unlikely: Fraction) -> bool:
    """Whether an output with these two likelihoods breaks the claim."""
    if likely == 0:
        return False
    many = claim.reports
    if isinstance(claim, BreachClaim):
        rho1, rho2 = claim.rho1, claim.rho2
        return rho1 * (1 - rho2) * likely**many >= rho2 * (1 - rho1) * unlikely**many
    if unlikely == 0:
        return True
    ratio = likely / unlikely
    within = ratio**many < claim.limit if claim.relation == "<" else ratio**many <= claim.limit
    return not within


def ratio_limits(claim: Claim) -> tuple[Fraction, Fraction]:
    """Two ratios close to each other: the first keeps the claim, the second breaks it."""
    low, high = Fraction(1), Fraction(2)
    while not _breaks(claim, high, Fraction(1)):
        low, high = high, high * 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _breaks(claim, middle, Fraction(1)) else (middle, high)
    return low, high


# -- one prior


def _held(operator: Operator, claim: BreachClaim, known: Sequence[Fraction]) -> list[Fraction]:
    assert isinstance(claim.under, Prior)
    prior = claim.under
    return [
        Fraction(prior.probability(x)) * chance
        for x, chance in zip(operator.inputs, known, strict=True)
    ]


def _by_sums(
    operator: Operator, within: Within, claim: BreachClaim
) -> ExtremeColumn | Mapping[str, Any]:
    assert claim.about is not None
    members = [x in claim.properties[0] for x in operator.inputs]
    for _, known in knowns(operator, claim):
        held = _held(operator, claim, known)
        for direction in directions(claim):
            rho1, rho2 = _upward(claim, direction)
            inner = direction == "upward"
            inside = [row for row, member in enumerate(members) if member == inner]
            before = sum((held[row] for row in inside), ZERO)
            if not before or before > rho1 * sum(held, ZERO):
                continue
            for column in range(within.shape[1]):
                if _passes(within, column, held, inside, rho2):
                    return ExtremeColumn(_column(within, column, held, inside))
    return {}


def _upward(claim: BreachClaim, direction: str) -> tuple[Fraction, Fraction]:
    """The two numbers of the upward breach (of the complement, where the breach is downward)."""
    if direction == "upward":
        return claim.rho1, claim.rho2
    return 1 - claim.rho2, 1 - claim.rho1


def _passes(
    within: Within,
    column: int,
    held: Sequence[Fraction],
    inside: Sequence[int],
    rho2: Fraction,
) -> bool:
    """Whether the inputs inside, at their most, reach rho2 with the others at their least."""
    chosen = set(inside)
    up = sum((held[row] * within.most[row][column] for row in inside), ZERO)
    rest = sum(
        (h * within.least[row][column] for row, h in enumerate(held) if row not in chosen), ZERO
    )
    return up > 0 and (1 - rho2) * up >= rho2 * rest


def _column(
    within: Within, column: int, held: Sequence[Fraction], inside: Sequence[int]
) -> dict[Cell, Fraction]:
    return {
        (row, column): (within.most if row in inside else within.least)[row][column]
        for row, mass in enumerate(held)
        if mass
    }


def _by_knapsack(
    operator: Operator, within: Within, claim: BreachClaim, deadline: Deadline
) -> ExtremeColumn | Mapping[str, Any] | str:
    evidence: dict[str, Any] = {}
    for _, known in knowns(operator, claim):
        held = _held(operator, claim, known)
        for direction in directions(claim):
            rho1, rho2 = _upward(claim, direction)
            trees = evidence.setdefault(direction, [])
            for column in range(within.shape[1]):
                found = _packed(within, column, held, rho1, rho2, deadline)
                if isinstance(found, ExtremeColumn | str):
                    return found
                trees.append(found[0])
    return evidence


def _packed(
    within: Within,
    column: int,
    held: Sequence[Fraction],
    rho1: Fraction,
    rho2: Fraction,
    deadline: Deadline,
) -> ExtremeColumn | tuple[Any] | str:
    """A property that breaches, or the tree that shows that there is none (None: no case)."""
    worths = [
        h * ((1 - rho2) * within.most[row][column] + rho2 * within.least[row][column])
        for row, h in enumerate(held)
    ]
    if not any(worths):
        return (None,)
    needed = rho2 * sum((h * within.least[row][column] for row, h in enumerate(held)), ZERO)
    target = needed / sum(worths, ZERO)
    problem = Knapsack(_shares(worths), _shares(held), (1,) * len(held), rho1)
    found = maximize([problem], Effort(target, deadline=deadline))
    inside = [row for row, chosen in enumerate(found.chosen) if chosen]
    if found.at_least >= target and found.at_least > 0:
        assert _passes(within, column, held, inside, rho2)
        return ExtremeColumn(_column(within, column, held, inside))
    if found.at_most < target or found.at_most == 0:
        return (found.trees[0],)
    return "branch and bound ran out on the worst property of a rounded matrix"


def _shares(amounts: Sequence[Fraction]) -> Amounts:
    """Amounts that sum to 1."""
    whole = Amounts.of(amounts)
    return replace(whole, unit=Fraction(1, sum(whole.multiples)))


# -- a family of priors


class _RoundedSearch(ViewSearch):
    """The rows of a breach with every input inside at its most, and outside at its least."""

    def __init__(
        self,
        view: View,
        claim: BreachClaim,
        upward: bool,
        deadline: Deadline,
        ends: Sequence[tuple[Fraction, Fraction]],
    ) -> None:
        super().__init__(view, claim, upward, deadline)
        self.ends = ends

    def likelihood(self, index: int, inside: bool) -> Fraction:
        """At the end that makes the breach greatest."""
        return self.ends[index][1 if inside else 0]


def row_view(operator: Operator, claim: BreachClaim, known: Sequence[Fraction], z: Any) -> View:
    """A view with a class for every input, since no two need be alike."""
    classes = tuple(
        InputClass(
            ZERO,
            1,
            x,
            None,
            tuple(x in property for property in claim.properties),
            None if claim.knowing is None else chance,
        )
        for x, chance in zip(operator.inputs, known, strict=True)
    )
    return View(classes, 1, operator.outputs[0], z)


def _by_family(
    operator: Operator, within: Within, claim: BreachClaim, deadline: Deadline
) -> ExtremeColumn | Mapping[str, Any] | str:
    evidence: dict[str, Any] = {}
    for place, known in knowns(operator, claim):
        view = row_view(operator, claim, known, place)
        if "prior" not in evidence:
            evidence["prior"] = [number_text(mass) for mass in some_prior(view, claim)]
        for direction in directions(claim):
            trees = evidence.setdefault(direction, [])
            for column in range(within.shape[1]):
                ends = [
                    (within.least[row][column], within.most[row][column])
                    for row in range(within.shape[0])
                ]
                search = _RoundedSearch(view, claim, direction == "upward", deadline, ends)
                try:
                    tree = search.run(search.columns())
                except TooManyCases:
                    return "too many cases of single inputs for exact linear programming"
                if isinstance(tree, dict) and "solution" in tree:
                    return ExtremeColumn(
                        {
                            (row, column): ends[row][1 if inside else 0]
                            for row, inside in tree["solution"]
                        }
                    )
                trees.append(tree)
    return evidence

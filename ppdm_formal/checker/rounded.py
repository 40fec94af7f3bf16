"""Rounded matrices, and evidence "rounded": all matrices between two, whose rows sum to 1."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from .canonical import canonical
from .certificate import Certificate, Evidence, Subject
from .claim import LOG_RATIO, BoundClaim, BreachClaim, Claim
from .decision import Decision, is_vacuous
from .farkas import admitted, breach_system, refute
from .formula import formula
from .knapsack import Knapsack, whole_shares
from .likelihood_ratio import keeps_amplification
from .limits import ONE, ZERO
from .reading import Fields, read_list, read_position, read_rational
from .reports import to_power
from .result import need
from .view import InputClass, View, read_class


@dataclass(frozen=True)
class Rounded(Subject):
    """An interval for every entry, and for each known z (one without knowledge) what inputs are.

    least and most are by row; outputs are the columns, as they are written.
    """

    kind = "rounded"
    name: str
    claim: Claim
    inputs: dict[int | None, tuple[InputClass, ...]]
    least: tuple[tuple[Fraction, ...], ...]
    most: tuple[tuple[Fraction, ...], ...]
    outputs: tuple[Any, ...]

    @classmethod
    def read(cls, raw: Any, claim: Claim) -> Rounded:
        """The intervals; every row must allow a distribution."""
        claim.given({})  # an epsilon that is a parameter's needs that parameter
        return read_rounded(raw, claim)

    def replay(self, certificate: Certificate) -> None:
        """The output of the evidence: of its pair, or of its first cut."""
        evidence = certificate.evidence
        place = (evidence["pair"] if "pair" in evidence else evidence["cuts"][0])["column"]
        shown = {"column": place, "output": self.outputs[place]}
        need(canonical(certificate.witness) == canonical(shown), f"the witness is not {shown}")

    def vacuous(self, certificate: Certificate) -> bool:
        """By what is known beforehand, whatever the matrix."""
        views = [self.column(known, 0) for known in self.inputs]
        views = [replace(view, known=str(place).encode()) for place, view in enumerate(views)]
        return is_vacuous(views, self.claim)

    def column(self, known: int | None, place: int) -> View:
        """An output, with every input a class of its own and its likelihood an interval."""
        ends = [(low[place], high[place]) for low, high in zip(self.least, self.most, strict=True)]
        parts = zip(self.inputs[known], ends, strict=True)
        classes = tuple(replace(part, likelihood=low, most=high) for part, (low, high) in parts)
        return View(classes, 1, canonical(self.outputs[place]), b"")

    def lowest(self, costs: Mapping[tuple[int, int], Fraction]) -> Fraction:
        """The least sum of cost * entry over all matrices: each row spends the cheapest first."""
        total = ZERO
        for row, (low, high) in enumerate(zip(self.least, self.most, strict=True)):
            own = [costs.get((row, column), ZERO) for column in range(len(low))]
            left = 1 - sum(low)
            for column in sorted(range(len(low)), key=own.__getitem__):
                step = min(left, high[column] - low[column])
                total += own[column] * (low[column] + step)
                left -= step
        return total


def read_rounded(block: Any, claim: Claim) -> Rounded:
    """The intervals; every row must allow a distribution."""
    fields = Fields(block, "operator", "kind name inputs outputs columns rows", "known")
    columns = fields.list("columns", fields.count("outputs"))
    rows = fields.list("rows", fields.count("inputs"))
    need(columns and rows, "an empty matrix")
    need(len(set(map(canonical, columns))) == len(columns), "an output twice")
    known: list[Any] = [None]
    need(("known" in block) == (claim.knowing is not None), "known is there or not by claim")
    if claim.knowing is not None:
        known = read_list(block["known"])
        need(len(set(map(canonical, known))) == len(known) > 0, "what is known twice, or never")
    inputs: dict[int | None, list[InputClass]] = {}
    least, most = [], []
    for entry in rows:
        need(type(entry) is dict, "a row is not an object")
        ends = [read_list(entry.get(key), len(columns)) for key in ("least", "most")]
        low, high = (tuple(read_rational(number) for number in numbers) for numbers in ends)
        good = all(0 <= a <= b <= 1 for a, b in zip(low, high, strict=True))
        need(good and sum(low) <= 1 <= sum(high), "a row that no distribution can be")
        least.append(low)
        most.append(high)
        rest = {k: v for k, v in entry.items() if k not in ("least", "most", "knowledge")}
        chances: list[Any] = [None]
        if claim.knowing is not None:
            chances = read_list(entry.get("knowledge"), len(known))
            good = sum(map(read_rational, chances)) == 1
            need(good, "probabilities of what is known do not sum to 1")
        for place, chance in enumerate(chances):
            whole = {**rest, "likelihood": "0", "count": 1}
            whole |= {} if chance is None else {"knowledge": chance}
            part = read_class(whole, "rows", claim, read_rational)
            inputs.setdefault(None if chance is None else place, []).append(part)
    parts = {place: tuple(row) for place, row in inputs.items()}
    for row in parts.values():
        need(len({part.example for part in row}) == len(row), "an input twice")
        good = claim.prior is None or sum(part.prior for part in row) == 1
        need(good, "the prior does not sum to 1")
    found = tuple(least), tuple(most), tuple(columns)
    return Rounded(fields.text("name"), claim, parts, *found)


def pair_breaks(claim: Claim, likely: Fraction, unlikely: Fraction) -> bool:
    """Whether an output breaks the claim under all priors that has these likelihoods of inputs."""
    if likely == 0 or (isinstance(claim, BoundClaim) and likely <= unlikely):
        return False  # that equal likelihoods keep a bound is checked apart
    classes = [InputClass(p, 1, (), ONE, ONE, b"") for p in (likely, unlikely)]
    view = View(tuple(classes), 1, b"", b"")
    if claim.reports > 1:
        view = to_power(view, claim.reports)
    most, least = (part.likelihood for part in view.classes)
    if isinstance(claim, BreachClaim):
        rho1, rho2 = claim.rho1, claim.rho2
        return bool(rho1 * (1 - rho2) * most >= rho2 * (1 - rho1) * least)
    if claim.formula is None:
        return not keeps_amplification(view, claim)
    return unlikely == 0 or formula([view], claim, None).breached


def ratio_sides(
    parts: Sequence[InputClass], claim: Claim, direction: str
) -> tuple[list[int], list[int]]:
    """Which inputs may lie inside the property, and which outside."""
    allowed = [row for row, part in enumerate(parts) if part.knowledge > 0]
    about = claim.about if isinstance(claim, BreachClaim) else None
    if about is None:
        return allowed, allowed
    upward = direction == "upward"
    inside = [row for row in allowed if parts[row].member[about] == upward]
    return inside, [row for row in allowed if parts[row].member[about] != upward]


def all_priors(claim: Claim) -> bool:
    """Whether ratios of likelihoods decide the claim."""
    if isinstance(claim, BreachClaim):
        return claim.prior is None and claim.family is None
    need(claim.of_ratio or claim.formula == LOG_RATIO, "not decided by ratios")
    one = claim.allows(0 if claim.formula else 1, claim.bound)
    need(one, "a bound that equal likelihoods break")
    return True


def no_matrix_breaks(matrix: Rounded, claim: Claim, evidence: Any) -> None:
    """Every output with the likelihoods that make the breach greatest."""
    directions = claim.directions if isinstance(claim, BreachClaim) else ("upward",)
    places = list(product(matrix.inputs, directions, range(len(matrix.outputs))))
    if all_priors(claim):
        Fields(evidence, "evidence", "kind")
        for known, direction, column in places:
            view = matrix.column(known, column)
            inside, outside = ratio_sides(view.classes, claim, direction)
            ranked = sorted(outside, key=lambda row: view.classes[row].likelihood)
            for row in inside:
                other = next((k for k in ranked if k != row), None)
                most = view.classes[row].most or ZERO
                if other is not None:
                    broken = pair_breaks(claim, most, view.classes[other].likelihood)
                    need(not broken, "some matrix within the rounding breaks the claim")
        return
    assert isinstance(claim, BreachClaim)
    if claim.family is not None:
        fields = Fields(evidence, "evidence", "kind prior " + " ".join(claim.directions))
        view = matrix.column(next(iter(matrix.inputs)), 0)
        prior = [read_rational(mass) for mass in fields.list("prior", len(view.classes))]
        need(admitted(view, prior, claim), "evidence.prior is not of the family")
    elif claim.about is None:
        fields = Fields(evidence, "evidence", "kind " + " ".join(claim.directions))
    else:
        fields = Fields(evidence, "evidence", "kind")
    width = len(matrix.outputs)
    for direction in claim.directions:
        trees = [None] * (len(matrix.inputs) * width)
        if direction in fields.raw:
            trees = fields.list(direction, len(trees))
        for place, known in enumerate(matrix.inputs):
            for column in range(width):
                view = matrix.column(known, column)
                tree = trees[place * width + column]
                if claim.family is not None:
                    refute(tree, view, breach_system(view, claim, direction))
                else:
                    no_property_breaks(view, claim, direction, tree)


def no_property_breaks(view: View, claim: BreachClaim, direction: str, tree: Any) -> None:
    """One prior: the claim's property, or every property by a branch tree."""
    # Downward is upward for the complement, from 1 - rho2 to 1 - rho1.
    upward = direction == "upward"
    rho1, rho2 = (claim.rho1, claim.rho2) if upward else (1 - claim.rho2, 1 - claim.rho1)
    held = [part.prior * part.knowledge for part in view.classes]
    tops = [h * (part.most or ZERO) for h, part in zip(held, view.classes, strict=True)]
    lows = [h * part.likelihood for h, part in zip(held, view.classes, strict=True)]
    if claim.about is not None:
        rows = range(len(held))
        inside = [row for row in rows if view.classes[row].member[claim.about] == upward]
        top = sum((tops[row] for row in inside), ZERO)
        rest = sum(lows, ZERO) - sum((lows[row] for row in inside), ZERO)
        before = sum((held[row] for row in inside), ZERO)
        broken = top > 0 and before <= rho1 * sum(held) and (1 - rho2) * top >= rho2 * rest
        need(not broken, "some matrix within the rounding breaks the claim")
        return
    worths = [(1 - rho2) * top + rho2 * low for top, low in zip(tops, lows, strict=True)]
    need((tree is None) == (not any(worths)), "a tree is null iff its output is never seen")
    if tree is None:
        return
    by_place = {id(part): place for place, part in enumerate(view.classes)}
    sack = Knapsack(
        view,
        whole_shares(view, lambda part: held[by_place[id(part)]]),
        whole_shares(view, lambda part: worths[by_place[id(part)]]),
    )
    none, every = (0,) * len(held), (1,) * len(held)
    units = sack.most_by_tree(tree, none, every, math.floor(rho1 * sack.weights.total))
    most = Fraction(units, sack.values.total) * sum(worths, ZERO)
    kept = most == 0 or most < rho2 * sum(lows, ZERO)
    need(kept, "a tree does not show that no matrix within the rounding breaks the claim")


def every_matrix_breaks(matrix: Rounded, claim: Claim, evidence: Any) -> None:
    """Two entries that break the claim wherever they lie, or cuts of which one always does."""
    if "pair" in evidence:
        need(all_priors(claim), "a pair of entries decides for all priors only")
        pair = Fields(evidence, "evidence", "kind pair").raw["pair"]
        place, row, other, _ = read_pair(matrix, claim, pair)
        sure = pair_breaks(claim, matrix.least[row][place], matrix.most[other][place])
        need(sure, "the two entries need not break the claim")
        return
    fields = Fields(evidence, "evidence", "kind cuts weights")
    cuts = fields.list("cuts")
    weights = [read_rational(w) for w in fields.list("weights", len(cuts))]
    need(cuts and all(w > 0 for w in weights), "no cut, or one without weight")
    costs: dict[tuple[int, int], Fraction] = {}
    even = True
    for raw, weight in zip(cuts, weights, strict=True):
        place, row_costs, at_zero, reaching = read_cut(matrix, claim, raw)
        for row, cost in row_costs.items():
            costs[row, place] = costs.get((row, place), ZERO) + weight * cost
        # With a sum of 0 the cut is a breach too, if the output is possible in any case.
        even = even and at_zero and any(matrix.least[row][place] > 0 for row in reaching)
    least = matrix.lowest(costs)
    need(least > 0 or (least == 0 and even), "some matrix within the rounding breaks no cut")


def read_pair(
    matrix: Rounded, claim: Claim, raw: Any, more: str = ""
) -> tuple[int, int, int, Fields]:
    """Column, likely and unlikely row of two entries on different sides of the property."""
    keys = "column likely unlikely" + more
    keys += " direction" if isinstance(claim, BreachClaim) else ""
    keys += " known" if claim.knowing is not None else ""
    fields = Fields(raw, "pair", keys)
    place = fields.position("column", len(matrix.outputs))
    known = None
    if claim.knowing is not None:
        known = fields.position("known", len(matrix.inputs))
    direction = "upward"
    if isinstance(claim, BreachClaim):
        direction = fields.text("direction")
        need(direction in claim.directions, "a direction that the claim does not name")
    inside, outside = ratio_sides(matrix.inputs[known], claim, direction)
    row = fields.position("likely", len(matrix.least))
    other = fields.position("unlikely", len(matrix.least))
    good = row in inside and other in outside and row != other
    need(good, "two inputs that are not on different sides")
    return place, row, other, fields


def read_cut(
    matrix: Rounded, claim: Claim, raw: Any
) -> tuple[int, dict[int, Fraction], bool, Sequence[int]]:
    """A breach as: sum of cost * entry of a column above 0; whether at 0 too, if some row reaches.

    Returns the column, the costs by row, and the rows of which one makes the output possible.
    """
    if type(raw) is dict and "likely" in raw:
        need(all_priors(claim), "a pair of entries decides for all priors only")
        if "ratio" in raw:
            place, row, other, fields = read_pair(matrix, claim, raw, " ratio")
            limit = read_rational(fields.raw["ratio"])
            need(limit > 0 and pair_breaks(claim, limit, ONE), "a ratio that breaks nothing")
            return place, {row: ONE, other: -limit}, True, [row]
        place, row, other, _ = read_pair(matrix, claim, raw)
        exact = isinstance(claim, BoundClaim) and type(claim.limit) is Fraction
        need(exact and claim.reports == 1, "a cut without a ratio")
        assert isinstance(claim, BoundClaim)
        return place, {row: ONE, other: -claim.limit}, claim.relation == "<", [row]
    need(isinstance(claim, BreachClaim) and claim.reports == 1, "a bound is broken by a ratio")
    assert isinstance(claim, BreachClaim)
    keys = "column direction inside" + (" known" if claim.knowing is not None else "")
    keys += " masses" if claim.prior is None else ""
    fields = Fields(raw, "cut", keys)
    place = fields.position("column", len(matrix.outputs))
    known = fields.position("known", len(matrix.inputs)) if claim.knowing is not None else None
    direction = fields.text("direction")
    need(direction in claim.directions, "a direction that the claim does not name")
    view = matrix.column(known, place)
    rows = range(len(view.classes))
    inside = {read_position(row, len(rows)) for row in fields.list("inside")}
    if claim.about is not None:
        own = {row for row in rows if view.classes[row].member[claim.about]}
        need(inside == own, "the cut has another property than the claim")
    masses = [part.prior for part in view.classes]
    if claim.prior is None:
        masses = [read_rational(mass) for mass in fields.list("masses", len(rows))]
        need(admitted(view, masses, claim), "a prior that the claim does not admit")
    held = [mass * view.classes[row].knowledge for row, mass in enumerate(masses)]
    need(sum(held) > 0, "what is known excludes this prior")
    before = sum((held[row] for row in inside), ZERO) / sum(held)
    upward = direction == "upward"
    starts = before <= claim.rho1 if upward else before >= claim.rho2
    need(starts, "the cut does not start where the claim does")
    gains = [
        (row in inside) - claim.rho2 if upward else claim.rho1 - (row in inside) for row in rows
    ]
    costs = {row: held[row] * gains[row] for row in rows}
    return place, costs, True, [row for row in rows if held[row] > 0]


class ByRounding(Evidence):
    """Certified: that no matrix within breaks the claim; breached: that each one does."""

    kind, of = "rounded", ("rounded",)

    def suits(self, subject: Any, claim: Claim) -> bool:
        """All claims, but several reports under all priors only."""
        return not claim.by_counts

    def decide(self, certificate: Certificate) -> Decision:
        """By the verdict, as the evidence is one or the other."""
        breached = certificate.verdict == "breached"
        shown = every_matrix_breaks if breached else no_matrix_breaks
        shown(certificate.subject, certificate.claim, certificate.evidence)
        return Decision(breached)

"""Claims about a rounded matrix: for all matrices within the rounding at once.

Those are declare/operators/within.py.

Certified: no column of any output's box breaches. A prior and a property breach most where the
inputs in the property are as likely, and the others as unlikely, as the box allows (downward the
other way round), so that extreme columns decide.

Breached: every matrix within breaches, though not all need breach alike. Each breach is a linear
inequality on one column, a . p >= 0 (a cut); if weights y >= 0 make the least of sum(y a . p) over
all matrices positive, then in each of them some cut is a breach. The cuts are found by turns: a
matrix that satisfies none so far is sought by linear programming, and the ordinary deciders
either certify it or find another breach.

Otherwise there are both, and the verdict is unknown, with one matrix of each kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from ppdm_formal.certify.finding import Between, BoundWitness, BreachWitness, Finding, Verdict
from ppdm_formal.certify.rounded_extremes import (
    ExtremeColumn,
    extreme_breach,
    ratio_limits,
    undecided_kind,
)
from ppdm_formal.certify.rounded_program import ColumnCut, satisfying
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.within import Cell, Rows, Within

MAX_CUTS = 400
"""How many breaches are collected before the search is given up."""

FEW_CELLS = 150
"""Linear programs are solved for so many cells of cuts at most."""


def decide_rounded(operator: Operator, claim: Claim, deadline: Deadline) -> Finding:
    """Decide a claim for every matrix within the operator's rounding."""
    within = operator.within
    assert within is not None
    why = undecided_kind(operator, claim)
    if why:
        return Finding(Verdict.UNKNOWN, why)
    extremes = extreme_breach(operator, within, claim, deadline)
    if isinstance(extremes, Mapping):
        reason = "even the worst matrix within the rounding keeps it"
        return Finding(Verdict.CERTIFIED, reason, {"kind": "rounded", **extremes})
    if isinstance(extremes, str):
        return Finding(Verdict.UNKNOWN, extremes)
    return _Search(operator, within, claim, deadline).run(extremes)


@dataclass(frozen=True)
class _Tried:
    """An exact matrix, whether the claim holds of it, and if not the breach as a cut."""

    operator: Operator
    verdict: Verdict
    cut: ColumnCut | None


class _Search:
    """Looks for a matrix that keeps the claim, or for cuts that show that there is none."""

    def __init__(
        self, operator: Operator, within: Within, claim: Claim, deadline: Deadline
    ) -> None:
        self.operator, self.within, self.claim = operator, within, claim
        self.deadline = deadline
        self.matrix: Rows = tuple(
            tuple(Fraction(operator.law.entry(i, j)) for j in range(within.shape[1]))
            for i in range(within.shape[0])
        )

    def run(self, extreme: ExtremeColumn) -> Finding:
        """From an extreme column that breaches: unknown with two matrices, or breached."""
        breaking = self.within.with_cells(self.matrix, extreme.cells)
        broken = self.tried(breaking)
        assert self.within.holds(breaking), "a matrix outside its rounding"
        assert broken.verdict is not Verdict.CERTIFIED, "an extreme column that is no breach"
        if broken.verdict is Verdict.UNKNOWN:
            return Finding(Verdict.UNKNOWN, "an extreme matrix was not decided in time")
        if extreme.pair is not None:
            evidence = {"kind": "rounded", "pair": dict(extreme.pair)}
            return self._breached(evidence, "the same two inputs and output break it")
        cuts: list[ColumnCut] = []
        first = self.tried(self.matrix)
        found: Rows | None = self.matrix
        while found is not None:
            self.deadline.check()
            one = first if found is self.matrix else self.tried(found)
            if one.verdict is Verdict.CERTIFIED:
                between = Between(one.operator, broken.operator)
                assert self.within.holds(found), "a matrix outside its rounding"
                reason = "some matrices within the rounding keep the claim, others break it"
                return Finding(Verdict.UNKNOWN, reason, between=between)
            known = {cell for cut in cuts for cell in cut.costs}
            if (
                one.cut is None
                or one.cut in cuts
                or len(cuts) >= MAX_CUTS
                or (len(known) > FEW_CELLS)
            ):
                return self._open(broken)
            cuts.append(one.cut)
            alone = self._shown([one.cut], [Fraction(1)])
            if alone is not None:
                return self._breached(alone, "the same breach is in each of them")
            answer = satisfying(self.within, cuts, self.matrix)
            if answer.weights is not None:
                together = self._shown(cuts, answer.weights)
                if together is None:
                    return self._open(broken)
                return self._breached(together, "one of a few breaches is in each of them")
            found = answer.matrix
        return self._open(broken)

    def _open(self, broken: _Tried) -> Finding:
        reason = (
            "some matrices within the rounding break it, and none that keeps it was found; nor "
            "was it shown that there is none"
        )
        return Finding(Verdict.UNKNOWN, reason, between=Between(None, broken.operator))

    def _shown(
        self, cuts: Sequence[ColumnCut], weights: Sequence[Fraction]
    ) -> dict[str, Any] | None:
        """The evidence that some cut is a breach in every matrix, if these weights show it."""
        used = [(cut, weight) for cut, weight in zip(cuts, weights, strict=True) if weight > 0]
        costs: dict[Cell, Fraction] = {}
        for cut, weight in used:
            for cell, cost in (cut.proof or cut.costs).items():
                costs[cell] = costs.get(cell, Fraction(0)) + weight * cost
        least = self.within.lowest(costs)
        even = all(cut.even and cut.reached(self.within) for cut, _ in used)
        if not used or not (least > 0 or (least == 0 and even)):
            return None
        return {
            "kind": "rounded",
            "cuts": [cut.document for cut, _ in used],
            "weights": [number_text(weight) for _, weight in used],
        }

    def _breached(self, evidence: dict[str, Any], how: str) -> Finding:
        """The witness is that of the matrix which the operator holds, one of those within."""
        from ppdm_formal.certify.deciders import decide_numbers

        views = self.claim.views(self.operator)
        own = decide_numbers(self.claim.seen(views), self.claim, self.deadline)
        reason = f"every matrix within the rounding breaks it: {how}"
        assert own.verdict is Verdict.BREACHED, "one of the matrices keeps the claim"
        return Finding(Verdict.BREACHED, reason, evidence, own.witness)

    def tried(self, rows: Rows) -> _Tried:
        """Ask the ordinary deciders about one matrix."""
        from ppdm_formal.certify.subject import decided, subject_of

        exact = Operator.from_matrix(rows, self.operator.inputs, self.operator.outputs, "R")
        found = decided(subject_of(exact, self.claim), self.deadline.left, False)
        cut = None
        witness = found.witness
        if found.verdict is Verdict.BREACHED and self.limits is not None:
            cut = self._limit_cut(exact, rows)
        elif found.verdict is Verdict.BREACHED:
            assert witness is not None
            view = found.views[witness.view]
            column = exact.outputs.index(view.output)
            if isinstance(witness, BreachWitness) and found.concrete is not None:
                cut = self._belief_cut(
                    column,
                    view.known,
                    witness.direction,
                    found.concrete.prior,
                    found.concrete.members,
                )
            elif isinstance(witness, BoundWitness) and witness.likely is not None:
                assert witness.unlikely is not None
                likely, unlikely = (
                    exact.inputs.index(view.classes[place].example)
                    for place in (witness.likely, witness.unlikely)
                )
                cut = self._ratio_cut(column, likely, unlikely)
        return _Tried(exact, found.verdict, cut)

    @cached_property
    def limits(self) -> tuple[Fraction, Fraction] | None:
        """Ratios closely around the limit, where that is no rational number (a root, e^q)."""
        claim = self.claim
        irrational = isinstance(claim, BoundClaim) and not isinstance(claim.limit, Fraction)
        if claim.reports == 1 and not irrational:
            return None
        return ratio_limits(claim)

    def _limit_cut(self, exact: Operator, rows: Rows) -> ColumnCut | None:
        """The two entries that break the claim in this matrix, as a cut at the limit."""
        found = extreme_breach(exact, Within(rows, rows), self.claim, self.deadline)
        if not isinstance(found, ExtremeColumn) or found.pair is None or self.limits is None:
            return None
        below, above = self.limits
        column, likely, unlikely = (found.pair[key] for key in ("column", "likely", "unlikely"))
        one, other = (likely, column), (unlikely, column)
        document = {**found.pair, "ratio": number_text(above)}
        sure = {one: Fraction(1), other: -above}
        return ColumnCut({one: Fraction(1), other: -below}, True, (one,), document, sure)

    def _ratio_cut(self, column: int, likely: int, unlikely: int) -> ColumnCut:
        claim = self.claim
        assert isinstance(claim, BoundClaim)
        costs: dict[Cell, Fraction] = {(likely, column): Fraction(1)}
        costs[unlikely, column] = costs.get((unlikely, column), Fraction(0)) - claim.limit
        document = {"column": column, "likely": likely, "unlikely": unlikely}
        return ColumnCut(costs, claim.relation == "<", ((likely, column),), document)

    def _belief_cut(
        self,
        column: int,
        known: Value | None,
        direction: Literal["upward", "downward"],
        prior: Mapping[Value, Fraction],
        members: Sequence[Value],
    ) -> ColumnCut:
        """A breach as a linear inequality: sum of P[x, z] (1 if x in Q, else 0, - rho) p >= 0."""
        claim = self.claim
        assert isinstance(claim, BreachClaim)
        inside = set(members)
        upward = direction == "upward"
        costs: dict[Cell, Fraction] = {}
        document: dict[str, Any] = {"column": column, "direction": direction}
        if claim.knowing is not None:
            assert known is not None
            document["known"] = claim.knowing.outputs.index(known)
        masses = []
        for row, x in enumerate(self.operator.inputs):
            mass = prior.get(x, Fraction(0))
            masses.append(number_text(mass))
            held = mass
            if claim.knowing is not None and known is not None:
                held *= Fraction(claim.knowing.probability(x, known))
            gain = (x in inside) - claim.rho2 if upward else claim.rho1 - (x in inside)
            if held:
                costs[row, column] = held * gain
        document["inside"] = [row for row, x in enumerate(self.operator.inputs) if x in inside]
        if not isinstance(claim.under, Prior):
            document["masses"] = masses
        return ColumnCut(costs, True, tuple(costs), document)

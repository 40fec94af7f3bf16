"""A family of priors: linear inequalities in class masses u (in the property) and w (outside).

On each view a breach is a solution of the rows of docs/certificate.md. A class of one input
cannot hold both u and w; where a solution says so, the class is split into two cases. Every
case without a solution has its rational multipliers, so that the verdict is re-checked exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

from ppdm_formal.certify.beliefs import beliefs
from ppdm_formal.certify.finding import (
    BreachWitness,
    Finding,
    InconsistentConstraints,
    Verdict,
    WitnessPart,
)
from ppdm_formal.certify.inequalities import Row, RowRelation, solve
from ppdm_formal.declare.arithmetic.exact import Exact
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.prior import PriorFamily
from ppdm_formal.declare.operators.view import View

Columns = list[tuple[int, bool]]
"""The variables: a class, and whether its mass is inside (u) or outside (w)."""

MAX_CASES = 2000
"""How many cases of single inputs are tried on one view."""


class TooManyCases(Exception):
    """The splits or the time ran out."""


def decide_family(views: Sequence[View], claim: BreachClaim, deadline: Deadline) -> Finding:
    """Decide a claim under a family of priors; unknown where there are too many cases."""
    assert isinstance(claim.under, PriorFamily)
    member = some_prior(views[0], claim)
    evidence: dict[str, Any] = {"kind": "farkas", "prior": [number_text(mass) for mass in member]}
    for direction in ("upward", "downward"):
        if claim.direction not in ("both", direction):
            continue
        evidence[direction] = trees = []
        for position, view in enumerate(views):
            search = ViewSearch(view, claim, direction == "upward", deadline)
            try:
                tree = search.run(search.columns())
            except TooManyCases:
                reason = "too many cases of single inputs for exact linear programming"
                return Finding(Verdict.UNKNOWN, reason)
            if isinstance(tree, dict) and "solution" in tree:
                witness = search.witness(position, tree["solution"])
                change = f"from {number_text(witness.before)} to {number_text(witness.after)}"
                reason = f"a prior of the family takes a property {change}"
                return Finding(Verdict.BREACHED, reason, {"kind": "witness"}, witness)
            trees.append(tree)
    reason = "on every view the inequalities of a breach add up to a contradiction"
    return Finding(Verdict.CERTIFIED, reason, evidence)


def some_prior(view: View, claim: BreachClaim) -> Sequence[Fraction]:
    """A prior of the family, as masses of the view's classes; refuses a family without any."""
    members = [part.member for part in view.classes]
    rows = [normalized(len(members)), *constraint_rows(members, claim)]
    solution = solve(rows).solution
    if solution is None:
        raise InconsistentConstraints(
            f"no prior satisfies {claim.under}, so the claim would hold of anything"
        )
    return solution


def normalized(columns: int) -> Row:
    """The masses of so many columns add up to 1."""
    return Row([Fraction(1)] * columns, Fraction(-1), "==")


def constraint_rows(members: Sequence[Sequence[bool]], claim: BreachClaim) -> list[Row]:
    """The family's constraints; for each column, which of the claim's properties it has."""
    assert isinstance(claim.under, PriorFamily)
    return family_rows(members, claim.under, claim.properties)


def family_rows(
    members: Sequence[Sequence[bool]], family: PriorFamily, properties: Sequence[Any]
) -> list[Row]:
    """A family's constraints; for each column, which of these properties it has."""
    rows = []
    for constraint in family.constraints:
        terms = [(factor, properties.index(property)) for factor, property in constraint.terms]
        sign = -1 if constraint.relation in ("<=", "<") else 1
        weights = [sum((f for f, i in terms if member[i]), Fraction(0)) for member in members]
        relation: RowRelation = "=="
        if constraint.relation != "==":
            relation = ">" if constraint.relation in ("<", ">") else ">="
        rows.append(Row([sign * w for w in weights], -sign * constraint.bound, relation))
    return rows


class ViewSearch:
    """One view and one direction: cases of single inputs until each is solved or refuted."""

    def __init__(self, view: View, claim: BreachClaim, upward: bool, deadline: Deadline) -> None:
        self.view, self.claim, self.upward, self.deadline = view, claim, upward, deadline
        self.low, self.high = (
            (claim.rho1, claim.rho2) if upward else (1 - claim.rho2, 1 - claim.rho1)
        )
        self.cases = 0

    def columns(self) -> Columns:
        """All variables: with the claim's own property each class has one, otherwise two."""
        if self.claim.about is None:
            return [(i, inside) for i in range(len(self.view.classes)) for inside in (True, False)]
        return [
            (index, part.member[0] == self.upward) for index, part in enumerate(self.view.classes)
        ]

    def likelihood(self, index: int, inside: bool) -> Exact:
        """Of the inputs of a class, inside the property or not."""
        return self.view.classes[index].likelihood

    def rows(self, columns: Columns) -> list[Row]:
        """The breach as linear inequalities, in the certificate's order."""
        before, after, reached = [], [], []
        for index, inside in columns:
            part = self.view.classes[index]
            known = part.known
            seen = known * self.likelihood(index, inside)
            before.append(known * (self.low - inside))
            after.append(seen * (inside - self.high))
            reached.append(seen)
        zero = Fraction(0)
        return [
            normalized(len(columns)),
            Row(before, zero, ">="),
            Row(after, zero, ">="),
            Row(reached, zero, ">"),
            *constraint_rows([self.view.classes[i].member for i, _ in columns], self.claim),
        ]

    def run(self, columns: Columns) -> Any:
        """A tree of multipliers, or {"solution": masses by variable}."""
        self.cases += 1
        if self.cases > MAX_CASES or self.deadline.passed:
            raise TooManyCases
        outcome = solve(self.rows(columns))
        if outcome.multipliers is not None:
            return [number_text(value) for value in outcome.multipliers]
        assert outcome.solution is not None
        masses = {
            column: mass for column, mass in zip(columns, outcome.solution, strict=True) if mass
        }
        torn = next(
            (
                index
                for index, inside in masses
                if inside and (index, False) in masses and self.view.classes[index].count == 1
            ),
            None,
        )
        if torn is None:
            return {"solution": masses}
        cases = {}
        for name, kept in (("inside", True), ("outside", False)):
            cases[name] = self.run([c for c in columns if c[0] != torn or c[1] == kept])
            if "solution" in cases[name]:
                return cases[name]
        return {"class": torn, **cases}

    def witness(self, position: int, masses: dict[tuple[int, bool], Fraction]) -> BreachWitness:
        """The solution as a prior and a property; downward, u is the mass outside the property."""
        parts = []
        held = []
        for index, group in enumerate(self.view.classes):
            inner = masses.get((index, self.upward), Fraction(0))
            outer = masses.get((index, not self.upward), Fraction(0))
            if self.claim.about is not None:
                inside = group.count if group.member[0] else 0
            else:
                inside = 1 if inner else 0
            if inside or inner or outer:
                parts.append(WitnessPart(index, inside, inner, outer))
            held.append((group, inner, outer))
        changes = beliefs(held)
        assert changes is not None, "the rows require that the output is reached"
        word: Literal["upward", "downward"] = "upward" if self.upward else "downward"
        return BreachWitness(word, position, tuple(parts), *changes)

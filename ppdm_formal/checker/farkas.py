"""Evidence "farkas": a family of priors, by multipliers that make its inequalities absurd."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .certificate import Certificate, Evidence
from .claim import BreachClaim, Claim
from .decision import Decision
from .limits import MAX_DEPTH, ONE, RELATIONS, ZERO
from .reading import Fields, read_list, read_number
from .result import need
from .view import View


def admitted(view: View, masses: Sequence[Fraction], claim: BreachClaim) -> bool:
    """Whether masses by class are a prior that the claim's family admits."""
    if min(masses) < 0 or sum(masses) != 1:
        return False
    for row in claim.family or ():
        total = sum(m * row.factor(c.member) for m, c in zip(masses, view.classes, strict=True))
        if not RELATIONS[row.relation](total, row.bound):
            return False
    return True


Variable = tuple[int, bool]  # mass of a class: inside Q (u), or outside (w); downward reversed


@dataclass(frozen=True)
class System:
    """Rows with a relation to 0 and a constant, and the coefficients of each variable, >= 0."""

    relations: tuple[str, ...]
    constants: tuple[Fraction, ...]
    columns: dict[Variable, tuple[Fraction, ...]]

    def without(self, variable: Variable) -> System:
        """The system in which a variable is 0."""
        left = {key: column for key, column in self.columns.items() if key != variable}
        return System(self.relations, self.constants, left)


def breach_system(view: View, claim: BreachClaim, direction: str) -> System:
    """The breaches on a view as a linear system (docs/certificate.md, farkas)."""
    upward = direction == "upward"  # downward is upward for the complement of Q
    low, high = claim.rho1, claim.rho2
    if not upward:
        low, high = 1 - claim.rho2, 1 - claim.rho1
    family = claim.family or ()
    turns = [-1 if "<" in row.relation else 1 for row in family]
    relations = ["==", ">=", ">=", ">"] + [row.relation.replace("<", ">") for row in family]
    constants = [Fraction(-1), ZERO, ZERO, ZERO]
    constants += [-turn * row.bound for turn, row in zip(turns, family, strict=True)]
    columns: dict[Variable, tuple[Fraction, ...]] = {}
    for place, part in enumerate(view.classes):
        for inside in (True, False):
            if claim.about is not None and (part.member[claim.about] == upward) != inside:
                continue
            tail = [t * row.factor(part.member) for t, row in zip(turns, family, strict=True)]
            before = part.knowledge * (low - inside)
            # Of a rounded matrix each input has the likelihood that makes the breach greatest.
            seen = part.seen if part.most is None or not inside else part.most * part.knowledge
            after = seen * (inside - high)
            columns[place, inside] = (ONE, before, after, seen, *tail)
    return System(tuple(relations), tuple(constants), columns)


def refute(tree: Any, view: View, system: System, depth: int = 0) -> None:
    """Show that a system has no solution."""
    need(depth < MAX_DEPTH, "a tree too deep")
    if type(tree) is dict:  # a single input is in Q or not: two cases, each without a variable
        branch = Fields(tree, "a branch", "class inside outside")
        place = branch.position("class", len(view.classes))
        both = (place, True) in system.columns and (place, False) in system.columns
        need(view.classes[place].count == 1 and both, "a class that cannot be split")
        refute(tree["inside"], view, system.without((place, False)), depth + 1)
        refute(tree["outside"], view, system.without((place, True)), depth + 1)
        return
    # At a solution the sum of multiplier * row is >= 0 (> 0 with a strict row that counts), but
    # no variable adds to it, for all are >= 0; so its constant must not be below that.
    multipliers = [read_number(m) for m in read_list(tree, len(system.relations))]
    strict = False
    for multiplier, relation in zip(multipliers, system.relations, strict=True):
        need(multiplier >= 0 or relation == "==", "a negative multiplier")
        strict = strict or (multiplier > 0 and relation == ">")
    for column in system.columns.values():
        total = sum(m * c for m, c in zip(multipliers, column, strict=True))
        need(total <= 0, "a positive coefficient")
    constant = sum(m * c for m, c in zip(multipliers, system.constants, strict=True))
    need(constant < 0 or (constant == 0 and strict), "no contradiction")


def farkas(views: list[View], claim: BreachClaim, evidence: Any) -> Decision:
    """The family is not empty, and multipliers show that no view's system has a solution."""
    fields = Fields(evidence, "evidence", "kind prior " + " ".join(claim.directions))
    prior = [read_number(m) for m in fields.list("prior", len(views[0].classes))]
    need(admitted(views[0], prior, claim), "evidence.prior is not of the family")
    for direction in claim.directions:
        trees = fields.list(direction, len(views))
        for view, tree in zip(views, trees, strict=True):
            refute(tree, view, breach_system(view, claim, direction))
    return Decision(False)


class ByFarkas(Evidence):
    """Multipliers for every view."""

    kind, of = "farkas", ("finite", "sets")

    def suits(self, subject: Any, claim: Claim) -> bool:
        """A family of priors, without free parameters."""
        family = isinstance(claim, BreachClaim) and claim.prior is None and not claim.of_ratio
        return family and not subject.free

    def decide(self, certificate: Certificate) -> Decision:
        """Of the views that speak for all outputs."""
        return farkas(certificate.subject.deciding, certificate.claim, certificate.evidence)

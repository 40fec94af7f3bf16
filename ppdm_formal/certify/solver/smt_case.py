"""A breach that was found, as an SMT-LIB 2 question: "can it fail to be one?".

For a breach that goes exactly as far as the claim forbids, by numbers with e^q: no rounding shows
it. Its prior and its property are fixed, and the definitions are written out.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.finding import BreachWitness
from ppdm_formal.certify.solver.smt import forbidden, real
from ppdm_formal.certify.solver.smt_powers import Powers
from ppdm_formal.declare.arithmetic.exponential import Real
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.prior import Prior, PriorFamily
from ppdm_formal.declare.operators.view import InputClass, View

Held = list[tuple[InputClass, Real, Real]]
"""Classes, with the prior's mass on those of their inputs that have the property, and on others."""


def case_denied(view: View, claim: BreachClaim, case: BreachWitness, digits: int) -> str:
    """The question, unsat only if the case is a breach."""
    held = _held(view, case)
    numbers: list[Real] = [claim.rho1, claim.rho2]
    for part, inside, outside in held:
        numbers += [part.likelihood, part.known, inside, outside]
    powers = Powers(numbers, digits)
    conditions = [*_allowed(claim, case, held, powers.text), *_broken(claim, case, held, powers)]
    return powers.block_with_d([f"(not (and {' '.join(conditions)}))"]).text


def _held(view: View, case: BreachWitness) -> Held:
    parts = {part.index: part for part in case.parts}
    found: Held = []
    for index, group in enumerate(view.classes):
        part = parts.get(index)
        inside = 0 if part is None else part.inside
        if group.prior is not None:
            mass: Any = group.prior
            found.append((group, mass * inside, mass * (group.count - inside)))
        elif part is not None:
            masses: Any = (part.mass_inside or Fraction(0), part.mass_outside or Fraction(0))
            found.append((group, *masses))
        else:
            found.append((group, Fraction(0), Fraction(0)))
    return found


def _allowed(
    claim: BreachClaim, case: BreachWitness, held: Held, write: Callable[[Real], str]
) -> list[str]:
    """The claim speaks of such a prior and such a property."""
    found = []
    for part, inside, outside in held:
        found += [f"(>= {write(mass)} 0.0)" for mass in (inside, outside)]
        if claim.about is not None:
            found.append(f"(= {write(outside if part.member[0] else inside)} 0.0)")
        elif part.count == 1:
            found.append(f"(or (= {write(inside)} 0.0) (= {write(outside)} 0.0))")
    if isinstance(claim.under, Prior):
        counts = {part.index: part.inside for part in case.parts}
        return found + [
            f"(<= 0 {counts.get(index, 0)} {part.count})" for index, (part, _, _) in enumerate(held)
        ]
    masses = " ".join(write(mass) for _, *both in held for mass in both)
    found.append(f"(= (+ 0.0 {masses}) 1.0)")
    if isinstance(claim.under, PriorFamily):
        for constraint in claim.under.constraints:
            terms = [
                f"(* {real(factor)} (+ {write(inside)} {write(outside)}))"
                for factor, property in constraint.terms
                for part, inside, outside in held
                if part.member[claim.properties.index(property)]
            ]
            relation = "=" if constraint.relation == "==" else constraint.relation
            found.append(f"({relation} (+ 0.0 {' '.join(terms)}) {real(constraint.bound)})")
    return found


def _broken(claim: BreachClaim, case: BreachWitness, held: Held, powers: Powers) -> list[str]:
    """The belief changes as the claim forbids."""

    def mass(seen: bool, inside_only: bool) -> str:
        terms = []
        for part, inside, outside in held:
            weight = powers.text(part.known)
            if seen:
                weight += f" {powers.text(part.likelihood)}"
            terms.append(f"(* {weight} {powers.text(inside)})")
            if not inside_only:
                terms.append(f"(* {weight} {powers.text(outside)})")
        return f"(+ 0.0 {' '.join(terms)})"

    found = [
        f"({relation} {mass(seen, True)} (* {powers.text(share)} {mass(seen, False)}))"
        for seen, share, relation in forbidden(claim, case.direction)
    ]
    return [*found, f"(> {mass(True, False)} 0.0)"]

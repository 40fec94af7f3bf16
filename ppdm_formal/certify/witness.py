"""Witnesses made concrete and replayed: a prior, a property and an output against Definition 1.

A decider names a witness by classes. It is replayed twice before it is reported: on the view,
and on real inputs through p[x -> y] itself (where the operator is small enough to go through).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import mul
from typing import Any

from ppdm_formal.certify.beliefs import beliefs
from ppdm_formal.certify.finding import BoundWitness, BreachWitness
from ppdm_formal.declare.arithmetic.exact import ONE, ZERO, Exact, simplify, substitute
from ppdm_formal.declare.arithmetic.exponential import TooManyPowers
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.domain import Value, show_value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.prior import Prior, PriorFamily
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import InputClass, View, ViewKind

MAX_SCAN = 20_000
"""Operators with more inputs are not gone through: a replay takes the classes' examples."""

MAX_LISTED = 64
"""A witness that names more inputs is shown by class."""


class FalseWitness(AssertionError):
    """A witness that did not survive its replay: an error in a decider."""


@dataclass(frozen=True)
class Concrete:
    """A witness on real inputs: the prior where it is not 0, and the inputs with the property."""

    prior: Mapping[Value, Fraction]
    members: tuple[Value, ...]


def replay(
    operator: Operator,
    claim: BreachClaim,
    view: View,
    witness: BreachWitness,
    instance: View | None = None,
) -> Concrete | None:
    """Recompute the witness from the definitions; FalseWitness if it is no breach.

    With free parameters, `instance` is the view at the witness's values. The concrete witness
    is returned where there is one.
    """
    (seen,) = claim.seen([instance or view])
    before, after = _on_view(seen, claim, witness)
    _compare(claim, witness, before, after)
    concrete = _concrete(operator, claim, view, instance or view, witness)
    if concrete is not None:
        _check_family(claim, concrete)
        try:
            before, after = _on_inputs(operator, claim, view, witness.parameters or {}, concrete)
        except (
            TooLarge,
            TooManyPowers,
        ):  # too small to write: ratios only
            return concrete
        _compare(claim, witness, before, after)
    return concrete


def _compare(claim: BreachClaim, witness: BreachWitness, before: Fraction, after: Fraction) -> None:
    if witness.direction == "upward":
        breached = before <= claim.rho1 and after >= claim.rho2
    else:
        breached = before >= claim.rho2 and after <= claim.rho1
    if (before, after) != (witness.before, witness.after) or not breached:
        raise FalseWitness(f"{witness} gives {before} -> {after} when replayed")


def _masses(part: InputClass, inside: int, witness: Any) -> tuple[Fraction, Fraction]:
    if part.prior is not None:
        return inside * part.prior, (part.count - inside) * part.prior
    if witness is None:
        return Fraction(0), Fraction(0)
    held, rest = witness.mass_inside, witness.mass_outside
    if min(held, rest) < 0 or (held and not inside) or (rest and inside == part.count):
        raise FalseWitness("mass where the witness has no input")
    return held, rest


def _on_view(view: View, claim: BreachClaim, witness: BreachWitness) -> tuple[Fraction, Fraction]:
    """Before and after by classes."""
    parts = {part.index: part for part in witness.parts}
    masses = []
    for index, group in enumerate(view.classes):
        part = parts.get(index)
        inside = part.inside if part is not None else 0
        if claim.about is not None and inside != (group.count if group.member[0] else 0):
            raise FalseWitness("the witness has another property than the claim")
        masses.append((group, *_masses(group, inside, part)))
    changes = beliefs(masses)
    if changes is None or sum(held + rest for _, held, rest in masses) != 1:
        raise FalseWitness("the witness's prior is none, or does not reach the output")
    return changes


def _concrete(
    operator: Operator, claim: BreachClaim, view: View, instance: View, witness: BreachWitness
) -> Concrete | None:
    """Choose real inputs for the classes; None where that would need too long a search."""
    if view.kind is ViewKind.EXTREME or operator.inputs.size > MAX_SCAN:
        return _by_examples(view, witness) if claim.about is None else None
    groups = _members_by_class(operator, claim, view)
    prior: dict[Value, Fraction] = {}
    members: list[Value] = []
    parts = {part.index: part for part in witness.parts}
    for index, inputs in enumerate(groups):
        part = parts.get(index)
        inside = part.inside if part is not None else 0
        members += inputs[:inside]
        probability = instance.classes[index].prior
        if probability is not None:
            prior.update({x: probability for x in inputs if probability})
        elif part is not None:
            if part.mass_inside:
                prior[inputs[0]] = part.mass_inside
            if part.mass_outside:
                prior[inputs[-1]] = part.mass_outside
    return Concrete(prior, tuple(members))


def _by_examples(view: View, witness: BreachWitness) -> Concrete | None:
    """A prior on the classes' own examples, where no class needs a second input."""
    prior: dict[Value, Fraction] = {}
    members: list[Value] = []
    for part in witness.parts:
        if part.mass_inside is None or part.inside > 1 or (part.mass_inside and part.mass_outside):
            return None
        example = view.classes[part.index].example
        prior[example] = part.mass_inside + (part.mass_outside or 0)
        members += [example] * part.inside
    return Concrete(prior, tuple(members))


def _members_by_class(operator: Operator, claim: BreachClaim, view: View) -> list[list[Value]]:
    """The inputs of each class, found by asking each input for what the class says of it.

    A relative view's likelihoods are scaled by the factor that one class's example gives.
    """
    known_prior = claim.under if isinstance(claim.under, Prior) else None
    properties = claim.properties
    scale: Exact = ONE
    if view.relative:
        possible = next(part for part in view.classes if part.likelihood != ZERO)
        actual = _chance(operator, claim, possible.example, view.output)
        scale = simplify(actual / possible.likelihood)

    def kind(part: InputClass) -> Any:
        return (simplify(scale * part.likelihood), part.prior, part.member, part.knowledge)

    places = {kind(part): index for index, part in enumerate(view.classes)}
    groups: list[list[Value]] = [[] for _ in view.classes]
    for x in operator.inputs:
        found = (
            _chance(operator, claim, x, view.output),
            None if known_prior is None else known_prior.probability(x),
            tuple(x in property for property in properties),
            None if claim.knowing is None else claim.knowing.probability(x, view.known),  # type: ignore[arg-type]
        )
        groups[places[found]].append(x)
    if [len(group) for group in groups] != [part.count for part in view.classes]:
        raise FalseWitness("the operator's classes are not those of the view")
    return groups


def _chance(operator: Operator, claim: BreachClaim, x: Value, output: Any) -> Exact:
    """p[x -> y], or of a sequence of outputs of which it is known how often each was seen."""
    if not claim.by_counts:
        return operator.probability(x, output)
    powers = (operator.probability(x, one) ** many for one, many in output)
    return simplify(reduce(mul, powers, ONE))


def _on_inputs(
    operator: Operator,
    claim: BreachClaim,
    view: View,
    values: Mapping[str, Fraction],
    concrete: Concrete,
) -> tuple[Fraction, Fraction]:
    """Before and after from p[x -> y] and the prior, as Definition 1 says."""
    mass = joint = mass_inside = joint_inside = Fraction(0)
    members = set(concrete.members)
    for x, probability in concrete.prior.items():
        held = probability
        if claim.knowing is not None:
            assert view.known is not None
            held *= substitute(claim.knowing.probability(x, view.known), values)
        likelihood = substitute(_chance(operator, claim, x, view.output), values)
        shown = held * likelihood ** (1 if claim.by_counts else claim.reports)
        mass += held
        joint += shown
        if x in members:
            mass_inside += held
            joint_inside += shown
    return mass_inside / mass, joint_inside / joint


def _check_family(claim: BreachClaim, concrete: Concrete) -> None:
    if not isinstance(claim.under, PriorFamily):
        return
    for constraint in claim.under.constraints:
        value = sum(
            (
                factor * probability
                for factor, property in constraint.terms
                for x, probability in concrete.prior.items()
                if x in property
            ),
            Fraction(0),
        )
        holds = {
            "<=": value <= constraint.bound,
            "<": value < constraint.bound,
            ">=": value >= constraint.bound,
            ">": value > constraint.bound,
            "==": value == constraint.bound,
        }
        if not holds[constraint.relation]:
            raise FalseWitness(f"the witness's prior violates {constraint}")


def shown(
    view: View, witness: BreachWitness | BoundWitness, concrete: Concrete | None
) -> dict[str, Any]:
    """The witness as an audit shows it: by inputs where they are few, otherwise by class."""
    document: dict[str, Any] = {"output": show_value(view.output)}
    if view.known is not None:
        document["known"] = show_value(view.known)
    if witness.parameters:
        document["parameters"] = {
            name: number_text(value) for name, value in witness.parameters.items()
        }
    if isinstance(witness, BoundWitness):
        if witness.likely is not None and witness.unlikely is not None:
            document["likely"] = show_value(view.classes[witness.likely].example)
            document["unlikely"] = show_value(view.classes[witness.unlikely].example)
            document["value"] = "infinity" if witness.value is None else number_text(witness.value)
        return document
    document |= {
        "direction": witness.direction,
        "before": number_text(witness.before),
        "after": number_text(witness.after),
    }
    few = concrete is not None and max(len(concrete.prior), len(concrete.members)) <= MAX_LISTED
    if concrete is not None and few:
        document["prior"] = {show_value(x): number_text(p) for x, p in concrete.prior.items()}
        document["property"] = [show_value(x) for x in concrete.members]
        return document
    parts = {part.index: part for part in witness.parts}
    document["classes"] = []
    for index, group in enumerate(view.classes):
        part = parts.get(index)
        if part is None and group.prior is None:
            continue
        inside = part.inside if part is not None else 0
        held, rest = _masses(group, inside, part)
        document["classes"].append(
            {
                "example": show_value(group.example),
                "inputs": number_text(group.count),
                "inside": number_text(inside),
                "mass_inside": number_text(held),
                "mass_outside": number_text(rest),
            }
        )
    return document

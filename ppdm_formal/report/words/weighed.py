"""The witness of a breach in groups of inputs: weight = mass before * chance to send the output."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import BreachWitness
from ppdm_formal.declare.arithmetic.exact import ONE, ZERO
from ppdm_formal.declare.operators.view import InputClass, View


@dataclass(frozen=True)
class WeighedInputs:
    """Inputs of one class, all in the property or none: how many, their mass, the chance."""

    of: InputClass
    many: int
    inside: bool
    mass: Fraction
    chance: Fraction

    @property
    def weight(self) -> Fraction:
        """The joint probability with the output."""
        return self.mass * self.chance


def witness_view(certificate: Certificate) -> View:
    """What the witness's reports show, at its values of free parameters."""
    assert certificate.witness is not None
    view = certificate.instance or certificate.views[certificate.witness.view]
    return certificate.claim.seen([view])[0]


def weighed(view: View, witness: BreachWitness) -> list[WeighedInputs]:
    """Every group with mass, those in the property first."""
    parts = {part.index: part for part in witness.parts}
    groups = []
    for index, of in enumerate(view.classes):
        part = parts.get(index)
        count = part.inside if part is not None else 0
        if of.prior is not None:
            masses = (count * of.prior, (of.count - count) * of.prior)
        elif part is not None:
            masses = (part.mass_inside or ZERO, part.mass_outside or ZERO)
        else:
            continue
        known = ONE if of.knowledge is None else of.knowledge
        for inside, mass, many in ((True, masses[0], count), (False, masses[1], of.count - count)):
            if mass * known:
                groups.append(WeighedInputs(of, many, inside, mass * known, of.likelihood))
    return sorted(groups, key=lambda group: not group.inside)


def mass_of(groups: list[WeighedInputs]) -> Fraction:
    """The prior mass of groups."""
    return sum((group.mass for group in groups), ZERO)


def weight_of(groups: list[WeighedInputs]) -> Fraction:
    """The joint mass of groups with the output."""
    return sum((group.weight for group in groups), ZERO)


def witness_chance(certificate: Certificate) -> Fraction | None:
    """How likely the output of a breach is under the prior of that breach."""
    witness = certificate.witness
    if not isinstance(witness, BreachWitness):
        return None
    view = witness_view(certificate)
    groups = weighed(view, witness)
    return None if view.relative or mass_of(groups) != 1 else weight_of(groups)

"""Posterior: what an output y makes of the prior, by Bayes' rule.

    P[X = x | Y = y] = P[X = x] p[x -> y] / P[Y = y],    P[Y = y] = sum over x of P[X = x] p[x -> y]

For a property Q: P[Q(X)] before, and P[Q(X) | Y = y] after (EGS03 Definition 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from flint import fmpq

from ppdm_formal.declare.arithmetic.exact import ZERO, Exact, is_rational, simplify, total
from ppdm_formal.declare.operators.domain import Value, show_value
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import Enough, InputClass, View
from ppdm_formal.derive.measures.record import CannotCompute


@dataclass(frozen=True)
class ClassPosterior:
    """The posterior probability of each single input of a class, and of the class together."""

    inputs: InputClass
    each: Exact
    together: Exact


@dataclass(frozen=True)
class ViewPosterior:
    """A view with P[Y = y] and, for each property asked for, P[Q(X) | Y = y]."""

    view: View
    probability: Exact
    after: tuple[Exact, ...]


@dataclass(frozen=True)
class Posterior:
    """A property's probability before and after an output is seen."""

    property: Property
    output: Value
    before: Exact
    after: Exact


def joint_mass(classes: Iterable[InputClass]) -> Exact:
    """P[X in these classes, Y = y]: the sum of count * prior * likelihood."""
    parts = list(classes)
    if not all(is_rational(part.likelihood) and is_rational(prior_of(part)) for part in parts):
        return total((part.count, simplify(prior_of(part) * part.likelihood)) for part in parts)
    masses = []
    for part in parts:
        prior, likelihood = prior_of(part), part.likelihood
        top = part.count * prior.numerator * likelihood.numerator
        if top:
            masses.append(fmpq(top, prior.denominator * likelihood.denominator))
    while len(masses) > 1:  # in pairs, so that most sums have short denominators
        odd = masses[-1:] if len(masses) % 2 else []
        masses = [a + b for a, b in zip(masses[::2], masses[1::2], strict=False)] + odd
    return Fraction(int(masses[0].p), int(masses[0].q)) if masses else ZERO


def prior_of(part: InputClass) -> Exact:
    """A class's prior probability; ValueError in a view that was asked for without a prior."""
    if part.prior is None:
        raise ValueError("the view has no prior probabilities")
    return part.prior


def require_probabilities(views: Sequence[View]) -> None:
    """Refuse views whose likelihoods are known up to a factor only."""
    if any(view.relative for view in views):
        message = "the operator gives its likelihoods up to a factor, not P[Y = y] itself"
        raise CannotCompute("relative likelihoods", message)


def class_posteriors(view: View) -> tuple[ClassPosterior, ...]:
    """The posterior of every class of a view."""
    mass = _positive_mass(view)
    found = []
    for part in view.classes:
        each = simplify(prior_of(part) * part.likelihood / mass)
        found.append(ClassPosterior(part, each, simplify(part.count * each)))
    return tuple(found)


def view_posteriors(
    operator: Operator, prior: Prior, properties: Sequence[Property] = ()
) -> list[ViewPosterior]:
    """P[Y = y] and the posteriors of properties, for each view with P[Y = y] > 0."""
    return posteriors_of(operator.views(prior, properties), len(properties))


def posteriors_of(views: Iterable[View], properties: int) -> list[ViewPosterior]:
    """The same of given views; of relative ones P[Y = y] is up to a factor."""
    found = []
    for view in views:
        mass = joint_mass(view.classes)
        if mass != ZERO:
            after = tuple(_share(view, number, mass) for number in range(properties))
            found.append(ViewPosterior(view, mass, after))
    return found


def posterior(operator: Operator, prior: Prior, property: Property, output: Value) -> Posterior:
    """P[Q(X)] and P[Q(X) | Y = output]; ValueError where the output has probability 0.

    >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> heads = Property.of(coin.inputs, [0], "heads")
    >>> str(posterior(coin, Prior.uniform(coin.inputs), heads, 0).after)
    '3/4'
    """
    view = operator.view_of(output, prior, [property])
    after = _share(view, 0, _positive_mass(view))
    return Posterior(property, output, prior.mass(property), after)


def worst_posterior(
    operator: Operator,
    prior: Prior,
    property: Property,
    direction: Literal["upward", "downward"] = "upward",
) -> Posterior:
    """The largest (downward: smallest) P[Q(X) | Y = y] over all y with P[Y = y] > 0."""
    if operator.parameters or prior.parameters:
        names = ", ".join(p.name for p in (*operator.parameters, *prior.parameters))
        raise ValueError(f"the worst output depends on the free parameters: set {names}")
    choose = max if direction == "upward" else min
    views = operator.views(prior, [property], enough=Enough.FIRST_PROPERTY)
    found = choose(posteriors_of(views, 1), key=lambda seen: seen.after[0])
    return Posterior(property, found.view.output, prior.mass(property), found.after[0])


def _share(view: View, number: int, mass: Exact) -> Exact:
    inside = joint_mass(part for part in view.classes if part.member[number])
    return simplify(inside / mass)


def _positive_mass(view: View) -> Exact:
    mass = joint_mass(view.classes)
    if mass == ZERO:
        raise ValueError(f"the output {show_value(view.output)} has probability 0 under the prior")
    return mass

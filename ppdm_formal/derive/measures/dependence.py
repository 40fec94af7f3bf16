"""Dependence: the smallest epsilon for which X and Y are epsilon-dependent (Dor18 Definition 1).

    epsilon = max over x, y of |ln( P[X = x, Y = y] / (P[X = x] P[Y = y]) )|

over x and y of positive probability (for others both of the definition's inequalities hold).
The ratio is p[x -> y] / P[Y = y]; epsilon is infinite where some p[x -> y] is 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_formal.declare.arithmetic.enclosure import DIGITS, Enclosure, log_of
from ppdm_formal.declare.arithmetic.envelope import (
    EnvelopePiece,
    envelope,
    pieces_text,
    pieces_value,
    rivals,
)
from ppdm_formal.declare.arithmetic.exact import ZERO, Exact, is_number, is_symbolic, simplify
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.value import INFINITY, Infinity, Measured, value_text
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.sets import ValueSets
from ppdm_formal.derive.measures.formula import Formula
from ppdm_formal.derive.measures.posterior import joint_mass
from ppdm_formal.derive.measures.record import Asked, InputOrOutput, Measure, Reading


@dataclass(frozen=True)
class DependentPair:
    """The input and the output that depend most on each other."""

    input: Value
    output: Value


@dataclass(frozen=True)
class Dependence:
    """epsilon in nats and the exact ratio e^epsilon, in pieces along a free parameter."""

    epsilon: Measured
    pieces: tuple[EnvelopePiece[DependentPair], ...]
    parameters: tuple[Parameter, ...] = ()

    @property
    def ratio(self) -> Measured:
        """e^epsilon: a rational, a closed form or infinity."""
        return pieces_value(self.pieces, self.parameters)

    @property
    def witness(self) -> DependentPair:
        """Where it is attained (the first piece's)."""
        return self.pieces[0].witness

    @property
    def text(self) -> str:
        """Epsilon in text: 0.470003..., ln(2*p), infinity."""
        if is_number(self.ratio) or isinstance(self.ratio, Infinity):
            return value_text(self.epsilon)
        return pieces_text(self.pieces, self.parameters, "ln({})")


def dependence(operator: Operator, prior: Prior, digits: int = DIGITS) -> Dependence:
    """The smallest epsilon of epsilon-dependence between X and R(X) under a prior.

    >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> str(dependence(coin, Prior.uniform(coin.inputs)).ratio)
    '2'
    """
    declared = tuple({p.name: p for p in (*operator.parameters, *prior.parameters)}.values())
    ratios: dict[Exact, DependentPair] = {}
    for view in operator.views(prior):
        possible = [part for part in view.classes if part.prior != ZERO]
        mass = joint_mass(possible)
        if mass == ZERO:
            continue
        excluded = next((part for part in possible if part.likelihood == ZERO), None)
        if excluded is not None:
            piece = EnvelopePiece(INFINITY, DependentPair(excluded.example, view.output))
            return Dependence(INFINITY, (piece,))
        if not declared:
            most = max(possible, key=lambda part: part.likelihood)
            least = min(possible, key=lambda part: part.likelihood)
            ratios.setdefault(most.likelihood / mass, DependentPair(most.example, view.output))
            ratios.setdefault(mass / least.likelihood, DependentPair(least.example, view.output))
            continue
        for sign in (1, -1):
            forms = [(sign * part.likelihood, part.example) for part in possible]
            for form, example in rivals(forms, declared):
                ratio = form / mass if sign == 1 else -mass / form
                ratios.setdefault(simplify(ratio), DependentPair(example, view.output))
    pieces = envelope(list(ratios.items()), declared)
    value = pieces_value(pieces, declared)
    if is_number(value):
        return Dependence(log_of(value, "nat", digits), pieces, declared)
    assert is_symbolic(value)
    import sympy

    return Dependence(sympy.log(value), pieces, declared)


def _read(asked: Asked) -> Reading:
    return _reading(asked, dependence(asked.operator, asked.under, asked.digits))


def _of_sets(asked: Asked, sets: ValueSets) -> Reading:
    from ppdm_formal.derive.measures.of_sets import dependence as of_sets

    most = of_sets(sets)
    piece = EnvelopePiece(most.ratio, DependentPair(most.input, most.output))
    return _reading(asked, Dependence(log_of(most.ratio, "nat", asked.digits), (piece,)))


def _reading(asked: Asked, found: Dependence) -> Reading:
    at = found.witness
    fields = {
        "unit": "nat",
        "epsilon": found.epsilon if isinstance(found.epsilon, Enclosure) else found.text,
        "input": InputOrOutput(at.input),
        "output": InputOrOutput(at.output),
    }
    return MEASURE.reading(
        asked,
        found.epsilon,
        {"dependence": fields},
        text=found.text,
        output=at.output,
        inputs=(at.input,),
        result=found,
    )


MEASURE = Measure(
    name="dependence",
    title="Dependence",
    head="dependence",
    meaning="The largest |ln(P[x, y] / (P[x] P[y]))| over true values and outputs that can occur.",
    asked=(
        "Under the prior {prior}, no output may make a true value more or less likely by a factor "
        "of {how} e^({bound})."
    ),
    promised=(
        "under the prior {prior}, no output makes a true value more or less likely by a factor of "
        "{how} e^({bound})"
    ),
    formula="max over x, y of |ln(P[x, y] / (P[x] P[y]))|",
    prior=True,
    unit="nat",
    tree=Formula("max", ("max", ("abs", ("log", ("/", "likelihood", "evidence"))))),
    compute=_read,
    of_sets=_of_sets,
    certified="enclosure",
    all_priors="epsilon",
    order=13,
)

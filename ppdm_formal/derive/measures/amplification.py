"""Amplification: the largest ratio of likelihoods of one output (EGS03 Definition 3).

gamma = max over reachable y and over x1, x2 of  p[x1 -> y] / p[x2 -> y]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.declare.arithmetic.envelope import (
    EnvelopePiece,
    envelope,
    pieces_text,
    pieces_value,
    rivals,
)
from ppdm_formal.declare.arithmetic.exact import (
    ZERO,
    Exact,
    computed,
    is_number,
    is_symbolic,
    substitute,
)
from ppdm_formal.declare.arithmetic.parameter import Parameter, free_parameters, power_text
from ppdm_formal.declare.arithmetic.value import INFINITY, Infinity, Measured
from ppdm_formal.declare.operators.domain import Value, show_value
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import Enough, View
from ppdm_formal.derive.measures.formula import Formula
from ppdm_formal.derive.measures.record import Asked, InputOrOutput, Measure, Reading


@dataclass(frozen=True)
class AttainedRatio:
    """Where a ratio is attained: the output, and an input of each likelihood."""

    output: Value
    likely: Value
    unlikely: Value


@dataclass(frozen=True)
class Amplification:
    """The amplification with its witness, in pieces where the form changes with a parameter.

    A closed form holds inside the parameters' intervals. At a closed end where a likelihood
    vanishes the form diverges (or the output is no longer reachable): set the parameter there.
    """

    pieces: tuple[EnvelopePiece[AttainedRatio], ...]
    parameters: tuple[Parameter, ...] = ()

    @property
    def value(self) -> Measured:
        """A rational, a closed form (sympy Piecewise or Max where it takes several) or infinity."""
        return pieces_value(self.pieces, self.parameters)

    @property
    def witness(self) -> AttainedRatio:
        """Where the value is attained (the first piece's)."""
        return self.pieces[0].witness

    def at(self, values: Mapping[str, Fraction]) -> Fraction | Infinity | None:
        """The value where every free parameter has a value (in order along one); None at a pole."""
        along = free_parameters([piece.value for piece in self.pieces], self.parameters)
        for piece in self.pieces:
            if piece.upper is not None and values[along[0].name] > piece.upper:
                continue
            if isinstance(piece.value, Infinity):
                return piece.value
            try:
                result = substitute(piece.value, values)
            except ZeroDivisionError:
                return None
            return result if is_number(result) else None
        return None

    @property
    def text(self) -> str:
        """The value in text: 250, p/(1 - p), exp(2*eps), infinity."""
        return pieces_text(self.pieces, self.parameters, known=power_text)


def amplification(operator: Operator) -> Amplification:
    """The largest ratio of likelihoods that any reachable output shows.

    >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> amplification(coin).text
    '3'
    """
    return _largest(operator.views(enough=Enough.RATIOS), operator.parameters)


def view_amplification(view: View, parameters: Sequence[Parameter] = ()) -> Amplification:
    """The same for one view; ValueError where no input reaches its output."""
    if not view.reachable:
        raise ValueError(f"no input produces the output {show_value(view.output)}")
    return _largest([view], parameters)


def _largest(views: Sequence[View], parameters: Sequence[Parameter]) -> Amplification:
    ratios: dict[Exact, AttainedRatio] = {}
    for view in views:
        if not view.reachable:
            continue
        for value, witness in _ratios(view, parameters):
            if isinstance(value, Infinity):
                return Amplification((EnvelopePiece(INFINITY, witness),))
            ratios.setdefault(value, witness)
    pieces = envelope(list(ratios.items()), parameters)
    return Amplification(pieces, tuple(parameters))


def _ratios(
    view: View, parameters: Sequence[Parameter]
) -> list[tuple[Exact | Infinity, AttainedRatio]]:
    """The ratios that may be the view's largest: one where all is rational."""
    zero = next((part for part in view.classes if part.likelihood == ZERO), None)
    if zero is not None:
        likely = next(part for part in view.classes if part.likelihood != ZERO)
        return [(INFINITY, AttainedRatio(view.output, likely.example, zero.example))]
    if not any(is_symbolic(part.likelihood) for part in view.classes):
        most, least = (view.classes[place] for place in view.extremes())
        value = view.amplification
        assert value is not None, "no likelihood is 0 here"
        return [(value, AttainedRatio(view.output, most.example, least.example))]
    tops = rivals([(part.likelihood, part) for part in view.classes], parameters)
    negative = [(computed(ZERO, "-", part.likelihood), part) for part in view.classes]
    bottoms = rivals(negative, parameters)
    pairs = [(top, bottom) for _, top in tops for _, bottom in bottoms]
    # Wherever one form is both largest and smallest all are equal, so its ratio 1 to itself
    # is never above the other ratios.
    proper = [(a, b) for a, b in pairs if a.likelihood != b.likelihood] or pairs
    return [
        (
            computed(a.likelihood, "/", b.likelihood),
            AttainedRatio(view.output, a.example, b.example),
        )
        for a, b in proper
    ]


def _amplification(asked: Asked) -> Amplification:
    return amplification(asked.operator)


def _read(asked: Asked) -> Reading:
    found = asked.once(_amplification)
    at = found.witness
    fields = {
        "value": found.text,
        "output": InputOrOutput(at.output),
        "likely": InputOrOutput(at.likely),
        "unlikely": InputOrOutput(at.unlikely),
    }
    return MEASURE.reading(
        asked,
        found.value,
        {"amplification": fields},
        text=found.text,
        output=at.output,
        inputs=(at.likely, at.unlikely),
        result=found,
    )


def disclosed(operator: Operator, found: Amplification) -> Amplification:
    """The amplification; of a rounded matrix the greatest of all that it may be."""
    if operator.within is None:
        return found
    most = operator.within.ratios()[1]
    return Amplification((EnvelopePiece(INFINITY if most is None else most, found.witness),))


MEASURE = Measure(
    name="amplification",
    title="Amplification",
    head="amplification",
    meaning=(
        "The largest p[x1 -> y] / p[x2 -> y] over all x1, x2 and all outputs y that can occur. If "
        "it is g, there is no breach from r1 to r2 for any prior exactly if "
        "r2 (1 - r1) / (r1 (1 - r2)) > g (EGS03 Statement 1, and its converse)."
    ),
    formula="max over y, x1, x2 of p[x1 -> y] / p[x2 -> y]",
    asked=(
        "No output may be {how} {bound} times as likely from one true value as from another "
        "(whatever the observer believed before)."
    ),
    promised="no output is {how} {bound} times as likely from one true value as from another",
    source="EGS03 Definition 3",
    prior=False,
    tree=Formula("max", ("/", ("max", "likelihood"), ("min", "likelihood"))),
    compute=_read,
    certified="ratio",
    of_ratios=True,
    order=0,
)

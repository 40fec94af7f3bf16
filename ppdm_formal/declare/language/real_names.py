"""Names of densities and properties of real numbers, as audits of operators use them.

A continuous operator takes them as they are. An operator whose inputs are rounded to a grid takes
the law of the rounded x, and a property of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families.grid import Grid
from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.language.model import OnGrid
from ppdm_formal.declare.language.reals import RealsCompiler
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.grid import prior_on, property_on
from ppdm_formal.declare.reals.reals import RealProperty

CLAIMED = ("amplification", "epsilon")
"""The measures that can be claimed of continuous operators."""


class RealNames:
    """What was declared on real numbers, and what it is on the grids that were met."""

    def __init__(self, reals: RealsCompiler) -> None:
        self.reals = reals
        self.densities: dict[str, Density] = {}
        self.properties: dict[str, RealProperty] = {}
        self.conditions: dict[str, s.Expr] = {}
        self.on_grid: dict[str, OnGrid] = {}

    def priors_of(self, operator: Operator | ContinuousOperator, name: s.Name) -> Mapping[str, Any]:
        """Densities, or priors on the operator's grid."""
        density = self.densities.get(name.text)
        if isinstance(operator, ContinuousOperator) or density is None:
            return self.densities
        if not isinstance(operator.inputs, Grid) or operator.inputs.name != density.domain.name:
            return self.densities
        found = self.on_grid.setdefault(operator.name, OnGrid()).priors
        if name.text not in found:
            try:
                found[name.text] = prior_on(operator.inputs, density)
            except ValueError as problem:
                raise ModelError(str(problem), name.at) from None
        return found

    def properties_of(
        self, operator: Operator | ContinuousOperator, name: s.Name
    ) -> Mapping[str, Any]:
        """Properties of real numbers, or of the operator's grid."""
        property = self.properties.get(name.text)
        if isinstance(operator, ContinuousOperator) or property is None:
            return self.properties
        if not isinstance(operator.inputs, Grid) or operator.inputs.name != property.domain.name:
            return self.properties
        found = self.on_grid.setdefault(operator.name, OnGrid()).properties
        if name.text not in found:
            condition = self.conditions[name.text]
            found[name.text] = property_on(
                operator.inputs, lambda x: self.reals.holds(condition, x), name.text
            )
        return found

    def output(self, node: s.Expr, operator: ContinuousOperator) -> Fraction:
        """An output that the operator can have."""
        number = self.reals.evaluator.constant_rational(node)
        lo, hi = operator.outputs
        if (lo is not None and number < lo) or (hi is not None and number > hi):
            shown = " to ".join("without end" if e is None else number_text(e) for e in (lo, hi))
            raise ModelError(
                f"{number_text(number)} is not an output of {operator.name}",
                node.at,
                f"its outputs go from {shown}",
            )
        return number

    def grid_output(self, node: s.Expr, outputs: Grid) -> Value:
        """The value of a grid that a number is."""
        number = self.reals.evaluator.constant_rational(node)
        place = outputs.nearest(number)
        if place is None or outputs.point(place) != number:
            hint = f"expected a multiple of {number_text(outputs.step)} in {outputs}"
            raise ModelError(f"{number_text(number)} is not on the grid", node.at, hint)
        value: Value = outputs[place]
        return value


def check_forbid(node: s.Forbid) -> None:
    """What cannot be claimed of a continuous operator."""
    if isinstance(node.under, tuple):
        raise ModelError(
            "families of priors are for finite domains",
            node.at,
            "name a density with under, or claim it for all priors; or round to a grid",
        )
    if node.knowing is not None:
        raise ModelError("knowing is for finite domains", node.knowing.at, "round to a grid")
    _one_report(node)


def check_require(node: s.Require) -> None:
    """Which measures cannot be claimed of a continuous operator."""
    if node.measure.text not in (*CLAIMED, "local_dp"):
        raise ModelError(
            f"{node.measure.text} cannot be claimed of a continuous operator",
            node.measure.at,
            f"expected one of {', '.join(CLAIMED)}; or round to a grid",
        )
    _one_report(node)


def _one_report(node: s.Forbid | s.Require) -> None:
    if node.reports is not None:
        raise ModelError("of continuous operators, claims are about one report", node.reports.at)
    if node.crowd is not None:
        raise ModelError(
            f"after {node.crowd.how} is for operators on finite sets",
            node.crowd.at,
            "round to a grid, such as clamped to 0..100 rounded to 1/10",
        )

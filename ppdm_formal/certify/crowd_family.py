"""Others whose values are drawn from a family of priors: the least chance of every output.

A linear program an output, over the masses of rows; its multipliers prove the least chance, and the
priors that attain it are tried as the others' own where a claim fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ppdm_formal.certify.family import family_rows, normalized
from ppdm_formal.certify.finding import InconsistentConstraints
from ppdm_formal.certify.inequalities import solve
from ppdm_formal.declare.arithmetic.exact import ZERO
from ppdm_formal.declare.arithmetic.simplex import Best, maximize
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.operators.prior import PriorFamily

_INWARD = 1000
"""Where constraints are strict, a best prior moves so much (1 of this many) into the family."""


@dataclass(frozen=True)
class OthersFamily:
    """members: of each row which properties it has; columns: each output's chances, by rows."""

    family: PriorFamily
    members: tuple[tuple[bool, ...], ...]
    columns: tuple[tuple[Any, ...], ...]

    @cached_property
    def _rows(self) -> list[Any]:
        constraints = family_rows(self.members, self.family, self.family.properties)
        return [normalized(len(self.members)), *constraints]

    @cached_property
    def inside(self) -> tuple[Any, ...]:
        """A prior of the family, by the masses of rows."""
        found = solve(self._rows).solution
        if found is None:
            raise InconsistentConstraints(
                f"no prior satisfies {self.family}, so the claim would hold of anything"
            )
        return tuple(found)

    @cached_property
    def _best(self) -> list[Best]:
        assert self.inside
        program: Any = [
            (row.coefficients, row.constant, "==" if row.relation == "==" else ">=")
            for row in self._rows
        ]
        found = []
        for column in self.columns:
            best = maximize([-chance for chance in column], program)
            assert isinstance(best, Best)
            found.append(best)
        return found

    @cached_property
    def least(self) -> list[Any]:
        """The least chance of every output."""
        return [-best.value for best in self._best]

    @cached_property
    def extremes(self) -> list[tuple[Any, ...]]:
        """Priors of the family with such a chance, or nearly so where constraints are strict."""
        strict = any(row.relation == ">" for row in self._rows)
        found = dict.fromkeys(best.point[: len(self.members)] for best in self._best)
        if not strict:
            return list(found)
        pairs = [zip(point, self.inside, strict=True) for point in found]
        return [tuple(p + (q - p) / _INWARD for p, q in pair) for pair in pairs]

    def law(self, masses: Sequence[Any]) -> list[Any]:
        """How likely every output is from one of the others, whose rows have these masses."""
        return [
            sum((mass * chance for mass, chance in zip(masses, column, strict=True)), ZERO)
            for column in self.columns
        ]

    def to_json(self) -> dict[str, Any]:
        """A prior of the family, and for each output multipliers of the constraints."""
        signs = [-1 if c.relation in ("<=", "<") else 1 for c in self.family.constraints]
        return {
            "prior": [number_text(mass) for mass in self.inside],
            "multipliers": [
                [number_text(s * m) for s, m in zip(signs, best.multipliers[1:], strict=True)]
                for best in self._best
            ],
        }

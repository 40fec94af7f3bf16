"""Shift: how one output moves the prior, as what every divergence needs of its view.

With L = p[x -> y] and P = P[Y = y], the posterior is prior * L / P. So a divergence between
prior and posterior depends only on the prior mass (weight) at each likelihood L.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq

from ppdm_formal.declare.arithmetic.enclosure import ball_of
from ppdm_formal.declare.arithmetic.exact import Exact, is_number, is_rational, is_symbolic, total
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.view import View
from ppdm_formal.derive.measures.posterior import prior_of


@dataclass(frozen=True)
class Shift:
    """A view with P[Y = y] > 0: (weight, number of the likelihood) for each likelihood above 0.

    excluded is an input of positive prior probability that the output rules out, and
    excluded_weight the prior mass of all of them.
    """

    view: View
    terms: tuple[tuple[Any, int], ...]
    excluded: Value | None
    excluded_weight: Any

    @property
    def unchanged(self) -> bool:
        """Whether the posterior is the prior."""
        return self.excluded is None and len(self.terms) == 1


@dataclass(frozen=True)
class Shifts:
    """All outputs of positive probability, with the distinct likelihoods that they number.

    Weights and likelihoods are FLINT rationals, or closed forms where symbolic is set.
    """

    items: tuple[Shift, ...]
    likelihoods: tuple[Any, ...]
    symbolic: bool


def shifts(views: Sequence[View]) -> Shifts:
    """Reduce views that carry a prior; outputs of probability 0 are left out."""
    values = [v for view in views for c in view.classes for v in (c.likelihood, prior_of(c))]
    symbolic, rational = any(map(is_symbolic, values)), all(map(is_rational, values))
    numbers: dict[Any, int] = {}  # rationals as pairs of integers, which hash faster
    items = []
    for view in views:
        weights: dict[int, list[tuple[int, Exact]]] = {}
        ruled_out: list[tuple[int, Exact]] = []
        excluded = None
        for part in view.classes:
            prior = prior_of(part)
            if not prior:
                continue
            if not part.likelihood:
                excluded = part.example if excluded is None else excluded
                ruled_out.append((part.count, prior))
                continue
            key = part.likelihood.as_integer_ratio() if rational else part.likelihood
            number = numbers.setdefault(key, len(numbers))
            weights.setdefault(number, []).append((part.count, prior))
        if weights:
            terms = tuple((_sum(masses, rational), number) for number, masses in weights.items())
            items.append(Shift(view, terms, excluded, _sum(ruled_out, rational)))
    likelihoods = tuple(fmpq(*key) if rational else key for key in numbers)
    return Shifts(tuple(items), likelihoods, symbolic)


def _sum(masses: list[tuple[int, Exact]], rational: bool) -> Any:
    if not rational:
        return total(masses)
    result = fmpq(0)
    for count, prior in masses:
        result += fmpq(count * prior.numerator, prior.denominator)
    return result


def ball_at(number: Any) -> Any:
    """A number of these sums (FLINT's rationals, or exact numbers) in ball arithmetic."""
    return ball_of(number) if is_number(number) else arb(number)

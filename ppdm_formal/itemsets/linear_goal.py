"""Linear goals: the exact maximum of nu_f(p) = sum of f(j) p[j] under b[j1] / b[j2] <= gamma.

With b[j] scaled into [1, gamma] and d[j] = p_def[j] the goal is the linear-fractional
nu = sum f d b / sum d b. For its maximum nu* the sum of (f(j) - nu*) d[j] b[j] is at most
0 for every b in the box, with equality at b[j] = gamma where f(j) > nu* and 1 elsewhere:
the optimum is a vertex, and for increasing f it has Statement 2's form (6).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.families.select_a_size import cutoff_ratios, default_probabilities, from_balance


@dataclass(frozen=True)
class LinearOptimum:
    """The best value of a goal, the b-ratios that reach it, and the cutoff j* if they have one."""

    value: Fraction
    ratios: tuple[Fraction, ...]
    cutoff: int | None


def kept_itemsets(size: int, itemset: int = 1) -> tuple[Fraction, ...]:
    """f(j) = C(j, k): how many k-itemsets of t are kept with j items (k = 1: kept items)."""
    return tuple(Fraction(math.comb(j, itemset)) for j in range(size + 1))


def goal_value(goal: Sequence[Fraction], ratios: Sequence[Fraction], insert: Fraction) -> Fraction:
    """nu_f of the p[j] with these b-ratios."""
    keep = from_balance(ratios, insert)
    return sum((f * p for f, p in zip(goal, keep, strict=True)), Fraction(0))


def cutoff_values(
    goal: Sequence[Fraction], insert: Fraction, gamma: Fraction
) -> tuple[Fraction, ...]:
    """nu_f of Statement 2's form for every j* = 0..m-1.

    >>> values = cutoff_values(kept_itemsets(2), Fraction(1, 2), Fraction(19))
    >>> [str(v) for v in values]
    ['38/29', '20/11']
    """
    size = len(goal) - 1
    return tuple(
        goal_value(goal, cutoff_ratios(size, cutoff, gamma), insert) for cutoff in range(size)
    )


def linear_optimum(goal: Sequence[Fraction], insert: Fraction, gamma: Fraction) -> LinearOptimum:
    """The exact optimum over all p[j] that satisfy (5), with its proof checked.

    Vertices with b = gamma on the largest values of f suffice; `upper_bound_gap` of the
    value found must be 0, which proves it against every p[j], not vertices only.
    """
    size = len(goal) - 1
    best: tuple[Fraction, tuple[Fraction, ...]] | None = None
    for threshold in sorted(set(goal)):
        ratios = tuple(gamma if f > threshold else Fraction(1) for f in goal)
        found = (goal_value(goal, ratios, insert), ratios)
        best = found if best is None or found[0] > best[0] else best
    assert best is not None
    if upper_bound_gap(goal, insert, gamma, best[0]) != 0:
        raise ArithmeticError("the optimum of a linear goal failed its proof")
    cutoffs = [c for c in range(size) if cutoff_ratios(size, c, gamma) == best[1]]
    return LinearOptimum(best[0], best[1], cutoffs[0] if cutoffs else None)


def upper_bound_gap(
    goal: Sequence[Fraction], insert: Fraction, gamma: Fraction, value: Fraction
) -> Fraction:
    """The largest sum of (f - value) d b over 1 <= b <= gamma: at most 0 proves nu_f <= value."""
    default = default_probabilities(len(goal) - 1, insert)
    return sum(
        ((f - value) * d * (gamma if f > value else 1) for f, d in zip(goal, default, strict=True)),
        Fraction(0),
    )


def all_vertices(size: int, gamma: Fraction) -> list[tuple[Fraction, ...]]:
    """Every choice of b[j] in {1, gamma} but the two constant ones."""
    corners = itertools.product((Fraction(1), gamma), repeat=size + 1)
    return [corner for corner in corners if len(set(corner)) > 1]

"""Transactions of many items with few different b[j]: few views, which show what all sizes show."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from ppdm_formal.declare.families.select_a_size import (
    FEW,
    LARGE,
    default_probabilities,
    from_balance,
    select_a_size,
)
from ppdm_formal.derive.measures.amplification import amplification

F = Fraction
M = LARGE + 6


def shapes(items, ratios):
    """For each size of an output the set of b[j] that it can show, from the definition."""
    return [
        {ratios[j] for j in range(max(0, M + width - items), min(M, width) + 1)}
        for width in range(items + 1)
    ]


@pytest.mark.parametrize("items", [M, M + 1, 2 * M - 1, 2 * M, 2 * M + 1, 5 * M])
@pytest.mark.parametrize(
    "high", [{M}, set(range(1, M + 1)), {2, 3}, {0, M}, {5 * j for j in range(14)}]
)
def test_views_show_every_set_of_ratios_and_count_every_output(items, high):
    ratios = [F(19) if j in high else F(1) for j in range(M + 1)]
    operator = select_a_size(items, M, F(1, 8), keep=from_balance(ratios, F(1, 8)))
    views = operator.views()
    changes = sum(one != two for one, two in pairwise(shapes(items, ratios)))
    assert len(views) == 1 + changes  # neighbouring sizes that show the same are one view
    assert sum(view.outputs for view in views) == 2**items
    expected = {frozenset(b / min(ratios) for b in shape) for shape in shapes(items, ratios)}
    least = min(part.likelihood for view in views for part in view.classes)
    if any(len(shape) == 2 for shape in shapes(items, ratios)):
        found = {frozenset(part.likelihood / least for part in view.classes) for view in views}
        assert found == expected
    for view in views:
        assert sum(part.count for part in view.classes) == operator.inputs.size
    worst = max(max(shape) / min(shape) for shape in shapes(items, ratios))
    assert amplification(operator).value == worst


def test_many_different_ratios_are_shown_as_before():
    ratios = [F(100 + j) for j in range(M + 1)]
    assert len(set(ratios)) > FEW
    operator = select_a_size(2 * M, M, F(1, 8), keep=from_balance(ratios, F(1, 8)))
    assert len(operator.views()) == 2 * M + 1
    assert amplification(operator).value == F(100 + M, 100)


@pytest.mark.parametrize("rho", [F(1, 3), F(2, 7), F(0), F(1)])
def test_probabilities_from_ratios_in_integers(rho):
    ratios = [F(1), F(5, 2), F(19), F(1, 3), F(2)]
    weights = [b * d for b, d in zip(ratios, default_probabilities(4, rho), strict=True)]
    assert from_balance(ratios, rho) == tuple(w / sum(weights) for w in weights)

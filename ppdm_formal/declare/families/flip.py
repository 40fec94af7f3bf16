"""Per-item flip (MASK; Evf02 section 3): each item, present or absent, flips at random.

An item is discarded or inserted with probability 1 - p, and left alone with probability p. On
transactions of one size m it is the select-a-size with rho = 1 - p and
p[j] = C(m, j) p^j (1 - p)^(m - j), hence b[j] in the ratios (p / (1 - p))^(2j).
"""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.declare.arithmetic.exact import ONE, ZERO, exact, simplify
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.people import said
from ppdm_formal.declare.families.select_a_size import (
    SelectASize,
    check_insert,
    check_sizes,
    default_probabilities,
    reaches_end,
)
from ppdm_formal.declare.operators.randomization import Operator


def flip(
    items: int,
    size: int,
    stay: object,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Flip each of `items` items with probability 1 - stay, on transactions of one size.

    >>> mask = flip(1000, 2, "9/10")
    >>> [str(part.likelihood) for part in mask.views()[2].classes]
    ['6561', '81', '1']
    """
    check_sizes(items, size)
    stays = exact(stay)
    rho = simplify(1 - stays)
    try:
        check_insert(rho, parameters)
    except ValueError as wrong:
        raise ValueError(f"stay = {said(stays)}: {wrong}") from None
    keep = default_probabilities(size, stays)
    if rho in (ZERO, ONE):
        law = SelectASize(items, size, rho, keep)
    else:
        odds = simplify(stays / rho)
        ratios = tuple(simplify(odds ** (2 * j)) for j in range(size + 1))
        law = SelectASize(items, size, rho, keep, ratios, reaches_end(rho, parameters))
    return Operator(law.inputs(), law.outputs(), law, name, parameters)

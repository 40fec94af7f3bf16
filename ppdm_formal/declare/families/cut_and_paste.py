"""Cut-and-paste (Evf02 section 4, after KDD 2002): keep up to K items of t, toss coins for others.

A number i is drawn uniformly from 0..K (all of t if i > m); i items of t stay, and every
other item, of t or not, is inserted with probability rho. It is a select-a-size with

    p[j] = sum over i <= min(K, j) of P[i stay] C(m - i, j - i) rho^(j - i) (1 - rho)^(m - j)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.declare.arithmetic.exact import Exact, exact, simplify, total
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.select_a_size import check_insert, check_sizes, select_a_size
from ppdm_formal.declare.operators.randomization import Operator


def cut_and_paste_keep(size: int, cutoff: int, insert: Exact) -> tuple[Exact, ...]:
    """The p[j] of cut-and-paste.

    >>> [str(p) for p in cut_and_paste_keep(2, 1, Fraction(1, 2))]
    ['1/8', '1/2', '3/8']
    """
    if cutoff < 0:
        raise ValueError(f"the cutoff K must be at least 0, not {cutoff}")
    most = min(cutoff, size)
    stay = [Fraction(1, cutoff + 1)] * (most + 1)
    stay[most] = Fraction(cutoff + 1 - most, cutoff + 1)  # i > m keeps all of t
    return tuple(
        total(
            (
                math.comb(size - i, j - i),
                simplify(stay[i] * insert ** (j - i) * (1 - insert) ** (size - j)),
            )
            for i in range(min(most, j) + 1)
        )
        for j in range(size + 1)
    )


def cut_and_paste(
    items: int,
    size: int,
    cutoff: int,
    insert: object,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Cut-and-paste on all transactions of `size` of `items` items."""
    check_sizes(items, size)
    rho = exact(insert)
    check_insert(rho, parameters)
    keep = cut_and_paste_keep(size, cutoff, rho)
    return select_a_size(items, size, rho, keep=keep, name=name, parameters=parameters)

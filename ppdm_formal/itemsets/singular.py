"""Where supports cannot be recovered: the parameters at which P is singular.

det P is the product of lambda_1, ..., lambda_k (see transition.eigenvalue), so recovery
fails exactly where one of them is 0: items of t then tell nothing of that order.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from ppdm_formal.families.select_a_size import Randomization, cutoff_ratios
from ppdm_formal.itemsets.transition import eigenvalue
from ppdm_formal.numbers.algebraic import as_sympy, zeros
from ppdm_formal.numbers.exact import to_sympy
from ppdm_formal.numbers.parameter import Parameter
from ppdm_formal.numbers.spelling import number_text

RHO = Parameter("rho", Fraction(0), Fraction(1))


def explain_singular(randomization: Randomization, itemset: int) -> str:
    """A sentence that says why supports of k-itemsets cannot be recovered."""
    zero = [i for i in range(1, itemset + 1) if eigenvalue(randomization, i) == 0]
    because = {
        1: "items of t stay exactly as often as other items are inserted",
    }.get(zero[0], f"groups of {zero[0]} items of t leave no trace (lambda_{zero[0]} = 0)")
    keep = ", ".join(number_text(p) for p in randomization.keep)
    return (
        f"supports of {itemset}-itemsets are not recoverable: P is singular at "
        f"m = {randomization.size}, rho = {number_text(randomization.insert)}, p = [{keep}], "
        f"because {because}"
    )


def singular_insertions(size: int, cutoff: int, gamma: Fraction, itemset: int) -> list[Any]:
    """All rho in (0, 1) at which P is singular in Statement 2's form, as exact algebraic numbers.

    >>> singular_insertions(5, 1, Fraction(19), 2)
    [1/4]
    """
    import sympy

    rho = RHO.symbol
    ratios = cutoff_ratios(size, cutoff, gamma)
    weights = [
        to_sympy(b) * math.comb(size, j) * rho**j * (1 - rho) ** (size - j)
        for j, b in enumerate(ratios)
    ]
    # lambda_i and F_a are needed up to the common divisor sum(weights) > 0 only.
    together = [
        sum(math.comb(j, a) * w for j, w in enumerate(weights)) / sympy.Integer(math.comb(size, a))
        for a in range(itemset + 1)
    ]
    found: set[Any] = set()
    for degree in range(1, itemset + 1):
        value = sum(
            math.comb(degree, a) * together[a] * (-rho) ** (degree - a) for a in range(degree + 1)
        )
        found.update(as_sympy(point) for point in zeros(sympy.expand(value), RHO))
    return sorted(found)

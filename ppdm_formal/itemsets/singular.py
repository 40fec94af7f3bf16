"""Where supports cannot be recovered: the parameters at which a moment lambda_i is 0.

The support of k-itemsets is recoverable iff lambda_k differs from 0, all partial supports at
once iff lambda_1, ..., lambda_k all do (their product is det P; docs/closed-form.md). In
Statement 2's form lambda_k vanishes exactly where the Krawtchouk polynomial of degree k - 1 for
m - 1 trials does at j*, whatever gamma.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ppdm_formal.families.select_a_size import Randomization
from ppdm_formal.itemsets.closed_form import moments
from ppdm_formal.itemsets.krawtchouk import krawtchouk
from ppdm_formal.itemsets.transition import check_itemset_size
from ppdm_formal.numbers.algebraic import as_sympy
from ppdm_formal.numbers.line import zeros
from ppdm_formal.numbers.parameter import Parameter
from ppdm_formal.numbers.spelling import number_text

RHO = Parameter("rho", Fraction(0), Fraction(1))

_SHOWN = 12  # more p[j] than these are not listed in a sentence


def explain_singular(randomization: Randomization, itemset: int) -> str:
    """A sentence that says why supports of k-itemsets cannot be recovered (lambda_k = 0)."""
    return (
        f"supports of {itemset}-itemsets are not recoverable: lambda_{itemset} = 0 at "
        f"{_parameters(randomization)}, because {_because(itemset)}"
    )


def explain_partial(randomization: Randomization, itemset: int) -> str:
    """A sentence that says why not all partial supports can be recovered, and what can be."""
    found = moments(randomization, itemset)
    degree = next(i for i in range(1, itemset + 1) if not found.recoverable(i))
    rest = "; their supports alone are recoverable" if found.recoverable(itemset) else ""
    return (
        f"the partial supports of {itemset}-itemsets are not recoverable: P is singular at "
        f"{_parameters(randomization)}, because {_because(degree)}{rest}"
    )


def _because(degree: int) -> str:
    if degree == 1:
        return "items of t stay exactly as often as other items are inserted"
    return f"groups of {degree} items of t leave no trace (lambda_{degree} = 0)"


def _parameters(randomization: Randomization) -> str:
    keep = randomization.keep
    shown = [number_text(p) for p in keep] if len(keep) <= _SHOWN else ["..."]
    return (
        f"m = {randomization.size}, rho = {number_text(randomization.insert)}, "
        f"p = [{', '.join(shown)}]"
    )


def singular_insertions(size: int, cutoff: int, itemset: int) -> list[Any]:
    """All rho in (0, 1) at which lambda_k = 0 in Statement 2's form, whatever gamma > 1.

    Exact algebraic numbers, in order. Supports of k-itemsets are not recoverable there.

    >>> singular_insertions(5, 1, 2), singular_insertions(5, 2, 3)
    ([1/4], [1/2 - sqrt(3)/6, sqrt(3)/6 + 1/2])
    """
    check_itemset_size(itemset, size)
    if not 0 <= cutoff < size:
        raise ValueError(f"the cutoff j* must be one of 0..{size - 1}, not {cutoff}")
    if itemset == 1:
        return []  # h_0 = 1
    value = krawtchouk(size - 1, itemset - 1, cutoff, RHO.symbol)
    return sorted({as_sympy(point) for point in zeros(value, RHO)})

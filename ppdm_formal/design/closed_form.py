"""The estimator of a support in closed form: products of (y_a - rho), divided by lambda_k.

With y_a = 1 where item a is in R(t), rho the insertion probability and A any k items, i of
which are in t (docs/closed-form.md proves all of this):

    lambda_i = E product over i items a of t of (y_a - rho)
             = sum over a of C(i, a) F_a (-rho)^(i - a),        F_a = E C(j, a) / C(m, a)

    support of A = E product over a in A of (y_a - rho) / lambda_k

because an item outside t has E (y_a - rho) = 0, independently of all others. Only lambda_k must
differ from 0. The square of (y_a - rho) is rho (1 - rho) + (1 - 2 rho) (y_a - rho), hence

    v_l = sum over i of C(l, i) (rho (1 - rho))^(k - i) (1 - 2 rho)^i lambda_i / lambda_k^2

less 1 for l = k, is the variance that one transaction with l items of A adds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ppdm_formal.declare.arithmetic.exact import ONE, Exact, simplify, total
from ppdm_formal.declare.arithmetic.rational_matrix import Singular, Vector
from ppdm_formal.declare.families.select_a_size import Randomization
from ppdm_formal.design.krawtchouk import ROUNDING, Floats, default_grid, krawtchouk_grid


def check_itemset_size(itemset: int, size: int) -> None:
    """Refuse itemsets that no transaction of this size can contain."""
    if not 1 <= itemset <= size:
        raise ValueError(f"transactions of {size} items hold no itemsets of {itemset} items")


@dataclass(frozen=True)
class NoiseMoments:
    """rho and lambda_0 = 1, lambda_1, ..., lambda_K: all that the noise of estimates depends on."""

    insert: Exact
    lambdas: tuple[Exact, ...]

    def recoverable(self, itemset: int) -> bool:
        """Whether supports of k-itemsets can be estimated: lambda_k differs from 0."""
        return self._lambda(itemset) != 0

    def weights(self, itemset: int) -> Vector:
        """w[l'] = (1 - rho)^l' (-rho)^(k - l') / lambda_k: what an R(t) with l' items of A counts.

        The mean of w over the randomized transactions is the unbiased estimate of the support.
        """
        last = self._divisor(itemset)
        rho = self.insert
        return tuple(
            simplify((1 - rho) ** seen * (-rho) ** (itemset - seen) / last)
            for seen in range(itemset + 1)
        )

    def noise(self, itemset: int) -> Vector:
        """v_0, ..., v_k: the variance that one transaction with l items of A adds."""
        square = simplify(self._divisor(itemset) ** 2)
        rho = self.insert
        parts = [
            simplify((rho * (1 - rho)) ** (itemset - i) * (1 - 2 * rho) ** i * value / square)
            for i, value in enumerate(self.lambdas[: itemset + 1])
        ]
        return tuple(
            total(
                [(math.comb(held, i), parts[i]) for i in range(held + 1)]
                + [(-int(held == itemset), ONE)]
            )
            for held in range(itemset + 1)
        )

    def _lambda(self, itemset: int) -> Exact:
        if not 1 <= itemset < len(self.lambdas):
            raise ValueError(
                f"these moments are for itemsets of 1 to {len(self.lambdas) - 1} items, "
                f"not of {itemset}"
            )
        return self.lambdas[itemset]

    def _divisor(self, itemset: int) -> Exact:
        if not self.recoverable(itemset):
            raise Singular(
                f"supports of {itemset}-itemsets are not recoverable: lambda_{itemset} = 0"
            )
        return self.lambdas[itemset]


def moments(randomization: Randomization, itemset: int) -> NoiseMoments:
    """lambda_0, ..., lambda_k of a select-a-size, exact.

    >>> from fractions import Fraction
    >>> half, third = Fraction(1, 2), Fraction(1, 3)
    >>> found = moments(Randomization(2, third, (third, Fraction(0), 2 * third)), 2)
    >>> [str(x) for x in found.lambdas], [str(w) for w in found.weights(2)]
    (['1', '1/3', '1/3'], ['1/3', '-2/3', '4/3'])
    """
    check_itemset_size(itemset, randomization.size)
    rho = randomization.insert
    together = [randomization.kept_together(a) for a in range(itemset + 1)]
    return NoiseMoments(
        rho,
        tuple(
            total(
                (math.comb(i, a), simplify(together[a] * (-rho) ** (i - a))) for a in range(i + 1)
            )
            for i in range(itemset + 1)
        ),
    )


def moments_grid(ratios: Floats, insert: Floats, itemset: int) -> Floats:
    """lambda_i / (rho (1 - rho))^(i/2), i = 0..k, for each row of b-ratios and its rho in (0, 1).

    Rows of b[j] (last axis) are up to a factor; the other axes are broadcast with rho's.
    lambda_i is a mean of u_i(j), which is 0 under p_def: so b[j] - min b says it all. Values
    within their rounding errors are 0.
    """
    size = ratios.shape[-1] - 1
    default = default_grid(size, insert)
    values, errors = krawtchouk_grid(size, itemset, insert)
    whole = (default * ratios).sum(axis=-1)
    excess = default * (ratios - ratios.min(axis=-1, keepdims=True)) / whole[..., None]
    found = np.einsum("...j,...ji->...i", excess, values)
    rounding = np.einsum("...j,...ji->...i", excess, np.maximum(errors, ROUNDING * np.abs(values)))
    found[np.abs(found) <= rounding] = 0.0
    found[..., 0] = 1.0
    return np.asarray(found)


def noise_of_grid(moments: Floats, insert: Floats, itemset: int) -> Floats:
    """v_0, ..., v_k from the moments of `moments_grid`; infinite where lambda_k = 0."""
    found = [noise_at_grid(moments, insert, itemset, held) for held in range(itemset + 1)]
    return np.stack(found, axis=-1)


def noise_at_grid(moments: Floats, insert: Floats, itemset: int, held: int) -> Floats:
    """v_l for one l from the moments of `moments_grid`; infinite where lambda_k = 0."""
    last = moments[..., itemset]
    skew = (1 - 2 * insert) / np.sqrt(insert * (1 - insert))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        power, square = np.ones_like(skew), np.ones_like(last)
        for i in range(1, held + 1):
            power = power * skew
            square += math.comb(held, i) * power * moments[..., i]
        noise = square / last**2 - (held == itemset)
    return np.where(last == 0, np.inf, noise)

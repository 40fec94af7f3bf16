"""Recovery: supports estimated from randomized partial supports, with their exact covariance.

Partial supports under randomization: P[l', l] = P[|R(t) ∩ A| = l' given |t ∩ A| = l].

For an itemset A of k items, s_l is the share of transactions with exactly l items of A
(Evf02 section 3). Randomization takes the vector s to P s on average. For select-a-size

    P[l', l] = sum over j, q of p[j] H(q; j, l) C(k - l, r) rho^r (1 - rho)^(k - l - r)

with r = l' - q inserted items of A and H(q; j, l) = C(l, q) C(m - l, j - q) / C(m, j), the
chance that q of the j kept items are in A.

The support of k-itemsets alone (closed_form.py; only lambda_k must differ from 0), from the
randomized partial supports s' of N transactions:

    s_est,k = sum over l of w_l s'_l                  E s_est,k = s_k
    Var s_est,k = 1/N sum over l of s_l v_l
    (Var s_est,k)_est = 1/N sum over l of s'_l (w_l^2 - w_l)

All partial supports (Evf02 section 3; lambda_1, ..., lambda_k must all differ from 0), with
Q = P^-1, whose last row is w:

    s_est = Q s'                                      E s_est = s
    Cov s_est = 1/N sum over l of s_l Q D[l] Q^T      D[l] = diag(P[., l]) - P[., l] P[., l]^T

Supports cannot be recovered at the parameters at which a moment lambda_i is 0.
The support of k-itemsets is recoverable iff lambda_k differs from 0, all partial supports at
once iff lambda_1, ..., lambda_k all do (their product is det P; docs/closed-form.md). In
Statement 2's form lambda_k vanishes exactly where the Krawtchouk polynomial of degree k - 1 for
m - 1 trials does at j*, whatever gamma.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.algebraic import as_sympy
from ppdm_formal.declare.arithmetic.exact import ZERO, Exact, simplify, to_sympy, total
from ppdm_formal.declare.arithmetic.line import zeros
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.rational_matrix import (
    Matrix,
    Singular,
    Vector,
    apply,
    dot,
    inverse,
    multiply,
    transpose,
)
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families.select_a_size import Randomization
from ppdm_formal.design.closed_form import NoiseMoments, check_itemset_size, moments
from ppdm_formal.design.krawtchouk import krawtchouk


def transition_matrix(randomization: Randomization, itemset: int) -> Matrix:
    """The exact (k + 1) x (k + 1) matrix P; columns sum to 1.

    >>> one = Randomization(1, Fraction(1, 4), (Fraction(1, 3), Fraction(2, 3)))
    >>> [[str(x) for x in row] for row in transition_matrix(one, 1)]
    [['3/4', '1/3'], ['1/4', '2/3']]
    """
    check_itemset_size(itemset, randomization.size)
    rho = randomization.insert
    columns = []
    for held in range(itemset + 1):
        kept = [_kept_inside(randomization, held, q) for q in range(held + 1)]
        absent = itemset - held
        coins = [
            simplify(math.comb(absent, r) * rho**r * (1 - rho) ** (absent - r))
            for r in range(absent + 1)
        ]
        columns.append(
            tuple(
                total(
                    (1, simplify(kept[q] * coins[after - q]))
                    for q in range(held + 1)
                    if 0 <= after - q <= absent
                )
                for after in range(itemset + 1)
            )
        )
    return tuple(zip(*columns, strict=True))


def _kept_inside(randomization: Randomization, held: int, q: int) -> Exact:
    """The chance that exactly q of `held` given items of t stay."""
    size = randomization.size
    return total(
        (
            math.comb(held, q) * math.comb(size - held, j - q),
            simplify(p / math.comb(size, j)),
        )
        for j, p in enumerate(randomization.keep)
        if j >= q
    )


def replacement_matrix(items: int, size: int, keep: Fraction, itemset: int) -> Matrix:
    """P for the uniform replacement of items (declare/families/replace_items.py)."""
    check_itemset_size(itemset, size)
    if items < 2 * size or items - size < itemset:
        raise ValueError(f"{items} items are too few to replace {size}")
    columns = []
    for held in range(itemset + 1):
        column = [ZERO] * (itemset + 1)
        for stay in range(held + 1):
            for other in range(size - held + 1):
                drawn = size - stay - other
                chance = (
                    math.comb(held, stay)
                    * math.comb(size - held, other)
                    * keep ** (stay + other)
                    * (1 - keep) ** drawn
                )
                for new in range(min(itemset - held, drawn) + 1):
                    ways = math.comb(itemset - held, new) * math.comb(
                        items - size - (itemset - held), drawn - new
                    )
                    column[stay + new] += chance * ways / math.comb(items - size, drawn)
        columns.append(tuple(column))
    return tuple(zip(*columns, strict=True))


def partial_supports(
    transactions: Sequence[frozenset[int]], itemset: frozenset[int]
) -> tuple[Fraction, ...]:
    """s_l: the share of transactions with exactly l items of the itemset."""
    counts = [0] * (len(itemset) + 1)
    for transaction in transactions:
        counts[len(transaction & itemset)] += 1
    return tuple(Fraction(count, len(transactions)) for count in counts)


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


@dataclass(frozen=True)
class Recovery:
    """Recovery of k-itemsets after a select-a-size: use `of`, which checks that it is possible.

    Of the support: support, noise, variance, variance_estimate, supports_of. Of all partial
    supports, where `recovers_partial`: Q, estimate, covariance, covariance_estimate.
    """

    randomization: Randomization
    itemset: int

    @classmethod
    def of(cls, randomization: Randomization, itemset: int) -> Recovery:
        """Recovery after select-a-size; says where it is impossible.

        >>> from ppdm_formal.declare.families.select_a_size import optimal_keep
        >>> half = Fraction(1, 2)
        >>> r = Recovery.of(Randomization(3, half, optimal_keep(3, half, 2, Fraction(19))), 1)
        >>> [str(x) for x in r.weights]
        ['-13/9', '13/9']
        """
        found = cls(randomization, itemset)
        if not found.moments.recoverable(itemset):
            raise Singular(explain_singular(randomization, itemset))
        return found

    @cached_property
    def moments(self) -> NoiseMoments:
        """lambda_0, ..., lambda_k."""
        return moments(self.randomization, self.itemset)

    @cached_property
    def weights(self) -> Vector:
        """w_l: what a randomized transaction with l items of the itemset counts."""
        return self.moments.weights(self.itemset)

    @cached_property
    def noise(self) -> Vector:
        """v_l: the variance that one transaction with l items of the itemset adds."""
        return self.moments.noise(self.itemset)

    @property
    def noisiest(self) -> int:
        """The l < k with the largest noise: for itemsets that are seen but are not there."""
        return max(range(self.itemset), key=lambda held: self.noise[held])

    @cached_property
    def P(self) -> Matrix:
        """P[l', l]: how partial supports change (transition_matrix)."""
        return transition_matrix(self.randomization, self.itemset)

    @property
    def recovers_partial(self) -> bool:
        """Whether all partial supports can be recovered: P has an inverse."""
        return all(self.moments.recoverable(i) for i in range(1, self.itemset + 1))

    @cached_property
    def Q(self) -> Matrix:
        """The exact inverse of P."""
        if not self.recovers_partial:
            raise Singular(explain_partial(self.randomization, self.itemset))
        return inverse(self.P)

    def D(self, held: int) -> Matrix:
        """The covariance of one randomized transaction's indicator vector when |t ∩ A| = l."""
        column = [row[held] for row in self.P]
        return tuple(
            tuple(simplify((a if i == j else ZERO) - a * b) for j, b in enumerate(column))
            for i, a in enumerate(column)
        )

    def estimate(self, randomized: Sequence[Exact]) -> Vector:
        """The unbiased estimate Q s' of the partial supports."""
        return apply(self.Q, randomized)

    def support(self, randomized: Sequence[Exact]) -> Exact:
        """The unbiased estimate of the itemset's support."""
        return dot(self.weights, randomized)

    def randomized_covariance(self, supports: Sequence[Exact], transactions: int) -> Matrix:
        """Cov s' = 1/N sum of s_l D[l]."""
        parts = [self.D(held) for held in range(len(self.P))]
        return self._mixed(parts, supports, transactions)

    def covariance(self, supports: Sequence[Exact], transactions: int) -> Matrix:
        """Cov s_est = 1/N sum of s_l Q D[l] Q^T."""
        return self._mixed(self._spread, supports, transactions)

    def covariance_estimate(self, randomized: Sequence[Exact], transactions: int) -> Matrix:
        """The unbiased estimate of Cov s_est: s replaced by s_est."""
        return self.covariance(self.estimate(randomized), transactions)

    @cached_property
    def _spread(self) -> list[Matrix]:
        turned = transpose(self.Q)
        return [multiply(multiply(self.Q, self.D(held)), turned) for held in range(len(self.P))]

    def _mixed(self, parts: Sequence[Matrix], weights: Sequence[Exact], count: int) -> Matrix:
        size = len(self.P)
        return tuple(
            tuple(
                total(
                    (1, simplify(w * part[i][j] / count))
                    for w, part in zip(weights, parts, strict=True)
                )
                for j in range(size)
            )
            for i in range(size)
        )

    def variance(self, supports: Sequence[Exact], transactions: int) -> Exact:
        """Var s_est,k = 1/N sum of s_l v_l, from the true partial supports."""
        return simplify(dot(self.noise, supports) / transactions)

    def variance_estimate(self, randomized: Sequence[Exact], transactions: int) -> Exact:
        """The unbiased estimate 1/N sum of s'_l (w_l^2 - w_l)."""
        squares = [simplify(w * w - w) for w in self.weights]
        return simplify(dot(squares, randomized) / transactions)

    def supports_of(
        self, counts: npt.NDArray[np.integer], transactions: int
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Supports and estimated standard deviations, one itemset a row of counts of l' = 0..k."""
        last = np.array([float(to_sympy(w)) for w in self.weights])
        shares = np.asarray(counts, dtype=np.float64) / transactions
        variance = shares @ (last * last - last) / transactions
        return shares @ last, np.sqrt(np.maximum(variance, 0.0))


@dataclass(frozen=True)
class SizedPart:
    """The transactions of one size: how many, and how supports are recovered from them.

    A part without recovery holds transactions smaller than the itemset: support 0, for certain.
    """

    transactions: int
    recovery: Recovery | None


def mixed_support(
    parts: Sequence[SizedPart], randomized: Sequence[Sequence[Exact]]
) -> tuple[Exact, Exact]:
    """Support over all sizes, sum of N_m/N s_est(m), and its unbiased variance estimate."""
    whole = sum(part.transactions for part in parts)
    support: list[tuple[int, Exact]] = []
    variance: list[tuple[int, Exact]] = []
    for part, shares in zip(parts, randomized, strict=True):
        if part.recovery is not None:
            weight = Fraction(part.transactions, whole)
            support.append((1, simplify(weight * part.recovery.support(shares))))
            spread = part.recovery.variance_estimate(shares, part.transactions)
            variance.append((1, simplify(weight * weight * spread)))
    return total(support), total(variance)


def mixed_variance(parts: Sequence[SizedPart], supports: Sequence[Sequence[Exact]]) -> Exact:
    """The exact variance of the mixed estimate, from the partial supports at each size."""
    whole = sum(part.transactions for part in parts)
    return total(
        (
            1,
            simplify(
                Fraction(part.transactions, whole) ** 2
                * part.recovery.variance(held, part.transactions)
            ),
        )
        for part, held in zip(parts, supports, strict=True)
        if part.recovery is not None
    )

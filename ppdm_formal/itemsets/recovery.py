"""Recovery: supports estimated from randomized partial supports, with their exact covariance.

The support of k-itemsets alone (closed_form.py; only lambda_k must differ from 0), from the
randomized partial supports s' of N transactions:

    s_est,k = sum over l of w_l s'_l                  E s_est,k = s_k
    Var s_est,k = 1/N sum over l of s_l v_l
    (Var s_est,k)_est = 1/N sum over l of s'_l (w_l^2 - w_l)

All partial supports (Evf02 section 3; lambda_1, ..., lambda_k must all differ from 0), with
Q = P^-1, whose last row is w:

    s_est = Q s'                                      E s_est = s
    Cov s_est = 1/N sum over l of s_l Q D[l] Q^T      D[l] = diag(P[., l]) - P[., l] P[., l]^T
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ppdm_formal.families.select_a_size import Randomization
from ppdm_formal.itemsets.closed_form import Moments, moments
from ppdm_formal.itemsets.singular import explain_partial, explain_singular
from ppdm_formal.itemsets.transition import transition_matrix
from ppdm_formal.numbers.exact import ZERO, Exact, simplify, to_sympy, total
from ppdm_formal.numbers.rational_matrix import (
    Matrix,
    Singular,
    Vector,
    apply,
    dot,
    inverse,
    multiply,
    transpose,
)


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

        >>> from ppdm_formal.families.select_a_size import optimal_keep
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
    def moments(self) -> Moments:
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
        """P[l', l]: how partial supports change (transition.py)."""
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

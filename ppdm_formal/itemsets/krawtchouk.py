"""Krawtchouk polynomials as means of products: h_i(j) over i of n items, j of which are kept.

With y_a = 1 for j of n items and 0 for the others, h_i(j) is the mean over all i-subsets of the
product of (y_a - rho):

    sum over i of C(n, i) h_i(j) z^i = (1 + (1 - rho) z)^j (1 - rho z)^(n - j)

Up to C(n, i) these are the Krawtchouk polynomials for n trials of probability rho. The moments
of a select-a-size (closed_form.py) are lambda_i = sum over j of p[j] h_i(j), with n = m.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.numbers.exact import Exact, simplify, total

Floats: TypeAlias = npt.NDArray[np.float64]

ROUNDING = 2e-15
"""What a few operations in floating point may lose, as a share of their terms."""


def krawtchouk(trials: int, degree: int, kept: int, insert: Exact) -> Exact:
    """h_i(j), exact.

    >>> [str(krawtchouk(4, i, 1, Fraction(1, 3))) for i in range(3)]
    ['1', '-1/12', '-1/18']
    """
    if not (0 <= degree <= trials and 0 <= kept <= trials):
        raise ValueError(f"h_{degree}({kept}) needs 0 <= i <= n and 0 <= j <= n = {trials}")
    return total(
        (
            math.comb(kept, a) * math.comb(trials - kept, degree - a),
            simplify(
                (1 - insert) ** a
                * (-insert) ** (degree - a)
                * Fraction(1, math.comb(trials, degree))
            ),
        )
        for a in range(degree + 1)
    )


def cutoff_moment(size: int, cutoff: int, gamma: Exact, insert: Exact, degree: int) -> Exact:
    """lambda_i of Statement 2's form, i >= 1: a Krawtchouk polynomial for m - 1 trials at j*.

    lambda_i = (gamma - 1) / W rho (1 - rho) C(m - 1, j*) rho^j* (1 - rho)^(m - 1 - j*) h_(i-1)(j*)
    with W = 1 + (gamma - 1) P[Bin(m, rho) > j*]; proved in docs/closed-form.md.
    """
    tail = total(
        (math.comb(size, j), simplify(insert**j * (1 - insert) ** (size - j)))
        for j in range(cutoff + 1, size + 1)
    )
    whole = 1 + (gamma - 1) * tail
    front = math.comb(size - 1, cutoff) * insert ** (cutoff + 1) * (1 - insert) ** (size - cutoff)
    return simplify((gamma - 1) / whole * front * krawtchouk(size - 1, degree - 1, cutoff, insert))


@lru_cache(maxsize=64)
def _among(trials: int, degree: int) -> Floats:
    """[i, a, j]: the chance that a of i given items are among j of n."""
    found = np.zeros((degree + 1, degree + 1, trials + 1))
    for i in range(degree + 1):
        whole = math.comb(trials, i)
        for a in range(i + 1):
            for j in range(a, trials - i + a + 1):
                found[i, a, j] = math.comb(j, a) * math.comb(trials - j, i - a) / whole
    return found


def krawtchouk_grid(trials: int, degree: int, insert: Floats) -> tuple[Floats, Floats]:
    """u_i(j) for j = 0..n and i = 0..degree (the last two axes), and bounds of their errors.

    u_i(j) is the mean product of (y_a - rho) / r over i of n items, j of which have y_a = 1,
    r = sqrt(rho (1 - rho)): up to a factor a Krawtchouk polynomial, with the recurrence

        (n - i) u_(i + 1) = ((j - n rho) / r - i (1 - 2 rho) / r) u_i - i u_(i - 1)

    Neither this (it drowns a decreasing solution) nor the sum over how many of the i items have
    y_a = 1 (it cancels) is accurate everywhere: of both the one with the smaller error is taken,
    each estimated by the same computation with all terms positive.
    """
    rho = insert[..., None]
    root = np.sqrt(rho * (1 - rho))
    i = np.arange(degree + 1)
    inside, outside = ((1 - rho) / root)[..., None, :], (rho / root)[..., None, :]
    terms = inside**i * outside ** np.maximum(i[:, None] - i, 0)  # [i, a]
    among = _among(trials, degree)
    signs = np.where((i[:, None] - i) % 2, -1.0, 1.0)
    found = np.einsum("iaj,...ia->...ji", among, terms * signs)
    error = np.einsum("iaj,...ia->...ji", among, terms)
    centred, skew = (np.arange(trials + 1) - trials * rho) / root, (1 - 2 * rho) / root
    before = grown_before = np.zeros_like(centred)
    here, grown = np.ones_like(centred), np.ones_like(centred)
    for step in range(degree):
        factor = centred - step * skew
        here, before = (factor * here - step * before) / (trials - step), here
        grown, grown_before = (
            (np.abs(factor) * grown + step * grown_before) / (trials - step),
            grown,
        )
        better = grown < error[..., step + 1]
        found[..., step + 1] = np.where(better, here, found[..., step + 1])
        error[..., step + 1] = np.where(better, grown, error[..., step + 1])
    return found, error * (ROUNDING * (i + 1))


def default_grid(size: int, insert: Floats) -> Floats:
    """p_def[0..m] for each rho in (0, 1), along a new last axis; any size."""
    j = np.arange(size + 1)
    steps = np.log(np.arange(1, size + 1))
    factorials = np.concatenate([[0.0], np.cumsum(steps)])
    ways = factorials[-1] - factorials - factorials[::-1]
    rho = insert[..., None]
    return np.asarray(np.exp(ways + j * np.log(rho) + (size - j) * np.log1p(-rho)))

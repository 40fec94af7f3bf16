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

from ppdm_formal.declare.arithmetic.exact import Exact, simplify, total

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

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


@lru_cache(maxsize=4)
def _among(trials: int, degree: int) -> tuple[Floats, ...]:
    """For each i, [a, j]: the chance that a of i given items are among j of n."""
    found = []
    for i in range(degree + 1):
        whole = math.comb(trials, i)
        table = np.zeros((i + 1, trials + 1))
        for a in range(i + 1):
            for j in range(a, trials - i + a + 1):
                table[a, j] = math.comb(j, a) * math.comb(trials - j, i - a) / whole
        found.append(table)
    return tuple(found)


def krawtchouk_grid(
    trials: int, degree: int, insert: Floats, kept: Integers | None = None
) -> tuple[Floats, Floats]:
    """u_i(j) for i = 0..degree, along a new last axis, and bounds of their rounding errors.

    For j = 0..n, along a new axis before that one, or for the given j, broadcast with rho's axes.

    u_i(j) = h_i(j) / r^i with r = sqrt(rho (1 - rho)), which has the recurrence

        (n - i) u_(i + 1) = ((j - n rho) / r - i (1 - 2 rho) / r) u_i - i u_(i - 1)

    Neither this (it drowns a decreasing solution) nor the sum over how many of the i items have
    y_a = 1 (it cancels) is accurate everywhere: of both the one with the smaller error is taken,
    each estimated by the same computation with all terms positive.
    """
    rho = insert[..., None] if kept is None else insert
    j = np.arange(trials + 1) if kept is None else kept
    root = np.sqrt(rho * (1 - rho))
    centred, skew = (j - trials * rho) / root, (1 - 2 * rho) / root
    values = np.ones((*centred.shape, degree + 1))
    errors = np.ones_like(values)
    before = grown_before = np.zeros_like(centred)
    here = grown = np.ones_like(centred)
    for i, chances in enumerate(_among(trials, degree)[1:], start=1):
        factor = centred - (i - 1) * skew
        left = trials - i + 1
        here, before = (factor * here - (i - 1) * before) / left, here
        grown, grown_before = (np.abs(factor) * grown + (i - 1) * grown_before) / left, grown
        a = np.arange(i + 1)
        terms = ((1 - rho) / root)[..., None] ** a * (rho / root)[..., None] ** (i - a)
        signed = terms * np.where((i - a) % 2, -1.0, 1.0)
        if kept is None:
            direct, size = (part[..., 0, :] @ chances for part in (signed, terms))
        else:
            chosen = np.moveaxis(chances[:, kept], 0, -1)
            direct, size = ((part * chosen).sum(axis=-1) for part in (signed, terms))
        values[..., i] = np.where(grown < size, here, direct)
        errors[..., i] = np.minimum(grown, size)
    return values, errors * (ROUNDING * np.arange(1, degree + 2))


def default_grid(size: int, insert: Floats) -> Floats:
    """p_def[0..m] for each rho in (0, 1), along a new last axis; any size."""
    j = np.arange(size + 1)
    steps = np.log(np.arange(1, size + 1))
    factorials = np.concatenate([[0.0], np.cumsum(steps)])
    ways = factorials[-1] - factorials - factorials[::-1]
    rho = insert[..., None]
    return np.asarray(np.exp(ways + j * np.log(rho) + (size - j) * np.log1p(-rho)))

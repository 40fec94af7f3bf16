"""Shrinking noisy supports towards guesses, by empirical Bayes, with intervals that stay honest.

Estimates x_i of s_i have standard errors sigma_i; guesses g_i (the product of the items' supports)
come from other clients. Around beta g_i the supports scatter by kappa beta g_i, as the data say:

    z_i = beta g_i + w_i (x_i - beta g_i),   w_i = t_i^2 / (t_i^2 + sigma_i^2)

with t_i = kappa beta g_i.

Given s_i, z_i has the bias (1 - w_i)(beta g_i - s_i) and the deviation w_i sigma_i. So it lies
b_i = (1 - w_i)(s_i - beta g_i) / (w_i sigma_i) of its deviations away, and b_i^2 is
sigma_i^2 / t_i^2 on average, whatever the law of the s_i. The interval z_i +- c w_i sigma_i, with
c such that no law of b with that second moment is missed more often than 1 - level, holds s_i in
that share of all candidates on average (Armstrong, Kolesar, Plagborg-Moller 2022): it does not
rest on a normal law of supports.

A pair that is far from all guesses, the strongest of links, would be drawn to them by many of its
standard errors. So no estimate is moved by more than 1.5 of them (limited translation, Efron and
Morris 1972); one that would be keeps its raw interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import erf, exp, pi, sqrt

import numpy as np

from ppdm_formal.run.estimated_supports import Floats, quantile

_KAPPAS = np.geomspace(0.05, 4, 60)
BETA, BETA_SPREAD = 1.2, 0.4
"""What pairs hold of the product of their items before anything is measured, and how surely."""

KAPPA, KAPPA_SPREAD = 0.5, 0.5
"""How far single pairs are from it, relatively, and how surely (of its logarithm)."""


LIMIT = 1.5
"""By how many standard errors an estimate is moved at most."""


@dataclass(frozen=True)
class Shrunken:
    """Estimates between what was measured and what was guessed, with honest intervals."""

    estimates: Floats
    deviations: Floats
    """Posterior standard errors, under a normal law of supports around the guesses."""
    ends: Floats
    trust: Floats
    """The weight of what was measured, beside the guess, were there no limit."""
    beta: float
    kappa: float


def shrunken(measured: Floats, errors: Floats, guesses: Floats, level: float = 0.95) -> Shrunken:
    """Shrink estimates with standard errors towards multiples of guesses.

    >>> found = shrunken(np.array([0.05, 0.0]), np.array([0.02, 0.02]), np.array([0.02, 0.02]))
    >>> bool(0.0 < found.estimates[1] < found.estimates[0] < 0.05)
    True
    """
    beta, kappa = scatter(measured, errors, guesses)
    spread = np.maximum(kappa * beta * guesses, 1e-12)
    trust = spread**2 / (spread**2 + errors**2)
    centre = beta * guesses
    estimates = centre + trust * (measured - centre)
    ratio = np.minimum((errors / spread) ** 2, 1e6)
    reach = np.array([critical(float(m), level) for m in _rounded(ratio)])
    half = reach * trust * errors
    ends = np.stack([estimates - half, estimates + half], axis=1)
    far = np.abs(estimates - measured) > LIMIT * errors
    raw = quantile(level) * errors
    ends[far] = np.stack([measured - raw, measured + raw], axis=1)[far]
    return Shrunken(
        np.clip(estimates, measured - LIMIT * errors, measured + LIMIT * errors),
        np.where(far, errors, np.sqrt(trust) * errors),
        ends,
        trust,
        beta,
        kappa,
    )


def scatter(measured: Floats, errors: Floats, guesses: Floats) -> tuple[float, float]:
    """Beta and kappa where the data, with weak laws of both, are likeliest."""
    best, found = -np.inf, (BETA, KAPPA)
    for kappa in _KAPPAS.tolist():
        beta = BETA
        for _ in range(4):
            weight = 1 / (errors**2 + (kappa * beta * guesses) ** 2)
            above = (weight * guesses * measured).sum() + BETA / BETA_SPREAD**2
            below = (weight * guesses**2).sum() + 1 / BETA_SPREAD**2
            beta = max(float(above / below), 0.05)
        spread = errors**2 + (kappa * beta * guesses) ** 2
        score = -0.5 * (np.log(spread) + (measured - beta * guesses) ** 2 / spread).sum()
        score -= 0.5 * ((beta - BETA) / BETA_SPREAD) ** 2
        score -= 0.5 * (np.log(kappa / KAPPA) / KAPPA_SPREAD) ** 2
        if score > best:
            best, found = float(score), (beta, kappa)
    return found


def _rounded(ratio: Floats) -> Floats:
    """Rounded up to 1 in 50, so that critical values are computed once each."""
    with np.errstate(divide="ignore"):
        return np.where(ratio > 0, np.exp(np.ceil(50 * np.log(ratio)) / 50), 0.0)


def _cdf(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2


def missed(bias: float, reach: float) -> float:
    """P[|Z + bias| > reach] of a standard normal Z."""
    return _cdf(-reach - bias) + _cdf(-reach + bias)


def worst_missed(square: float, reach: float) -> float:
    """The greatest mean of missed(b, reach) over all laws of b with E b^2 = square.

    missed is convex, then concave in b^2; a law on two points, one of them 0, is worst up to where
    the line from 0 touches, and one on a single point beyond.
    """
    touch = _touch(round(reach, 9))
    if square >= touch:
        return missed(sqrt(square), reach)
    zero = missed(0.0, reach)
    return zero + square / touch * (missed(sqrt(touch), reach) - zero)


@lru_cache(maxsize=4096)
def _touch(reach: float) -> float:
    """Where a line from (0, missed(0)) touches missed as a function of the square of the bias."""

    def rises(square: float) -> float:
        b = sqrt(square)
        density = (exp(-((reach - b) ** 2) / 2) - exp(-((reach + b) ** 2) / 2)) / sqrt(2 * pi)
        slope = density / (2 * b)
        return missed(b, reach) - missed(0.0, reach) - square * slope

    if reach <= sqrt(3):  # concave from 0 on
        return 0.0
    low, high = max(reach**2 - 3, 1e-6), (reach + 6) ** 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < 0 else (low, middle)
    return high


@lru_cache(maxsize=4096)
def critical(square: float, level: float) -> float:
    """C with worst_missed(square, c) = 1 - level.

    >>> round(critical(0.0, 0.95), 3), round(critical(1.0, 0.95), 3)
    (1.96, 3.259)
    """
    low, high = 1.0, 3.0 + 10 * sqrt(1 + square)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if worst_missed(square, middle) > 1 - level else (low, middle)
    return high

"""Operators, densities and properties that several tests share, and beliefs by brute force."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np

from ppdm_formal.declare.noises.named import Normal, parse_noise
from ppdm_formal.declare.reals.additive import ContinuousOperator, Window
from ppdm_formal.declare.reals.density import Bell, Density, Flat
from ppdm_formal.declare.reals.reals import RealProperty, Reals

AGE = Reals(F(0), F(100), "Age")
TWO = Density(AGE, (Flat(F(7, 10), F(18), F(30)), Flat(F(3, 10), F(30), F(90))), "Two")
MIXED = Density(
    AGE, (Flat(F(1, 2), F(18), F(30)), Bell(F(1, 2), F(60), Normal(F(10)), F(0), F(100))), "Mixed"
)
MIDDLE = RealProperty(AGE, ((F(60), F(70)),), "middle")
LOW = RealProperty(AGE, ((F(0), F(25)),), "low")

NOISES = ("laplace(10)", "normal(40)", "uniform(-20, 20)", "triangular(-130, 130)")
WINDOWS = (None, Window("clamped", F(0), F(100)), Window("truncated", F(-10), F(100)))


def operator(noise, window=None, name="R"):
    return ContinuousOperator(AGE, parse_noise(noise), window, name)


def likelihood(made, xs, zs):
    """p(z|x) in floats, a row an x; the ends of a clamped window are columns of their own."""
    table = made.noise.pdf(zs[None, :] - xs[:, None])
    window = made.window
    if window is None:
        return table
    below = made.noise.cdf(float(window.lo) - xs)
    above = 1 - made.noise.cdf(float(window.hi) - xs)
    if window.kind == "truncated":
        return table / (1 - below - above)[:, None]
    return np.column_stack([below, table, above])


def masses(density, xs):
    """The density at points, as weights that sum to 1."""
    found = np.zeros(xs.size)
    for part in density.components:
        lo, hi = map(float, part.support)
        if isinstance(part, Flat):
            found += float(part.height) * ((xs > lo) & (xs < hi))
        else:
            bell = part.law.pdf(xs - float(part.mean))
            found += float(part.weight) * bell / (bell.sum() * (xs[1] - xs[0]))
    return found / found.sum()


def best_belief(made, density, start, points=301):
    """The most that a property of probability `start` gets to, by sorting many x at many z."""
    xs = np.linspace(0, 100, 2001)[:-1] + 100 / 4000
    weights = masses(density, xs)
    lo, hi = made.outputs
    ends = -100.0 if lo is None else float(lo), 200.0 if hi is None else float(hi)
    table = likelihood(made, xs, np.linspace(*ends, points)[1:-1])
    best = 0.0
    for column in table.T:
        order = np.argsort(-column, kind="stable")
        left = np.clip(start - np.concatenate([[0], np.cumsum(weights[order])[:-1]]), 0, None)
        chosen = np.minimum(left, weights[order])
        whole = weights @ column
        best = max(best, chosen @ column[order] / whole) if whole > 1e-15 else best
    return best


def beliefs(made, density, about, zs):
    """P[property | z] at each z (and at atoms), by sums over many x."""
    xs = np.linspace(0, 100, 6001)[:-1] + 100 / 12000
    weights = masses(density, xs)
    inside = np.zeros(xs.size, dtype=bool)
    for lo, hi in about.intervals:
        inside |= (xs > float(lo)) & (xs < float(hi))
    table = likelihood(made, xs, zs)
    whole = weights @ table
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(whole > 1e-15, (weights * inside) @ table / whole, np.nan)

"""Worst-case information of continuous operators: against sums over many x at many z."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from continuous_cases import MIXED, NOISES, TWO, WINDOWS, likelihood, masses, operator
from flint import ctx
from scipy.stats import norm

from ppdm_formal.declare.arithmetic.value import INFINITY
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.reals.additive import Window
from ppdm_formal.declare.reals.density import Flat
from ppdm_formal.derive.reals.told import ToldByOutputs
from ppdm_formal.derive.reals.told_between import told_between
from ppdm_formal.derive.reals.worst_case import worst_case


def most_told(made, density):
    """D(z) at many z and at atoms, the largest."""
    xs = np.linspace(0, 100, 2001)[:-1] + 100 / 4000
    weights = masses(density, xs)
    lo, hi = made.outputs
    ends = -60.0 if lo is None else float(lo), 160.0 if hi is None else float(hi)
    table = likelihood(made, xs, np.linspace(*ends, 402)[1:-1])
    ratio = table / (weights @ table)
    return (weights @ (ratio * np.log(np.where(ratio > 0, ratio, 1)))).max()


@pytest.mark.parametrize(
    ("noise", "window", "density"),
    [
        ("laplace(10)", None, TWO),
        ("laplace(10)", WINDOWS[2], MIXED),
        ("normal(40)", WINDOWS[1], TWO),
        ("uniform(-130, 130)", WINDOWS[1], TWO),
        ("triangular(-130, 130)", WINDOWS[1], MIXED),
    ],
)
def test_no_output_tells_more_and_some_tell_as_much(noise, window, density):
    made = operator(noise, window)
    found, tried = worst_case(made, density, Deadline.after(60)), most_told(made, density)
    assert tried <= float(found.value.hi) * (1 + 1e-5)
    assert float(found.value.lo) <= tried * 1.02
    assert found.at is not None
    assert found.value.width <= found.value.lo / 1000


def told(made, density, z):
    """D(z) by Gauss and Legendre on short intervals of x."""
    noise, window = made.noise, made.window
    kinks = [float(end - kink) for end in (z, window.lo, window.hi) for kink in noise.kinks]
    ends = [float(end) for part in density.components for end in part.support]
    inner = [
        x for x in [*kinks, *np.linspace(min(ends), max(ends), 41)] if min(ends) < x < max(ends)
    ]
    cuts = np.unique([*inner, *ends])
    nodes, weights = np.polynomial.legendre.leggauss(20)
    half = np.diff(cuts)[:, None] / 2
    xs = (cuts[:-1, None] + half + half * nodes).ravel()
    prior = np.zeros(xs.size)
    for part in density.components:
        lo, hi = map(float, part.support)
        if isinstance(part, Flat):
            shape = np.full(xs.size, float(part.height))
        else:
            law = norm(float(part.mean), float(part.law.deviation))
            shape = float(part.weight) * law.pdf(xs) / (law.cdf(hi) - law.cdf(lo))
        prior += shape * ((xs > lo) & (xs < hi))
    prior *= (half * weights).ravel()
    ratio = likelihood(made, xs, np.array([float(z)]))[:, -1 if window.kind == "truncated" else 1]
    ratio = ratio / (prior @ ratio)
    return prior @ (ratio * np.log(np.where(ratio > 0, ratio, 1)))


@pytest.mark.parametrize("noise", ["normal(12)", "triangular(-90, 95)"])
def test_the_witness_tells_what_quadrature_says_and_no_output_tells_more(noise):
    made = operator(noise, Window("truncated", F(30), F(60)))
    found = worst_case(made, MIXED, Deadline.after(60))
    at = told(made, MIXED, found.at)
    assert float(found.value.lo) == pytest.approx(at, rel=1e-8)
    assert found.value.width <= found.value.lo / 10_000
    others = [told(made, MIXED, F(30) + F(30 * k, 97)) for k in range(98)]
    assert max(others) <= float(found.value.hi) * (1 + 1e-10)
    assert min(others) < at


def test_polynomials_bound_what_outputs_between_tell_and_no_more():
    made = operator("laplace(10)", WINDOWS[1])
    with ctx.workprec(96):
        bound = told_between(ToldByOutputs(made, TWO), F(40), F(50), 1e-7)
    inner = max(told(made, TWO, F(40) + F(k, 20)) for k in range(201))
    assert inner <= float(bound.most) * (1 + 1e-10)
    assert float(bound.most) <= inner * (1 + 1e-5)
    assert F(40) <= bound.at <= F(50)


@pytest.mark.parametrize("noise", NOISES[1:])
def test_outputs_that_leave_ever_fewer_inputs_tell_without_bound(noise):
    assert worst_case(operator(noise), TWO, Deadline.after(60)).value is INFINITY


def test_a_gap_between_pieces_is_an_end_too():
    cut = operator("uniform(-20, 20)", WINDOWS[2])
    found = worst_case(cut, TWO, Deadline.after(60))
    assert (found.value, found.at) == (INFINITY, F(-2))  # 18 - 20, inside the window

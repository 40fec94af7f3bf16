"""Intervals of reconstructed masses: their bias by enumeration, coverage by repetitions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.declare.noises.named import parse_noise
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.reals.intervals import intervals, tilted
from ppdm_formal.infer.reals.of_operator import reconstruct_operator
from ppdm_formal.infer.reals.reconstruct import reconstruct
from ppdm_formal.infer.reals.stopping import Rule


def two(random, size):
    """A block and a triangle: smooth almost nowhere, and with an end inside of a cell."""
    block = random.uniform(1, 3, size)
    return np.where(random.random(size) < 0.6, block, random.triangular(5, 8, 9.5, size))


def bell(random, size):
    some = random.normal(5, 1.2, 2 * size)
    return some[(some > 0) & (some < 10)][:size]


@pytest.mark.parametrize(
    ("noise", "draw", "cells", "size", "method"),
    [
        ("uniform(-1, 1)", two, 10, 1000, "em"),
        ("normal(1/2)", two, 10, 1000, "em"),
        ("normal(1/2)", bell, 10, 1000, "as"),
        ("laplace(1)", two, 10, 1000, "em"),
        ("normal(2)", two, 10, 1000, "em"),
        ("uniform(-1, 1)", bell, 20, 5000, "em"),
    ],
)
def test_intervals_cover_where_the_scatter_does_not(noise, draw, cells, size, method):
    """100 samples: every cell nearly always, whatever smoothing took away."""
    law, line = parse_noise(noise), Partition(Fraction(0), Fraction(10), cells)
    random = np.random.default_rng(11)
    truth = np.histogram(draw(random, 400_000), line.edges)[0] / 400_000
    held, near = np.zeros(cells), np.zeros(cells)
    for _ in range(100):
        x = draw(random, size)
        found = reconstruct(x + law.drawn(len(x), random), law, line, method)
        held += (found.low <= truth) & (truth <= found.high)
        near += np.abs(found.masses - truth) <= 1.96 * found.se
        assert ((found.low <= found.masses) & (found.masses <= found.high)).all()
    assert held.mean() >= 94
    assert held.min() >= 85
    assert near.mean() < 94  # what was called an interval before


def test_the_bias_of_every_distribution_is_inside():
    """Exact outputs of all extreme distributions, without any noise in them: always covered."""
    random = np.random.default_rng(3)
    parts = random.dirichlet(np.full(14, 0.5), 12)  # three cells in four parts each
    laws = tilted(parts, 4)
    assert laws.sum(axis=1) == pytest.approx(np.ones(6))
    for weights in [*np.eye(6), *random.dirichlet(np.full(6, 0.4), 50)]:
        masses = weights.reshape(3, 2).sum(axis=1)
        low, high = intervals(parts, 4, 1e9 * weights @ laws, np.full(3, 1 / 3))
        assert (low <= masses + 1e-9).all()
        assert (masses <= high + 1e-9).all()


def test_more_values_tell_more_and_what_is_lost_is_lost():
    line, random = Partition(Fraction(0), Fraction(10), 5), np.random.default_rng(2)
    noise = parse_noise("uniform(-1, 1)")
    widths = []
    for size in (500, 50_000):
        x = bell(random, size)
        found = reconstruct(x + noise.drawn(len(x), random), noise, line)
        widths.append(float(np.mean(found.high - found.low)))
    assert widths[1] < widths[0] / 2
    blind = Operator.from_function(range(4), range(2), lambda x, y: Fraction(1, 2))
    found = reconstruct_operator(np.array([500.0, 500.0]), blind, rule=Rule("iterations", 3))
    assert found.low == pytest.approx(np.zeros(4))
    assert found.high == pytest.approx(np.ones(4))


def test_no_intervals_without_errors_or_for_too_many_cells():
    random = np.random.default_rng(0)
    noise = parse_noise("uniform(-1, 1)")
    z = random.uniform(0, 10, 2000) + random.uniform(-1, 1, 2000)
    assert reconstruct(z, noise, Partition(Fraction(0), Fraction(10), 10), errors=False).low is None
    many = reconstruct(
        z, noise, Partition(Fraction(0), Fraction(10), 500), rule=Rule("iterations", 2)
    )
    assert many.low is None

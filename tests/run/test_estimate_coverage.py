"""Coverage in small: 95% intervals over many collections, fresh people drawn each time.

benchmarks/estimate_coverage.py does the same at full size on real columns.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.tables.tables import RandomizedColumn, table
from ppdm_formal.infer.undoing.counts import Counts
from ppdm_formal.infer.undoing.intervals import Moments, _farthest, pointwise
from ppdm_formal.infer.undoing.operator_channel import along, doubles

LEVEL = Fraction(95, 100)
SKEWED = np.array([400, 250, 150, 100, 60, 30, 9, 1]) / 1000


def unary(size):
    """RAPPOR's one-time reports: each bit of the unary encoding kept with probability 3/4."""

    def p(x, y):
        chosen = Fraction(1)
        for place in range(size):
            chosen *= Fraction(3, 4) if (y >> place & 1) == (place == x) else Fraction(1, 4)
        return chosen

    return Operator.from_function(range(size), range(2**size), p)


def shifted(size):
    """Noise of -2..2 added: outputs at the ends tell much, and rarely occur."""

    def p(x, y):
        return Fraction(1, 5) if abs(x - (y - 2)) <= 2 else Fraction(0)

    return Operator.from_function(range(size), range(size + 4), p)


CASES = {
    "k-ary, noisy": [randomized_response(8, "1/4")],
    "k-ary, little noise": [randomized_response(8, "99/100")],
    "unary": [unary(8)],
    "additive noise": [shifted(8)],
    "pairs": [randomized_response(8, "1/2"), randomized_response(2, "3/4")],
    "pairs, unary": [unary(4), randomized_response(8, "3/4")],
}


@pytest.mark.parametrize("name", CASES)
def test_coverage(name):
    columns = [RandomizedColumn(str(k), operator) for k, operator in enumerate(CASES[name])]
    draw = np.random.default_rng(17)
    shape = [column.operator.inputs.size for column in columns]
    truth = SKEWED if len(shape) == 1 else draw.dirichlet(np.full(np.prod(shape), 0.7))
    law = along(truth.reshape(shape), [doubles(c.operator.matrix()) for c in columns])
    law /= law.sum()
    collections = 150
    held = {"unbiased": [], "mle": []}
    errors = []
    for _ in range(collections):
        counts = Counts.of_array(draw.multinomial(4000, law.ravel()).reshape(law.shape))
        for method, hits in held.items():
            cells = table(columns, counts, method, LEVEL).cells
            low, high = (np.array([getattr(c, end) for c in cells]) for end in ("low", "high"))
            hits.append((low <= truth) & (truth <= high))
            if method == "unbiased":
                errors.append([(c.estimate - t) / c.se for c, t in zip(cells, truth, strict=True)])
    for hits in held.values():  # about four standard errors of a share of correlated cells
        assert 0.925 <= np.mean(hits) <= 0.975
        assert np.mean(hits, axis=0).min() >= 0.87  # no cell is given up for the others
    mean = np.mean(errors, axis=0) * collections**0.5
    assert np.abs(mean).max() < 4.5


@pytest.mark.parametrize("keep", ["1/4", "1/2"])
def test_intervals_at_the_boundary_have_a_width_and_cover(keep):
    """Values that nobody has, or hardly anybody: the likeliest mass is often 0, and never sure."""
    column = RandomizedColumn("0", randomized_response(6, keep))
    truth = np.array([0.6, 0.39, 0.008, 0.002, 0.0, 0.0])
    law = truth @ doubles(column.operator.matrix())
    draw = np.random.default_rng(5)
    covered, widths, errors = np.zeros(6), [], []
    for _ in range(400):
        counts = Counts.of_array(draw.multinomial(800, law))
        cells = table([column], counts, "mle", LEVEL).cells
        covered += [c.low <= t <= c.high for c, t in zip(cells, truth, strict=True)]
        widths += [cell.high - cell.low for cell in cells]
        errors += [cell.se for cell in cells]
        assert all(cell.low <= cell.estimate <= cell.high for cell in cells)
        assert all(0 <= cell.low < cell.high <= 1 for cell in cells)
    assert min(w / e for w, e in zip(widths, errors, strict=True)) > 0.2
    assert (covered / 400 > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 400)).all()


def test_the_likelihood_ratio_limits_are_those_of_the_definition():
    """By brute force: for each t the x of highest ratio f(x | t) / f(x | best t >= 0), 95%."""
    x = np.linspace(-9, 9, 6001)
    best = np.exp(-((x - np.maximum(x, 0)) ** 2) / 2)
    highest = dict.fromkeys((-6.0, -3.0, -2.4, -1.8, -0.9), 0.0)
    for t in np.arange(0.01, 2.0, 0.01):
        density = np.exp(-((x - t) ** 2) / 2)
        order = np.argsort(-density / best, kind="stable")
        enough = np.searchsorted(np.cumsum(density[order]) / density.sum(), 0.95)
        accepted = x[order[: enough + 1]]
        for at in highest:
            if accepted.min() <= at <= accepted.max():
                highest[at] = t
    for at, reached in highest.items():
        fitted = [np.zeros(1), np.ones(1), np.zeros(1)]
        means = Moments(np.array([at / 100]), np.ones(1), fitted, 10_000)
        low, high = means.within(pointwise(0.95))
        plain = means.interval(pointwise(0.95))[1][0]
        assert low[0] == 0
        assert 100 * high[0] == pytest.approx(max(reached, 100 * plain), abs=0.011)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_what_is_not_refused_beyond_a_bound_keeps_the_level(level):
    """Of x <= 0, in standard errors: t is not refused where its likelihood ratio is not rarer.

    Under t the ratio, to the nearest possible mean, is as it is at x within sqrt(c) of t and, below
    the bound, down to -(c - t^2) / 2 t, with c = t^2 - 2 t x: as likely as the level says.
    """
    z = pointwise(level)
    seen = -np.geomspace(1e-3, 5, 40)
    found = _farthest(seen, z)
    assert (np.diff(found) <= 0).all()  # the farther below, the less is possible
    inside = found > 1e-5
    assert inside.sum() > 10
    t, x = found[inside], seen[inside]
    c = t**2 - 2 * t * x
    held = norm.cdf(np.sqrt(c)) - norm.cdf(-(c + t**2) / (2 * t))
    assert held == pytest.approx(np.full(len(t), level), abs=2e-3)

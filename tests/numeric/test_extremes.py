"""Amplification of continuous operators: against the ratio on fine grids, and by hand."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction as F

import numpy as np
import pytest

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.arithmetic.value import INFINITY
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.noises.named import Triangular, parse_noise
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.reals.additive import ContinuousOperator, Window
from ppdm_formal.declare.reals.density import Density, Flat
from ppdm_formal.declare.reals.grid import on_grid
from ppdm_formal.declare.reals.reals import RealProperty, Reals
from ppdm_formal.derive.measures.amplification import amplification as discrete_amplification
from ppdm_formal.derive.measures.posterior import worst_posterior
from ppdm_formal.derive.reals.belief import Belief
from ppdm_formal.derive.reals.extremes import extremes, most_extreme
from ppdm_formal.derive.reals.search import highest

UNIT = Reals(F(0), F(1))


def made(noise, window=None, inputs=UNIT):
    kind = None if window is None else Window(window[0], F(window[1]), F(window[2]))
    return ContinuousOperator(inputs, parse_noise(noise), kind)


def number(value):
    if value is INFINITY:
        return float("inf")
    return float(value.lo) if isinstance(value, Enclosure) else float(value)


def greatest_ratio(operator, points=160):
    """By brute force in floats: over x1, x2 and z on grids, atoms included."""
    xs = np.linspace(float(operator.inputs.lo), float(operator.inputs.hi), 41)
    lo, hi = operator.outputs
    start = -4.0 if lo is None else float(lo)
    end = 5.0 if hi is None else float(hi)
    zs = np.linspace(start + 1e-9, end - 1e-9, points)
    noise, window = operator.noise, operator.window
    table = noise.pdf(zs[None, :] - xs[:, None])
    if window is not None and window.kind == "truncated":
        shares = noise.cdf(float(window.hi) - xs) - noise.cdf(float(window.lo) - xs)
        table = table / shares[:, None]
    if window is not None and window.kind == "clamped":
        below, above = noise.cdf(float(window.lo) - xs), 1 - noise.cdf(float(window.hi) - xs)
        table = np.column_stack([below, table, above])
    table = np.where(table < 1e-14, 0, table)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = table.max(axis=0) / table.min(axis=0)
    return np.nanmax(ratios)


CASES = [
    ("laplace(1/3)", None),
    ("laplace(1/3)", ("clamped", 0, 1)),
    ("laplace(1/3)", ("clamped", "1/4", "1/2")),
    ("laplace(1/3)", ("clamped", -1, "1/2")),
    ("laplace(1/3)", ("truncated", 0, 1)),
    ("laplace(1/3)", ("truncated", "1/4", "1/2")),
    ("laplace(1/3)", ("truncated", 2, 3)),
    ("normal(1/2)", ("clamped", 0, 1)),
    ("normal(1/2)", ("clamped", "1/4", 2)),
    ("normal(1/2)", ("truncated", 0, 1)),
    ("normal(1/2)", ("truncated", "1/4", "3/2")),
    ("uniform(-1/2, 1/2)", None),
    ("uniform(-1/2, 1/2)", ("truncated", 0, 1)),
    ("uniform(-2, 2)", ("clamped", "1/4", "1/2")),
    ("uniform(-2, 2)", ("truncated", "1/4", "1/2")),
    ("uniform(-2, 3)", ("clamped", -1, 1)),
    ("triangular(-2, 2)", ("clamped", 0, 1)),
    ("triangular(-2, 2)", ("truncated", 0, "1/2")),
    ("triangular(-1, 1)", ("truncated", 0, 1)),
    ("triangular(-1, 2)", ("clamped", 0, "1/2")),
]


@pytest.mark.parametrize(("noise", "window"), CASES)
def test_no_ratio_on_a_grid_is_above_and_some_come_close(noise, window):
    operator = made(noise, window)
    found, tried = number(most_extreme(operator).value), greatest_ratio(operator)
    assert tried <= found * (1 + 1e-6)
    if np.isfinite(found):
        assert tried >= found * 0.98
    else:
        assert tried > 1e3


@pytest.mark.parametrize("window", [None, ("clamped", 0, 1), ("truncated", 0, 1)])
def test_laplace_noise_has_the_ratio_e_to_width_over_scale(window):
    assert most_extreme(made("laplace(1/3)", window)).value == exp_of(F(3))


def test_only_the_limit_is_reached_by_a_truncated_window_of_the_inputs():
    assert most_extreme(made("laplace(1)", ("truncated", 0, 1))).reached == "limit"
    assert most_extreme(made("laplace(1)", ("truncated", -1, 2))).reached == "region"
    assert most_extreme(made("laplace(1)")).reached == "region"
    assert most_extreme(made("laplace(1)", ("clamped", 0, 1))).reached == "atom"


def test_normal_noise_tells_without_bound_where_outputs_have_no_end():
    found = most_extreme(made("normal(1)"))
    assert (found.value, found.reached, found.at) == (INFINITY, "limit", None)


def test_a_window_inside_wide_uniform_noise_shows_nothing():
    assert most_extreme(made("uniform(-5, 5)", ("truncated", 0, 1))).value == 1


@pytest.mark.parametrize("noise", ["laplace(1/2)", "normal(1/2)", "triangular(-3, 3)"])
@pytest.mark.parametrize("window", [("clamped", 0, 1), ("truncated", 0, 1)])
def test_a_property_only_tells_inputs_inside_from_inputs_outside(noise, window):
    operator = made(noise, window)
    about = RealProperty(UNIT, ((F(1, 4), F(1, 2)), (F(3, 4), F(7, 8))))
    found = max(number(extreme.value) for extreme in extremes(operator, about))
    narrow = made(noise, window, Reals(F(0), F(7, 8)))
    wide = made(noise, window, Reals(F(1, 4), F(1)))
    expected = max(
        number(extremes(narrow)[0].value),  # the top: 7/8 inside against 0 outside
        number(extremes(wide)[1].value),  # the bottom: 1/4 inside against 1 outside
    )
    assert found == pytest.approx(expected)


def test_nothing_left_of_a_window_is_refused():
    with pytest.raises(ValueError, match="nothing is left"):
        made("uniform(-1, 1)", ("truncated", 1, 3))


def random_operators(count):
    chance = random.Random(7)
    for _ in range(count):
        spread = F(chance.randint(2, 12), 4)
        law = chance.choice(["laplace", "triangular", "uniform"])
        noise = f"laplace({spread})" if law == "laplace" else f"{law}(-{spread + 3}, {spread + 3})"
        lo, hi = -chance.randint(0, 2), 1 + chance.randint(0, 2)
        yield made(noise, (chance.choice(["clamped", "truncated"]), lo, hi))


def test_finer_grids_approach_the_amplification_from_below():
    """Rounding is post-processing and thins out the inputs: it can only hide. 50 operators."""
    for operator in random_operators(50):
        found = number(most_extreme(operator).value)
        steps = [F(1), F(1, 2), F(1, 8)]
        ratios = [number(discrete_amplification(on_grid(operator, s)).value) for s in steps]
        assert all(ratio <= found * (1 + 1e-12) for ratio in ratios), operator.rule
        assert ratios[-1] >= ratios[0] * (1 - 1e-12)
        if np.isfinite(found):
            assert ratios[-1] == pytest.approx(found, rel=0.25), operator.rule
            assert abs(ratios[-1] - found) <= abs(ratios[0] - found) + 1e-9
        else:
            assert ratios[-1] == float("inf") or ratios[-1] > ratios[0]


def coarsened(operator, cells):
    """X and z in so many cells, x uniform: p[cell -> cell] is a mean over x, exactly."""
    lo, hi = operator.inputs.lo, operator.inputs.hi
    low, high = operator.outputs
    xs = [lo + (hi - lo) * F(k, cells) for k in range(cells + 1)]
    zs = [low + (high - low) * F(k, 2 * cells) for k in range(1, 2 * cells)]
    noise = operator.noise
    half = noise.half if isinstance(noise, Triangular) else None

    def area(v):  # the integral of the noise's distribution up to v
        above = [max(v - kink, F(0)) for kink in noise.kinks]
        if half is None:
            return (above[0] ** 2 - above[1] ** 2) / (2 * (noise.hi - noise.lo))
        return (above[0] ** 3 - 2 * above[1] ** 3 + above[2] ** 3) / (6 * half**2)

    rows = []
    for a, b in itertools.pairwise(xs):
        below = [(area(z - a) - area(z - b)) / (b - a) for z in zs]
        rows.append([q - p for p, q in zip([F(0), *below], [*below, F(1)], strict=True)])
    return Operator.from_matrix(rows)


def test_finer_cells_approach_amplification_and_worst_posterior_from_below():
    """Cells of x and of z hide: each halving shows more, and never more than there is."""
    chance = random.Random(11)
    about = RealProperty(UNIT, ((F(1, 2), F(1)),), "upper")
    prior = Density(UNIT, (Flat(F(1), F(0), F(1)),))
    for _ in range(50):
        law = chance.choice(["triangular", "uniform"])
        spread = 2 + F(chance.randint(1, 12), 4)
        lo, hi = -F(chance.randint(0, 4), 4), 1 + F(chance.randint(0, 4), 4)
        operator = made(f"{law}(-{spread}, {spread})", ("clamped", lo, hi))
        most = number(most_extreme(operator).value)
        _, above = highest(Belief(operator, prior, about), Deadline.after(60))
        ratios, beliefs = [], []
        for cells in (2, 4, 8):
            coarse = coarsened(operator, cells)
            ratios.append(number(discrete_amplification(coarse).value))
            upper = Property.where(coarse.inputs, lambda x, n=cells: 2 * x >= n)
            worst = worst_posterior(coarse, Prior.uniform(coarse.inputs), upper, "upward")
            beliefs.append(float(worst.after))
        assert ratios == sorted(ratios)
        assert ratios[-1] <= most * (1 + 1e-12)
        assert beliefs == sorted(beliefs)
        assert beliefs[-1] <= float(above) + 1e-12
        assert ratios[0] < ratios[1] < ratios[2] or ratios[0] == most, operator.rule
        gaps = [float(above) - belief for belief in beliefs]
        assert gaps[2] < gaps[1] < gaps[0], operator.rule
    fine = number(discrete_amplification(coarsened(operator, 32)).value)
    assert most - fine < (most - ratios[2]) / 2

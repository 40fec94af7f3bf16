"""Beliefs given z: enclosures against sums over many x, suprema against many z."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from continuous_cases import AGE, LOW, MIDDLE, MIXED, NOISES, TWO, WINDOWS, beliefs, operator

from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.noises.named import Normal
from ppdm_formal.declare.reals.additive import Window
from ppdm_formal.declare.reals.density import Bell, Density, Flat
from ppdm_formal.declare.reals.reals import RealProperty
from ppdm_formal.derive.reals.belief import Belief
from ppdm_formal.derive.reals.search import Above, Below, highest, probabilities, search

CASES = [(noise, window) for noise in NOISES for window in WINDOWS]


@pytest.mark.parametrize(("noise", "window"), CASES)
@pytest.mark.parametrize("density", [TWO, MIXED], ids=lambda d: d.name)
@pytest.mark.parametrize("about", [MIDDLE, LOW], ids=lambda p: p.name)
def test_odds_enclose_the_belief_at_each_output(noise, window, density, about):
    made = operator(noise, window)
    belief = Belief(made, density, about, 12)
    zs = np.array([1.5, 33.25, 64.5, 98.0])
    tried = beliefs(made, density, about, zs)
    atoms = window is not None and window.kind == "clamped"
    for z, expected in zip(zs, tried[1:-1] if atoms else tried, strict=True):
        odds = belief.odds(F(z))
        if odds is None or np.isnan(expected):
            continue
        low, high = probabilities(odds)
        assert float(low) - 2e-3 <= expected <= float(high) + 2e-3
        assert high - low < F(1, 10)
        across = belief.odds(F(z) - F(1, 4), F(z) + F(1, 4))
        wide = probabilities(across)
        assert wide[0] <= low <= high <= wide[1]
    if atoms:
        for end, expected in (("lo", tried[0]), ("hi", tried[-1])):
            low, high = probabilities(belief.atom_odds(end))
            assert float(low) - 2e-3 <= expected <= float(high) + 2e-3


@pytest.mark.parametrize(
    ("noise", "window"),
    [*((n, w) for n in NOISES for w in WINDOWS[:2]), ("normal(40)", WINDOWS[2])],
)
@pytest.mark.parametrize("about", [MIDDLE, LOW], ids=lambda p: p.name)
def test_the_supremum_is_that_of_many_outputs(noise, window, about):
    made = operator(noise, window)
    found = highest(Belief(made, TWO, about, 6), Deadline.after(60))
    lo, hi = made.outputs
    zs = np.linspace(-150.0 if lo is None else float(lo), 250.0 if hi is None else float(hi), 801)
    tried = np.nanmax(beliefs(made, TWO, about, zs[1:-1]))
    assert found is not None
    assert tried <= float(found[1]) + 2e-3
    if not (noise == "normal(40)" and window is None):  # only approached, the further out z lies
        assert tried >= float(found[0]) - 2e-2
        assert found[1] - found[0] <= F(1, 20)


@pytest.mark.parametrize("noise", NOISES)
def test_a_limit_is_kept_or_broken_on_either_side_of_the_supremum(noise):
    made = operator(noise, WINDOWS[1])
    belief = Belief(made, TWO, MIDDLE)
    low, high = highest(belief, Deadline.after(60))
    over, under = high + F(1, 500), low - F(1, 500)
    assert isinstance(search(belief, over / (1 - over), Deadline.after(60)), Below)
    assert isinstance(search(belief, under / (1 - under), Deadline.after(60)), Above)


def test_densities_are_checked():
    with pytest.raises(ValueError, match="sums to 9/10, not to 1"):
        Density(AGE, (Flat(F(9, 10), F(0), F(1)),))
    with pytest.raises(ValueError, match="does not lie in"):
        Density(AGE, (Flat(F(1), F(0), F(101)),))
    with pytest.raises(ValueError, match="weight above 0"):
        Density(AGE, ())
    bell = Density(AGE, (Bell(F(1), F(50), Normal(F(10)), F(0), F(100)),))
    assert float(bell.mass(LOW).lo) == pytest.approx(0.0062093, abs=1e-5)


def test_a_supremum_in_a_narrow_band_is_found_and_a_certain_belief_is_certain():
    """A gap that sampled outputs step over; and outputs that only the property can lead to."""
    gap = (Flat(F(1, 2), F(0), F(37)), Flat(F(1, 2), F(371, 10), F(100)))
    spike = RealProperty(AGE, ((F(37), F(371, 10)),), "spike")
    parts = (*(Flat(p.weight * F(9999, 10000), p.lo, p.hi) for p in gap),)
    density = Density(AGE, (*parts, Flat(F(1, 10000), F(37), F(371, 10))), "Spike")
    made = operator("laplace(1/50)")
    low, high = highest(Belief(made, density, spike), Deadline.after(60))
    zs = np.linspace(36.9, 37.2, 301)
    xs = np.linspace(36, 38, 40001)[:-1] + 1 / 40000
    prior = np.where(xs < 37, 0.5 / 37, np.where(xs < 37.1, 1e-3, 0.5 / 62.9))
    shown = np.exp(-np.abs(zs[None, :] - xs[:, None]) * 50)
    inside = (xs > 37) & (xs < 37.1)
    tried = ((prior * inside) @ shown / (prior @ shown)).max()
    assert float(low) - 1e-3 <= tried <= float(high) + 1e-3
    assert high - low < F(1, 1000)
    assert highest(Belief(operator("uniform(-2, 2)"), TWO, MIDDLE), Deadline.after(60)) == (1, 1)


def test_weights_too_far_apart_for_a_ball_are_not_taken_for_impossible():
    """From x = 0 one output in 10^57 lies in the window, from x = 100 nearly all do."""
    made = operator("normal(5)", Window("truncated", F(80), F(150)))
    far = Density(AGE, (Bell(F(1), F(-1), Normal(F(2)), F(0), F(100)),), "Far")
    odds = Belief(made, far, RealProperty(AGE, ((F(20), F(100)),), "about")).odds(F(80), F(150))
    assert odds is not None
    assert not odds[1] < 1

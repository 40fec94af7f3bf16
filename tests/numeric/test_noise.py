"""Noise laws: floats and balls against SciPy, closed forms against integration, bad input."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from scipy import stats
from scipy.optimize import minimize_scalar

from ppdm_formal.declare.noises.named import parse_noise

PEERS = {
    "uniform(-1, 3)": stats.uniform(-1, 4),
    "normal(2)": stats.norm(0, 2),
    "laplace(5/2)": stats.laplace(0, 2.5),
    "triangular(-3, 1)": stats.triang(0.5, -3, 4),
}
POINTS = np.linspace(-6.05, 6.05, 100)


@pytest.mark.parametrize("text", PEERS)
def test_densities_and_distributions(text):
    noise, peer = parse_noise(text), PEERS[text]
    assert str(noise) == text
    np.testing.assert_allclose(noise.pdf(POINTS), peer.pdf(POINTS), atol=1e-12)
    np.testing.assert_allclose(noise.cdf(POINTS), peer.cdf(POINTS), atol=1e-12)
    assert noise.sd == pytest.approx(peer.std())
    assert noise.center == pytest.approx(peer.mean())
    assert [float("nan") if e is None else float(e) for e in noise.support] == pytest.approx(
        [e if np.isfinite(e) else float("nan") for e in peer.support()], nan_ok=True
    )
    for v in POINTS:
        ball = arb(float(v))
        assert float(noise.ball_pdf(ball)) == pytest.approx(peer.pdf(v), abs=1e-12)
        assert float(noise.ball_cdf(ball)) == pytest.approx(peer.cdf(v), abs=1e-12)


@pytest.mark.parametrize("text", PEERS)
def test_a_ball_encloses_the_distribution_of_all_its_points(text):
    noise, peer = parse_noise(text), PEERS[text]
    for lo in POINTS[::7]:
        hi = lo + 0.8
        ball = noise.ball_cdf(arb(float(lo)).union(arb(float(hi))))
        for v in np.linspace(lo, hi, 5):
            assert float(ball.lower()) <= peer.cdf(v) + 1e-12
            assert float(ball.upper()) >= peer.cdf(v) - 1e-12
        assert float(ball.upper()) <= peer.cdf(hi) + 1e-6


@pytest.mark.parametrize("text", PEERS)
@pytest.mark.parametrize("confidence", ["1/2", "19/20", "999/1000"])
def test_no_interval_of_this_probability_is_shorter(text, confidence):
    noise, peer = parse_noise(text), PEERS[text]
    c = float(Fraction(confidence))
    best = minimize_scalar(
        lambda p: peer.ppf(p + c) - peer.ppf(p), bounds=(1e-9, 1 - c - 1e-9), method="bounded"
    )
    assert float(noise.shortest(Fraction(confidence)).lo) == pytest.approx(best.fun, rel=1e-6)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("laplace(-1)", "above 0"),
        ("laplace(0)", "above 0"),
        ("normal(0)", "above 0"),
        ("normal(1e99)", "10\\^30"),
        ("uniform(1, 1)", "lower one first"),
        ("triangular(2, 1)", "lower one first"),
        ("uniform(-1e40, 1e40)", "10\\^30"),
        ("uniform(1)", "takes 2, not 1"),
        ("normal(1, 2)", "takes 1, not 2"),
        ("laplace(nan)", "not a number"),
        ("laplace(inf)", "not a number"),
        ("laplace()", "not a number"),
        ("cauchy(1)", "no noise"),
        ("laplace(10", "no noise"),
        ("laplace(10) + 1", "no noise"),
        ("laplace((10))", "no noise"),
        ("", "no noise"),
        ("laplace(" + "1" * 5000 + ")", "no noise"),
    ],
)
def test_bad_input_is_refused(text, said):
    with pytest.raises(ValueError, match=said):
        parse_noise(text)


def test_a_confidence_lies_between_0_and_1():
    for wrong in (0, 1, 2):
        with pytest.raises(ValueError, match="between 0 and 1"):
            parse_noise("normal(1)").shortest(Fraction(wrong))

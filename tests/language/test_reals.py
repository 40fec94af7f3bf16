"""Real numbers in models: what compiles to what, and what is refused with which words."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from scipy.stats import norm

from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.language.errors import ModelError

AGE = "domain Age = reals 0..100\n"


def model(text):
    return compile_text(AGE + text)


def test_an_operator_is_compiled():
    found = model(
        "operator R(x: Age) -> reals { return x + laplace(5/2) clamped to -10..110 }\n"
        "operator S(y: Age) -> reals { return triangular(-3, 3) + y }"
    ).real.operators
    assert found["R"].rule == "x + laplace(5/2) clamped to -10..110"
    assert found["S"].rule == "x + triangular(-3, 3)"
    assert (found["R"].inputs.lo, found["R"].inputs.hi) == (0, 100)


@pytest.mark.parametrize(
    ("condition", "intervals"),
    [
        ("x < 18", [(0, 18)]),
        ("18 <= x < 65", [(18, 65)]),
        ("65 > x", [(0, 65)]),
        ("not (18 <= x < 65)", [(0, 18), (65, 100)]),
        ("x < 10 or 5 < x < 20 or x > 90", [(0, 20), (90, 100)]),
        ("x < 50 and not (20 < x < 30)", [(0, 20), (30, 50)]),
    ],
)
def test_properties_are_unions_of_intervals(condition, intervals):
    found = model(f"property p on Age = {condition}").real.properties["p"]
    assert list(found.intervals) == [tuple(map(F, part)) for part in intervals]
    inside = sum(b - a for a, b in found.intervals)
    assert inside + sum(b - a for a, b in found.complement.intervals) == 100


def test_densities():
    real = model(
        "prior P on Age { uniform(0, 10) : 1/4; normal(50, 10) : 3/4 }\nprior U on Age = uniform\n"
        "property low on Age = x < 40"
    ).real
    low = real.properties["low"]
    assert real.densities["U"].mass(low).lo == F(2, 5)
    whole = norm.cdf(5) - norm.cdf(-5)
    share = 0.25 + 0.75 * (norm.cdf(-1) - norm.cdf(-5)) / whole
    assert float(real.densities["P"].mass(low).lo) == pytest.approx(share)


GRID = """
prior P on Age { uniform(15, 35) : 1/2; uniform(35, 95) : 1/2 }
property old on Age = x >= 60
operator R(x: Age) -> reals { return x + NOISE clamped to 0..100 rounded to 20 }
audit R { prior P; property old; given 60; forbid breach 1/10 -> 99/100 under P for old }
"""


@pytest.mark.parametrize("noise", ["laplace(30)", "triangular(-50, 70)", "normal(25)"])
def test_a_grid_is_the_law_of_rounded_sums(noise):
    """Against the noise's distribution in floats: x and z rounded, ends clamped."""
    loaded = model(GRID.replace("NOISE", noise))
    operator = loaded.operators["R"]
    assert list(operator.inputs) == list(operator.outputs) == [0, 20, 40, 60, 80, 100]
    law = model(f"operator C(x: Age) -> reals {{ return x + {noise} }}").real.operators["C"].noise
    for x in operator.inputs:
        cuts = law.cdf(np.array([10.0, 30, 50, 70, 90]) - x)
        expected = np.diff(np.concatenate([[0], cuts, [1]]))
        found = [float(operator.probability(x, y)) for y in operator.outputs]
        np.testing.assert_allclose(found, expected, atol=1e-12)
        assert sum(operator.probability(x, y) for y in operator.outputs) == 1
    prior = loaded.real.on_grid["R"].priors["P"]
    assert [prior.probability(x) for x in operator.inputs] == [
        0, F(3, 8), F(1, 8) + F(1, 8), F(1, 6), F(1, 6), F(1, 24)
    ]  # fmt: skip
    old = loaded.real.on_grid["R"].properties["old"]
    assert [x in old for x in operator.inputs] == [False] * 3 + [True] * 3


def test_a_grid_of_laplace_noise_is_exact():
    operator = model(GRID.replace("NOISE", "laplace(30)")).operators["R"]
    assert operator.probability(0, 0) == 1 - exp_of(F(-1, 3)) / 2


def test_a_truncated_grid_sums_to_one_in_fractions_of_steps():
    text = (
        "operator R(x: Age) -> reals { return x + normal(60) truncated to 0..100 rounded to 25/2 }"
    )
    operator = model(text).operators["R"]
    assert list(operator.inputs)[:3] == ["0", "12.5", "25"]
    assert sum(operator.probability("12.5", y) for y in operator.outputs) == 1
    assert all(isinstance(operator.probability("0", y), F) for y in operator.outputs)


BAD = [
    ("domain B = reals", "reals without ends"),
    ("domain B = reals 5..5", "below the other"),
    ("domain B = reals 0..1e40", "beyond 10\\^30"),
    ("domain Age = 0..5", "already a domain"),
    ("prior P on Age { uniform(0, 50) : 1/2 }", "sums to 1/2, not to 1"),
    ("prior P on Age { uniform(0, 500) : 1 }", "does not lie in 0..100"),
    ("prior P on Age { uniform(0, 50) : 3/2; uniform(50, 60) : -1/2 }", "not above 0"),
    ("prior P on Age { normal(50, 0) : 1 }", "must be above 0"),
    ("prior P on Age { 5 : 1 }", "made of uniform"),
    ("prior P on Age { uniform(1) : 1 }", "takes two numbers"),
    ("property p on Age = x == 5", "between real numbers"),
    ("property p on Age = x < y", "unknown name"),
    ("property p on Age = x < 500", "every number"),
    ("property p on Age = x > 100", "no number"),
    ("property p on Age = 3 < 4", "expected x on one side"),
    ("property p on Age = x", "compares x with numbers"),
    ("operator R(x: Age) -> Age { return x + laplace(1) }", "real outputs"),
    ("operator R(x: Age) -> reals { return x }", "expected x \\+ noise"),
    ("operator R(x: Age) -> reals { return x + cauchy(1) }", "no noise"),
    ("operator R(x: Age) -> reals { return x + laplace(0) }", "above 0"),
    ("operator R(x: Age) -> reals { return x + laplace(-2) }", "above 0"),
    ("operator R(x: Age) -> reals { return x + laplace(1, 2) }", "takes 1, not 2"),
    ("operator R(x: Age) -> reals { return x + uniform(2, 1) }", "lower one first"),
    ("operator R(x: Age) -> reals { y = 1; return x + laplace(1) }", "only returns"),
    ("operator R(x: Age) -> reals { return x + laplace(1) clamped to 5..1 }", "below the other"),
    (
        "operator R(x: Age) -> reals { return x + uniform(-1, 1) truncated to 0..50 }",
        "nothing is left",
    ),
    ("operator R(x: Age) -> reals { return x + laplace(1) rounded to 1 }", "outputs without end"),
    ("operator R(x: Age) -> reals { return x + uniform(-1, 1) rounded to 3 }", "not a multiple"),
    ("operator R(x: Age) -> reals { return x + uniform(-1, 1) rounded to 0 }", "above 0"),
    (
        "operator R(x: Age) -> reals { return x + laplace(1) clamped to 0..99 rounded to 1/9999 }",
        "at most 250,000 together",
    ),
    ("operator R(x: 0..5) -> reals { return x }", "take x from Age"),
    (
        "operator R(x: Age) -> reals { return x + normal(1/10) clamped to 0..100 }",
        "is too narrow for clamped to",
    ),
    ("operator R(x: 0..5) -> 0..5 { return x rounded to 2 }", "real numbers only"),
]


@pytest.mark.parametrize(("text", "said"), BAD)
def test_bad_input_is_refused(text, said):
    with pytest.raises(ModelError, match=said):
        model(text)


CONTINUOUS = (
    "prior P on Age = uniform\nproperty p on Age = x < 5\n"
    "operator R(x: Age) -> reals { return x + laplace(10) clamped to 0..90 }\n"
)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ("given 95", "not an output"),
        ("forbid breach 1/10 -> 1/2 under { mass(p) <= 1/2 }", "finite domains"),
        ("forbid breach 1/10 -> 1/2 after 3 reports", "about one report"),
        (
            "forbid breach 1/10 -> 1/2 except with probability 1/9 after summing 30",
            "after summing is for operators on finite sets",
        ),
        ("require epsilon <= 3 after shuffling 30", "for operators on finite sets"),
        ("require dependence(P) <= 1", "cannot be claimed"),
        ("require delta(1) <= 1", "cannot be claimed"),
        ("forbid breach 1/2 -> 1/10", "rises"),
        ("forbid breach exp(-1) -> 1/2", "rational"),
        ("prior Q", "unknown prior"),
        ("property q", "unknown property"),
    ],
)
def test_requests_that_make_no_sense(request_, said):
    with pytest.raises(ModelError, match=said):
        model(CONTINUOUS + f"audit R {{ {request_} }}")


def test_discrete_names_do_not_fit_continuous_operators():
    text = CONTINUOUS + "prior D on 0..3 = uniform\naudit R { prior D }"
    with pytest.raises(ModelError, match="the prior D is on"):
        model(text)

"""Sums over a crowd: whatever the evidence says, a bound is one; tails enclose the exact chance."""

from fractions import Fraction as F

import pytest
from how_many import cases
from hypothesis import given, settings
from hypothesis import strategies as st

from ppdm_formal.checker.crowd_sum import Window, by_lattice, power, summand, tails, tilted
from ppdm_formal.checker.result import Rejected

eighths = st.integers(0, 8).map(lambda k: F(k, 8))
FEW = settings(max_examples=cases(40, 400))


def sums(law, summands):
    """The law of a sum, by convolution."""
    found = {F(0): F(1)}
    for _ in range(summands):
        after = {}
        for s, p in found.items():
            for v, m in law.items():
                after[s + v] = after.get(s + v, F(0)) + p * m
        found = after
    return found


@st.composite
def kinds_of(draw):
    """Chances from x, from x', and from the others at least: these sum to 1 at most."""
    weights = draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))
    whole = max(1, sum(weights) + draw(st.integers(0, 3)))
    return [(draw(eighths), draw(eighths), F(weight, whole)) for weight in weights]


def exact(kinds, factor, clients):
    """E[max(0, V_1 + ... + V_n)]/n, and what is recognized."""
    law, sure, left = {}, F(0), F(1)
    for p, q, m in kinds:
        if m == 0:
            sure += max(F(0), p - factor * q)
        else:
            value = (p - factor * q) / m
            law[value] = law.get(value, F(0)) + m
            left -= m
    if left:
        law[F(0)] = law.get(F(0), F(0)) + left
    return sure + sum(s * p for s, p in sums(law, clients).items() if s > 0) / clients


factors = st.integers(2, 12).map(lambda k: F(k, 4))


@FEW
@given(kinds_of(), factors, st.integers(1, 5), st.integers(1, 400), st.integers(1, 60))
def test_every_theta_gives_a_bound(kinds, factor, clients, top, bottom):
    try:
        bound = tilted(summand(kinds, factor), clients, F(top, bottom))
    except Rejected:
        return
    assert bound >= exact(kinds, factor, clients)


@FEW
@given(
    kinds_of(), factors, st.integers(1, 5), st.integers(1, 30), st.integers(1, 60),
    st.integers(1, 100), st.integers(10, 300), st.integers(3, 120),
)  # fmt: skip
def test_every_lattice_gives_a_bound(kinds, factor, clients, top, bottom, more, less, period):
    base = 1 + F(more, less)
    try:
        bound = by_lattice(summand(kinds, factor), clients, F(top, bottom), base, period)
    except Rejected:
        return
    assert bound >= exact(kinds, factor, clients)


@FEW
@given(
    st.dictionaries(st.integers(-4, 5), st.integers(1, 5), min_size=1, max_size=4),
    st.integers(0, 5), st.integers(-30, 2), st.integers(3, 70), st.data(),
)  # fmt: skip
def test_tails_enclose(weights, summands, start, period, data):
    """Whatever the window and its factors; chances that lack a little of 1 among them."""
    whole = sum(weights.values())
    law = {v: F(weight, whole) for v, weight in weights.items()}
    low = {v: p - data.draw(st.sampled_from([F(0), F(1, 10**9)])) for v, p in law.items()}
    cuts = data.draw(st.lists(st.integers(start - 2, start + period), min_size=1, max_size=3))
    window = Window(
        1 + F(data.draw(st.integers(1, 100)), data.draw(st.integers(10, 300))),
        period,
        start,
        1 + F(data.draw(st.integers(1, 300)), 100),
        F(data.draw(st.integers(1, 99)), 100),
    )
    try:
        found = tails(low, summands, window, cuts)
    except Rejected:
        return
    every = sums({F(v): p for v, p in law.items()}, summands)
    for c in cuts:
        truth = sum((p for s, p in every.items() if s >= c), F(0))
        assert found[c][0] <= truth <= found[c][1]
        all_inside = start <= summands * min(law) and start + period > summands * max(law)
        if all_inside and low == law:
            assert found[c][1] - found[c][0] < F(1, 10**15)


@FEW
@given(st.integers(1, 10**9), st.integers(1, 10**9), st.integers(-60, 60))
def test_powers_are_between(top, bottom, exponent):
    base = F(top, bottom)
    low, high = power(base, exponent, False), power(base, exponent, True)
    assert low <= base**exponent <= high
    assert high - low <= base**exponent / 10**60


@pytest.mark.parametrize(
    ("theta", "said"), [(F(0), "theta is not"), (F(-1), "theta is not"), (F(10**6), "too large")]
)
def test_thetas_that_cannot_be(theta, said):
    v = summand([(F(3, 4), F(1, 4), F(1, 4)), (F(1, 4), F(3, 4), F(1, 4))], F(2))
    with pytest.raises(Rejected, match=said):
        tilted(v, 3, theta)


@pytest.mark.parametrize(
    ("unit", "base", "period"),
    [(F(0), F(2), 9), (F(-1), F(2), 9), (F(1), F(1), 9), (F(1), F(1, 2), 9), (F(1), F(2), 2),
     (F(1), F(2), 0), (F(1), F(2), 1 << 22)],
)  # fmt: skip
def test_lattices_that_cannot_be(unit, base, period):
    v = summand([(F(3, 4), F(1, 4), F(1, 4)), (F(1, 4), F(3, 4), F(1, 4))], F(2))
    with pytest.raises(Rejected):
        by_lattice(v, 3, unit, base, period)


def test_chances_above_1_are_refused():
    v = summand([(F(1), F(0), F(3, 4)), (F(0), F(1), F(3, 4))], F(2))
    for bound in (lambda: tilted(v, 3, F(1)), lambda: by_lattice(v, 3, F(1, 9), F(2), 30)):
        with pytest.raises(Rejected, match="more than 1"):
            bound()

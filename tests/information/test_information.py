"""Knowledge gain, leakage, capacity and rate-distortion against definitions and closed forms."""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.information.capacity import channel_capacity
from ppdm_formal.derive.information.knowledge import (
    UNCERTAINTIES,
    bayes_risk,
    entropy,
    knowledge_gain,
    variance,
)
from ppdm_formal.derive.information.leakage import leakages
from ppdm_formal.derive.information.rate_distortion import rate_distortion
from ppdm_formal.derive.measures import mutual_information_dp
from ppdm_formal.derive.measures.record import Asked, CannotCompute

HALF = Fraction(1, 2)


def h(*shares):
    return -sum(float(p) * math.log(p) for p in shares if p)


def shares(count, rng, least=1):
    parts = [rng.randint(least, 6) for _ in range(count)]
    parts[rng.randrange(count)] += 1
    return [Fraction(part, sum(parts)) for part in parts]


def information(prior, rows):
    """I(X; Y) in floats, from the definition."""
    seen = [
        float(sum(p * row[y] for p, row in zip(prior, rows, strict=True)))
        for y in range(len(rows[0]))
    ]
    return sum(
        float(p * q) * math.log(float(q) / seen[y])
        for p, row in zip(prior, rows, strict=True)
        for y, q in enumerate(row)
        if p and q
    )


def near(enclosure, value, slack=1e-9):
    assert enclosure.width < Fraction(1, 10**8)
    assert float(enclosure.lo) - slack <= value <= float(enclosure.hi) + slack


@pytest.mark.parametrize("k", [2, 3, 7])
def test_capacity_of_symmetric_channels(k):
    """ln(k) - H(row): the uniform prior is the best."""
    keep = Fraction(3, 5)
    other = (1 - keep) / (k - 1)
    rows = [[keep if x == y else other for y in range(k)] for x in range(k)]
    near(channel_capacity(rows).nats, math.log(k) - h(*rows[0]))


def test_capacity_in_closed_form():
    erased = Fraction(1, 3)
    rows = [[1 - erased, erased, Fraction(0)], [Fraction(0), erased, 1 - erased]]
    near(channel_capacity(rows).nats, (2 / 3) * math.log(2))
    near(channel_capacity([[Fraction(1), Fraction(0)], [HALF, HALF]]).nats, math.log(5 / 4))
    near(channel_capacity([[HALF, HALF, Fraction(0)]] * 3).nats, 0.0)
    p = exp_of(Fraction(1)) / (1 + exp_of(Fraction(1)))
    near(channel_capacity([[p, 1 - p], [1 - p, p]]).nats, math.log(2) - h(float(p), 1 - float(p)))


@pytest.mark.parametrize("seed", range(15))
def test_capacity_of_random_channels(seed):
    """Against all priors of two inputs on a fine grid."""
    rng = random.Random(seed)
    rows = [shares(rng.choice([3]), rng, 0) for _ in range(2)]
    found = channel_capacity(rows).nats
    grid = max(information([Fraction(i, 400), Fraction(400 - i, 400)], rows) for i in range(401))
    assert grid <= float(found.hi) + 1e-12
    assert float(found.lo) <= grid + 1e-4


@pytest.mark.parametrize("loss", [Fraction(1, 20), Fraction(1, 4), Fraction(2, 5)])
@pytest.mark.parametrize("p", [HALF, Fraction(1, 3)])
def test_rate_distortion_of_bits(p, loss):
    """H(p) - H(L) for Hamming loss and L < min(p, 1 - p), else 0 (Shannon 1959)."""
    found = rate_distortion(
        [p, 1 - p], [[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]], loss
    )
    wanted = h(p, 1 - p) - h(loss, 1 - loss) if loss < min(p, 1 - p) else 0.0
    near(found.nats, wanted)
    assert found.loss <= loss


@pytest.mark.parametrize("seed", range(12))
def test_rate_distortion_of_random_losses(seed):
    """The mechanism keeps within the loss exactly; no mechanism on a grid is below the bound."""
    rng = random.Random(seed)
    prior = shares(2, rng)
    loss = [[Fraction(rng.randint(0, 5), 2) for _ in range(2)] for _ in range(2)]
    least = sum(p * min(row) for p, row in zip(prior, loss, strict=True))
    alone = min(sum(p * row[y] for p, row in zip(prior, loss, strict=True)) for y in range(2))
    allowed = least + (alone - least) * Fraction(rng.randint(1, 9), 10)
    found = rate_distortion(prior, loss, allowed)
    assert all(sum(row) == 1 and min(row) >= 0 for row in found.rows)
    expected = sum(
        p * q * cell
        for p, row, cells in zip(prior, found.rows, loss, strict=True)
        for q, cell in zip(row, cells, strict=True)
    )
    assert expected == found.loss <= allowed
    assert information(prior, found.rows) <= float(found.nats.hi) + 1e-9
    assert found.nats.width < Fraction(1, 10**6)
    pi = np.array([float(p) for p in prior])
    a, b = np.meshgrid(np.linspace(0, 1, 401), np.linspace(0, 1, 401))
    rows = np.stack([np.stack([a, 1 - a], -1), np.stack([b, 1 - b], -1)], -2)
    costs = np.array([[float(c) for c in row] for row in loss])
    lost = np.einsum("i,abij,ij->ab", pi, rows, costs)
    seen = np.einsum("i,abij->abj", pi, rows)[..., None, :]
    ratio = np.log(np.where(rows > 0, rows, 1) / np.where(seen > 0, seen, 1))
    told = np.einsum("i,abij->ab", pi, rows * ratio)
    grid = told[lost <= float(allowed) + 1e-12].min()
    assert float(found.nats.lo) <= grid + 1e-9
    assert grid <= float(found.nats.hi) + 0.02


@pytest.mark.parametrize(
    ("prior", "loss", "most", "says"),
    [
        ([], [], 1, "sum to 1"),
        ([HALF, Fraction(1, 3)], [[0, 1], [1, 0]], 1, "sum to 1"),
        ([HALF, HALF], [[0, 1]], 1, "a row for each input"),
        ([HALF, HALF], [[0, 1], [1]], 1, "a row for each input"),
        ([HALF, HALF], [[0, -1], [1, 0]], 1, "not below 0"),
        ([HALF, HALF], [[1, 2], [2, 1]], 0, "expected loss below 1"),
    ],
)
def test_losses_that_are_none(prior, loss, most, says):
    table = [[Fraction(cell) for cell in row] for row in loss]
    with pytest.raises(ValueError, match=says):
        rate_distortion(prior, table, Fraction(most))


def test_the_least_loss_that_is_possible():
    found = rate_distortion([HALF, HALF], [[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]],
                            Fraction(0))  # fmt: skip
    assert found.loss == 0
    assert float(found.nats.hi) == pytest.approx(math.log(2))


@pytest.mark.parametrize("seed", range(10))
def test_knowledge_gain_from_its_definition(seed):
    rng = random.Random(seed)
    n, m = rng.randint(2, 4), rng.randint(2, 4)
    rows, prior = [shares(m, rng, 0) for _ in range(n)], shares(n, rng)
    operator = Operator.from_matrix(rows, inputs=Domain(range(n)), outputs=Domain(range(m)))
    known = Prior.of(operator.inputs, dict(enumerate(prior)))
    near(knowledge_gain(operator, known, entropy).gain, information(prior, rows))
    best = sum(max(p * row[y] for p, row in zip(prior, rows, strict=True)) for y in range(m))
    assert knowledge_gain(operator, known, bayes_risk).gain == best - max(prior)
    mean = sum(p * x for x, p in enumerate(prior))
    left = Fraction(0)
    for y in range(m):
        mass = sum(p * row[y] for p, row in zip(prior, rows, strict=True))
        if mass:
            middle = (
                sum(x * p * row[y] for x, (p, row) in enumerate(zip(prior, rows, strict=True)))
                / mass
            )
            left += mass * (middle - mean) ** 2  # the variance of the posterior's mean
    assert knowledge_gain(operator, known, variance).gain == left
    gini = knowledge_gain(operator, known, lambda law: 1 - sum(p * p for p in law.values())).gain
    assert gini >= 0


def test_what_has_no_knowledge_gain():
    words = Operator.from_matrix([["1/2", "1/2"], ["1/4", "3/4"]], inputs=Domain(["a", "b"]))
    with pytest.raises(ValueError, match="numbers"):
        knowledge_gain(words, Prior.uniform(words.inputs), variance)
    assert set(UNCERTAINTIES) == {"entropy", "bayes risk", "variance"}


def test_leakage_about_each_person():
    """A noisy sum of two bits: the joint law written out, and random priors below the bound."""
    rng = random.Random(3)
    databases = list(itertools.product((0, 1), repeat=2))
    rows = [[HALF * (sum(d) == y) + Fraction(1, 6) for y in range(3)] for d in databases]
    operator = Operator.from_matrix(rows, inputs=Domain(databases), outputs=Domain(range(3)))
    most = None
    for _ in range(20):
        prior = shares(4, rng)
        known = Prior.of(operator.inputs, dict(zip(databases, prior, strict=True)))
        found = leakages(operator, known)
        for i, one in enumerate(found):
            marginal, mixed = [], []
            for u in (0, 1):
                inside = [k for k, d in enumerate(databases) if d[i] == u]
                mass = sum(prior[k] for k in inside)
                marginal.append(mass)
                mixed.append([sum(prior[k] * rows[k][y] for k in inside) / mass for y in range(3)])
            near(one.under_prior, information(marginal, mixed))
            told = 0.0
            for v in (0, 1):
                fixed = [k for k, d in enumerate(databases) if d[1 - i] == v]
                mass = sum(prior[k] for k in fixed)
                told += float(mass) * information(
                    [prior[k] / mass for k in fixed], [rows[k] for k in fixed]
                )
            assert told <= float(one.for_all.hi) + 1e-12
        most = found[0].for_all
    near(
        most, max(float(channel_capacity([rows[a], rows[b]]).nats.lo) for a, b in ((0, 2), (1, 3)))
    )


@pytest.mark.parametrize("dear", [Fraction(10) ** 999, Fraction(int("13" * 200)), Fraction(10**6)])
def test_losses_beyond_floats_are_as_good_as_forbidden(dear):
    """A loss of 1 on one side only: half of those inputs move, H(1/4) - ln(2)/2."""
    half = Fraction(1, 2)
    found = rate_distortion(
        [half, half], [[Fraction(0), dear], [Fraction(1), Fraction(0)]], Fraction(1, 4)
    )
    entropy = -(0.25 * math.log(0.25) + 0.75 * math.log(0.75))
    assert float(found.nats.lo) <= entropy - math.log(2) / 2 + 1e-9
    assert float(found.nats.hi) == pytest.approx(entropy - math.log(2) / 2, rel=1e-5)
    assert found.nats.hi - found.nats.lo < Fraction(1, 10**5)
    spent = sum(
        half * p * cost
        for row, costs in zip(
            found.rows, [[Fraction(0), dear], [Fraction(1), Fraction(0)]], strict=True
        )
        for p, cost in zip(row, costs, strict=True)
    )
    assert spent == found.loss <= Fraction(1, 4)


@pytest.mark.parametrize("unit", [Fraction(1, 10**40), Fraction(10**40), Fraction(10) ** 400])
def test_information_does_not_depend_on_the_unit_of_loss(unit):
    half = Fraction(1, 2)
    found = rate_distortion([half, half], [[Fraction(0), unit], [unit, Fraction(0)]], unit / 4)
    assert str(found.nats) == "0.130812..."
    nothing = rate_distortion([half, half], [[Fraction(0), unit], [unit, Fraction(0)]], Fraction(0))
    assert str(nothing.nats) == "0.693147..."


def test_capacities_need_the_values_of_parameters():
    p = Parameter("p", Fraction(1, 2), Fraction(1))
    operator = randomized_response(2, p.symbol, "R", [p])
    with pytest.raises(CannotCompute, match="values of: p") as raised:
        mutual_information_dp.MEASURE.compute(Asked(operator))
    assert raised.value.reason == "free parameters"

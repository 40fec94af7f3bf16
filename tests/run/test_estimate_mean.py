"""What can be recovered where a distribution cannot: the mean of one bit, single items of sets."""

from __future__ import annotations

import json
import math
from fractions import Fraction as F
from pathlib import Path

import mpmath
import pytest

from ppdm_formal import Operator, compile_text, estimate, randomize
from ppdm_formal.cli import run
from ppdm_formal.declare.families.duchi_mean import duchi_mean
from ppdm_formal.declare.families.rappor import rappor
from ppdm_formal.infer.undoing.decoder import NotEstimable
from ppdm_formal.infer.undoing.near_law import near_law

ROOT = Path(__file__).parents[2]


def sign_model():
    return compile_text((ROOT / "models/duchi.ppdm").read_text(), values={"eps": "1"}).operators[
        "Sign"
    ]


CASES = {
    "family, rational": (lambda: duchi_mean(101, 3), F(3), range(101)),
    "family, e": (lambda: duchi_mean(101, epsilon=1), mpmath.e, range(101)),
    "1,001 values": (lambda: duchi_mean(1001, 3), F(3), range(1001)),
    "the model, e": (sign_model, mpmath.e, range(-50, 51)),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("method", ["unbiased", "mle"])
def test_the_mean_is_that_of_the_published_decoder(name, method):
    """The middle plus half a width times (t + 1)/(t - 1) times the mean of the signs."""
    make, t, values = CASES[name]
    up, rows = 431, 1000
    found = estimate(make(), [1] * up + [-1] * (rows - up), method=method)
    (table,) = found.tables
    middle, half = F(values[0] + values[-1], 2), F(values[-1] - values[0], 2)
    grown = half * (t + 1) / (t - 1)
    expected = middle + grown * F(2 * up - rows, rows)
    variance = (grown**2 - (expected - middle) ** 2) / (rows - 1)
    (mean,) = table.quantities
    assert mean.at is None
    assert mean.estimate == pytest.approx(float(expected), rel=1e-8)
    assert mean.se == pytest.approx(math.sqrt(variance), rel=1e-3 if method == "mle" else 1e-9)
    assert mean.low < mean.estimate < mean.high
    assert mean.se_coins is None  # would need the mean of x^2, which is lost
    assert not table.estimated
    assert len(table.lost) == len(values) - 2
    for direction in table.lost:
        sizes = dict(direction.terms)
        assert sum(sizes.values()) == 0 == sum(x * size for x, size in sizes.items())
        assert max(map(abs, sizes.values())) < len(values)


def test_intervals_cover():
    """Exactly: every count of signs, weighted by its binomial probability."""
    operator = duchi_mean(101, 3)
    rows = 60
    held = []
    for up in range(rows + 1):
        (mean,) = estimate(operator, [1] * up + [-1] * (rows - up)).tables[0].quantities
        held.append((mean.low, mean.high))
    for x in (0, 10, 37, 50, 80, 100):
        p = float(operator.probability(x, 1))
        covered = sum(
            math.comb(rows, up) * p**up * (1 - p) ** (rows - up)
            for up, (low, high) in enumerate(held)
            if low <= x <= high
        )
        assert 0.92 < covered < 0.985, (x, covered)


def test_a_rational_in_place_of_e_keeps_what_rows_depend_on():
    exact = sign_model()
    near = near_law(exact)
    for x in exact.inputs:
        row = [near.probability(x, y) for y in (-1, 1)]
        assert sum(row) == 1
        assert abs(float(row[1] - exact.probability(x, 1))) < 1e-50
        line = near.probability(0, 1) + (near.probability(50, 1) - near.probability(0, 1)) * x / 50
        assert row[1] == line


def test_high_powers_of_e_are_rounded_one_by_one():
    from ppdm_formal.declare.families.truncated_geometric import truncated_geometric

    operator = truncated_geometric(20, epsilon=1)
    near = near_law(operator)
    for x in (0, 7, 19):
        assert sum(near.probability(x, y) for y in range(20)) == 1
        for y in range(20):
            gap = float(near.probability(x, y) - operator.probability(x, y))
            assert abs(gap) < 1e-50


def test_what_is_lost_is_summed_up_and_the_mean_is_shown(tmp_path, capsys):
    data, sent = tmp_path / "in.csv", tmp_path / "sent.csv"
    data.write_text("x\n" + "\n".join(str(k % 61 - 40) for k in range(3000)) + "\n")
    model = str(ROOT / "models/duchi.ppdm")
    sending = ["-o", str(sent), "--model", model, "--operator", "Sign=x"]
    assert run(["randomize", str(data), *sending]) == 0
    capsys.readouterr()
    assert run(["estimate", str(sent), "--json", str(tmp_path / "found.json")]) == 3
    shown = " ".join(capsys.readouterr().out.split())
    assert "99 directions are lost" in shown
    assert "What can be recovered: the mean." in shown
    assert "Mean, with 95% intervals" in shown
    assert len(shown) < 2000
    found = json.loads((tmp_path / "found.json").read_text())
    (mean,) = found["means"]
    assert float(mean["lo"]) < -10 < float(mean["hi"])
    assert float(mean["se"]) == pytest.approx(2, abs=0.5)
    assert len(found["lost"]) == 99


def test_intervals_of_other_lost_directions_use_a_law_that_fits():
    """The row of 3 is the mean of those of 0, 2 and 7, and 3 is their mean: only it is kept."""
    rows = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
    mixed = [str(sum(map(F, column)) / 3) for column in zip(*rows, strict=True)]
    operator = Operator.from_matrix([*rows, mixed], [0, 2, 7, 3], ["a", "b", "c"])
    found = estimate(operator, ["a"] * 90 + ["b"] * 5 + ["c"] * 5)
    (mean,) = found.tables[0].quantities
    assert mean.low < mean.estimate < mean.high
    # scores of the answers: solve for the three independent rows by hand, D = 4 I - 1
    scores = {"a": 4 * 0 - 9, "b": 4 * 2 - 9, "c": 4 * 7 - 9}
    assert mean.estimate == pytest.approx(0.9 * scores["a"] + 0.05 * (scores["b"] + scores["c"]))


@pytest.mark.parametrize("bits", [20, 63, 64, 128, 1000])
def test_filters_of_many_bits_are_refused_with_what_can_be_learned(bits):
    """The formula in the message is the mean of a bit, solved for the share of people."""
    operator = rappor(bits, 2, "1/2", "1/2", "3/4")
    reports = randomize(operator, [operator.inputs[0]] * 20)
    with pytest.raises(NotEstimable, match=r"\(s - 9/16\)/\(11/16 - 9/16\)"):
        estimate(operator, reports)


def test_filters_of_few_bits_are_estimated():
    operator = rappor(6, 2, "1/4")
    found = estimate(operator, randomize(operator, [operator.inputs[0]] * 20))
    assert len(found.tables[0].estimated) == 15

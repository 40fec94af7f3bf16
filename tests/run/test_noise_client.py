"""Clients of noise on a grid, in Python and JavaScript: what they make of given bits."""

from __future__ import annotations

import bisect
import itertools
import math
import random
from decimal import Decimal
from fractions import Fraction as F

import pytest
from client_oracle import ask, pinned
from test_client import EACH_LANGUAGE, written

from ppdm_formal.declare.families.grid import Grid
from ppdm_formal.declare.families.noise_on_grid import noise_on
from ppdm_formal.declare.noises.named import parse_noise
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.run.client import runtime
from ppdm_formal.run.client.cases import client_cases, example_inputs
from ppdm_formal.run.client.description import client_law


def made(noise, inputs, outputs, step=1, *, truncated=False) -> Operator:
    grids = [Grid(F(lo), F(hi), F(step)) for lo, hi in (inputs, outputs)]
    return Operator(*grids, noise_on(*grids, parse_noise(noise), truncated=truncated), "R")


@pytest.mark.parametrize("language", EACH_LANGUAGE)
@pytest.mark.parametrize("truncated", [False, True])
@pytest.mark.parametrize("noise", ["uniform(-3, 4)", "triangular(-5, 5)", "normal(3)"])
def test_every_integer_below_the_denominator_gives_the_row(tmp_path, language, truncated, noise):
    """Outputs rise with t, so that the edges between them tell all."""
    operator = made(noise, (0, 4), (-1, 5), truncated=truncated)
    path = written(tmp_path, language, client_law(operator))
    for x in (0, 3):
        row = [operator.probability(x, y) for y in operator.outputs]
        total = math.lcm(*(p.denominator for p in row))
        ends = list(itertools.accumulate(int(p * total) for p in row))
        tried = sorted({t for end in (0, *ends) for t in (end - 1, end) if 0 <= t < total})
        expected = [operator.outputs[bisect.bisect_right(ends, t)] for t in tried]
        width = 64 * (total.bit_length() // 64 + 2)
        cases = [(x, pinned(t, total).ljust(width, "0")) for t in tried]
        assert ask(path, cases, 64) == expected


@pytest.mark.parametrize("language", EACH_LANGUAGE)
@pytest.mark.parametrize("truncated", [False, True])
def test_laplace_words_lead_where_the_distribution_says(tmp_path, language, truncated):
    """The output of u is the first whose cut is above it; words at edges and any others."""
    operator = made("laplace(3)", (0, 4), ("-3/2", "11/2"), "1/2", truncated=truncated)
    path = written(tmp_path, language, client_law(operator))
    rng = random.Random(7)
    cases, expected = [], []
    for place in (0, 3, 8):
        row = [operator.law.entry(place, j) for j in range(operator.outputs.size)]
        cuts = list(itertools.accumulate(row[:-1]))
        words = [math.floor(cut * 2**64) + shift for cut in cuts for shift in (-1, 1)]
        words += [rng.getrandbits(64) for _ in range(20)]
        for word in words:
            cases.append((operator.inputs[place], f"{word:064b}"))
            expected.append(operator.outputs[sum(cut * 2**64 < word for cut in cuts)])
    assert ask(path, cases, 64) == expected


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_words_at_an_edge_are_drawn_on(tmp_path, language):
    operator = made("laplace(3)", (0, 4), (-1, 5))
    path = written(tmp_path, language, client_law(operator))
    cut = operator.law.entry(2, 0)
    word = f"{math.floor(cut * 2**64):064b}"
    found = ask(path, [(2, word), (2, word + "0" * 64), (2, word + "1" * 64)], 64)
    assert found == [None, -1, 0]


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_numbers_are_rounded_to_the_grid_and_others_refused(tmp_path, language):
    law = client_law(made("uniform(-1/10, 1/10)", (0, 2), (0, 2), "1/2"))
    path = written(tmp_path, language, law)
    values = [0, 0.24, 0.25, "1/3", "1.7500", 2, 1.7499999, "2.0", 1e-7]
    bits = "0" * 64
    found = ask(path, [(value, bits) for value in values], 64)
    assert found == ["0", "0", "0.5", "0.5", "2", "2", "1.5", "2", "0"]
    wrong = [-0.01, 2.01, "x", "", True, "1e999999999", "1/0", None, "nan", [1]]
    refused = {"error": "the value is not in the domain"}
    assert ask(path, [(value, bits) for value in wrong], 64) == [refused] * len(wrong)


def test_what_only_python_has():
    law = client_law(made("uniform(-1/10, 1/10)", (0, 2), (0, 2), "1/2"))
    draw = lambda value: runtime.drawn(law, value, lambda bits: 0)  # noqa: E731
    assert [draw(value) for value in (F(1, 4), Decimal("0.25"), Decimal("0.24"))] == [
        "0.5",
        "0.5",
        "0",
    ]
    for wrong in (float("nan"), float("inf"), Decimal("NaN"), object(), b"1"):
        with pytest.raises(runtime.OutsideDomain):
            draw(wrong)


@pytest.mark.parametrize("noise", ["laplace(30)", "normal(40)", "triangular(-200, 200)"])
def test_clients_of_fine_grids_are_short_and_hold_their_cases(noise):
    operator = made(noise, (0, 20), (-5, 25), "1/50")
    law = client_law(operator)
    assert len(str(law)) < 250_000
    cases = client_cases(law, example_inputs(operator))
    assert len(cases) >= 24
    assert len({case[2] for case in cases}) > 10

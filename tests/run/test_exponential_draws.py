"""Laws with exponentials run: the sampler, releases and clients against exact comparisons."""

from __future__ import annotations

import random
import shutil
from fractions import Fraction

import numpy as np
import pytest
from client_oracle import ask

from ppdm_formal.declare.arithmetic.exact import is_rational
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.operators.cut import Steps
from ppdm_formal.declare.operators.draw import compare
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.tosses import toss
from ppdm_formal.infer.undoing.near_law import near_law
from ppdm_formal.run.client.description import client_law
from ppdm_formal.run.client.generate import ClientText
from ppdm_formal.run.client.runtime import drawn
from ppdm_formal.run.described import ReleaseError, number_of, operator_json, operator_of
from ppdm_formal.run.simulation import Simulation

E = exp_of(Fraction(1))
MODEL = """
operator Laplace(x: 0..2) -> 0..2 {
    [x -> y] = exp(-abs(x - y)/2)/(1 + 2 * exp(-1/2))          if x == 1
             | exp(-abs(x - y)/2)/(1 + exp(-1/2) + exp(-1))    otherwise
}
operator Half(x: {a, b}) -> {u, v, w} {
    matrix {
        a : 1/2 (exp(-1)) (1/2 - exp(-1))
        b : (exp(-3)) (1 - exp(-3)) 0
    }
}
operator Mechanism = exponential_mechanism(values: 4, decay: exp(-1/2))
operator Geometric = truncated_geometric(values: 4, ratio: exp(-1))
operator Keep = randomized_response(values: 5, keep: exp(1)/(exp(1) + 4))
"""
OPERATORS = list(compile_text(MODEL).operators.values())
BY_ONE_NUMBER = [operator for operator in OPERATORS if operator.name != "Geometric"]
"""Clients of geometric noise toss a coin a step: their bits are not those of one uniform number."""


def outcome(row, word, bits):
    """The outcome of all u in [word, word + 1) / 2^bits, by exact comparisons; None if open."""
    low, high = Fraction(word, 1 << bits), Fraction(word + 1, 1 << bits)
    below = Fraction(0)
    for k, p in enumerate(row):
        above = below + p
        if below <= low and high <= above:
            return k
        below = above
    return None


def rows(operator):
    return {x: [operator.probability(x, y) for y in operator.outputs] for x in operator.inputs}


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_every_word_is_decided_as_exact_numbers_decide(operator):
    for width in (3, 8):
        words = np.arange(1 << width, dtype=np.uint64)
        for row in rows(operator).values():
            found, undecided = compare(Steps.distribution(row, width), words)
            left = set(undecided.tolist())
            for word, k in enumerate(found.tolist()):
                wanted = outcome(row, word, width)
                assert wanted is None if word in left else wanted == k


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_what_is_drawn_has_the_law(operator):
    n = 20_000
    for position, (_, row) in enumerate(rows(operator).items()):
        drawn_rows = operator.law.draw(np.full(n, position), Simulation(7))
        counts = np.bincount(drawn_rows, minlength=len(row))
        for count, p in zip(counts.tolist(), row, strict=True):
            assert abs(count - n * float(p)) < 6 * (n * 0.25) ** 0.5


def test_coins_with_exponentials():
    heads = toss(1 / E, 40_000, Simulation(3))
    assert abs(int(heads.sum()) - 40_000 * float(1 / E)) < 700


@pytest.mark.parametrize("operator", BY_ONE_NUMBER, ids=lambda operator: operator.name)
def test_the_client_decides_as_exact_numbers_decide(operator):
    law, dice = client_law(operator), random.Random(11)
    for x, row in rows(operator).items():
        for _ in range(60):
            word = dice.getrandbits(128)
            tape = iter([word >> 64, word & (1 << 64) - 1, 12345])
            found = drawn(law, x, lambda _, tape=tape: next(tape), 64)
            assert list(operator.outputs).index(found) == outcome(row, word, 128)


LANGUAGES = [
    "python",
    pytest.param(
        "javascript",
        marks=pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed"),
    ),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_client_files_agree_on_every_short_string(language, tmp_path):
    for operator in BY_ONE_NUMBER:
        suffix = {"python": ".py", "javascript": ".mjs"}[language]
        path = tmp_path / f"{operator.name.lower()}{suffix}"
        client = ClientText("a test", [], [], client_law(operator), [])
        path.write_text(client.written(language), encoding="utf-8")
        cases = [(x, f"{word:08b}") for x in operator.inputs for word in range(0, 256, 5)]
        found = ask(path, cases, 4)
        for (x, bits), output in zip(cases, found, strict=True):
            row = [operator.probability(x, y) for y in operator.outputs]
            wanted = outcome(row, int(bits, 2), 8)
            # A client decides what its enclosures tell; never something else.
            if output is not None and wanted is not None:
                assert list(operator.outputs).index(output) == wanted
            if wanted is None:
                assert output is None
        assert sum(output is None for output in found) < len(found) / 8


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_releases_describe_the_exact_law(operator):
    again = operator_of(operator_json(operator))
    assert again == operator
    assert rows(again) == rows(operator)


@pytest.mark.parametrize("text", ["exp(1", "exp(2/2)", "-exp(1)", "1/exp(0)", "exp(x)", "exp(1)*2"])
def test_probabilities_that_are_not_written_so_are_refused(text):
    with pytest.raises(ReleaseError):
        number_of(text)


def test_estimates_use_a_near_law_whose_rows_sum_to_one():
    for operator in OPERATORS:
        near = near_law(operator)
        for x, row in rows(near).items():
            assert sum(row) == 1
            assert all(map(is_rational, row))
            for y, p in zip(operator.outputs, row, strict=True):
                assert abs(operator.probability(x, y) - p) < Fraction(1, 10**57)
    plain = Operator.from_matrix([["1/2", "1/2"], ["1/4", "3/4"]])
    assert near_law(plain) is plain
    assert near_law(randomized_response(3, "1/2")).probability(0, 0) == Fraction(1, 2)

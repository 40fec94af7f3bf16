"""The sampler is the operator: every model in models/, and R3 at ten million draws."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from draw_oracle import Given, check_comparison, induced, probabilities, rationals
from how_many import cases
from scipy.stats import chi2

from ppdm_formal import load
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.operators.law import MatrixLaw
from ppdm_formal.run.keystream import Keystream

MODELS = sorted((Path(__file__).parents[2] / "models").glob("*.ppdm"))
SIXTEEN = {"eps": 16, "eps/2": 4, "eps/4": 2, "-eps": "1/16"}
FEW = 40
"""Operators with up to so many outputs are enumerated draw by draw."""


def operators(path):
    """Every operator of a model, free parameters in the middle of their intervals.

    Where e^eps occurs it is 16 here, and Laplace noise is triangular: only rational laws can be
    enumerated.
    """
    text = re.sub(r"\bexp\((.*?)\)", lambda found: f"({SIXTEEN[found[1]]})", path.read_text())
    text = re.sub(r"\blaplace\(.*?\)", "triangular(-300, 300)", text)
    for operator in compile_text(text, folder=path.parent).operators.values():
        values = {p.name: (p.lower + p.upper) / 2 for p in operator.parameters}
        yield operator.substitute(values) if values else operator


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_every_draw_of_small_operators(path):
    for operator in operators(path):
        law, size = operator.law, operator.outputs.size
        if size > FEW:
            continue
        for row in range(operator.inputs.size):
            masses = [law.entry(row, y) for y in range(size)]
            drawn = induced(lambda bits, row=row, law=law: int(law.draw(np.array([row]), bits)[0]))
            assert drawn == {y: p for y, p in enumerate(masses) if p}
            if isinstance(law, MatrixLaw):
                check_comparison(list(itertools.accumulate(masses[:-1])), 3, most=40)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_the_cuts_of_every_row_are_its_law(path):
    """What the 64-bit cuts stand for is p[x -> .], and words beside each cut fall on their sides.

    Families of sets have no rows to look at: their samplers are enumerated at small sizes.
    """
    for operator in operators(path):
        law = operator.law
        if not isinstance(law, MatrixLaw):
            continue
        for row in range(0, operator.inputs.size, max(1, operator.inputs.size // cases(7, 20))):
            steps = law._steps(row, 64)
            cuts = rationals(steps)
            masses = [law.entry(row, y) for y in range(operator.outputs.size)]
            found = probabilities(cuts)
            assert found + [Fraction(0)] * (len(masses) - len(found)) == masses
            check_comparison(cuts[:: max(1, len(cuts) // 8)], 4, most=10)
            for cut in cuts[:: max(1, len(cuts) // 5)]:
                for word in {0, int(cut * 2**64) - 1, int(cut * 2**64) + 1, 2**64 - 1}:
                    if 0 <= word < 2**64:
                        (y,) = law.draw(np.array([row]), Given([word, 2**63], 64)).tolist()
                        low, high = sum(masses[:y]), sum(masses[: y + 1])
                        assert low <= Fraction(word, 2**64) < high or word == 0


def test_ten_million_draws_of_r3():
    """Ten inputs of EGS03's R3, a million cryptographic draws each, by a chi-square test."""
    operator = load(MODELS[0].parent / "example1.ppdm").operators["R3"]
    bits = Keystream()
    statistic, freedom = 0.0, 0
    for x in (0, 1, 100, 200, 333, 500, 667, 800, 999, 1000):
        drawn = operator.law.draw(np.full(10**6, x), bits)
        counts = np.bincount(drawn, minlength=1001)
        expected = np.array([float(operator.law.entry(x, y)) for y in range(1001)]) * 10**6
        assert counts[expected == 0].sum() == 0
        likely = expected > 0
        statistic += float(((counts[likely] - expected[likely]) ** 2 / expected[likely]).sum())
        freedom += int(likely.sum()) - 1
    # Both tails: too good a fit would be wrong as well. One run in a million fails by chance.
    assert 5e-7 < chi2.sf(statistic, freedom) < 1 - 5e-7

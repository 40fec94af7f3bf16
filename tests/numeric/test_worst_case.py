"""Worst-case information of continuous operators: against sums over many x at many z."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from continuous_cases import MIXED, NOISES, TWO, WINDOWS, likelihood, masses, operator

from ppdm_formal.numbers.deadline import Deadline
from ppdm_formal.numbers.value import INFINITY
from ppdm_formal.numeric.continuous.worst_case import worst_case


def most_told(made, density):
    """D(z) at many z and at atoms, the largest."""
    xs = np.linspace(0, 100, 2001)[:-1] + 100 / 4000
    weights = masses(density, xs)
    lo, hi = made.outputs
    ends = -60.0 if lo is None else float(lo), 160.0 if hi is None else float(hi)
    table = likelihood(made, xs, np.linspace(*ends, 402)[1:-1])
    ratio = table / (weights @ table)
    return (weights @ (ratio * np.log(np.where(ratio > 0, ratio, 1)))).max()


@pytest.mark.parametrize(
    ("noise", "window", "density"),
    [
        ("laplace(10)", None, TWO),
        ("laplace(10)", WINDOWS[2], MIXED),
        ("normal(40)", WINDOWS[1], TWO),
        ("uniform(-130, 130)", WINDOWS[1], TWO),
        ("triangular(-130, 130)", WINDOWS[1], MIXED),
    ],
)
def test_no_output_tells_more_and_some_tell_as_much(noise, window, density):
    made = operator(noise, window)
    found, tried = worst_case(made, density, Deadline.after(60)), most_told(made, density)
    assert tried <= float(found.value.hi) * (1 + 1e-6)
    assert float(found.value.lo) <= tried * 1.02
    assert found.at is not None
    if density is TWO:
        assert float(found.value.hi) <= tried * 1.05


@pytest.mark.parametrize("noise", NOISES[1:])
def test_outputs_that_leave_ever_fewer_inputs_tell_without_bound(noise):
    assert worst_case(operator(noise), TWO, Deadline.after(60)).value is INFINITY


def test_a_gap_between_pieces_is_an_end_too():
    cut = operator("uniform(-20, 20)", WINDOWS[2])
    found = worst_case(cut, TWO, Deadline.after(60))
    assert (found.value, found.at) == (INFINITY, F(-2))  # 18 - 20, inside the window

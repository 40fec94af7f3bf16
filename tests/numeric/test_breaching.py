"""How likely outputs are that breach: closed forms by hand, and sums over many x and z."""

from __future__ import annotations

import io
import itertools
from fractions import Fraction as F

import numpy as np
import pytest
from continuous_cases import AGE, LOW, MIDDLE, MIXED, TWO, WINDOWS, likelihood, masses, operator
from flint import arb, ctx
from rich.console import Console

from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.reals.additive import Window
from ppdm_formal.declare.reals.density import Density, Flat
from ppdm_formal.derive.reals.belief import PRECISION, Belief
from ppdm_formal.derive.reals.breaching import breaching
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.report.formats.markdown import document_markdown
from ppdm_formal.report.formats.terminal import print_document

EVEN = Density(AGE, (Flat(F(1), F(0), F(100)),), "Even")


def found(made, density, about, after, seconds=60.0):
    return breaching(made, density, about, after / (1 - after), Deadline.after(seconds))


def by_sums(made, density, about, after):
    """P[belief >= after] over a grid of z and the atoms, by sums over many x."""
    xs = np.linspace(0, 100, 1501)[:-1] + 100 / 3000
    weights = masses(density, xs)
    inside = np.zeros(xs.size, dtype=bool)
    for lo, hi in about.intervals:
        inside |= (xs > float(lo)) & (xs < float(hi))
    low, high = made.outputs
    a, b = -250.0 if low is None else float(low), 350.0 if high is None else float(high)
    table = likelihood(made, xs, np.linspace(a, b, 1501)[:-1] + (b - a) / 3000)
    chance, held = weights @ table, (weights * inside) @ table
    step = np.full(chance.size, (b - a) / 1500)
    if made.window is not None and made.window.kind == "clamped":
        step[[0, -1]] = 1
    assert abs((chance * step).sum() - 1) < 5e-3
    return float((chance * step)[(held >= float(after) * chance) & (chance > 1e-15)].sum())


@pytest.mark.parametrize("window", [None, Window("clamped", F(0), F(100))])
def test_uniform_data_under_uniform_noise_by_hand(window):
    # z from -20 to 5 tells x < 25 surely; then the belief is 25/(z + 20) up to z = 20 and
    # (45 - z)/40 beyond, which is 3/5 at z = 21. P[z < 21] = (40^2/2)/4000 + 1/100 = 21/100.
    part = found(operator("uniform(-20, 20)", window), EVEN, LOW, F(3, 5))
    assert part.probability.contains(F(21, 100))
    assert part.probability.width < F(1, 10**9)
    ((low, high),) = part.shown
    assert low == (F(-20) if window is None else 0)
    assert abs(high - 21) < F(1, 10**6)
    assert part.atoms == (() if window is None else (F(0),))


def test_outputs_at_the_limit_throughout_are_left_open():
    # Under 3/10 evenly on 30..90, each z between 50 and 70 sees 10 of the 40 units: exactly 1/4.
    part = found(operator("uniform(-20, 20)"), TWO, MIDDLE, F(1, 4))
    assert part.open
    assert part.probability.lo < F(56, 1000) < F(15, 100) < part.probability.hi


FLAT = [
    (noise, window, about, after)
    for noise, about, after in (
        ("laplace(10)", MIDDLE, F(1, 4)),
        ("normal(40)", LOW, F(1, 2)),
        ("uniform(-20, 20)", LOW, F(1, 2)),
        ("triangular(-130, 130)", LOW, F(9, 20)),
    )
    for window in WINDOWS
]


@pytest.mark.parametrize(("noise", "window", "about", "after"), FLAT)
def test_sums_over_many_inputs_and_outputs_agree(noise, window, about, after):
    made = operator(noise, window)
    part = found(made, TWO, about, after)
    expected = by_sums(made, TWO, about, after)
    assert float(part.probability.lo) - 4e-3 <= expected <= float(part.probability.hi) + 4e-3
    assert part.probability.width < F(1, 10**3)


def test_a_normal_law_beforehand():
    made = operator("laplace(10)", WINDOWS[1])
    part = found(made, MIXED, LOW, F(1, 2))
    expected = by_sums(made, MIXED, LOW, F(1, 2))
    assert float(part.probability.lo) - 4e-3 <= expected <= float(part.probability.hi) + 4e-3
    assert part.probability.width < F(1, 100)


def test_the_masses_of_all_outputs_sum_to_one():
    for density, parts, gap in ((TWO, 1, 1e-30), (MIXED, 16, 1e-2)):
        belief = Belief(operator("normal(40)"), density, LOW, parts)
        for cuts in ((None, F(7), F(50), None), (None, F(120), None)):
            pairs = list(itertools.pairwise(cuts))
            with ctx.workprec(PRECISION):
                whole = sum(belief.mass(cell, *pair) for cell in belief.cells for pair in pairs)
            assert whole.overlaps(arb(1))
            assert float(whole.rad()) < gap


def test_without_time_everything_is_left_open():
    part = found(operator("laplace(10)"), TWO, MIDDLE, F(1, 4), 0.0)
    assert part.probability.lo == 0
    assert part.probability.hi > F(1, 2)


MODEL = """
domain Age = reals 0..100
prior Even on Age { uniform(0, 100) : 1 }
property young on Age = x < 25
property grown on Age = x >= 25
operator Noisy(x: Age) -> reals { return x + uniform(-20, 20) }
audit Noisy {
    prior Even
    forbid upward breach 1/4 -> 3/5 under Even for young
    forbid downward breach 3/4 -> 2/5 under Even for grown
    forbid breach 1/4 -> 3/5
    forbid breach 1/100 -> 3/5 under Even for young
}
"""


def test_reports_and_json_tell_it():
    result = audit(compile_text(MODEL))
    words = "21% of outputs under Even, those with z from -20 to 21, breach it."
    terminal = Console(file=io.StringIO(), width=200)
    print_document(result.document(brief=True), terminal)
    for text in (
        document_html(result.document()),
        document_markdown(result.document()),
        terminal.file.getvalue(),
    ):
        assert " ".join(text.split()).count(words) >= 2
    shown = result.to_json()["continuous"][0]["certificates"]
    up, down, all_priors, kept = (one["breaching_outputs"] for one in shown)
    assert up == down
    assert F(up["probability"]["lo"]) <= F(21, 100) <= F(up["probability"]["hi"])
    assert F(up["intervals"][0][0]) < -19
    assert all_priors is None
    assert kept is None

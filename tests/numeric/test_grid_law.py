"""Noise on a grid: its law against the definition, its extremes and draws against its matrix."""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections import defaultdict
from fractions import Fraction as F
from pathlib import Path

import numpy as np
import pytest
from flint import arb, ctx

from ppdm_formal.declare.arithmetic.exponential import ExpNumber
from ppdm_formal.declare.families import grid_law
from ppdm_formal.declare.families.grid import Grid
from ppdm_formal.declare.families.grid_law import GridLaw
from ppdm_formal.declare.families.noise_on_grid import noise_on
from ppdm_formal.declare.noises.named import parse_noise
from ppdm_formal.declare.operators.canonical import digest
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import Enough, ViewKind
from ppdm_formal.run.cells import Cells
from ppdm_formal.run.client import runtime
from ppdm_formal.run.described import operator_json, operator_of
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.simulation import Simulation

sys.path.insert(0, str(Path(__file__).parents[1] / "run"))
sys.path.insert(0, str(Path(__file__).parents[1] / "certify"))
from certify_schema import validate
from draw_oracle import induced

ROOT = Path(__file__).parents[2]
NOISES = ("laplace(3)", "normal(4)", "uniform(-3, 3)", "triangular(-5, 5)", "uniform(-30, 30)")


def made(noise, inputs, outputs, step=1, *, truncated=False) -> Operator:
    grids = [Grid(F(lo), F(hi), F(step)) for lo, hi in (inputs, outputs)]
    law = noise_on(*grids, parse_noise(noise), truncated=truncated)
    return Operator(*grids, law, "R")


def cases(count, seed):
    """Windows beside, across and within the inputs, and wider ones."""
    rng = random.Random(seed)
    while count:
        noise = rng.choice(NOISES)
        step = rng.choice([F(1), F(1, 2), F(2)])
        a, lo = rng.randint(-3, 3) * step, rng.randint(-5, 5) * step
        inputs = (a, a + rng.randint(1, 6) * step)
        outputs = (lo, lo + rng.randint(1, 8) * step)
        try:
            found = made(noise, inputs, outputs, step, truncated=rng.random() < 0.5)
        except ValueError:
            continue
        count -= 1
        yield found


def distribution(noise, v: F):
    """F by its own definition: a Fraction, or a ball of 200 bits."""
    kind, arguments = noise.rstrip(")").split("(")
    numbers = [F(part) for part in arguments.split(",")]
    if kind in ("laplace", "normal"):
        x = arb(v.numerator) / v.denominator / arb(numbers[0].numerator)
        if kind == "normal":
            return (1 + (x / arb(2).sqrt()).erf()) / 2
        return x.exp() / 2 if v < 0 else 1 - (-x).exp() / 2
    u = min(F(1), max(F(0), (v - numbers[0]) / (numbers[1] - numbers[0])))
    if kind == "uniform":
        return u
    return 2 * u * u if u < F(1, 2) else 1 - 2 * (1 - u) ** 2


def by_definition(operator):
    """p[x -> y] from intervals of z, given that it lies in a truncated window, rounded to y."""
    law: GridLaw = operator.law
    xs, ys = ([F(value) for value in domain] for domain in (operator.inputs, operator.outputs))
    half = law.step / 2
    inner = [y + half for y in ys[:-1]]
    for x in xs:
        between = [distribution(str(law.noise), z - x) for z in inner]
        ends: list = [0, 1]  # clamped: all that lies beyond an end is moved to it
        if law.truncated:
            ends = [distribution(str(law.noise), z - x) for z in (ys[0], ys[-1])]
        cells = itertools.pairwise([ends[0], *between, ends[1]])
        yield [(b - a) / (ends[1] - ends[0]) for a, b in cells]


def test_every_entry_is_that_of_the_definition():
    with ctx.workprec(200):
        for operator in cases(60, 1):
            for i, row in enumerate(by_definition(operator)):
                found = [operator.law.entry(i, j) for j in range(len(row))]
                assert sum(found) == 1
                for p, q in zip(found, row, strict=True):
                    if isinstance(q, F):
                        assert p == q
                    else:
                        ball = (
                            p.ball()
                            if isinstance(p, ExpNumber)
                            else arb(str(p.numerator)) / arb(str(p.denominator))
                        )
                        # Normal noise is rounded, so that 64 bits of each number are right.
                        assert abs(ball - q) < q * arb(2) ** (-60)


def test_matrix_and_entries_are_one():
    for operator in cases(30, 2):
        matrix = operator.matrix()
        for i, j in np.ndindex(matrix.shape):
            assert matrix.entry(i, j) == operator.law.entry(i, j)


def test_the_extreme_view_has_the_greatest_ratio_of_the_matrix():
    met = defaultdict(int)
    for operator in cases(150, 3):
        view = operator.law.extreme(operator.inputs, operator.outputs)
        assert view.relative
        assert view.kind is ViewKind.EXTREME
        matrix = operator.matrix()
        ratios = []
        for j in range(operator.outputs.size):
            column = [matrix.entry(i, j) for i in range(operator.inputs.size)]
            if max(column):
                ratios.append(max(column) / min(column) if min(column) else None)
        greatest = None if None in ratios else max(ratios)
        assert view.amplification == greatest
        most, least = view.classes[view.extremes()[0]], view.classes[view.extremes()[1]]
        likely, unlikely = (operator.probability(c.example, view.output) for c in (most, least))
        assert (likely / unlikely if unlikely else None) == greatest
        met[operator.law.noise.name, operator.law.truncated, greatest is None] += 1
    assert len(met) >= 10


def test_clamped_draws_induce_the_law():
    tried = 0
    for operator in cases(25, 4):
        if operator.law.truncated or isinstance(operator.law.below(0), ExpNumber):
            continue
        tried += 1
        row = operator.inputs.size - 1
        law = operator.law
        drawn = induced(lambda bits, law=law, row=row: int(law.draw(np.array([row]), bits)[0]))
        exact = {j: law.entry(row, j) for j in range(law.columns)}
        assert drawn == {j: p for j, p in exact.items() if p}
    assert tried > 5


def test_truncated_draws_induce_the_law(monkeypatch):
    """One round, given that it ends in the window; and the cuts of a row of its own."""
    tried = 0
    for operator in cases(30, 5):
        law = operator.law
        if not law.truncated or isinstance(law.below(0), ExpNumber):
            continue
        tried += 1
        exact = {j: law.entry(0, j) for j in range(law.columns) if law.entry(0, j)}

        def once(bits, law=law):
            columns, inside = law._tried(np.array([0]), bits)
            return int(columns[0]) if inside[0] else None

        drawn = induced(once)
        drawn.pop(None, None)
        whole = sum(drawn.values())
        assert {j: p / whole for j, p in drawn.items()} == exact
        with monkeypatch.context() as often:
            often.setattr(grid_law, "_OFTEN", 2)
            assert induced(lambda bits, law=law: int(law.draw(np.array([0]), bits)[0])) == exact
    assert tried > 5


def test_draws_of_every_input_of_a_truncated_law_stay_in_the_window():
    law = made("laplace(3)", (0, 100), (40, 60), truncated=True).law
    rows = np.repeat(np.arange(101), 20)
    found = law.draw(rows, Simulation(1))
    assert found.min() >= 0
    assert found.max() <= 20
    assert found[:20].mean() < 5 < 15 < found[-20:].mean()


def test_floats_are_the_entries():
    for operator in cases(40, 6):
        law = operator.law
        found = law.float_rows(np.arange(law.rows))
        for i, j in np.ndindex(found.shape):
            assert found[i, j] == pytest.approx(float(law.entry(i, j)), rel=1e-12, abs=1e-300)


def test_a_million_entries_and_more_have_an_extreme_view_only():
    fine = made("laplace(10)", (0, 100), (-10, 110), "1/100")
    assert (fine.inputs.size, fine.outputs.size) == (10_001, 12_001)
    with pytest.raises(TooLarge, match="10,001 x 12,001 numbers with exponentials"):
        fine.views()
    [view] = fine.views(enough=Enough.RATIOS)
    assert str(view.amplification) == "exp(10)"
    assert fine.law.extreme(fine.inputs, fine.outputs).output == "-10"
    # Its mirror image, where the last output is the one that tells more.
    turned = made("laplace(10)", (0, 100), (0, 110), "1/100").views(enough=Enough.RATIOS)[0]
    assert (turned.output, str(turned.amplification)) == ("110", "exp(10)")
    few = made("uniform(-200, 200)", (0, 100), (0, 100), "1/25")
    assert len(few.views()) == 2


def test_limits():
    with pytest.raises(TooLarge, match="at most 250,000 together"):
        made("laplace(10)", (0, 200), (0, 200), "1/1000")
    with pytest.raises(TooLarge, match="bits: narrow the window"):
        made("normal(1)", (0, 100), (-100, 200))
    with pytest.raises(ValueError, match="from the first input no output lies in the window"):
        made("uniform(-1, 1)", (0, 10), (5, 12), truncated=True)
    uneven = made("laplace(10)", (0, 100), (-10, "6001/50"), "1/50", truncated=True)
    with pytest.raises(TooLarge, match="6,000 powers of e"):
        uneven.views(enough=Enough.RATIOS)


def test_a_law_draws_nothing_exactly_if_each_row_has_one_output():
    met = set()
    for narrow in ("uniform(-1/4, 1/4)", "uniform(1/4, 3/4)", "uniform(-3/4, -1/4)"):
        for truncated in (False, True):
            for window in ((-2, 3), (0, 3), (1, 2), (0, 1)):
                try:
                    operator = made(narrow, (0, 2), window, truncated=truncated)
                except ValueError:
                    continue
                rows = [
                    [operator.law.entry(i, j) for j in range(operator.outputs.size)]
                    for i in range(operator.inputs.size)
                ]
                expected = all(max(row) == 1 for row in rows)
                assert operator.law.certain() == expected
                met.add((truncated, expected))
    assert len(met) == 4


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("truncated", [False, True])
def test_a_release_describes_it_by_few_words(noise, truncated):
    operator = made(noise, (0, 6), (-2, 9), "1/2", truncated=truncated)
    written = operator_json(operator)
    assert len(str(written["law"])) < 150
    schema = json.loads((ROOT / "docs/release.schema.json").read_text())
    validate(written, schema["$defs"]["operator"], schema)
    back = operator_of(written)
    assert (back.inputs, back.outputs) == (operator.inputs, operator.outputs)
    assert all(
        back.law.entry(i, j) == operator.law.entry(i, j)
        for i, j in np.ndindex(operator.law.rows, operator.law.columns)
    )


@pytest.mark.parametrize(
    "change",
    [
        {"noise": "normal(5)", "bits": 3},
        {"step": "1/3"},
        {"step": "-1/2"},
        {"step": "0"},
        {"window": "open"},
        {"window": ["clamped"]},
        {"noise": "cauchy(1)"},
        {"noise": "laplace(0)"},
        {"noise": 7},
        {"more": 1},
    ],
)
def test_descriptions_that_do_not_fit_are_refused(change):
    written = operator_json(made("laplace(3)", (0, 6), (-2, 9), "1/2"))
    written["law"]["arguments"] |= change
    inside = {key: written[key] for key in ("inputs", "outputs", "law")}
    with pytest.raises(ReleaseError):
        operator_of({**written, "sha256": digest(inside)})


def test_a_law_that_was_rounded_before_it_was_truncated_is_refused_with_a_remedy():
    written = operator_json(made("uniform(-10, 10)", (0, 10), (0, 10), 2, truncated=True))
    assert written["law"]["arguments"]["window"] == "truncated, then rounded"
    written["law"]["arguments"]["window"] = "truncated"
    inside = {key: written[key] for key in ("inputs", "outputs", "law")}
    with pytest.raises(ReleaseError, match="rounded before it truncated"):
        operator_of({**written, "sha256": digest(inside)})


def test_a_window_of_one_value_is_no_law():
    with pytest.raises(ValueError, match="two ends"):
        made("laplace(1)", (0, 3), (2, 2))


def test_that_a_rounded_law_is_log_concave_is_checked(monkeypatch):
    """Where rounding shows there is no extreme view: it would not be the extreme."""
    law = made("normal(4)", (0, 6), (0, 6)).law
    assert not law._exact
    law.extreme(*(Grid(F(0), F(6), F(1)),) * 2)  # as it is, it is concave
    bent = {halves: law.at(halves) for halves in law.halves}
    middle = sorted(bent)[len(bent) // 2]
    step = (bent[middle] - bent[middle - law.halves.step]) * F(9, 10)
    monkeypatch.setattr(
        GridLaw, "at", lambda _, halves: bent[halves] - (step if halves == middle else 0)
    )
    with pytest.raises(TooLarge, match="rounding shows"):
        law.extreme(*(Grid(F(0), F(6), F(1)),) * 2)


@pytest.mark.parametrize("ends", [(-2, 3, 1), (0, 2, "1/4"), ("-4/3", 2, "2/3"), (-20, 40, 5)])
def test_ties_on_the_grid_go_upward(ends):
    """In tables, cells and clients alike: of the nearest points the upper one."""
    lo, hi, step = map(F, ends)
    grid = Grid(lo, hi, step)
    written = {"first": grid.first, "last": grid.last}
    written["step"] = [hex(step.numerator), hex(step.denominator)]
    for eighths in range(int(8 * (hi - lo) / step) + 1):
        number = lo + eighths * step / 8
        away = [abs(lo + place * step - number) for place in range(grid.size)]
        nearest = max(place for place in range(grid.size) if away[place] == min(away))
        assert grid.nearest(number) == nearest
        assert Cells(grid).positions([str(number)]).tolist() == [nearest]
        assert runtime._nearest(written, number) == nearest
    assert grid.nearest(lo - step / 8) is None
    assert grid.nearest(hi + step / 8) is None

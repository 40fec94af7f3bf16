"""Rounding the outputs of noise in a window is post-processing: a grid never tells more.

Oracles integrate the densities by themselves: in Fractions for uniform and triangular noise, in
balls for Laplace and normal noise.
"""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb, ctx

from ppdm_formal.cli import run
from ppdm_formal.declare.arithmetic.exponential import ExpNumber
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.declare.noises.named import parse_noise
from ppdm_formal.declare.reals.additive import ContinuousOperator, Window
from ppdm_formal.declare.reals.grid import on_grid
from ppdm_formal.declare.reals.reals import Reals
from ppdm_formal.derive.measures.amplification import amplification as finite
from ppdm_formal.derive.reals.extremes import most_extreme
from ppdm_formal.run.described import operator_json, operator_of

pytestmark = pytest.mark.usefixtures("one_checker")

STEPS = [F(1, 2), F(1), F(2)]


def piecewise(kind, a, b):
    """A density as pieces (from, to, c, d), c + d v on each."""
    if kind == "uniform":
        return [(a, b, 1 / (b - a), F(0))]
    half, middle = (b - a) / 2, (a + b) / 2
    slope = 1 / half**2
    return [(a, middle, -a * slope, slope), (middle, b, b * slope, -slope)]


def integral(pieces, low, high):
    """Of a density between two numbers, by the antiderivative of each piece."""
    total = F(0)
    for start, end, c, d in pieces:
        p, q = max(low, start), min(high, end)
        if p < q:
            total += c * (q - p) + d * (q * q - p * p) / 2
    return total


def exact_cases(count, seed):
    """Uniform and triangular noise, off centre as well, under a window."""
    rng = random.Random(seed)
    while count:
        kind, step = rng.choice(["uniform", "triangular"]), rng.choice(STEPS)
        a = F(rng.randint(-14, 2), rng.choice([1, 2, 3]))
        b = a + F(rng.randint(1, 30), rng.choice([1, 2, 3]))
        first, lo = rng.randint(-2, 2) * step, rng.randint(-4, 4) * step
        last, hi = first + rng.randint(1, 4) * step, lo + rng.randint(1, 6) * step
        word = rng.choice(["clamped", "truncated"])
        try:
            found = ContinuousOperator(
                Reals(first, last), parse_noise(f"{kind}({a}, {b})"), Window(word, lo, hi)
            )
        except ValueError:
            continue
        count -= 1
        yield found, step, piecewise(kind, a, b)


def rounded_after(operator, step, pieces):
    """p[x -> y]: z in the window as it is, clamped or cut, and then the multiple nearest to it."""
    lo, hi = operator.window.lo, operator.window.hi
    far = F(10**6)
    for k in range(int(operator.inputs.width / step) + 1):
        x = operator.inputs.lo + k * step
        row = []
        for j in range(int((hi - lo) / step) + 1):
            y = lo + j * step
            low, high = max(y - step / 2, lo), min(y + step / 2, hi)
            if operator.window.kind == "clamped":
                low, high = -far if y == lo else low, far if y == hi else high
            row.append(integral(pieces, low - x, high - x))
        yield [p / sum(row) for p in row]


def greatest(rows):
    """The greatest ratio in a column, None without bound."""
    columns = [column for column in zip(*rows, strict=True) if max(column)]
    if any(min(column) == 0 for column in columns):
        return None
    return max(max(column) / min(column) for column in columns)


def test_the_law_of_a_grid_is_that_of_the_window_and_then_rounded():
    met = set()
    for operator, step, pieces in exact_cases(150, 1):
        rows = list(rounded_after(operator, step, pieces))
        made = on_grid(operator, step)
        matrix = made.matrix()
        assert [[matrix.entry(*at) for at in row] for row in places(matrix)] == rows
        assert [[made.law.entry(*at) for at in row] for row in places(matrix)] == rows
        back = operator_of(operator_json(made))
        assert [[back.law.entry(*at) for at in row] for row in places(matrix)] == rows
        most = greatest(rows)
        met.add((operator.noise.name, operator.window.kind, most is None))
        value = finite(made).value
        assert isinstance(value, Infinity) if most is None else value == most
    assert len(met) == 8


def places(matrix):
    rows, columns = matrix.shape
    return [[(i, j) for j in range(columns)] for i in range(rows)]


def test_rounding_never_raises_the_amplification():
    """Exactly: the greatest ratio of the rounded law is at most that of the density."""
    finer = 0
    for operator, step, pieces in exact_cases(300, 2):
        most = greatest(rounded_after(operator, step, pieces))
        whole = most_extreme(operator).value
        if isinstance(whole, Infinity):
            continue
        assert most is not None
        assert most <= whole, (operator.rule, step)
        assert finite(on_grid(operator, step)).value == most
        finer += most < whole
    assert finer > 20


def distribution(kind, scale, v):
    t = arb(v.numerator) / v.denominator / scale
    if kind == "normal":
        return (1 + (t / arb(2).sqrt()).erf()) / 2
    return t.exp() / 2 if v < 0 else 1 - (-t).exp() / 2


@pytest.mark.parametrize("kind", ["laplace", "normal"])
@pytest.mark.parametrize("word", ["clamped", "truncated"])
def test_it_does_not_for_laplace_and_normal_noise(kind, word):
    """In balls of 300 bits: cells of the window, and the ratio of densities or atoms at an end."""
    rng = random.Random(3)
    with ctx.workprec(300):
        for _ in range(25):
            scale, step = rng.randint(2, 6), rng.choice(STEPS)
            lo = rng.randint(-4, 4) * step
            hi, last = lo + rng.randint(1, 6) * step, rng.randint(1, 4) * step
            noise, window = parse_noise(f"{kind}({scale})"), Window(word, lo, hi)
            made = on_grid(ContinuousOperator(Reals(F(0), last), noise, window), step)
            rows, ends = [], []
            for x in [k * step for k in range(int(last / step) + 1)]:
                at = lambda z, x=x, s=scale: distribution(kind, s, z - x)  # noqa: E731
                inner = [at(lo + (j + F(1, 2)) * step) for j in range(int((hi - lo) / step))]
                cuts = [0, *inner, 1] if word == "clamped" else [at(lo), *inner, at(hi)]
                whole = cuts[-1] - cuts[0]
                rows.append([(b - a) / whole for a, b in itertools.pairwise(cuts)])
                if word == "clamped":
                    ends.append((at(lo), 1 - at(hi)))
                else:
                    ends.append(tuple(height(kind, scale, z - x) / whole for z in (lo, hi)))
            bound = max(
                max(ends[i][side] / ends[k][side] for i in (0, -1) for k in (0, -1))
                for side in (0, 1)
            )
            for column in zip(*rows, strict=True):
                for p, q in itertools.permutations(column, 2):
                    assert p / q <= bound * (1 + arb(2) ** -200)
            for i, j in np.ndindex(made.law.rows, made.law.columns):
                p = made.law.entry(i, j)
                ball = p.ball() if isinstance(p, ExpNumber) else arb(p.numerator) / p.denominator
                assert abs(ball - rows[i][j]) < rows[i][j] * arb(2) ** -60
            found = float(finite(made).value)
            assert found <= float(bound) * (1 + 1e-12)


def height(kind, scale, v):
    t = arb(v.numerator) / v.denominator / scale
    return (-t * t / 2).exp() if kind == "normal" else (-abs(t)).exp()


MODEL = """
domain Number = reals 0..10
operator Real(x: Number) -> reals { return x + uniform(-10, 10) truncated to 0..10 }
operator Sent(x: Number) -> reals { return x + uniform(-10, 10) truncated to 0..10 rounded to 2 }
audit Real, Sent { require amplification <= 1 }
"""


def test_a_window_inside_wide_noise_shows_nothing_on_a_grid_either(tmp_path, capsys):
    """What is certified without `rounded to` holds with it, and the checker agrees."""
    model, folder, found = tmp_path / "m.ppdm", tmp_path / "proofs", tmp_path / "found.json"
    model.write_text(MODEL)
    assert run(["audit", str(model), "--certificates", str(folder), "--json", str(found)]) == 0
    result = json.loads(found.read_text())
    assert result["operators"][0]["amplification"]["value"] == "1"
    capsys.readouterr()
    assert run(["check", str(folder), "--model", str(model)]) == 0
    assert capsys.readouterr().out.count("accepted") == 2
    # Certificates are of this law: other noise, or another order, is not taken for it.
    other = tmp_path / "other.ppdm"
    other.write_text(MODEL.replace("uniform(-10, 10)", "uniform(-9, 10)"))
    assert run(["check", str(folder), "--model", str(other)]) == 4


DENSITY = """
domain Age = reals 0..100
prior Even on Age = uniform
property young on Age = x < 10
operator Real(x: Age) -> reals { return x + laplace(50) clamped to -20..120 }
operator Sent(x: Age) -> reals { return x + laplace(50) clamped to -20..120 rounded to 20 }
audit OPERATOR { forbid breach 1/10 -> 22/100 under Even for young }
"""


def test_under_a_density_a_grid_may_tell_more_since_x_is_rounded_before(tmp_path):
    """9.9 is sent as 0 and 10.1 as 20: docs/numeric.md says it, with these numbers."""
    model = tmp_path / "m.ppdm"
    for operator, code in (("Real", 0), ("Sent", 1)):
        model.write_text(DENSITY.replace("OPERATOR", operator))
        assert run(["audit", str(model)]) == code


def test_half_a_step_at_the_ends():
    operator = ContinuousOperator(
        Reals(F(0), F(10)), parse_noise("uniform(-10, 10)"), Window("truncated", F(0), F(10))
    )
    made = on_grid(operator, F(2))
    for x in made.inputs:
        found = [made.probability(x, y) for y in made.outputs]
        assert found == [F(1, 10), F(1, 5), F(1, 5), F(1, 5), F(1, 5), F(1, 10)]

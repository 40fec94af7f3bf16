"""Utility: published formulas, brute force, balls against exact algebra, and simulation."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import fmpq_mat
from measures_definitions import least_square

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exact import simplify, substitute, to_flint
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.value import INFINITY
from ppdm_formal.declare.families.duchi_mean import duchi_mean
from ppdm_formal.declare.families.hadamard_response import hadamard_response
from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.rappor import rappor, reported
from ppdm_formal.declare.families.select_a_size import Randomization, select_a_size
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.operators.circulant import rank
from ppdm_formal.declare.operators.least_variance import exact_scores
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.recoverable import recoverable
from ppdm_formal.derive.measures import matrix_errors as from_matrix
from ppdm_formal.derive.measures.mean_error import plain_variance
from ppdm_formal.derive.measures.moments import Errors
from ppdm_formal.derive.measures.utility import people, utility
from ppdm_formal.design.recovery import Recovery
from ppdm_formal.run.simulation import Simulation

F = Fraction
T = Parameter("t", F(1), F(100))
t = T.symbol
"""e^eps, left free: published formulas are compared as closed forms."""


def same(found, expected):
    return simplify(found - expected) == 0


def published(operator):
    decoders = utility(operator).decoders
    return next(d.errors for d in decoders if d.which != "least variance" or len(decoders) == 1)


# --- closed forms in e^eps, as the papers give them ---------------------------------------------


@pytest.mark.parametrize("k", [2, 3, 10, 100])
def test_k_ary_response(k):
    """Kairouz, Bonawitz, Ramage 2016: the mean squared error at the uniform distribution."""
    found = utility(randomized_response(k, t / (t + k - 1), parameters=[T]))
    assert found.best.which == "the only one"
    total = F(k - 1, k) * (1 + F(k) * (k + 2 * (t - 1)) / (t - 1) ** 2)
    assert same(found.best.errors.total, total)
    # Wang and others 2017: the variance of a share near 0, for people who are given.
    assert same(found.best.errors.share + F(1, 100), _pure(t / (t + k - 1), 1 / (t + k - 1)))


def _pure(p, q):
    """Wang and others 2017, (6), at a share of 10%, with what drawing people adds; plus 1/100."""
    share = F(1, 10)
    noise = q * (1 - q) / (p - q) ** 2 + share * (1 - p - q) / (p - q)
    return noise + share * (1 - share) + F(1, 100)


@pytest.mark.parametrize("k", [2, 5, 1000])
def test_optimized_unary_encoding_and_local_hashing(k):
    """Wang and others 2017: 4 e^eps / (e^eps - 1)^2 for rare values; so with g = e^eps + 1."""
    encoding = published(unary_encoding(k, gamma=t, parameters=[T]))
    rare = 4 * t / (t - 1) ** 2
    assert same(encoding.total, k * rare + 1 + F(k - 1, k))
    hashing = local_hashing(k, 4, gamma=3)
    c = hashing.law.functions.collision
    other = c * F(1, 2) + (1 - c) * F(1, 6)
    assert published(hashing).total == published(unary_encoding(k, "1/2", other)).total
    assert c <= F(1, 4)
    assert same(encoding.share + F(1, 100), _pure(F(1, 2), 1 / (t + 1)))


@pytest.mark.parametrize("k", [4, 100])
def test_symmetric_unary_encoding(k):
    """Wang and others 2017: e^(eps/2) / (e^(eps/2) - 1)^2, whatever the share."""
    found = published(unary_encoding(k, keep=t / (t + 1), parameters=[T]))
    noise = t / (t - 1) ** 2
    assert same(found.total, k * noise + F(k - 1, k))
    assert same(found.share, noise + F(9, 100))
    assert same(found.cell_worst, noise + F(1, 4))


@pytest.mark.parametrize(("k", "d"), [(4, 1), (10, 3), (100, 27), (1000, 1)])
def test_subset_selection(k, d):
    """Ye, Barg 2018: the mean squared error under any distribution, here the uniform one."""
    found = utility(subset_selection(k, t, chosen=d, parameters=[T]))
    assert found.best.which == ("both" if d > 1 else "the only one")
    first = (d * (k - 2) + 1) * t**2 / ((k - d) * (t - 1) ** 2)
    second = 2 * (k - 2) * t / (t - 1) ** 2
    third = ((k - 2) * (k - d) + 1) / (d * (t - 1) ** 2)
    assert same(found.best.errors.total, first + second + third - F(1, k))
    assert same(found.best.errors.total_worst, first + second + third - F(1, k))


@pytest.mark.parametrize("k", [3, 10, 500])
def test_hadamard_response(k):
    """Acharya, Sun, Zhang 2019: scores are +-(e^eps + 1)/(e^eps - 1)."""
    found = published(hadamard_response(k, t, parameters=[T]))
    assert same(found.total, k * ((t + 1) / (t - 1)) ** 2 - F(1, k))
    assert same(found.share, ((t + 1) / (t - 1)) ** 2 - F(1, 100))


def test_rappor():
    """Erlingsson, Pihur, Korolova 2014: (c - (p + f q/2 - f p/2) N) / ((1 - f)(q - p)) a bit."""
    f, p, q = F(1, 2), F(1, 2), F(3, 4)
    found = utility(rappor(128, 2, f, p, q))
    assert found.items
    low, high = p + f * q / 2 - f * p / 2, (1 - f) * (q - p)
    assert reported(f, p, q) == (low, low + high)
    share = F(1, 10)
    one = low + share * high  # how likely a report has the bit
    assert found.best.errors.share == one * (1 - one) / high**2
    assert found.best.people == people(one * (1 - one) / high**2)


def test_one_bit_mean():
    """Duchi and others: (e^eps + 1)/(e^eps - 1) times a sign, and so that squared."""
    found = utility(duchi_mean(41, gamma=3))
    assert found.best.errors.factor is INFINITY
    assert found.rank == 2
    # x = 0..40 stands for v = -1 + x/20, so that squares are 20^2 times those of v.
    scale = F(3 + 1, 3 - 1) ** 2 * 20**2
    assert found.mean.error == scale
    assert found.mean.worst == scale


def test_items_of_transactions_as_the_itemsets_room_estimates_them():
    operator = select_a_size(20, 3, "1/5", cutoff=2, gamma=9)
    found = utility(operator)
    share = F(1, 10)
    noise = Recovery.of(Randomization(3, operator.law.insert, operator.law.keep), 1).noise
    assert found.best.errors.share == (1 - share) * noise[0] + share * noise[1] + share * (
        1 - share
    )


# --- brute force --------------------------------------------------------------------------------


def some_operators(count, seed, inputs=(2, 5), outputs=(2, 7)):
    draw = random.Random(seed)
    for _ in range(count):
        k, n = draw.randint(*inputs), draw.randint(*outputs)
        rows = []
        for _ in range(k):
            weights = [draw.choice((0, 1, 1, 2, 3, 9)) for _ in range(n)]
            weights[draw.randrange(n)] += 1
            rows.append([F(w, sum(weights)) for w in weights])
        yield rows


def worst_by_supports(s):
    """The largest sum of pi s - pi^2: on each set of inputs where the gradients agree."""
    best = None
    for size in range(1, len(s) + 1):
        for chosen in itertools.combinations(s, size):
            level = (sum(chosen) - 2) / F(size)
            pi = [(value - level) / 2 for value in chosen]
            if min(pi) >= 0:
                value = sum(p * v - p * p for p, v in zip(pi, chosen, strict=True))
                best = value if best is None else max(best, value)
    return best


def test_errors_by_brute_force_on_random_operators():
    met = 0
    for rows in some_operators(60, seed=1):
        operator = Operator.from_matrix(rows)
        found = utility(operator).best.errors
        size = len(rows)
        if found.factor is INFINITY:
            continue
        met += 1
        matrix = operator.matrix()
        scores, likely = exact_scores(matrix, recoverable(matrix), [F(1, size)] * size)
        table = [
            [sum(p * d[x] ** 2 for p, d in zip(row, scores, strict=True)) for x in range(size)]
            for row in rows
        ]
        assert found.total_worst == worst_by_supports([sum(row) for row in table])
        grid = [F(step, 200) for step in range(201)]
        pairs = [(table[x][x], table[o][x]) for x in range(size) for o in range(size) if o != x]
        reached = max(a * own + (1 - a) * other - a * a for own, other in pairs for a in grid)
        assert reached <= found.cell_worst <= reached + F(1, 400) ** 2
        tenth = F(1, 10)
        assert found.share == max(tenth * a + (1 - tenth) * b - tenth**2 for a, b in pairs)
        means = [sum(row[x] for row in table) / size - F(1, size) ** 2 for x in range(size)]
        assert (found.cell, found.total) == (max(means), sum(means))
        # Least variance: Lagrange's equations, solved apart from all this.
        reached_outputs = [y for y, m in enumerate(likely) if m]
        kept = [[row[y] for y in reached_outputs] for row in rows]
        for x in range(size):
            goal = [F(x == other) for other in range(size)]
            least = least_square(kept, [likely[y] for y in reached_outputs], goal)
            assert least == sum(row[x] for row in table) / size
    assert met > 30


def test_decoders_are_unbiased_and_of_least_variance():
    """P D = I, and no direction that leaves it so lowers the variance: it is orthogonal to all."""
    for rows in some_operators(40, seed=2, outputs=(5, 8)):
        operator = Operator.from_matrix(rows)
        matrix = operator.matrix()
        found = recoverable(matrix)
        if found.lost:
            continue
        size = len(rows)
        masses = [F(1 + x, size * (size + 1) // 2) for x in range(size)]
        scores, likely = exact_scores(matrix, found, masses)
        forward = fmpq_mat(size, len(likely), [to_flint(p) for row in rows for p in row])
        decoder = fmpq_mat(len(likely), size, [to_flint(d) for row in scores for d in row])
        assert forward * decoder == fmpq_mat(
            size, size, [x == c for x in range(size) for c in range(size)]
        )
        weighted = fmpq_mat(
            len(likely),
            size,
            [to_flint(m * d) for m, row in zip(likely, scores, strict=True) for d in row],
        )
        for free in null_space(rows):
            row = fmpq_mat(1, len(free), [to_flint(v) for v in free])
            assert (row * weighted).entries() == [0] * size


def null_space(rows):
    reduced, many = fmpq_mat(len(rows), len(rows[0]), [to_flint(p) for r in rows for p in r]).rref()
    pivots = [next(c for c in range(len(rows[0])) if reduced[r, c] != 0) for r in range(many)]
    for column in range(len(rows[0])):
        if column not in pivots:
            vector = [F(0)] * len(rows[0])
            vector[column] = F(1)
            for r, pivot in enumerate(pivots):
                entry = reduced[r, column]
                vector[pivot] = -F(int(entry.p), int(entry.q))
            yield vector


def test_worst_mean_by_brute_force():
    for rows in some_operators(30, seed=3, inputs=(2, 4), outputs=(4, 6)):
        operator = Operator.from_matrix(rows, inputs=[-3, 0, 1, 7][: len(rows)])
        found = utility(operator)
        if found.mean is None or found.rank < len(rows):
            continue
        values = list(operator.inputs)
        scores, _ = exact_scores(
            operator.matrix(), recoverable(operator.matrix()), [F(1, len(rows))] * len(rows)
        )
        told = [sum(v * d for v, d in zip(values, row, strict=True)) for row in scores]
        square = [sum(p * c * c for p, c in zip(row, told, strict=True)) for row in rows]
        best = max(square[x] - values[x] ** 2 for x in range(len(rows)))
        for one, two in itertools.combinations(range(len(rows)), 2):
            for step in range(101):
                a = F(step, 100)
                mean = a * values[one] + (1 - a) * values[two]
                best = max(best, a * square[one] + (1 - a) * square[two] - mean**2)
        assert best <= found.mean.worst <= best + F(1, 100) ** 2 * 100 / 4


# --- other ways to the same numbers ---------------------------------------------------------------


def inside(found, exact):
    """Whether enclosures hold exact errors."""
    for name in Errors.__dataclass_fields__:
        ball, number = getattr(found, name), getattr(exact, name)
        assert isinstance(ball, Enclosure)
        assert ball.lo <= number <= ball.hi, name
        assert ball.width <= abs(number) / 10**12


def test_balls_hold_what_exact_algebra_finds(monkeypatch):
    for rows in some_operators(12, seed=4):
        operator = Operator.from_matrix(rows)
        prior = Prior.of(
            operator.inputs, {x: F(1 + x, sum(range(1, len(rows) + 1))) for x in operator.inputs}
        )
        for under in (None, prior):
            monkeypatch.setattr(from_matrix, "EXACT_WORK", 10**6)
            exact = from_matrix.matrix_errors(operator, under)
            monkeypatch.setattr(from_matrix, "EXACT_WORK", 0)
            found = from_matrix.matrix_errors(operator, under)
            assert (found.rank, found.unique) == (exact.rank, exact.unique)
            assert found.found == exact.found
            if exact.errors.factor is not INFINITY:
                inside(found.errors, exact.errors)
            if exact.mean is not None:
                assert found.mean.error.lo <= exact.mean.error <= found.mean.error.hi


def test_circulant_matrices():
    draw = random.Random(5)
    for size in (5, 8, 12):
        weights = [draw.randint(0, 5) + (place == 0) for place in range(size)]
        row = [F(w, sum(weights)) for w in weights]
        operator = Operator.from_function(range(size), range(size), lambda x, y, r=row: r[y - x])
        prior = Prior.of(operator.inputs, {0: F(1, 2), 3: F(1, 2)})
        for under in (None, prior):
            exact = from_matrix.matrix_errors(operator, under)
            found = from_matrix.circulant_errors(row, operator, under)
            assert found.rank == exact.rank == rank(row)
            if exact.errors.factor is INFINITY:
                assert found.errors.factor is INFINITY
            else:
                inside(found.errors, exact.errors)
                assert found.mean.error.lo <= exact.mean.error <= found.mean.error.hi
    shift = Operator.from_function(range(4), range(4), lambda x, y: F((y - x) % 4 in (0, 1), 2))
    assert utility(shift).rank == 3


def test_long_sums_are_enclosed():
    """Unary encoding on 200 values, against the same sum in 50 digits written down anew."""
    k, q = 200, mpmath.mpf(1) / 4
    with mpmath.workdps(50):
        gain = mpmath.mpf(-1)
        for w in range(k + 1):
            inner = (
                mpmath.binomial(k - 1, w - 1) * q ** (w - 1) * (1 - q) ** (k - w) / 2 if w else 0
            )
            outer = mpmath.binomial(k - 1, w) * q**w * (1 - q) ** (k - 1 - w) / 2 if w < k else 0
            whole = inner + outer
            gain += inner**2 / whole * k / w if w else 0
            gain += outer**2 / whole * k / (k - w) if w < k else 0
        total = mpmath.mpf(k - 1) ** 2 / (k * gain)
        found = utility(unary_encoding(k, gamma=3)).best.errors.total
        assert isinstance(found, Enclosure)
        assert mpmath.mpf(found.lo.numerator) / found.lo.denominator <= total
        assert total <= mpmath.mpf(found.hi.numerator) / found.hi.denominator


def test_the_best_decoder_of_unary_encodings_saves_what_the_page_says():
    """docs/utility.md: 11% to 33% on 3 to 10 values at epsilon 1 to 4."""
    saved = []
    for k, eps in itertools.product((3, 10), (1, 2, 4)):
        root = exp_of(F(eps, 2))
        for operator in (unary_encoding(k, keep=root / (root + 1)), unary_encoding(k, epsilon=eps)):
            best, other = (one.errors.total for one in utility(operator).decoders)
            saved.append(float(1 - getattr(best, "hi", best) / other))
    assert round(min(saved), 2) == 0.11
    assert round(max(saved), 2) == 0.33


def test_exponentials_are_what_their_closed_forms_give():
    form = utility(subset_selection(10, t, chosen=3, parameters=[T])).best.errors.factor
    at = utility(subset_selection(10, epsilon=1, chosen=3)).best.errors.factor
    exponential = subset_selection(10, epsilon=1, chosen=3).law.sets.gamma
    assert substitute(form, {"t": exponential}) == at


def test_small_forms_of_other_matrices():
    rows = [[t / (t + 2), 1 / (t + 2), 1 / (t + 2)], [F(1, 3)] * 3, [0, F(1, 2), F(1, 2) - 0]]
    rows[2] = [F(1, 4), F(1, 4), F(1, 2)]
    free = Operator.from_matrix(rows, parameters=[T])
    form = utility(free).best.errors.factor
    for value in (F(2), F(7)):
        at = utility(free.substitute({"t": value})).best.errors.factor
        assert substitute(form, {"t": value}) == at


def test_what_cannot_be_recovered():
    same_rows = Operator.from_matrix([["1/2", "1/2"], ["1/2", "1/2"]])
    assert (utility(same_rows).rank, utility(same_rows).best.people) == (1, INFINITY)
    blind = utility(randomized_response(5, "1/5"))
    assert (blind.best.errors.factor, blind.rank) == (INFINITY, 1)
    assert utility(subset_selection(4, 3, chosen=4)).best.errors.factor is INFINITY
    certain = utility(randomized_response(5, 1))
    assert certain.best.errors.factor == 1
    assert utility(Operator.from_matrix([["1/2", "1/2"]])).best.errors.factor == 1


# --- simulation ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "operator",
    [
        randomized_response(10, "1/4"),
        unary_encoding(10, gamma=3),
        subset_selection(10, 3),
        hadamard_response(10, 3),
    ],
    ids=["k-ary", "unary", "subset", "hadamard"],
)
def test_simulated_scores_have_the_variance_that_is_told(operator):
    """20,000 reports of people who are spread evenly, decoded by the decoder of least variance."""
    many, size = 20_000, 10
    people_of = np.random.default_rng(7).integers(0, size, many)
    reports = operator.law.draw(people_of, Simulation(11))
    matrix = operator.matrix()
    scores, _ = exact_scores(matrix, recoverable(matrix), [F(1, size)] * size)
    table = np.array([[float(d) for d in row] for row in scores])[reports]
    squares = ((table - 1 / size) ** 2).sum(axis=1)
    expected = utility(operator).best.errors.total
    expected = float(expected.hi if isinstance(expected, Enclosure) else expected)
    error = squares.std() / np.sqrt(many)
    assert abs(squares.mean() - expected) < 5 * error + 1e-9
    assert error < 0.02 * expected


def test_the_variance_without_reports_is_that_of_the_prior():
    values = [-3, 0, 1, 4, 7]
    masses = [F(1, 4), F(1, 4), F(1, 8), F(1, 8), F(1, 4)]
    mean = sum(x * mass for x, mass in zip(values, masses, strict=True))
    wanted = sum((x - mean) ** 2 * mass for x, mass in zip(values, masses, strict=True))
    assert plain_variance(values, masses) == wanted

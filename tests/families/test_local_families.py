"""Local randomizers against their definitions, entry by entry; published numbers; large sizes."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path

import local_oracle as oracle
import numpy as np
import pytest

from ppdm_formal.declare.arithmetic.exact import simplify
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.duchi_mean import duchi_mean
from ppdm_formal.declare.families.exponential_mechanism import exponential_mechanism
from ppdm_formal.declare.families.hadamard_response import hadamard_response
from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.rappor import rappor, reported
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.truncated_geometric import truncated_geometric
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import InputLabels
from ppdm_formal.derive.measures.amplification import amplification

F = Fraction
MODELS = Path(__file__).parents[2] / "models"

DEFINED = {
    "unary": (unary_encoding(4, "2/3", "1/5"), lambda x: oracle.unary_row(x, 4, F(2, 3), F(1, 5))),
    "symmetric": (unary_encoding(3, "3/4"), lambda x: oracle.unary_row(x, 3, F(3, 4), F(1, 4))),
    "optimized": (
        unary_encoding(3, gamma=3),
        lambda x: oracle.unary_row(x, 3, F(1, 2), F(1, 4)),
    ),
    "subset": (subset_selection(6, 3, 2), lambda x: oracle.subset_row(x, 6, 2, F(3))),
    "hadamard": (hadamard_response(6, "5/2"), lambda x: oracle.hadamard_row(x, 6, F(5, 2))),
    "hadamard of two": (hadamard_response(1, 2), lambda x: oracle.hadamard_row(x, 1, F(2))),
    "rappor": (
        rappor(4, 2, "1/3", "1/5", "3/4"),
        lambda x: oracle.rappor_row(x, 4, F(1, 3), F(1, 5), F(3, 4)),
    ),
    "permanent": (
        rappor(3, 1, "1/3"),
        lambda x: oracle.rappor_row(x, 3, F(1, 3), F(0), F(1)),
    ),
    "geometric": (truncated_geometric(6, "2/3"), lambda x: oracle.geometric_row(x, 6, F(2, 3))),
    "geometric of two": (
        truncated_geometric(2, "2/3"),
        lambda x: oracle.geometric_row(x, 2, F(2, 3)),
    ),
    "duchi": (duchi_mean(7, 3), lambda x: oracle.duchi_row(x, 7, F(3))),
    "exponential": (
        exponential_mechanism(6, decay="3/4"),
        lambda x: oracle.exponential_row(x, 6, lambda d: F(3, 4) ** d),
    ),
    "exponential by weights": (
        exponential_mechanism(9, [5, 3, 1]),
        lambda x: oracle.exponential_row(x, 9, lambda d: F((5, 3, 1)[min(d, 2)])),
    ),
    "one weight": (
        exponential_mechanism(5, [2]),
        lambda x: oracle.exponential_row(x, 5, lambda d: F(1)),
    ),
}


@pytest.mark.parametrize("name", DEFINED)
def test_every_entry_is_that_of_the_definition(name):
    operator, row_of = DEFINED[name]
    for x in operator.inputs:
        row = row_of(x)
        assert set(row) == set(operator.outputs)
        assert {y: operator.probability(x, y) for y in row} == row


@pytest.mark.parametrize(("k", "g"), [*itertools.product((1, 2, 3, 7), (2, 3, 8))])
def test_every_pair_of_values_collides_as_often(k, g):
    """All functions written out: the law, and c for every two values, which is at most 1/g."""
    keep = F(2, 5)
    operator = local_hashing(k, g, keep=keep)
    rows = oracle.hashing_rows(k, g, keep)
    for x, row in enumerate(rows):
        assert {y: operator.probability(x, y) for y in operator.outputs} == row
    support = operator.law.support()
    prime = oracle.prime_from(k)
    c = operator.law.functions.collision
    for x, other in itertools.permutations(range(k), 2):
        hit = [y for y in rows[x] if oracle.hash_of(prime, g, y[0], other) == y[1]]
        assert sum(rows[x][y] for y in hit) == support.other
        together = [
            number
            for number in range(prime * (prime - 1))
            if oracle.hash_of(prime, g, number, x) == oracle.hash_of(prime, g, number, other)
        ]
        assert F(len(together), prime * (prime - 1)) == c <= F(1, g)


def test_models_written_out_are_the_same():
    models = {path.stem: path.read_text(encoding="utf-8") for path in MODELS.glob("*.ppdm")}
    text = models["hadamard"] + "operator Family = hadamard_response(values: 8, gamma: exp(eps))"
    found = compile_text(text).operators
    assert found["Hadamard"] == found["Family"]
    text = models["rappor"] + (
        "operator Family = rappor(bits: 8, hashes: 2, f: 2/(1 + exp(eps/4)), p: 1/2, q: 3/4)"
    )
    written, family = (compile_text(text).operators[name] for name in ("Once", "Family"))
    for x in range(8):
        for y in written.outputs:
            ones = frozenset(place for place, bit in enumerate(y) if bit)
            held = frozenset({x % 8, (3 * x + 5) % 8})
            assert family.probability(held, ones) == written.probability(x, y)
    text = models["unary_encoding"] + (
        "operator One = unary_encoding(values: 10, keep: exp(eps/2)/(exp(eps/2) + 1))\n"
        "operator Two = unary_encoding(values: 10, gamma: exp(eps))"
    )
    found = compile_text(text).operators
    for name, family in (("Symmetric", found["One"]), ("Optimized", found["Two"])):
        for x in (0, 7):
            for y in found[name].outputs:
                ones = frozenset(place for place, bit in enumerate(y) if bit)
                assert family.probability(x, ones) == found[name].probability(x, y)
    for model, name, family in (
        ("subset_selection", "Select", "subset_selection(values: 10, gamma: exp(eps), chosen: 3)"),
        ("geometric", "Geometric", "truncated_geometric(values: 11, ratio: exp(-eps))"),
    ):
        found = compile_text(f"{models[model]}operator Family = {family}").operators
        assert found[name] == found["Family"]
    text = models["duchi"] + "operator Family = duchi_mean(values: 101, gamma: exp(eps))"
    found = compile_text(text).operators
    for x in range(-50, 51):
        assert found["Sign"].probability(x, 1) == found["Family"].probability(x + 50, 1)
    text = """
    operator Written(x: 0..6) -> 0..6 {
        [x -> y] = 4 / (11 if x in {0, 6} else 12)   if y == x
                 | 2 / (11 if x in {0, 6} else 12)   if abs(y - x) == 1
                 | 1 / (11 if x in {0, 6} else 12)   otherwise
    }
    operator Family = exponential_mechanism(values: 7, weights: [4, 2, 1])
    """
    found = compile_text(text).operators
    assert found["Written"] == found["Family"]


def test_a_model_names_them():
    model = compile_text(
        """
        operator U = unary_encoding(values: 1000000, keep: 3/4, flip: 1/4)
        operator S = subset_selection(values: 10000, gamma: 3)
        operator L = local_hashing(values: 1000, buckets: 4, gamma: 3)
        operator H = hadamard_response(values: 1000, gamma: 3)
        operator R = rappor(bits: 128, hashes: 2, f: 1/2, p: 1/2, q: 3/4)
        operator G = truncated_geometric(values: 11, ratio: 1/2)
        operator D = duchi_mean(values: 101, gamma: 3)
        operator E = exponential_mechanism(values: 1000000, weights: [4, 2, 1])
        """
    )
    found = {name: amplification(operator).value for name, operator in model.operators.items()}
    p, q = reported(F(1, 2), F(1, 2), F(3, 4))
    assert found == {
        "U": 9,
        "S": 3,
        "L": 3,
        "H": 3,
        "R": (q * (1 - p) / (p * (1 - q))) ** 2,
        "G": 2**10,
        "D": 3,
        "E": F(1000005, 250001),
    }
    assert model.operators["S"].outputs.members == 2500


def test_published_epsilons_in_closed_form():
    """RAPPOR: (q*(1 - p*)/(p*(1 - q*)))^h for a report, ((1 - f/2)/(f/2))^(2h) for all of them."""
    f = Parameter("f", F(0), F(1))
    permanent = rappor(128, 2, f.symbol, parameters=[f])
    closed = ((1 - f.symbol / 2) / (f.symbol / 2)) ** 4
    assert simplify(amplification(permanent).value - closed) == 0
    t = Parameter("t", F(1), F(100))
    for operator in (
        unary_encoding(10**6, gamma=t.symbol, parameters=[t]),
        subset_selection(10**4, t.symbol, 2500, parameters=[t]),
        local_hashing(10**6, 7, gamma=t.symbol, parameters=[t]),
        hadamard_response(1000, t.symbol, parameters=[t]),
        duchi_mean(101, t.symbol, parameters=[t]),
    ):
        assert amplification(operator).value == t.symbol
    keep = Parameter("p", F(1, 2), F(1))
    symmetric = unary_encoding(1000, keep.symbol, parameters=[keep])
    odds = keep.symbol / (1 - keep.symbol)
    assert simplify(amplification(symmetric).value - odds**2) == 0


def test_epsilons_are_exact():
    """By epsilon and by exp(q): amplifications are e^epsilon itself, not near it."""
    e, root = exp_of(F(1)), exp_of(F(1, 2))
    for operator in (
        unary_encoding(10**6, epsilon=1),
        unary_encoding(1000, root / (root + 1)),
        subset_selection(10**4, epsilon=1),
        local_hashing(1000, 4, epsilon=1),
        hadamard_response(1000, epsilon=1),
        duchi_mean(101, epsilon=1),
        truncated_geometric(2, epsilon=1),
    ):
        assert amplification(operator).value == e
    assert subset_selection(10**4, epsilon=1).outputs.members == 2689
    assert amplification(truncated_geometric(11, epsilon="1/10")).value == e
    # RAPPOR with f = 2/(e^(eps/2h) + 1) is eps-private for all reports (Theorem 1 there).
    assert amplification(rappor(128, 2, 2 / (exp_of(F(1, 4)) + 1))).value == e
    line = exponential_mechanism(11, epsilon=1)
    assert 1 < amplification(line).value < e


def written(operator):
    return Operator.from_codes(operator.inputs, operator.outputs, operator.matrix())


LINES = [
    exponential_mechanism(40, [5, 3, 2]),
    exponential_mechanism(41, [5, 3, 2, 2]),
    exponential_mechanism(33, [1, 0, 2]),
    exponential_mechanism(17, decay="1/3"),
    truncated_geometric(40, "1/3"),
    truncated_geometric(9, 1),
]


@pytest.mark.parametrize("operator", LINES)
def test_lines_long_enough_to_have_a_middle(operator):
    plain = written(operator)
    assert operator.views() == plain.views()
    law, last = operator.law, operator.inputs.size - 1
    shown = {frozenset(law.pair(*pair)) for pair in law.unlike_pairs()}
    shown |= {frozenset(law.pair(b, a)) for a, b in law.unlike_pairs()}
    every = {
        frozenset(plain.law.pair(a, b)) for a in range(last + 1) for b in range(last + 1) if a != b
    }
    assert shown == every
    if law.reach < 5:
        assert len(list(law.unlike_pairs())) < last * (last + 1) // 2


@pytest.mark.parametrize(("values", "order"), [(5, 3), (12, 4), (100, 7), (127, 7)])
def test_hadamard_views_under_priors(values, order):
    operator = hadamard_response(values, 3)
    assert operator.outputs.size == 2**order
    plain = written(operator)
    assert operator.views() == plain.views()
    domain = Domain(range(values))
    thirds = Property.where(domain, lambda x: x % 3 == 0)
    prior = Prior.uniform(domain)
    assert operator.views(prior, [thirds]) == plain.views(prior, [thirds])
    y = 2**order - 3
    assert operator.view_of(y, prior, [thirds]) == plain.view_of(y, prior, [thirds])


def test_single_values_under_priors_are_told_apart_as_the_matrix_does():
    for operator in (unary_encoding(7, "2/3", "1/5"), subset_selection(7, 2, 3)):
        plain = written(operator)
        domain = operator.inputs
        few = Property.of(domain, [1, 4, 5])
        prior = Prior.of(domain, {0: "1/2", **dict.fromkeys(range(1, 7), "1/12")})
        for asked in ((None, [few]), (prior, []), (prior, [few])):
            found = operator.views(*asked)
            assert sum(view.outputs for view in found) == operator.outputs.size
            by_output = {view.output: view for view in found}
            for output, view in by_output.items():
                assert operator.view_of(output, *asked).classes == view.classes
                assert plain.view_of(output, *asked).classes == view.classes
            histograms = Counter()
            for view in plain.views(*asked):
                histograms[_shown(view)] += view.outputs
            for view in found:
                histograms[_shown(view)] -= view.outputs
            assert not any(histograms.values())


def _shown(view):
    return frozenset((c.likelihood, c.count, c.prior, c.member) for c in view.classes)


def test_known_priors_on_ten_thousand_values():
    """One view and few classes for subsets; for a million bits there are too many to write."""
    operator = subset_selection(10**4, 3)
    prior = Prior.uniform(operator.inputs)
    first = Property.of(operator.inputs, [0])
    views = operator.views(prior, [first])
    assert [sorted(part.count for part in view.classes) for view in views] == [
        [1, 2500, 7499],
        [1, 2499, 7500],
    ]
    million = unary_encoding(10**6, "3/4", "1/4")
    with pytest.raises(TooLarge, match="1,000,000 values of 1 kind"):
        million.views(Prior.uniform(million.inputs))


@pytest.mark.parametrize("values", [2, 7, 23, 40])
def test_views_near_changes_of_labels_are_those_of_the_matrix(values):
    """As large operators on a line are taken: counted by what outputs show."""
    rng = random.Random(values)
    for _ in range(6):
        weights = [Fraction(rng.randint(1, 5)) for _ in range(rng.randint(1, 5))]
        operator = exponential_mechanism(values, weights)
        mask = np.arange(values) < rng.randint(1, values)
        half = Property(operator.inputs, mask, "half")
        codes = (np.arange(values) >= rng.randint(1, values)) * 1
        low = Fraction(1, 2 * values)
        rest = (1 - low * int((codes == 0).sum())) / max(1, int(codes.sum()))
        prior = Prior(operator.inputs, codes, [low if codes.any() else 2 * low, rest])
        labels = InputLabels.of(operator.inputs, prior, [half])
        both = []
        for views in (operator.law._labelled, operator.law.views):
            found = Counter()
            for view in views(operator.inputs, operator.outputs, labels):
                found[_shown(view)] += view.outputs
            both.append(found)
        assert both[0] == both[1]


def test_few_weights_under_a_prior_on_a_million_values():
    operator = exponential_mechanism(10**6, [4, 2, 1])
    first = Property(operator.inputs, np.arange(10**6) < 10, "first")
    views = operator.views(Prior.uniform(operator.inputs), [first])
    assert sum(view.outputs for view in views) == 10**6
    assert len(views) < 20
    geometric = truncated_geometric(10**6, "1/2")
    with pytest.raises(TooLarge, match="where it holds it holds under this prior"):
        geometric.views(Prior.uniform(geometric.inputs), [first])


def test_a_million_values():
    for operator in (
        unary_encoding(10**6, "3/4", "1/4"),
        unary_encoding(10**6, gamma=3),
        subset_selection(10**6, 3),
    ):
        views = operator.views()
        assert sum(view.outputs for view in views) == operator.outputs.size
        assert all(view.relative and view.inputs == 10**6 for view in views)
    views = hadamard_response(10**6, 3).views()
    assert sum(view.outputs for view in views) == 2**20
    with pytest.raises(TooLarge, match="too large to write out"):
        truncated_geometric(10**6, "1/2").views()


BAD = [
    (lambda: unary_encoding(4), "keep and flip, keep alone"),
    (lambda: unary_encoding(4, flip="1/2"), "keep and flip, keep alone"),
    (lambda: unary_encoding(4, "1/2", gamma=3), "keep and flip, keep alone"),
    (lambda: unary_encoding(4, "3/2", "1/2"), "keep = 3/2 is not between 0 and 1"),
    (lambda: unary_encoding(4, "1/2", "-1/2"), "flip = -1/2 is not between 0 and 1"),
    (lambda: unary_encoding(4, gamma=-1), "gamma = -1 could not be shown to be at least 0"),
    (lambda: unary_encoding(0, "1/2"), "1 to 1,000,000 values, not 0"),
    (lambda: unary_encoding(10**6 + 1, "1/2"), "not 1,000,001"),
    (lambda: subset_selection(4, 3, 5), "sets of 5 values: 1 to 4"),
    (lambda: subset_selection(4, 3, 0), "sets of 0 values: 1 to 4"),
    (
        lambda: subset_selection(
            4, Parameter("t", F(1), F(2)).symbol, parameters=[Parameter("t", F(1), F(2))]
        ),
        "needs chosen",
    ),
    (
        lambda: hadamard_response(4, Parameter("t", F(1), F(2)).symbol),
        "undeclared parameters: t",
    ),
    (lambda: local_hashing(4, 1, keep="1/2"), "2 to 1,000,000 buckets, not 1"),
    (lambda: local_hashing(4, 2), "one of keep, gamma and epsilon"),
    (lambda: hadamard_response(4), "either gamma or epsilon"),
    (lambda: hadamard_response(4, 3, 1), "either gamma or epsilon"),
    (lambda: hadamard_response(4, epsilon=-1), "epsilon = -1 is not a rational"),
    (lambda: truncated_geometric(4), "either ratio or epsilon"),
    (lambda: rappor(8, 9, "1/2"), "9 hash functions: 1 to 8"),
    (lambda: rappor(8, 2, "3/2"), "f = 3/2 is not between 0 and 1"),
    (lambda: duchi_mean(1, 3), "2 to 1,000,000 values, not 1"),
    (lambda: truncated_geometric(4, 2), "ratio = 2 is not between 0 and 1"),
    (lambda: exponential_mechanism(4), "one of weights, decay and epsilon"),
    (lambda: exponential_mechanism(4, []), "needs a weight"),
    (lambda: exponential_mechanism(4, [0, -1]), "a weight = -1"),
    (lambda: exponential_mechanism(2, [0]), "input 0 may have weight 0"),
    (lambda: exponential_mechanism(10**6, decay="3/2"), "decay must be at most 1"),
]


@pytest.mark.parametrize(("build", "says"), BAD)
def test_bad_arguments_are_refused_in_a_sentence(build, says):
    with pytest.raises(ValueError, match=says):
        build()


def test_the_limits_of_a_prior_are_said_with_what_to_do():
    """As docs/language.md states them: sizes of the kinds, up to which views are written out."""
    for family, values, kinds in (
        (lambda n: unary_encoding(n, gamma=3), 3161, lambda n: [n]),
        (lambda n: unary_encoding(n, gamma=3), 2236, lambda n: [1, n - 1]),
        (lambda n: subset_selection(n, gamma=3), 20_000, lambda n: [1, n - 1]),
    ):
        family(values).law._check_kinds(kinds(values))
        with pytest.raises(TooLarge, match="breaches by one report are decided on any number"):
            family(values + 1).law._check_kinds(kinds(values + 1))


@pytest.mark.parametrize(
    ("values", "gamma", "chosen"),
    [(4, 3, 1), (10, 1, 5), (100, 3, 25), (100, 9, 10), (7, 3, 2), (3, 50, 1)],
)
def test_subsets_have_the_published_size(values, gamma, chosen):
    """Ye and Barg 2018: d nearest to k / (e^epsilon + 1), and at least 1."""
    assert subset_selection(values, gamma).law.sets.chosen == chosen

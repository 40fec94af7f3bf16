"""Evidence of an optimum: each step against brute force in rationals, and against tampering."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppdm_formal.declare.arithmetic.exact import to_flint
from ppdm_formal.declare.arithmetic.simplex import Best, maximize
from ppdm_formal.declare.families.select_a_size import Randomization, from_balance
from ppdm_formal.design.closed_form import moments
from ppdm_formal.design.lds import LowestSupport
from ppdm_formal.design.optimum_evidence import (
    BoxCut,
    Evidence,
    LdsGoal,
    Refuted,
    Strip,
    TooSmall,
    Weights,
    evidence_json,
    evidence_of,
    least_x,
    recheck,
)
from ppdm_formal.design.optimum_proof import Finder, NotProved
from ppdm_formal.design.optimum_search import Landscape, solve

F = Fraction
N = 5_000_000
LOWER = F(2309, 10**6) * F(98, 100)  # than what is reached with 3 items at gamma = 19


def ells(b, x, top):
    """ell_0, ..., ell_K from the moments of the randomization."""
    rho = x / (1 + x)
    found = moments(Randomization(len(b) - 1, rho, from_balance(b, rho)), top)
    return [(1 + x) ** k * each for k, each in enumerate(found.lambdas)]


def right_side(x, ell, k, s):
    return x**k + s * sum(
        math.comb(k, i) * (1 - x) ** i * x ** (k - i) * ell[i] for i in range(1, k + 1)
    )


ratios = st.lists(st.fractions(1, 7, max_denominator=6), min_size=4, max_size=6)
exes = st.fractions(F(1, 40), 1, max_denominator=40)
supports = st.fractions(F(1, 50), F(49, 50), max_denominator=50)


@given(ratios, exes, supports, st.integers(1, 5000))
@settings(max_examples=60)
def test_the_condition_says_that_the_lds_is_low_enough(b, x, s, transactions):
    top = min(3, len(b) - 1)
    goal = LdsGoal(len(b) - 1, F(7), (top,), transactions, s)
    rho = x / (1 + x)
    found = moments(Randomization(len(b) - 1, rho, from_balance(b, rho)), top)
    if not found.recoverable(top):
        return
    noise = found.noise(top)
    step = F(16, transactions)
    reached = LowestSupport(step * (noise[-1] - noise[0]), step * noise[0])
    ell = ells(b, x, top)
    holds = goal.factor * ell[top] ** 2 >= right_side(x, ell, top, s)
    assert holds == (s**2 >= reached.slope * s + reached.offset)
    assert right_side(x, ell, top, s) >= (1 - s) * x**top


@given(ratios, st.fractions(F(1, 1000), 3, max_denominator=1000))
@settings(max_examples=60)
def test_small_x_make_small_moments(b, x):
    gamma = max(b) / min(b)
    for k, ell in enumerate(ells(b, x, 3)):
        assert abs(ell) <= gamma * (2 * x) ** k


@given(
    st.lists(st.fractions(1, 7, max_denominator=5), min_size=5, max_size=5),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=9, max_size=9),
    st.lists(
        st.tuples(st.fractions(-1, 1, max_denominator=9), st.fractions(0, 1, max_denominator=9)),
        min_size=3,
        max_size=3,
    ),
    st.fractions(0, 1, max_denominator=7),
)
@settings(max_examples=80)
def test_the_bound_of_a_leaf_is_above_the_mean_under_any_b(b, weights, ends, place):
    goal = LdsGoal(4, F(7), (1, 2, 3), 100, F(1, 10))
    low, high = F(1, 5), F(2, 5)
    box = [(a, a + width + F(1, 10)) for a, width in ends]
    leaf = Weights(tuple(weights[:3]), tuple(weights[3:6]), tuple(weights[6:]))
    bound = Strip(goal, low, high).bound(leaf, box)
    t = place / (1 - place) if place < 1 else F(10**6)
    x = (low + high * t) / (1 + t)
    ell = ells(b, x, 3)
    whole = sum(each * math.comb(4, j) * x**j for j, each in enumerate(b))
    mean = F(0)
    for k in (1, 2, 3):
        (a, c), (y, u, v) = (
            box[k - 1],
            (
                (first + last * t) / (1 + t)
                for first, last in (weights[k - 1], weights[k + 2], weights[k + 5])
            ),
        )
        mean += y * (goal.factor * ((a + c) * ell[k] - a * c) - right_side(x, ell, k, goal.support))
        mean += u * (c - ell[k]) + v * (ell[k] - a)
    value = bound(to_flint(t))  # times (1 + t)^(m + 2 K + 1), for b >= 1
    scaled = F(int(value.p), int(value.q)) / (1 + t) ** 11
    assert mean * whole <= scaled


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_programs_against_exact_ones(seed):
    draw = np.random.default_rng(seed)
    goals = draw.integers(-9, 10, (3, 4, 5)).astype(float)
    shares = draw.integers(1, 9, (3, 5)).astype(float)
    found = solve(goals, shares, 4.0)
    for i in range(3):
        exact = [[F(int(shares[i, j] * goals[i, r, j])) for j in range(5)] for r in range(4)]
        # b = 1 + u with 0 <= u <= 3, and t = up - down
        rows = [([*row, F(-1), F(1)], sum(row), ">=") for row in exact]
        rows += [([F(-(k == j)) for k in range(5)] + [F(0)] * 2, F(3), ">=") for j in range(5)]
        best = maximize([F(0)] * 5 + [F(1), F(-1)], rows)
        assert isinstance(best, Best)
        assert found.value[i] == pytest.approx(float(best.value), abs=1e-8)
        mixed = found.weights[i] @ goals[i]
        worst = (shares[i] * np.where(mixed > 0, 4 * mixed, mixed)).sum()
        assert worst == pytest.approx(found.value[i], abs=1e-8)
        assert found.ratios[i].min() >= 1 - 1e-9
        assert found.ratios[i].max() <= 4 + 1e-9


def goal_of_three(support=LOWER):
    return LdsGoal(3, F(19), (1, 2, 3), N, support)


def evidence_of_three(**changes):
    goal = goal_of_three(**changes)
    return Finder(goal, Landscape(3, 19.0, (1, 2, 3), N), most=3000).run()


@pytest.fixture(scope="module")
def evidence():
    return evidence_of_three()


def test_evidence_holds_and_says_nothing_more(evidence):
    recheck(evidence)
    for higher in (F(2310, 10**6), F(1, 100)):
        with pytest.raises(Refuted, match=r"a leaf fails|not refuted"):
            recheck(replace(evidence, goal=goal_of_three(higher)))


def test_what_can_be_reached_is_not_refuted():
    with pytest.raises(NotProved):
        evidence_of_three(support=F(2312, 10**6))


@pytest.mark.parametrize(
    "change",
    [
        {"gamma": F(25)},
        {"transactions": 6_000_000},
        {"itemsets": (1, 2)},
        {"itemsets": (3,)},
        {"size": 2, "itemsets": (1, 2)},
    ],
)
def test_evidence_is_for_one_goal(evidence, change):
    with pytest.raises(Refuted):
        recheck(replace(evidence, goal=replace(evidence.goal, **change)))


def test_an_easier_goal_is_refuted_as_well(evidence):
    recheck(replace(evidence, goal=goal_of_three(evidence.goal.support * F(99, 100))))


def test_no_node_may_be_missing(evidence):
    step = max(1, len(evidence.nodes) // 40)
    for at in range(0, len(evidence.nodes), step):
        nodes = evidence.nodes[:at] + evidence.nodes[at + 1 :]
        with pytest.raises(Refuted):
            recheck(replace(evidence, nodes=nodes))
    with pytest.raises(Refuted, match="not refuted"):
        recheck(replace(evidence, nodes=()))
    with pytest.raises(Refuted, match="more nodes than boxes"):
        recheck(replace(evidence, nodes=(*evidence.nodes, TooSmall(1))))


def changed(evidence, at, node):
    return replace(evidence, nodes=(*evidence.nodes[:at], node, *evidence.nodes[at + 1 :]))


def test_no_weights_may_be_changed_to_others(evidence):
    places = [i for i, node in enumerate(evidence.nodes) if isinstance(node, Weights)]
    none = ((0, 0),) * 3
    for at in places[:: len(places) // 12 + 1]:
        node = evidence.nodes[at]
        for other in (
            Weights(none, none, none),
            replace(node, uppers=node.lowers, lowers=node.uppers),
            replace(
                node, chords=tuple((-a, -b) for a, b in node.chords), uppers=((-1, 0), *none[1:])
            ),
            replace(node, chords=node.chords[:2]),
            TooSmall(3),
        ):
            if other != node:
                with pytest.raises(Refuted):
                    recheck(changed(evidence, at, other))


def test_cuts_stay_inside_their_boxes(evidence):
    first = next(i for i, node in enumerate(evidence.nodes) if isinstance(node, BoxCut))
    for cut in (BoxCut(0, F(2)), BoxCut(0, F(0)), BoxCut(4, F(1, 2)), BoxCut(-1, F(1, 2))):
        with pytest.raises(Refuted, match=r"outside its box|no axis"):
            recheck(changed(evidence, first, cut))
    later = next(
        i for i, node in enumerate(evidence.nodes) if isinstance(node, BoxCut) and node.axis
    )
    node = evidence.nodes[later]
    with pytest.raises(Refuted):
        recheck(changed(evidence, later, replace(node, at=node.at * 3)))


def test_small_x_are_not_left_out(evidence):
    with pytest.raises(Refuted, match="below 1/2 is not refuted"):
        recheck(replace(evidence, least=F(1, 2)))
    for least in (F(0), F(-1), F(2)):
        with pytest.raises(Refuted, match="least x"):
            recheck(replace(evidence, least=least))
    assert least_x(evidence.goal) == evidence.least


def test_weights_of_missing_ends_are_refused():
    goal = goal_of_three()
    strip = Strip(goal, F(1, 4), F(1, 2))
    none, one = ((0, 0),) * 3, ((0, 1), (0, 0), (0, 0))
    free = ((None, None),) * 3
    for leaf in (Weights(one, none, none), Weights(none, one, none), Weights(none, none, one)):
        assert strip.bound(leaf, free) is None
    closed = ((F(0), F(1)),) * 3
    assert strip.bound(Weights(one, one, one), closed) is not None
    only = Strip(replace(goal, itemsets=(2, 3)), F(1, 4), F(1, 2))
    assert only.bound(Weights(one, none, none), closed) is None
    assert not only.refutes(TooSmall(1), closed)
    assert not strip.refutes(TooSmall(1), free)


def test_a_record_is_read_back(evidence):
    text = json.dumps(evidence_json(evidence))
    again = evidence_of(json.loads(text))
    assert again == evidence
    assert isinstance(again, Evidence)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", "ppdm-optimum/2"),
        ("size", "3"),
        ("size", 2000),
        ("size", True),
        ("gamma", 19),
        ("gamma", "1"),
        ("gamma", "19/0"),
        ("gamma", "nineteen"),
        ("gamma", "9" * 500),
        ("itemsets", []),
        ("itemsets", [2, 1]),
        ("itemsets", [1, 2, 3, 4]),
        ("itemsets", "123"),
        ("transactions", 0),
        ("transactions", -5),
        ("support", "2"),
        ("support", None),
        ("least", None),
        ("nodes", None),
        ("nodes", [["cut", 0]]),
        ("nodes", [["cut", 0, 0.5]]),
        ("nodes", [["small", "1"]]),
        ("nodes", [["weights", [[1]], [], []]]),
        ("nodes", [["weights", [[1, -1]], [], []]]),
        ("nodes", [7]),
    ],
)
def test_bad_records(evidence, key, value):
    content = {**evidence_json(evidence), key: value}
    with pytest.raises(Refuted):
        evidence_of(content)


@pytest.mark.parametrize("content", [None, [], "evidence", {}, 3])
def test_no_records(content):
    with pytest.raises(Refuted, match="not evidence of an optimum"):
        evidence_of(content)

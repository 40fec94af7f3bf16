"""Random words against cuts: every word of small widths, and the edges of 64-bit words."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from draw_oracle import (
    Given,
    check_comparison,
    decided_by,
    induced,
    probabilities,
    rational_steps,
    strings,
)
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.operators.cut import Cut, RationalCut, Steps, weights
from ppdm_formal.declare.operators.draw import Bits, compare, whole_parts
from ppdm_formal.declare.operators.randomization import Operator

F = Fraction
LAWS = [
    [F(1, 3)],
    [F(1, 2)],
    [F(0), F(1, 7)],
    [F(1, 3), F(1, 3), F(2, 3)],
    [F(1, 4), F(1, 3), F(1, 2), F(1)],
    [F(5, 16), F(1, 3), F(11, 32), F(3, 8)],
    [F(k, 11) for k in range(1, 11)],
    [F(1, 1000), F(999, 1000)],
    [F(1), F(1)],
    [],
]


@pytest.mark.parametrize("width", [1, 2, 3, 4])
@pytest.mark.parametrize("cuts", LAWS, ids=str)
def test_all_words_induce_the_law(cuts, width):
    check_comparison(cuts, width)


@given(
    st.lists(st.fractions(0, 1, max_denominator=40), max_size=5).map(sorted),
    st.integers(1, 4),
)
def test_any_rational_law(cuts, width):
    check_comparison(cuts, width)


@pytest.mark.parametrize(("width", "length"), [(1, 9), (2, 5), (4, 2)])
@pytest.mark.parametrize("cuts", LAWS, ids=str)
def test_strings_are_decided_as_early_as_they_can_be(cuts, width, length):
    steps = rational_steps(cuts, width)
    decided, left = strings(lambda bits: int(bits.choose(steps, 1)[0]), width, length)
    # Even a law without choice takes one word.
    assert [decided[k] for k in range(len(cuts) + 1)] == decided_by(cuts, width * length)
    assert left <= F(len(set(cuts)), 2 ** (width * length))


@pytest.mark.parametrize(("width", "length"), [(1, 8), (3, 3)])
@pytest.mark.parametrize("heads", [F(0), F(1, 8), F(1, 3), F(2, 7), F(1, 100), F(1)])
def test_coins_show_heads_with_their_probability(heads, width, length):
    steps = Steps.heads(heads, width)
    decided, left = strings(lambda bits: bool(bits.coins(steps, 1)[0]), width, length)
    bits = width * length
    assert [decided[True], decided[False]] == decided_by([heads], bits)
    assert left == (0 if heads.denominator in (1, 8) else F(1, 2**bits))


@pytest.mark.parametrize(("width", "length"), [(1, 9), (2, 5), (4, 3)])
@pytest.mark.parametrize("limit", [1, 2, 3, 5, 7, 16, 37])
def test_uniform_integers_have_no_bias(limit, width, length):
    decided, _ = strings(lambda bits: int(bits.below(np.array([limit]))[0]), width, length)
    cuts = [F(k, limit) for k in range(1, limit)]
    assert [decided[k] for k in range(limit)] == decided_by(cuts, width * length)


def test_several_at_once_are_independent():
    steps = rational_steps([F(1, 3)], 2)

    def pair(bits):
        return tuple(bits.choose(steps, 2).tolist())

    decided, left = strings(pair, 2, 6)
    assert set(decided) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    for pattern, mass in decided.items():
        exact = math.prod([F(1, 3), F(2, 3)][k] for k in pattern)
        assert mass < exact < mass + left
    assert left < F(1, 100)


@given(st.integers(0, 2**64 - 1), st.integers(1, 2**31))
def test_products_of_words_take_128_bits(word, limit):
    whole, room = whole_parts(np.array([word], dtype=np.uint64), np.array([limit]), 64)
    quotient, left = divmod(word * limit, 2**64)
    assert (int(whole[0]), int(room[0])) == (quotient, 2**64 - 1 - left)


@given(st.lists(st.integers(0, 2**70), min_size=1, max_size=6), st.sampled_from([8, 64]))
def test_first_words_are_floors_whatever_the_denominator(parts, width):
    for scale in (2**70, 2**50, 2**20):
        values = [F(part % scale) for part in parts]
        whole = sum(values)
        if not whole:
            continue
        steps = Steps.of_weights(*weights([value / whole for value in values]), width)
        cuts = list(itertools.accumulate(value / whole for value in values[:-1]))
        cuts = [cut for cut in cuts if cut < 1]
        expected = Steps.of([RationalCut(c.numerator, c.denominator) for c in cuts], width)
        assert steps.floors.tolist() == expected.floors.tolist()
        assert steps.loose.tolist() == expected.loose.tolist()
        assert [steps.cut(k).floor(200) for k in range(len(cuts))] == [
            math.floor(cut * 2**200) for cut in cuts
        ]


@pytest.mark.parametrize("bottom", [3, 10**9 + 7, 2**61 - 1, 3**50, 2**70, 7**100])
def test_a_64_bit_word_on_the_cut_draws_another(bottom):
    top = bottom // 3
    steps = rational_steps([F(top, bottom)], 64)
    digits = [((top << 64 * k) // bottom) % 2**64 for k in range(1, 6)]
    depth = next((k for k in range(1, 5) if (top << 64 * k) % bottom == 0), 4)
    for shift, outcome in ((-1, 0), (1, 1)):
        for place in range(depth):
            string = [*digits[:place], digits[place] + shift]
            if 0 <= string[-1] < 2**64 and (place < depth - 1 or depth == 4):
                bits = Given(string, 64)
                assert bits.choose(steps, 1).tolist() == [outcome]
                assert bits.left == []
                heads = Given(string, 64).coins(steps, 1)
                assert heads.tolist() == [outcome == 0]
    if depth < 4:  # a dyadic cut is reached by the string of its own digits
        assert Given(digits[:depth], 64).choose(steps, 1).tolist() == [1]


class RootOfHalf(Cut):
    """1/sqrt(2), known by integer square roots alone."""

    def floor(self, bits):
        return math.isqrt(1 << 2 * bits - 1)

    def exact(self, bits):
        return False


@pytest.mark.parametrize(("width", "length"), [(1, 10), (3, 3)])
def test_irrational_cuts_need_floors_alone(width, length):
    steps = Steps.of([RationalCut(1, 3), RootOfHalf()], width)
    decided, left = strings(lambda bits: int(bits.choose(steps, 1)[0]), width, length)
    bits = width * length
    floor = math.isqrt(1 << 2 * bits - 1)
    third = 2**bits // 3
    assert [decided[k] * 2**bits for k in range(3)] == [
        third,
        floor - third - 1,
        2**bits - floor - 1,
    ]
    assert left == F(2, 2**bits)


def test_lanes_use_every_bit_of_a_word():
    word = 0x0123456789ABCDEF
    for width in (8, 16, 32):
        lanes = Given([word, 5], 64).lanes(width)
        pieces = lanes.words(64 // width).tolist()
        assert sum(piece << width * k for k, piece in enumerate(pieces)) == word
    assert Given([1], 64).lanes(64).width == 64


MATRICES = [
    [["1/3", "1/3", "1/3"], ["0", "1", "0"], ["1/7", "6/7", "0"]],
    [["1/2", "0", "1/2", "0"], ["0", "0", "0", "1"], ["1/4", "1/4", "1/4", "1/4"]],
    [[f"{3**50 - 1}/{3**50}", f"1/{3**50}"], ["1/2", "1/2"]],
]


@pytest.mark.parametrize("rows", MATRICES)
def test_a_matrix_draws_each_row(rows):
    operator = Operator.from_matrix(rows)
    for x in range(len(rows)):
        law = induced(lambda bits, x=x: int(operator.law.draw(np.array([x]), bits)[0]))
        assert law == {y: F(p) for y, p in enumerate(rows[x]) if F(p)}
        cuts = list(itertools.accumulate(F(p) for p in rows[x][:-1]))
        decided, _ = strings(lambda bits, x=x: int(operator.law.draw(np.array([x]), bits)[0]), 3, 3)
        assert [decided[y] for y in range(len(rows[0]))] == decided_by(cuts, 9)


def test_outputs_stand_where_their_inputs_stood():
    operator = Operator.from_function(range(300), range(300), lambda x, y: int(y == (7 * x) % 300))
    rows = np.array([5, 299, 0, 5, 128, 299, 17])
    drawn = operator.law.draw(rows, Given(range(10**18, 10**18 + 7), 64))
    assert drawn.tolist() == [(7 * x) % 300 for x in rows.tolist()]
    empty = operator.law.draw(np.array([], dtype=np.int64), Given([], 64))
    assert empty.tolist() == []
    for outside in (-1, 300):
        with pytest.raises(IndexError, match=r"outside 0\.\.299"):
            operator.law.draw(np.array([0, outside]), Given([1, 2], 64))


def test_together_or_alone_the_same_words_give_the_same_outputs():
    """Rows take their words in the order of their inputs; each is compared with its own row."""
    operator = Operator.from_matrix(MATRICES[0])
    rows = np.array([2, 0, 1, 0, 2])
    words = [int(k * 2**64 / 11) for k in (9, 4, 7, 1, 3)]
    drawn = operator.law.draw(rows, Given(words, 64))
    order = np.argsort(rows, kind="stable")
    for word, place in zip(words, order, strict=True):
        alone = operator.law.draw(rows[place : place + 1], Given([word], 64))
        assert alone[0] == drawn[place]


def test_limits_and_parameters():
    with pytest.raises(ValueError, match="limit"):
        Given([1], 64).below(np.array([0]))
    with pytest.raises(ValueError, match="limit"):
        Given([1], 64).below(np.array([2**31 + 1]))
    from ppdm_formal import Parameter

    p = Parameter("p", F(0), F(1))
    free = Operator.from_matrix([[p.symbol, 1 - p.symbol]], parameters=[p])
    with pytest.raises(ValueError, match="free parameters"):
        free.law.draw(np.array([0]), Given([1], 64))
    assert isinstance(Given([], 64), Bits)


def test_the_harness_can_fail():
    steps = rational_steps([F(1, 3)], 2)
    found, undecided = compare(steps, np.arange(4, dtype=np.uint64))
    assert (found.tolist(), undecided.tolist()) == ([0, 1, 1, 1], [1])
    rounded = rational_steps([F(1, 4)], 2)
    decided, left = strings(lambda bits: int(bits.choose(rounded, 1)[0]), 2, 3)
    assert left == 0
    assert decided[0] != F(1, 3)
    assert probabilities([F(1, 3)]) == [F(1, 3), F(2, 3)]


def test_certain_outcomes_take_64_bit_words():
    """A cut at 1 has no first word of its own."""
    for word in (0, 2**64 - 1):
        assert Given([word], 64).choose(rational_steps([F(0), F(1), F(1)], 64), 1).tolist() == [1]
        assert Given([word], 64).coins(rational_steps([F(0)], 64), 1).tolist() == [False]
    assert Given([], 64).coins(Steps.heads(F(1), 64), 3).tolist() == [True] * 3


def test_products_mixtures_and_compositions_are_drawn_exactly():
    coin = Operator.from_matrix([["2/3", "1/3"], ["1/5", "4/5"]])
    three = Operator.from_matrix(MATRICES[0])
    for operator in (
        coin.product(three),
        Operator.mixture([("3/7", coin), ("4/7", Operator.from_matrix([[0, 1], [1, 0]]))]),
        coin.then(coin),
    ):
        for x in range(operator.inputs.size):
            law = induced(lambda bits, x=x, law=operator.law: int(law.draw(np.array([x]), bits)[0]))
            exact = [operator.law.entry(x, y) for y in range(operator.outputs.size)]
            assert law == {y: p for y, p in enumerate(exact) if p}

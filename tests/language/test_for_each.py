"""Lists and sets over an index, conditional expressions, powers, functions: small exact laws."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import combinations, product
from math import comb, prod

import pytest

from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.language.errors import ModelError

HEADER = """
domain Bit = {0, 1}
domain Value = 0..3
param p in [0, 1] = 1/3
operator Flip(x: Bit) -> Bit { with p { return 1 - x } else { return x } }
"""


def law(text, **values):
    """{x: {y: probability}} of the operator R, without zeros."""
    operator = compile_text(HEADER + text, values=values).operators["R"]
    return {
        x: {y: p for y in operator.outputs if (p := operator.probability(x, y)) != 0}
        for x in operator.inputs
    }


def value(expression):
    outputs = "(0..2000) | (0..9)^2 | (0..9)^3 | {0, 1, 2, 3, 4}^4 | subsets(2 of Value)"
    ((y, p),) = law(f"operator R(x: {{0}}) -> {outputs} {{ return {expression} }}")[0].items()
    assert p == 1
    return y


def refusal(text):
    with pytest.raises(ModelError) as caught:
        compile_text(HEADER + text)
    return str(caught.value)


def coin(p, bit):
    return p if bit else 1 - p


# -- independent draws -------------------------------------------------------------------------

DRAWS = [
    "return [Flip(1 if x == i else 0) for i in Value]",
    "y ~ [Flip(1 if x == i else 0) for i in 0..3]\n return y",
    "return [bernoulli(1 - p if x == i else p) for i in Value]",
    "return [bernoulli(1 - p) if x == i else bernoulli(p) for i in Value]",
    "return [[Flip(1 if x == 2 * i + j else 0) for j in Bit] for i in Bit]",
    "a ~ [Flip(1 if x == i else 0) for i in 0..1]\n b ~ [Flip(1 if x == i else 0) for i in 2..3]"
    "\n return (a, b)",
]


@pytest.mark.parametrize("body", DRAWS)
def test_unary_encoding_in_a_line(body):
    found = law(f"operator R(x: Value) -> Bit^4 {{ {body} }}")
    for x, bits in product(range(4), product((0, 1), repeat=4)):
        expected = prod(coin(F(2, 3) if i == x else F(1, 3), bit) for i, bit in enumerate(bits))
        assert found[x][bits] == expected


def test_each_element_is_drawn_by_itself():
    found = law("operator R(x: {0}) -> Value^2 { return [uniform(Value) for i in 0..1] }")
    assert found[0] == {(a, b): F(1, 16) for a in range(4) for b in range(4)}


def test_elements_that_are_certain_and_elements_that_are_drawn():
    found = law("operator R(x: Bit) -> Bit^3 { return [x if i == 1 else Flip(x) for i in 0..2] }")
    for x, bits in product((0, 1), product((0, 1), repeat=3)):
        expected = (bits[1] == x) * prod(coin(F(1, 3), bit != x) for bit in bits[::2])
        assert found[x].get(bits, 0) == expected


def test_an_index_set_that_depends_on_x():
    found = law(
        "operator R(x: 1..3) -> Bit | Bit^2 | Bit^3 { return [bernoulli(p) for i in 1..x] }"
    )
    assert found[1] == {1: F(1, 3), 0: F(2, 3)}
    for x in (2, 3):
        assert set(found[x]) == set(product((0, 1), repeat=x))
        for bits in found[x]:
            assert found[x][bits] == prod(coin(F(1, 3), bit) for bit in bits)


def test_one_side_or_the_other_is_drawn():
    found = law("operator R(x: Value) -> Value { return uniform(Value) if x == 0 else x - 1 }")
    assert found[0] == dict.fromkeys(range(4), F(1, 4))
    assert [found[x] for x in (1, 2, 3)] == [{0: 1}, {1: 1}, {2: 1}]


def test_a_thousand_outputs_and_more():
    text = "operator R(x: 0..11) -> Bit^12 { return [Flip(1 if x == i else 0) for i in 0..11] }"
    operator = compile_text(HEADER + text).operators["R"]
    for x, code in product((0, 7), (0, 1, 77, 4095)):
        bits = tuple(code >> i & 1 for i in range(12))
        expected = prod(coin(F(2, 3) if i == x else F(1, 3), bit) for i, bit in enumerate(bits))
        assert operator.probability(x, bits) == expected


def test_free_parameters_in_draws():
    text = HEADER.replace("[0, 1] = 1/3", "(0, 1)")
    text += "operator R(x: Bit) -> Bit^3 { return [Flip(x) for i in 0..2] }"
    operator = compile_text(text).operators["R"].substitute({"p": F(1, 5)})
    assert operator.probability(1, (1, 0, 1)) == F(4, 5) ** 2 * F(1, 5)


# -- values ------------------------------------------------------------------------------------

VALUES = {
    "[i * i for i in 1..3]": (1, 4, 9),
    "[7 for i in {5}]": 7,
    "[(i, 1) for i in 0..0]": (0, 1),
    "[[i + j for j in 1..2] for i in 0..1]": (1, 2, 2, 3),
    "[i for i in 1..4]": (1, 2, 3, 4),
    "[i if i > 1 else 9 for i in 1..2]": (9, 2),
    "{2 - i for i in 1..2}": frozenset({0, 1}),
    "{1, 2} if 1 < 2 else {2, 3}": frozenset({1, 2}),
    "sum(1, 2, 3)": 6,
    "sum([i^2 for i in 0..9])": 285,
    "sum((1, 2), 3)": 6,
    "12 * sum([1 / i for i in 1..4])": 25,
    "max([i * (5 - i) for i in 0..5])": 6,
    "min((4, 2), 3)": 2,
    "abs(-3)": 3,
    "xor(5, 3)": 6,
    "xor(12, 10, 1)": 7,
    "xor([i for i in 1..7])": 0,
    "xor(6)": 6,
    "10 * bit(6, 0) + bit(6, 1)": 1,
    "bit(2^80, 80) + bit(5, 100)": 1,
    "comb(5, 2)": 10,
    "comb(3, 5) + comb(3, -1)": 0,
    "comb(13, 6)": comb(13, 6),
    "size(Value)": 4,
    "size(subsets(2 of Value) | {1})": 7,
    "size({1, 1, 2})": 2,
    "size(Bit^10)": 1024,
    "1 if 2 < 1 else 2 if 3 < 2 else 3": 3,
    "(1 if 1 < 2 else 5) + 1": 2,
    "1 if 1 < 2 else 5 + 1": 1,
    "1 if (1 < 2 if 2 < 3 else 3 < 2) else 0": 1,
    "3 mod 2 + 1e1": 11,
}


@pytest.mark.parametrize("expression", VALUES)
def test_value(expression):
    assert value(expression) == VALUES[expression]


@pytest.mark.parametrize(
    ("text", "members"),
    [
        ("Bit^2", [(0, 0), (0, 1), (1, 0), (1, 1)]),
        ("Bit^1", [0, 1]),
        ("(Bit * {a})^2", [(0, "a", b, "a") for b in (0, 1)] + [(1, "a", b, "a") for b in (0, 1)]),
        ("{a, b}^2 \\ {(a, a)}", [("a", "b"), ("b", "a"), ("b", "b")]),
        ("{10 * i for i in Value}", [0, 10, 20, 30]),
        ("{i mod 2 for i in Value} | {5}", [0, 1, 5]),
        ("{(i, i + 1) for i in 0..1}", [(0, 1), (1, 2)]),
    ],
)
def test_sets(text, members):
    domain = compile_text(HEADER + f"operator R(x: {text}) -> Bit {{ return 0 }}").operators["R"]
    assert list(domain.inputs) == members


def test_only_the_side_that_is_taken_is_worked_out():
    found = law("operator R(x: Value) -> 0..6 { return 6 // x if x > 0 else 0 }")
    assert [next(iter(row)) for row in found.values()] == [0, 6, 3, 2]


def test_sides_of_every_kind():
    found = law(
        """operator R(x: Value) -> Value | {yes} | Bit^2 {
            y = yes if x == 0 else (x, 0) if x == 1 else x
            return y
        }"""
    )
    assert [next(iter(row)) for row in found.values()] == ["yes", (1, 0), 2, 3]


def test_conditions_may_be_conditional():
    found = law(
        "operator R(x: Value) -> Bit { if x > 1 if p < 1 else x > 2 { return 1 } return 0 }"
    )
    assert [next(iter(row)) for row in found.values()] == [0, 0, 1, 1]


def test_a_list_in_cases():
    found = law(
        """operator R(x: 0..6) -> 0..7 {
            [x -> y] = 3/16 if sum([bit(x + 1, i) * bit(y, i) for i in 0..2]) mod 2 == 0
                     | 1/16 otherwise
        }"""
    )
    for x, y in product(range(7), range(8)):
        assert found[x][y] == (F(1, 16) if ((x + 1) & y).bit_count() % 2 else F(3, 16))


# -- sets that depend on x ---------------------------------------------------------------------


def test_subset_selection():
    found = law(
        """operator R(x: Value) -> subsets(2 of Value) {
            with 3/5 {
                others ~ uniform(subsets(1 of Value \\ {x}))
                return others | {x}
            }
            return uniform(subsets(2 of Value \\ {x}))
        }"""
    )
    for x, chosen in product(range(4), combinations(range(4), 2)):
        expected = F(3, 5) / 3 if x in chosen else F(2, 5) / 3
        assert found[x][frozenset(chosen)] == expected


@pytest.mark.parametrize(
    ("returned", "members"),
    [
        ("uniform(subsets(x of 1..3))", lambda x: map(frozenset, combinations((1, 2, 3), x))),
        ("uniform((1..x)^2)", lambda x: product(range(1, x + 1), repeat=2)),
        ("uniform({i * x for i in 1..x})", lambda x: {i * x for i in range(1, x + 1)}),
        ("uniform(1..x if x > 1 else {7, 8})", lambda x: range(1, x + 1) if x > 1 else (7, 8)),
        ("uniform({1}^x | {x})", lambda x: {(1,) * x if x > 1 else 1, x}),
    ],
)
def test_sets_that_depend_on_x(returned, members):
    outputs = "subsets(1 of 1..3) | subsets(2 of 1..3) | subsets(3 of 1..3) | 1..9"
    outputs += " | (1..3)^2 | {1}^3"
    found = law(f"operator R(x: 1..3) -> {outputs} {{ return {returned} }}")
    for x, row in found.items():
        expected = set(members(x))
        assert row == dict.fromkeys(expected, F(1, len(expected)))


# -- closed forms and ready-made operators -----------------------------------------------------


def test_sums_of_closed_forms():
    text = """
        param a in (0, 1)
        operator R(x: 0..2) -> 0..2 {
            [x -> y] = a^abs(x - y) / sum([a^abs(x - j) for j in 0..2])
        }"""
    operator = compile_text(text).operators["R"].substitute({"a": F(1, 2)})
    assert operator.probability(0, 1) == F(1, 2) / F(7, 4)
    assert operator.probability(1, 1) == F(1, 2)


def test_a_list_as_an_argument():
    listed = "operator S = select_a_size(items: 9, size: 3, insert: 1/4, keep: [{}])"
    one = compile_text(listed.format("1/8, 3/8, 3/8, 1/8")).operators["S"]
    other = compile_text(listed.format("comb(3, i) / 8 for i in 0..3")).operators["S"]
    assert one.law == other.law


# -- refused -----------------------------------------------------------------------------------

REFUSED = {
    "operator R(x: Bit) -> Bit^200 { return [Flip(x) for i in 1..200] }": (
        "a power of far more than a million members",
        "ready-made operators, such as operator U = unary_encoding",
    ),
    "operator R(x: Bit) -> {0}^9999999 { return x }": ("is too large",),
    "operator R(x: Bit) -> Bit { return sum([i for i in 1..99999]) }": ("at most 10,000",),
    "operator R(x: Bit) -> Bit { return sum([i for i in 2..x]) }": ("the index has no values",),
    "operator R(x: Bit) -> Bit { return max([x for x in Bit]) }": ("x already has a value",),
    "operator R(x: Bit) -> Bit { return max([x for p in Bit]) }": ("p is already a parameter",),
    "operator R(x: Bit) -> Bit { return max([x for i in Bit]) + i }": ("unknown name i",),
    "operator R(x: Bit) -> Bit { return max([bernoulli(p) for i in Bit]) }": ("a distribution",),
    "operator R(x: Bit) -> Bit { y = [Flip(x) for i in Bit]\n return 0 }": ("after ~ or return",),
    "operator R(x: Bit) -> Bit { y ~ [x for i in Bit]\n return 0 }": ("a distribution after ~",),
    "operator R(x: Bit) -> Bit { y ~ x if x == 0 else 1\n return 0 }": ("a distribution after ~",),
    "operator R(x: Bit) -> Bit { return [x == 1 for i in Bit] }": ("truth value",),
    "operator R(x: Bit) -> Bit { return x if x }": ("expected", "else"),
    "operator R(x: Bit) -> Bit { return x if x else 1 }": ("true or false",),
    "operator R(x: Bit) -> Bit { return bit(-1, 0) }": ("expected an integer from 0 on",),
    "operator R(x: Bit) -> Bit { return bit(3) }": ("bit takes two integers",),
    "operator R(x: Bit) -> Bit { return xor(1/2, 1) }": ("expected an integer",),
    "operator R(x: Bit) -> Bit { return comb(10001, 5) }": ("at most 10,000",),
    "operator R(x: Bit) -> Bit { return size(3) }": ("expected a set",),
    "operator R(x: Bit) -> Bit^0 { return x }": ("from 1 on",),
    "operator R(x: Bit) -> 2^3 { return x }": ("expected a set",),
    "operator R(x: Bit) -> Bit { return uniform(subsets(x + 1 of {x})) }": ("no subsets of size",),
    "operator R(x: Bit) -> Bit^2 { return (q, q) if x == 0 else (1, 1) }": ("unknown name q",),
    "operator sum(x: Bit) -> Bit { return x }": ("already a function",),
    "param q in (0, 1)\noperator R(x: Bit) -> Bit { return [q for i in Bit] }": ("free parameter",),
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text):
    said = refusal(text)
    for part in REFUSED[text]:
        assert part in said


def test_lists_in_lists_in_lists_end():
    deep = "0"
    for depth in range(6):
        deep = f"sum([{deep} + i{depth} for i{depth} in 0..999])"
    assert "vary too much" in refusal(f"operator R(x: Bit) -> Bit {{ [x -> y] = {deep} }}")
    assert "too many" in refusal(f"operator R(x: Bit) -> Bit {{ return {deep} }}")


def test_more_draws_than_can_be_listed():
    text = "operator R(x: Bit) -> Bit { y ~ [uniform(0..99) for i in 1..4]\n return 0 }"
    assert "combinations of random choices" in refusal(text)

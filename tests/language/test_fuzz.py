"""Models with a few tokens changed compile or are refused; nothing else ever happens."""

from __future__ import annotations

import random
import re

import pytest
from how_many import cases

from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.language.csv_matrix import parse_csv
from ppdm_formal.declare.language.errors import ModelError

MODELS = [
    """
    domain Number = 0..6
    prior X on Number { 0 : 1/10
        1..6 : 3/20 each }
    property zero on Number = x == 0
    property far on Number = not (2 <= x <= 5)
    operator R1(x: Number) -> Number {
        with 1/5 { return x }
        else { return uniform(Number \\ {x}) }
    }
    operator R2(x: Number) -> Number {
        shift ~ uniform(-1..1)
        return (x + shift) mod 7
    }
    operator R3(x: Number) -> Number { with 1/2 { return R2(x) } else { return uniform(Number) } }
    audit R1, R2 {
        prior X
        property zero, far
        given 0
        forbid breach 1/7 -> 1/2 under X for zero
        forbid breach 1/7 -> 1/2 under { mass(zero) <= 1/50; mass(far) >= 1/3 }
        forbid breach 1/7 -> 1/2 except with probability 1e-6 after shuffling 90 others under X
        require delta(1/4) <= 1% after summing 90 colluding 7 at most 5 missing
        require amplification < 6
        require worst_case_information(X) <= 1 bit
    }""",
    """
    param p in (1/2, 1)
    operator Warner(x: {yes, no}) -> {yes, no} {
        [x -> y] = p if y == x
                 | 1 - p otherwise
    }
    operator Erase(x: {0, 1}) -> {0, 1, e} {
        [x -> y] = 9999/10000 if y == e | 99/1000000 if y == x | 1/1000000 otherwise
    }
    operator G = randomized_response(values: 4, keep: p)
    audit Warner { forbid downward breach 1/2 -> 1/10 }""",
    """
    param q in [0, 1] = 30%
    operator Survey(x: {low, "mid", high}) -> {a, b} {
        matrix {
            low  : 1/2 0.5
            "mid" : q (1 - q)
            high : 25% 3/4
        }
    }
    operator P(x: (0..1) * {u, v}) -> 0..3 | {u, v} {
        n ~ binomial(2, q)
        s = subsets(1 of 0..2)
        if x.1 == 0 and x.2 in {u} or not n < 1 <= 2 { t = abs(x.1 - n) }
        else if n not in 0..1 { t = max(n, 1) // 2 }
        else with q^2 { return choose { u : 1/2; {0, 1} : 1/4 each } }
        else { t = -1 + 2 }
        if t == 2 { return x.2 }
        y ~ Survey(low)
        if y == a { return min(t, 3) }
        return bernoulli(1/3)
    }""",
    """
    domain Bit = {0, 1}
    domain Ten = {10 * i for i in 0..3} | {5}
    operator U(x: 0..2) -> Bit^3 {
        y ~ [bernoulli(1/2 if x == i else 1e-1) for i in 0..2]
        return [z if sum(y) > 1 else 1 for z in {bit(x, 0)} | {xor(1, x mod 2)}] if y == 1 else y
    }
    operator S(x: 1..3) -> subsets(2 of 1..3) {
        with comb(3, 2) / 5 { return {x} | {x mod size(1..3) + 1} }
        return uniform(subsets(2 of 1..3 \\ {x}))
    }""",
]
TOKEN = re.compile(r'"[^"]*"|\w+|\.\.|->|//|[<>=!]=|\s+|.')
EXTRA = [
    *("0", "1", "2", "7", "1/2", "99999999", "0.3", "5%", '"a"', "x", "y", "p", "q", "a", "zero"),
    *("(", ")", "{", "}", "[", "]", ",", ";", ":", "|", "\\", "..", "->", "~", "=", "==", "<="),
    *("+", "-", "*", "/", "//", "mod", "^", ".1", ".2", "\n", "#", "'", '"', "%", "é", "\0"),
    *("if", "else", "with", "return", "choose", "matrix", "otherwise", "in", "not", "and", "or"),
    *("sum", "xor", "bit", "comb", "size", "[x for k in", "^2", "1e-3"),
    *("uniform", "bernoulli", "binomial", "min", "abs", "subsets", "of", "each", "mass", "Number"),
    *("domain", "prior", "operator", "audit", "forbid", "require", "under", "for", "knowing"),
    *("after shuffling", "after", "colluding", "at most", "missing", "others", "except with"),
]


def mutated(text, seed):
    chooser = random.Random(seed)
    tokens = TOKEN.findall(text)
    for _ in range(chooser.choice([1, 1, 1, 2, 2, 3, 5])):
        where = chooser.randrange(len(tokens))
        match chooser.randrange(5):
            case 0:
                del tokens[where]
            case 1:
                tokens.insert(where, tokens[where])
            case 2:
                tokens[where] = chooser.choice(EXTRA)
            case 3:
                tokens.insert(where, f" {chooser.choice(EXTRA)} ")
            case _:
                other = chooser.randrange(len(tokens))
                tokens[where], tokens[other] = tokens[other], tokens[where]
    return "".join(tokens)


def complaint(text):
    """The error that a model is refused with; None where it compiles."""
    try:
        compile_text(text)
    except ModelError as error:
        return error
    return None


@pytest.mark.parametrize("number", range(len(MODELS)))
def test_models_with_changed_tokens(number):
    refused, many = 0, cases(200, 600)
    for seed in range(many):
        text = mutated(MODELS[number], seed)
        try:
            error = complaint(text)
        except BaseException as problem:
            raise AssertionError(f"seed {seed}:\n{text}") from problem
        if error is not None:
            refused += 1
            assert str(error).startswith("model")
            assert error.place is None or error.place.line <= text.count("\n") + 1
    assert many / 12 < refused < many * 19 / 20


def test_the_models_themselves_compile():
    for text in MODELS:
        compile_text(text)


def test_random_bytes():
    chooser = random.Random(1)
    for _ in range(500):
        text = "".join(chooser.choices("()[]{},;:|\\.->~=<>+*/^%#\"'\n \t\x00é09axyzR", k=40))
        with pytest.raises(ModelError):
            compile_text("operator R(x: 0..1) -> 0..1 { " + text)


def test_random_matrices():
    chooser = random.Random(2)
    for _ in range(2000):
        text = "".join(chooser.choices('01/2.,,,\n\n"a x%-;\x00\r', k=chooser.randrange(30)))
        try:
            table = parse_csv(text)
        except ModelError:
            continue
        assert {len(row) for row in table.rows} == {len(table.rows[0])}

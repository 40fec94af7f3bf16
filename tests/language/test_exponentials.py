"""exp and ln in models: laws against the reference in 120 digits, and what is refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from reference import interpret

from ppdm_formal.declare.arithmetic.enclosure import real_enclosure
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.language.errors import ModelError

MODELS = [
    "operator R(x: 0..3) -> 0..3 { with (exp(1) - 1)/(exp(1) + 3) { return x }"
    " else { return uniform(0..3) } }",
    "operator R(x: {0, 1}) -> {0, 1} { [x -> y] = exp(1/2)/(1 + exp(1/2)) if y == x"
    " | 1/(1 + exp(1/2)) otherwise }",
    "operator R(x: 0..2) -> 0..4 { n ~ binomial(2, 1/(1 + exp(-0.3))); return x + n }",
    "operator R(x: 0..2) -> 0..2 { [x -> y] = exp(-abs(x - y)/2)/(1 + exp(-1/2) + exp(-1))"
    " if x != 1 | exp(-abs(x - y)/2)/(1 + 2 * exp(-1/2)) otherwise }",
    "operator R(x: {0, 1}) -> {0, 1} { if exp(1) > 2.718 and exp(x) < 3"
    " { return bernoulli(min(exp(-1), exp(-2))) }; return bernoulli(max(exp(-1), 1/3)) }",
    "operator R(x: 0..1) -> {a, b} { matrix { 0 : (exp(-1)) (1 - exp(-1))\n 1 : 1/2 1/2 } }",
    "operator R(x: 0..1) -> 0..1 { y ~ bernoulli(exp(-1)); z ~ bernoulli(exp(-2));"
    " return (x + y + z) mod 2 }",
]


@pytest.mark.parametrize("text", MODELS)
def test_the_law_is_that_of_the_reference(text):
    law = interpret(text)["operators"]["R"]
    operator = compile_text(text).operators["R"]
    for x, row in law.items():
        for y in operator.outputs:
            found = real_enclosure(operator.probability(x, y), 105).lo
            assert row.get(y, Fraction(0)) == found, (x, y)


def test_values_of_parameters_and_logarithms():
    text = "param p in (0, 1) operator R = randomized_response(values: 3, keep: p)"
    kept = exp_of(Fraction(1)) / (exp_of(Fraction(1)) + 2)
    model = compile_text(text.replace("keep: p", "keep: exp(ln(5) - ln(1/2))/(2 + 10) - p + p"))
    assert model.operators["R"].probability(0, 0) == Fraction(10, 12)
    model = compile_text(text.replace("keep: p", "keep: exp(1)/(exp(1) + 2)"))
    assert model.operators["R"].probability(1, 1) == kept


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("exp(exp(1))", "an exponent is a rational number"),
        ("exp(1, 2)", "exp takes one number: exp(q)"),
        ("ln(0)", "positive numbers"),
        ("ln(-1)", "positive numbers"),
        ("exp(ln(3)/2)", "a root of 3"),
        ("ln(3)", "a logarithm can be a bound"),
        ("ln(3) * ln(3)", "a logarithm can be a bound"),
        ("exp(1) mod 2", "mod of an exponential"),
        ("exp(10^7)", "a power of e above"),
        ("exp(-1/999979) - exp(-1/9)", "powers of what their exponents have in common"),
        ("exp(-1) + 1", "is not between 0 and 1"),
    ],
)
def test_what_is_refused(expression, message):
    with pytest.raises(ModelError) as refused:
        compile_text(f"operator R(x: 0..1) -> 0..1 {{ return bernoulli({expression}) }}")
    assert message in str(refused.value)


def test_an_exponential_is_no_member_of_a_set():
    with pytest.raises(ModelError, match="cannot be a member"):
        compile_text("domain D = {exp(1), 2}")
    with pytest.raises(ModelError, match="cannot be a member"):
        compile_text("operator R(x: 0..1) -> 0..1 { return exp(x) }")

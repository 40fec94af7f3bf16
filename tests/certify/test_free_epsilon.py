"""A free eps in exp(eps): closed forms in t = e^(step eps), and regions told in eps."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from ppdm_formal.certify import certify
from ppdm_formal.certify.region_words import exponent_of, region_words
from ppdm_formal.checker import check_certificate
from ppdm_formal.claim import BoundClaim, BreachClaim
from ppdm_formal.language.compiler import compile_text
from ppdm_formal.language.errors import ModelError
from ppdm_formal.measures.amplification import amplification
from ppdm_formal.measures.local_dp import local_dp
from ppdm_formal.numbers.algebraic import ends
from ppdm_formal.numbers.exponential import exp_of
from ppdm_formal.numbers.logarithm import ln

KEEP = "param eps in (0, 5)\noperator R = randomized_response(values: 4, keep: {})\n"
RESPONSE = KEEP.format("exp(eps)/(exp(eps) + 3)")
HALF = KEEP.format("exp(eps/2)/(exp(eps/2) + 3)")
MINUS = "param eps in (0, 5)\noperator R(x: 0..1) -> 0..1 {\n" + (
    "[x -> y] = 1 - exp(-eps)/2 if x == y | exp(-eps)/2 otherwise }"
)


def operator(text):
    return compile_text(text).operators["R"]


def test_measures_are_closed_forms_in_eps():
    assert amplification(operator(RESPONSE)).text == "exp(eps)"
    assert local_dp(operator(RESPONSE)).text == "eps"
    assert local_dp(operator(HALF)).text == "eps/2"
    assert local_dp(operator(MINUS)).text == "ln(-1 + 2*exp(eps))"


@pytest.mark.parametrize(
    ("text", "claim", "end"),
    [
        (RESPONSE, BoundClaim("epsilon", "<=", ln(Fraction(3))), lambda: mpmath.log(3)),
        (RESPONSE, BoundClaim("amplification", "<", Fraction(4)), lambda: mpmath.log(4)),
        (RESPONSE, BreachClaim("1/10", "1/2"), lambda: mpmath.log(9)),
        (HALF, BoundClaim("epsilon", "<=", ln(Fraction(3))), lambda: 2 * mpmath.log(3)),
        (MINUS, BoundClaim("epsilon", "<=", ln(Fraction(7))), lambda: mpmath.log(4)),
        (
            KEEP.format("(exp(eps) + exp(2*eps))/(4 + exp(eps) + exp(2*eps))"),
            BoundClaim("amplification", "<=", Fraction(3)),
            lambda: mpmath.log((-1 + mpmath.sqrt(17)) / 2),  # 3 (t + t^2) <= 3 * 4
        ),
    ],
)
def test_regions_in_eps_contain_the_true_end(text, claim, end):
    found = certify(operator(text), claim)
    assert found.verdict.value == "breached"
    (interval,) = found.region.intervals
    told = exponent_of(interval.end, found.region.parameter)
    with mpmath.workdps(60):
        low, high = (mpmath.mpf(e.numerator) / e.denominator for e in (told.lo, told.hi))
        assert low <= end() <= high
        assert high - low < mpmath.mpf(10) ** -12
    assert told.width < Fraction(1, 10**12)
    assert ends(interval.start)[0] == 1
    assert region_words(found.region).startswith("eps <")
    assert check_certificate(found.to_json(), allow_solver_trusted=True).accepted


def test_claims_that_hold_or_fail_throughout():
    holds = certify(operator(RESPONSE), BoundClaim("epsilon", "<=", ln(Fraction(149))))
    assert holds.verdict.value == "certified"
    assert region_words(holds.region) == "every eps in (0, 5)"
    fails = certify(operator(RESPONSE), BoundClaim("amplification", "<=", Fraction(1)))
    assert region_words(fails.region) == "no eps in (0, 5)"


def test_the_witness_lies_in_the_range_of_eps():
    found = certify(operator(RESPONSE), BoundClaim("amplification", "<=", Fraction(148)))
    assert found.verdict.value == "breached"
    (t,) = found.witness.parameters.values()
    assert 148 < t < exp_of(Fraction(5))


def test_powers_that_need_another_step_are_brought_to_one_t():
    one = "operator {} = randomized_response(values: 3, keep: exp({})/(exp({}) + 2))\n"
    both = one.format("A", "eps", "eps") + one.format("B", "eps/3", "eps/3")
    found = compile_text("param eps in (0, 3)\n" + both).operators
    assert [p.name for p in found["A"].parameters] == ["exp(eps/3)"]
    assert local_dp(found["A"]).text == "eps"
    assert local_dp(found["B"]).text == "eps/3"


def test_a_value_makes_it_a_number():
    found = compile_text(RESPONSE, values={"eps": "1"}).operators["R"]
    e = exp_of(Fraction(1))
    assert found.probability(0, 0) == e / (e + 3)
    found = compile_text(RESPONSE, values={"eps": "ln(3)"}).operators["R"]
    assert found.probability(0, 0) == Fraction(1, 2)


def test_what_is_not_decided_says_so():
    for claim in (
        BoundClaim("epsilon", "<=", Fraction(1)),
        BoundClaim("delta", "<=", Fraction(1, 10), at=Fraction(1)),
    ):
        found = certify(operator(RESPONSE), claim)
        assert found.verdict.value == "unknown"
        assert "with eps free: give a value with --set" in found.reason


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        ("exp(eps)/(exp(eps) + 3) + eps/1000", "depends on eps itself and on exp(eps)"),
        ("1/(1 + exp(eps^2))", "linear in parameters"),
        ("1/(1 + exp(1/(1 + eps)))", "linear in parameters"),
        ("1/(1 + exp(exp(eps)))", "linear in parameters"),
        ("exp(eps)", "is not between 0 and 1"),
        ("1/(1 + exp(eps + 1))", "exponentials beside a free parameter"),
        ("exp(-eps)/exp(1)", "exponentials beside a free parameter"),
        ("max(exp(-eps), exp(-6))", "exponentials beside a free parameter"),
    ],
)
def test_what_is_refused(keep, message):
    with pytest.raises(ModelError) as refused:
        compile_text(KEEP.format(keep))
    assert message in str(refused.value)

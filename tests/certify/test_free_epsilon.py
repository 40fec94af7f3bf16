"""A free eps in exp(eps): closed forms in t = e^(step eps), and regions told in eps."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from certify_schema import validate
from how_many import cases

from ppdm_formal.certify import Verdict, certify
from ppdm_formal.certify.rebuild import rebuilt_claim
from ppdm_formal.certify.region_words import exponent_of, region_words
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.arithmetic.algebraic import ends
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.arithmetic.logarithm import ln
from ppdm_formal.declare.arithmetic.parameter import FreeLn
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.derive.measures.amplification import amplification
from ppdm_formal.derive.measures.local_dp import local_dp

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "certificate.schema.json").read_text(encoding="utf-8")
)
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
        (
            KEEP.format("exp(2*eps)/(exp(2*eps) + exp(eps) + 1)"),
            BoundClaim("epsilon", "<=", Fraction(1)),
            lambda: mpmath.log((mpmath.e + mpmath.sqrt(mpmath.e**2 + 12 * mpmath.e)) / 6),
        ),
    ],
)
def test_regions_in_eps_contain_the_true_end(text, claim, end):
    found = certify(operator(text), claim)
    assert found.verdict.value == "partly"
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
    assert found.verdict.value == "partly"
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


@pytest.mark.parametrize(
    ("text", "claim", "told"),
    [
        (RESPONSE, BoundClaim("epsilon", "<=", Fraction(1)), "eps <= 1 (exp(eps) <= exp(1))"),
        (HALF, BoundClaim("epsilon", "<", Fraction(1)), "eps < 2 (exp(eps/2) < exp(1))"),
        (RESPONSE, BoundClaim("amplification", "<=", exp_of(Fraction(1))), "eps <= 1 (exp(eps)"),
        (
            RESPONSE,
            BoundClaim("epsilon", "<=", Fraction(1), reports=3),
            "eps <= 1/3 (exp(eps) <= exp(1/3))",
        ),
        (RESPONSE, BoundClaim("epsilon", "<=", Fraction(5)), "every eps in (0, 5)"),
        (
            RESPONSE,
            BoundClaim("delta", "<=", Fraction(1, 10), at=Fraction(1)),
            "eps <= 1.21004... = ln((3 + 10*exp(1))/9)",  # (t - e)/(t + 3) <= 1/10
        ),
        (
            RESPONSE,
            BoundClaim("delta", "<", Fraction(1, 10), at=ln(Fraction(2))),
            "eps < 0.938269... = ln(23/9)",  # (t - 2)/(t + 3) < 1/10
        ),
    ],
)
def test_bounds_with_exponentials_are_regions_and_are_checked(text, claim, told):
    found = certify(operator(text), claim)
    assert region_words(found.region).startswith(told)
    assert check_certificate(found.to_json()).accepted
    validate(found.to_json(), SCHEMA)


def free(text, factor):
    (t,) = operator(text).parameters
    return FreeLn.multiple(t, Fraction(factor))


@pytest.mark.parametrize(
    ("text", "claim", "told"),
    [
        (RESPONSE, lambda: BoundClaim("epsilon", "<=", free(RESPONSE, 1)), "every eps in (0, 5)"),
        (RESPONSE, lambda: BoundClaim("epsilon", "<", free(RESPONSE, 1)), "no eps in (0, 5)"),
        (
            RESPONSE,
            lambda: BoundClaim("epsilon", "<=", free(RESPONSE, 2), reports=3),
            "no eps in (0, 5)",
        ),
        (MINUS, lambda: BoundClaim("epsilon", "<=", free(MINUS, 2)), "every eps in (0, 5)"),
        (
            RESPONSE,
            lambda: BoundClaim("delta", "<=", Fraction(0), at=free(RESPONSE, 1)),
            "every eps in (0, 5)",
        ),
        (
            HALF,
            lambda: BoundClaim("delta", "<=", Fraction(1, 2), at=free(HALF, 1)),
            "every eps in (0, 5)",
        ),
    ],
)
def test_an_epsilon_that_is_the_parameter_itself(text, claim, told):
    found = certify(operator(text), claim())
    assert region_words(found.region) == told
    document = found.to_json()
    assert check_certificate(document).accepted
    validate(document, SCHEMA)
    assert ("2*eps" if "after 3" in document["claim"]["text"] else "eps") in document["claim"][
        "text"
    ]


def test_models_say_it_and_certificates_are_of_them():
    text = RESPONSE + "audit R { require epsilon <= eps; require delta(eps/2) <= 1/10 }"
    model = compile_text(text)
    (audit,) = model.audits
    told = ["require epsilon <= eps", "require delta(eps/2) <= 1/10"]
    assert [str(claim) for claim in audit.claims] == told
    for claim in audit.claims:
        document = certify(audit.operator, claim).to_json()
        again = rebuilt_claim(document["claim"], {}, {}, model.operators)
        assert again == claim
        other = {**document["claim"], "bound": "2*eps", "text": "require epsilon <= 2*eps"}
        assert not check_certificate({**document, "claim": other}).accepted
    for wrong in ("eps^2", "eps + 1", "-eps", "exp(eps)"):
        with pytest.raises(ModelError, match=r"expected an epsilon"):
            compile_text(RESPONSE + f"audit R {{ require epsilon <= {wrong} }}")
    plain = "param eps in (0, 1)\noperator R(x: 0..1) -> 0..1 { return bernoulli(eps) }\n"
    unused = "operator S = randomized_response(values: 2, keep: exp(eps)/(exp(eps) + 1))\n"
    with pytest.raises(ModelError, match="depends on eps itself"):
        compile_text(plain + unused + "audit R { require epsilon <= eps }")


def smallest_delta(rows, factor):
    """By brute force over all sets of outputs."""
    places = range(len(rows[0]))
    sets = [[y for y in places if chosen >> y & 1] for chosen in range(1 << len(rows[0]))]
    return max(
        sum(one[y] for y in chosen) - factor * sum(other[y] for y in chosen)
        for one in rows
        for other in rows
        for chosen in sets
    )


def entry(cell):
    return f"({cell[0]} + {cell[1]}*exp(eps) + {cell[2]}*exp(eps)^2)"


def law_at(rows, t):
    values = [[c[0] + c[1] * t + c[2] * t**2 for c in row] for row in rows]
    return [[value / sum(row) for value in row] for row in values]


def test_regions_against_brute_force_at_many_values():
    """Random operators in t = e^eps: each of 19 values is where the region says."""
    chance = random.Random(5)
    decided = 0
    for _ in range(cases(5, 8)):
        rows = [
            [(chance.randint(1, 4), chance.randint(0, 3), chance.randint(0, 3)) for _ in range(3)]
            for _ in range(3)
        ]
        shown = "\n".join(
            f"{x} : " + " ".join(f"({entry(c)}/({' + '.join(map(entry, row))}))" for c in row)
            for x, row in enumerate(rows)
        )
        text = f"param eps in (0, 3)\noperator R(x: 0..2) -> 0..2 {{ matrix {{\n{shown}\n}} }}"
        at, limit = Fraction(chance.randint(0, 2), 2), Fraction(chance.randint(1, 6), 2)
        bound = Fraction(chance.randint(1, 8), 20)
        for claim in (
            BoundClaim("delta", "<=", bound, at=at),
            BoundClaim("epsilon", "<=", limit),
        ):
            found = certify(operator(text), claim)
            assert check_certificate(found.to_json()).accepted
            decided += bool(found.region.intervals) and not found.region.complete
            for step in range(1, 20):
                t = Fraction(101, 100) + Fraction(19 * step, 20)
                law = law_at(rows, t)
                worst = max(a[y] / b[y] for a in law for b in law for y in range(3))
                keeps = math.log(worst) <= limit
                if claim.at is not None:
                    factor = Fraction(math.exp(at))
                    keeps = smallest_delta(law, factor) <= bound
                assert (t in found.region) == bool(keeps)
    assert decided > cases(1, 3)


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


@pytest.mark.parametrize("ends", ["[-1, 2]", "[-2, -1]", "(-1/10, 2)"])
def test_delta_of_an_epsilon_that_goes_below_0_is_refused_where_it_is_written(ends):
    text = RESPONSE.replace("(0, 5)", ends) + "audit R { require delta(eps) <= 1/2 }"
    with pytest.raises(ModelError, match="begin at 0") as found:
        compile_text(text)
    assert found.value.place.line == 3


@pytest.mark.parametrize("ends", ["[0, 2]", "(0, 2)"])
def test_delta_of_an_epsilon_from_0_on_is_decided(ends):
    text = RESPONSE.replace("(0, 5)", ends) + "audit R { require delta(eps) <= 1/2 }"
    model = compile_text(text)
    assert certify(model.operators["R"], model.audits[0].claims[0]).verdict is Verdict.CERTIFIED

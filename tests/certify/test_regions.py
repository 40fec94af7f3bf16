"""Free parameters: regions with exact ends, proved on both sides, checked at sample values."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy
from how_many import cases

from ppdm_formal.certify import Verdict, certify
from ppdm_formal.certify.written import region_json
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.operators.prior import Constraint, Prior, PriorFamily, Property
from ppdm_formal.declare.operators.randomization import Operator

CLAIM = BreachClaim(Fraction(1, 10), Fraction(1, 2))


def warner(lower=Fraction(1, 2), upper=Fraction(1), *flags):
    p = Parameter("p", Fraction(lower), Fraction(upper), *flags)
    x = p.symbol
    return Operator.from_matrix([[x, 1 - x], [1 - x, x]], ["yes", "no"], ["yes", "no"], "W", [p])


def inside(region, value) -> bool:
    """Whether a rational lies in the region of a certificate."""
    for interval in region["holds"]:
        low = compare(value, interval["from"])
        high = compare(value, interval["to"])
        above = low > 0 or (low == 0 and interval["from_included"])
        below = high < 0 or (high == 0 and interval["to_included"])
        if above and below:
            return True
    return False


def compare(value, end) -> int:
    if isinstance(end, str):
        return (value > Fraction(end)) - (value < Fraction(end))
    low, high = map(Fraction, end["between"])
    if value <= low or value >= high:
        return 1 if value >= high else -1

    def at(x):
        return sum(Fraction(c) * x**power for power, c in enumerate(end["polynomial"]))

    # The only root, a simple one, lies between: signs tell on which side the value is.
    return -1 if (at(value) > 0) == (at(low) > 0) else 1


def test_warner_holds_exactly_below_nine_tenths():
    found = certify(warner(), CLAIM)
    assert found.region.text == "p < 9/10"
    assert found.verdict is Verdict.PARTLY
    assert found.trust.exact
    assert region_json(found.region)["holds"] == [
        {"from": "1/2", "from_included": False, "to": "9/10", "to_included": False}
    ]
    value = found.witness.parameters["p"]
    assert value >= Fraction(9, 10)
    at = certify(warner().substitute({"p": value}), CLAIM)
    assert at.verdict is Verdict.BREACHED
    assert found.smt == ()


@pytest.mark.parametrize(
    ("bounds", "verdict", "text"),
    [
        ((Fraction(1, 2), Fraction(9, 10)), Verdict.CERTIFIED, "every p in (1/2, 9/10)"),
        ((Fraction(1, 2), Fraction(9, 10), False, True), Verdict.PARTLY, "p < 9/10"),
        ((Fraction(9, 10), Fraction(1)), Verdict.BREACHED, "no p in (9/10, 1)"),
        ((Fraction(0), Fraction(1), True, True), Verdict.PARTLY, "1/10 < p < 9/10"),
    ],
)
def test_warner_on_other_ranges(bounds, verdict, text):
    found = certify(warner(*bounds), CLAIM)
    assert found.verdict is verdict
    assert found.region.text == text


def test_other_claims_about_warner():
    operator = warner()
    prior = Prior.of(operator.inputs, {"yes": "1/10", "no": "9/10"}, "X")
    yes = Property.of(operator.inputs, ["yes"], "yes")
    rho = (Fraction(1, 10), Fraction(1, 2))
    for claim, text in (
        (BreachClaim(*rho, about=yes), "p < 9/10"),
        (BreachClaim(*rho, under=prior), "p < 9/10"),
        (BreachClaim(*rho, under=prior, about=yes), "p < 9/10"),
        (BreachClaim(*rho, "downward", prior, yes), "every p in (1/2, 1)"),
        (BoundClaim("amplification", "<=", Fraction(6)), "p <= 6/7"),
        (BoundClaim("amplification", "<", Fraction(6)), "p < 6/7"),
    ):
        found = certify(operator, claim)
        assert found.region.text == text, claim


def test_irrational_ends():
    p = Parameter("p", Fraction(0), Fraction(1))
    x = p.symbol
    square = Operator.from_matrix([[x**2, 1 - x**2], [1 - x**2, x**2]], name="S", parameters=[p])
    found = certify(square, CLAIM)
    assert len(found.region.intervals) == 1
    assert "0.316227..." in found.region.text
    for top in range(1, 100):
        value = Fraction(top, 100)
        exact = certify(square.substitute({"p": value}), CLAIM).verdict
        assert inside(region_json(found.region), value) == (exact is Verdict.CERTIFIED)
        assert (value in found.region) == (exact is Verdict.CERTIFIED)


def random_parametric(chance: random.Random) -> tuple[Operator, Parameter]:
    """Rows of polynomials in p that are probabilities on the unit interval."""
    p = Parameter("p", Fraction(0), Fraction(1), chance.random() < 0.5, chance.random() < 0.5)
    x = p.symbol
    shapes = (x, 1 - x, x**2, x * (1 - x), (1 + x) / 2, sympy.Rational(1, 3), x / (1 + x))
    rows = []
    for _ in range(chance.randrange(2, 4)):
        entry = chance.choice(shapes)
        rows.append([entry, 1 - entry])
    return Operator.from_matrix(rows, name="R", parameters=[p]), p


def test_random_regions_against_the_exact_rule_at_values():
    chance = random.Random(20)
    verdicts = set()
    for _ in range(cases(10, 25)):
        operator, p = random_parametric(chance)
        low, high = sorted(chance.sample(range(1, 10), 2))
        claim = BreachClaim(
            Fraction(low, 10), Fraction(high, 10), chance.choice(("both", "upward"))
        )
        if not operator.parameters:
            continue
        found = certify(operator, claim)
        assert found.region is not None
        values = [Fraction(k, 24) for k in range(25)] + [Fraction(low, 10), Fraction(high, 10)]
        values += [
            Fraction(end)
            for interval in region_json(found.region)["holds"]
            for end in (interval["from"], interval["to"])
            if isinstance(end, str)
        ]
        for value in values:
            if value in p:
                at = certify(operator.substitute({"p": value}), claim)
                assert inside(region_json(found.region), value) == (at.verdict is Verdict.CERTIFIED)
                assert (value in found.region) == (at.verdict is Verdict.CERTIFIED)
                verdicts.add(at.verdict)
    assert len(verdicts) == 2


def two_parameters(upper: Fraction) -> Operator:
    p = Parameter("p", Fraction(1, 2), upper)
    q = Parameter("q", Fraction(0), Fraction(1, 10))
    x, e = p.symbol, q.symbol
    rows = [[x * (1 - e), (1 - x) * (1 - e), e], [(1 - x) * (1 - e), x * (1 - e), e]]
    return Operator.from_matrix(rows, name="T", parameters=[p, q])


def test_several_parameters_are_decided_for_their_ranges():
    good = certify(two_parameters(Fraction(9, 10)), CLAIM)
    assert good.verdict is Verdict.CERTIFIED
    assert good.region is None
    assert good.trust.exact
    assert good.evidence["kind"] == "boxes"
    bad = certify(two_parameters(Fraction(19, 20)), CLAIM)
    assert bad.verdict is Verdict.BREACHED
    values = bad.witness.parameters
    assert (
        certify(two_parameters(Fraction(19, 20)).substitute(values), CLAIM).verdict
        is Verdict.BREACHED
    )


def test_what_is_not_decided_with_free_parameters_says_so():
    operator = warner()
    prior = Prior.uniform(operator.inputs, "U")
    yes = Property.of(operator.inputs, ["yes"], "yes")
    family = PriorFamily((Constraint(((Fraction(1), yes),), "<=", Fraction(1, 2)),))
    for claim in (
        BoundClaim("dependence", "<=", Fraction(1), prior),
        BreachClaim(Fraction(1, 10), Fraction(1, 2), under=family),
    ):
        found = certify(operator, claim)
        assert found.verdict is Verdict.UNKNOWN
        assert "give a value with --set" in found.reason


def test_a_parameter_of_the_prior():
    p = Parameter("p", Fraction(0), Fraction(1))
    coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], name="coin")
    import numpy as np

    prior = Prior(coin.inputs, np.array([0, 1]), [p.symbol, 1 - p.symbol], "X", [p])
    first = Property.of(coin.inputs, [0], "first")
    found = certify(coin, BreachClaim(Fraction(1, 4), Fraction(1, 2), "upward", prior, first))
    # 3p / (3p + 1 - p) >= 1/2 from p = 1/4 on, and the property is rare up to 1/4.
    assert found.region.text == "p < 1/4 or p > 1/4"
    assert found.witness.parameters == {"p": Fraction(1, 4)}

"""Breach witnesses of families whose views give likelihoods up to a factor."""

from fractions import Fraction as F

import pytest

from ppdm_formal import BreachClaim, Parameter
from ppdm_formal.certify import Verdict, certify
from ppdm_formal.declare.families.select_a_size import select_a_size

CLAIM = BreachClaim(F(1, 20), F(1, 2))


@pytest.mark.parametrize("items", [8, 100])
@pytest.mark.parametrize("free", ["insert", "gamma"])
def test_a_free_parameter_of_select_a_size(items, free):
    insert = Parameter("r", F(1, 10), F(9, 10))
    gamma = Parameter("g", F(2), F(30))
    chosen = {"insert": F(1, 2), "gamma": F(20)}
    chosen[free] = (insert if free == "insert" else gamma).symbol
    operator = select_a_size(items, 3, cutoff=2, parameters=[insert, gamma], **chosen)
    found = certify(operator, CLAIM)
    assert found.verdict is (Verdict.PARTLY if free == "gamma" else Verdict.BREACHED)
    if free == "gamma":
        assert found.region.text == "g < 19"
    at = operator.substitute(found.witness.parameters)
    assert certify(at, CLAIM).verdict is Verdict.BREACHED

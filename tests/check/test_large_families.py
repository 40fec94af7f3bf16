"""Certificates of large families: counts of a quarter of a million digits, relative likelihoods."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from certificate_builder import as_file, seal

from ppdm_formal import BoundClaim, BreachClaim, Parameter
from ppdm_formal.certify import certify
from ppdm_formal.checker import check_certificate
from ppdm_formal.checker.limits import MAX_HEXADECIMAL
from ppdm_formal.declare.families.select_a_size import select_a_size

HALF = F(1, 2)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (BreachClaim(F(1, 20), HALF), "breached"),  # its odds are gamma exactly
        (BreachClaim(F(1, 20), HALF + F(1, 10**30)), "certified"),
        (BoundClaim("amplification", "<=", F(19)), "certified"),
    ],
)
def test_a_million_items(claim, verdict):
    operator = select_a_size(10**6, 5, "51/100", cutoff=2, gamma=19, name="S")
    built = certify(operator, claim).to_json()
    assert len(built["operator"]["outputs"]) == len(hex(2**10**6))
    result = check_certificate(as_file(built), views=built["operator"])
    assert (result.status, result.verdict) == ("accepted", verdict)
    built["operator"]["outputs"] = hex(2**10**6 + 1)
    assert "outputs" in check_certificate(seal(built)).reason
    built["operator"]["outputs"] = "0x1" + "0" * MAX_HEXADECIMAL
    assert "not a number" in check_certificate(seal(built)).reason


def test_a_free_gamma_of_a_relative_family():
    gamma = Parameter("g", F(1), F(30))
    operator = select_a_size(
        1000, 3, "51/100", cutoff=2, gamma=gamma.symbol, name="S", parameters=[gamma]
    )
    built = certify(operator, BreachClaim(F(1, 20), HALF)).to_json()
    assert built["operator"]["likelihoods"] == "relative"
    assert built["region"]["text"] == "g < 19"
    assert check_certificate(as_file(built), views=built["operator"]).accepted
    built["witness"]["parameters"]["g"] = "18"
    assert not check_certificate(seal(built)).accepted

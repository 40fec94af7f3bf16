"""Extreme views: accepted for the greatest ratio only, and only as they are described."""

from __future__ import annotations

import json

import pytest
from certificate_builder import seal

from ppdm_formal import BoundClaim, BreachClaim
from ppdm_formal.certify import certify
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.families.exponential_mechanism import exponential_mechanism

OPERATOR = exponential_mechanism(2000, epsilon=2)
CLAIMS = [BreachClaim("1/10", "1/2"), BoundClaim("epsilon", "<=", 1)]
BETWEEN = {"count": 1, "example": 7, "likelihood": "1/2"}


def certificates():
    return [certify(OPERATOR, claim).to_json() for claim in CLAIMS]


def sort(name):
    return lambda described: described.update(likelihoods=name)


def more_classes(described):
    described["views"][0]["classes"].append(BETWEEN)


def two_views(described):
    second = json.loads(json.dumps(described["views"][0])) | {"output": 1999, "outputs": 1000}
    described["views"][0]["outputs"] = 1000
    described["views"].append(second)


def too_many_inputs(described):
    described["views"][0]["classes"][0]["count"] = 2000


def fewer_outputs(described):
    described["views"][0]["outputs"] = 1999


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (sort("relative"), "counts do not sum"),
        (sort("probabilities"), "counts do not sum"),
        (sort("extremes"), "unknown sort"),
        (more_classes, "counts do not sum"),
        (two_views, "the only one"),
        (too_many_inputs, "counts do not sum"),
        (fewer_outputs, "outputs do not sum"),
    ],
)
def test_other_descriptions_are_rejected(change, why):
    for genuine in certificates():
        assert check_certificate(genuine).accepted
        change(genuine["operator"])
        result = check_certificate(seal(genuine))
        assert not result.accepted
        assert why in result.reason


def test_a_count_of_inputs_is_not_told_by_two_of_them():
    """A formula that counts classes, on a view that does not list them all."""
    genuine = certificates()[1]
    claim = genuine["claim"] | {"measure": "spread", "bound": "10", "unit": "nat"}
    claim["formula"] = {"over": "max", "of": ["/", ["min", "likelihood"], ["max", "likelihood"]]}
    claim["text"] = "require spread <= 10 nat"
    lie = seal(genuine | {"claim": claim, "evidence": {"kind": "formula"}})
    assert not check_certificate(lie).accepted

"""A part of the attack on the checker (attack.py by hand does the whole), and its oracle."""

from __future__ import annotations

import json
from fractions import Fraction as F

import pytest
import truth_oracle
from attack import attack, eps_pool, pool
from certificate_builder import seal
from definition_oracle import Input, breached, is_true, possible, vacuous
from test_against_model import TWO_PROPERTIES, audited, read

from ppdm_formal.checker import check_certificate


def test_nothing_false_is_accepted():
    counts = attack(400, seed=5)
    assert counts["accepted, false"] == 0
    assert counts["accepted against the model, OTHER statement"] == 0
    assert counts["rejected, false"] >= 150  # so there was something to reject,
    assert counts["accepted, true"] >= 80  # and the oracle was asked about what passed


def test_nothing_false_about_free_parameters_is_accepted():
    counts = attack(150, seed=7, free=True)
    assert counts["accepted, false"] == 0
    assert counts["accepted against the model, OTHER statement"] == 0
    assert counts["rejected, false"] >= 80
    assert counts["accepted, true"] >= 10


def test_certificates_with_eps_free_are_true_and_their_parameter_is_a_power_of_e():
    genuine = [one.to_json() for one in eps_pool()]
    for document in genuine[10:]:  # of two inputs, which the oracle is quick at
        assert check_certificate(document).accepted
        assert is_true(document) is True, document["claim"]["text"]
    text = json.dumps(next(d for d in genuine if d["claim"]["text"] == "require epsilon <= 5"))
    for name in ("exp(0*eps)", "exp(eps/0)"):
        forged = check_certificate(seal(json.loads(text.replace("exp(eps)", name))))
        assert forged.reason == "a parameter that is no power of e"
    forged = json.loads(text.replace("(1, exp(5))", "(0, exp(5))"))
    assert check_certificate(seal(forged)).reason == "a parameter that is no power of e"
    for name in ("eps", "exp(2*eps)"):  # not two numbers that are free of each other
        forged = json.loads(text)
        forged["operator"]["parameters"].append({"name": name, "interval": "(1, 2)"})
        assert "a parameter twice" in check_certificate(seal(forged)).reason


def test_the_oracle_calls_the_genuine_true_and_agrees_with_the_first():
    asked = 0
    for built in pool(0):
        assert is_true(built) is not False, built["claim"]["text"]
        lie = json.loads(json.dumps(built))
        if built["claim"]["kind"] == "breach" and not built["operator"]["parameters"]:
            for rho1, rho2 in (("1/10", "1/2"), ("1/3", "2/5"), ("1/2", "9/10")):
                lie["claim"] |= {"rho1": rho1, "rho2": rho2}
                lie |= {"thresholds": None, "vacuous": None}
                if lie["verdict"] == "certified":
                    assert is_true(lie) == truth_oracle.is_true(lie)
                    asked += 1
    assert asked >= 60


def test_the_oracle_finds_the_forgery_false(tmp_path):
    _, (broken, holds) = audited(tmp_path, TWO_PROPERTIES)
    first, second = read(broken), read(holds)
    claim = {**first["claim"], "properties": ["far", "zero"], "for": 1}
    claim["under"] = {"constraints": [{"terms": [["1", 0]], "relation": "<=", "bound": "9/10"}]}
    # by its own columns it is the second claim, and true; of the model's views it is not
    forged = {**second, "claim": claim, "operator": second["operator"]}
    assert not check_certificate(forged).accepted
    assert is_true({**first, "verdict": "certified", "witness": None}) is False


def test_the_corners_of_priors():
    half, one, zero = F(1, 2), F(1), F(0)
    assert possible(2, [], [])
    assert possible(2, [(one, -one), (-one, one)], [(one, zero)])  # the even prior
    assert not possible(2, [(-one, -one)], [])
    assert not possible(2, [(-one, zero)], [(one, zero)])  # mass 0 and above 0
    assert possible(3, [(half - 1, half, half)], [(one, zero, zero)])
    assert not possible(1, [(half - 1,)], [])


def warner() -> list[tuple[Input, ...]]:
    rows = [(F(3, 4), F(1, 4)), (F(1, 4), F(3, 4))]
    return [tuple(Input(row[y], F(1), F(1, 2), ()) for row in rows) for y in (0, 1)]


@pytest.mark.parametrize("direction", ["both", "upward", "downward"])
def test_statement_1_follows_from_the_definitions(direction):
    """Amplification 3: 1/4 -> 1/2 is just a breach, anything less is none."""
    claim = {"direction": direction, "under": "all priors", "for": None}
    assert breached(claim, warner(), F(1, 4), F(1, 2))
    assert not breached(claim, warner(), F(1, 4) - F(1, 10**9), F(1, 2))
    assert not breached(claim, warner(), F(1, 4), F(1, 2) + F(1, 10**9))
    claim |= {"under": {"prior": "X"}, "rho1": "1/3", "rho2": "2/3"}
    assert not breached(claim, warner(), F(1, 3), F(2, 3))
    assert vacuous(claim, warner())  # every single input has 1/2

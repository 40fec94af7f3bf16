"""A part of the attack on the checker for every kind of certificate (attack.py does the whole).

Some cases are the same on every run; others are fresh, from a seed that a failure prints, to be
drawn again with PPDM_ATTACK_SEED=SEED. Verdicts are exact, so that a fresh case fails only where
something is wrong.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import time
from fractions import Fraction as F

import attack as attacks
import pytest
import truth_oracle
from attack import attack, shown
from certificate_builder import seal
from definition_oracle import Input, breached, possible, vacuous
from every_oracle import is_true
from finite_changes import eps_pool, pool
from how_many import cases
from pool import KINDS, drawn
from test_against_model import TWO_PROPERTIES, audited, read

from ppdm_formal.checker import check_certificate

FRESH = int(os.environ.get("PPDM_ATTACK_SEED", time.time_ns() // 1000 % 10**9))
FIXED = {"large_crowd": 15, "levels": 10, "free": 15, "cells": 30, "rounded": 30}
"""How many changed certificates of the slow kinds, where many are asked for; of others 60."""


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_false_is_accepted(kind):
    counts, failed = attack(kind, 5, cases(FIXED.get(kind, 60) // 3, FIXED.get(kind, 60)))
    assert not failed, shown(kind, 5, failed)
    assert counts["rejected"] > 0  # so there was something to reject


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_false_is_accepted_of_fresh_cases(kind):
    counts, failed = attack(kind, FRESH, seconds=cases(0.3, 1))
    assert not failed, shown(kind, FRESH, failed)
    assert counts["changed"] + counts["meaning kept"] + counts["not made"] > 0


def test_nothing_false_about_a_free_eps_is_accepted():
    """Regions whose bounds and ends are powers of e."""
    starts = [one.to_json() for one in eps_pool()[10:]]
    counts, failed = attack("free", 7, cases(15, 40), starts=json.loads(json.dumps(starts)))
    assert not failed, shown("free", 7, failed)
    assert counts["rejected"] > cases(3, 10)


@pytest.mark.parametrize("kind", KINDS)
def test_the_oracle_calls_the_genuine_true(kind):
    for found in itertools.islice(drawn(kind, random.Random(3)), 4):
        assert check_certificate(found).accepted
        assert is_true(found) is not False, json.dumps(found)


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


def test_the_oracle_agrees_with_the_first():
    asked = 0
    for built in pool(0):
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


def test_an_oracle_that_takes_too_long_stops_nothing(monkeypatch):
    def forever(_):
        while True:
            pass

    monkeypatch.setattr(attacks, "judged", forever)
    monkeypatch.setattr(attacks, "MOST_SECONDS", 0.05)
    assert attacks.judged_in_time({}) is None

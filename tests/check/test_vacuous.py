"""Vacuous claims: the checker decides anew whether any case can test a claim."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction as F
from typing import Any

import pytest
from certificate_builder import seal
from test_mutations import genuine, random_case
from truth_oracle import column

from ppdm_formal import BreachClaim, Constraint, Operator, Prior, PriorFamily, Property
from ppdm_formal.certify import certify
from ppdm_formal.checker import check_certificate
from ppdm_formal.checker.decision import Row, satisfiable


def can_be_tested(claim: dict[str, Any], views: list[Any]) -> bool | None:
    """One prior, every subset of single inputs: is there a case? None for free priors."""
    if not isinstance(claim["under"], dict) or "prior" not in claim["under"]:
        return None
    rho1, rho2 = F(claim["rho1"]), F(claim["rho2"])
    for view in views:
        inputs = column(view)
        total = sum(x[1] * x[2] for x in inputs)
        for chosen in itertools.product((False, True), repeat=len(inputs)):
            if claim["for"] is not None and chosen != tuple(x[3][claim["for"]] for x in inputs):
                continue
            mass = sum((x[1] * x[2] for x, i in zip(inputs, chosen, strict=True) if i), F(0))
            if not total:
                continue
            before = mass / total
            if claim["direction"] != "downward" and 0 < before <= rho1:
                return True
            if claim["direction"] != "upward" and rho2 <= before < 1:
                return True
    return False


def test_a_false_statement_is_rejected_and_null_is_allowed():
    seen = set()
    for built in genuine():
        stated = built["vacuous"]
        seen.add(stated)
        lie = seal({**built, "vacuous": not stated})
        why = "the claim is vacuous" if stated else "the claim is not vacuous"
        assert check_certificate(lie).reason == why
        for other in (0, 1, "true", [], {}):
            assert not check_certificate(seal({**built, "vacuous": other})).accepted
        result = check_certificate(seal({**built, "vacuous": None}))
        assert result.accepted
        assert result.vacuous == stated  # said whether the certificate does or not
        bare = {k: v for k, v in built.items() if k != "vacuous"}
        assert "missing" in check_certificate(seal(bare)).reason
    assert seen == {True, False}


def test_it_agrees_with_brute_force_and_with_what_made_it():
    chance = random.Random(8)
    counted: dict[Any, int] = {}
    for _ in range(300):
        operator, claim = random_case(chance)
        if not isinstance(claim, BreachClaim):
            continue
        try:
            built = certify(operator, claim).to_json()
        except ValueError:  # no prior satisfies the constraints
            continue
        result = check_certificate(seal(built))
        assert result.accepted, (result.reason, built["claim"])
        expected = can_be_tested(built["claim"], built["operator"]["views"])
        assert expected is None or result.vacuous != expected
        key = (result.vacuous, expected is None)
        counted[key] = counted.get(key, 0) + 1
    assert len(counted) == 4, counted


def test_what_is_known_may_exclude_the_mass_that_a_family_demands():
    """Half of the mass is on c, which z excludes; given z, a and b are still free."""
    operator = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"], ["1/2", "1/2"]])
    knowing = Operator.from_matrix([["1", "0"], ["1", "0"], ["0", "1"]], name="Z")
    domain = operator.inputs
    import numpy as np

    c = Property(domain, np.array([False, False, True]), "c")
    family = PriorFamily((Constraint(((F(1), c),), "==", F(1, 2)),))
    claim = BreachClaim(F(1, 10), F(1, 2), "both", family, None, knowing)
    built = certify(operator, claim).to_json()
    assert built["vacuous"] is False
    assert check_certificate(seal(built)).accepted


@pytest.mark.parametrize("seed", range(3))
def test_rows_are_satisfiable_iff_z3_says_so(seed):
    import z3

    chance = random.Random(seed)
    answers = set()
    for _ in range(60):
        width, height = chance.randint(1, 4), chance.randint(1, 5)
        rows = [
            Row([F(chance.randint(-2, 2)) for _ in range(width)], chance.random() < 0.5)
            for _ in range(height)
        ]
        solver, x = z3.Solver(), [z3.Real(f"x{i}") for i in range(width)]
        solver.add(*(v >= 0 for v in x))
        for row in rows:
            total = z3.Sum([int(c) * v for c, v in zip(row.coefficients, x, strict=True)])
            solver.add(total > 0 if row.strict else total >= 0)
        answer = solver.check() == z3.sat
        assert satisfiable(rows) == answer
        answers.add(answer)
    assert answers == {True, False}


def test_one_input_can_be_asked_nothing():
    operator = Operator.from_matrix([["1/2", "1/2"]])
    for under in (None, Prior.of(operator.inputs, {0: 1}, "X")):
        built = certify(operator, BreachClaim(F(1, 10), F(1, 2), "both", under)).to_json()
        result = check_certificate(seal(built))
        assert (result.accepted, result.vacuous) == (True, True)

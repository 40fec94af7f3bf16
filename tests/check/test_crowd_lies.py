"""Forgeries about crowds, each for a mistake by name, and the oracle against itself."""

import random
from fractions import Fraction as F

from certificate_builder import seal
from crowd_oracle import Case, breach_alike, breach_listed, delta_alike, delta_listed, listed
from every_oracle import is_true
from test_mutations import row

from ppdm_formal.checker import check_certificate

ASSUMES = (
    "it rests on this: the shuffler hides who sent what, and what else was sent along; each of {} "
    "clients draws one report as described, with its own coins; whatever values the others have"
)


def alone(rows, rho2="1/2", clients=1):
    """A witness about one client: the first row's first report, under a prior."""
    crowd = {"how": "shuffling", "clients": clients, "colluding": 0, "missing": 0, "others": None}
    told = "except with probability 1/4"
    claim = {
        "kind": "breach", "direction": "upward", "rho1": "1/4", "rho2": rho2, "crowd": crowd,
        "text": f"forbid upward breach 1/4 -> {rho2} under P {told} after shuffling {clients}",
        "under": {"prior": "P"}, "properties": [], "for": None, "knowing": None, "except": "1/4",
    }  # fmt: skip
    operator = {
        "kind": "crowd", "name": "R", "inputs": len(rows), "outputs": 2,
        "assumes": ASSUMES.format(clients),
        "columns": [{"output": y, "outputs": 1} for y in (0, 1)],
        "rows": [
            {"count": 1, "example": x, "prior": prior, "likelihoods": likelihoods}
            for x, (prior, likelihoods) in enumerate(rows)
        ],
    }  # fmt: skip
    window = {"base": "2", "period": 16, "start": -5, "above": "2", "below": "1/2"}
    return seal({
        "format": "ppdm-certificate/2", "claim": claim, "model": None, "operator": operator,
        "verdict": "breached", "vacuous": False, "tested": None, "trust": "re-checked exactly",
        "reason": "so it is", "evidence": {"kind": "event", "enough": None}, "thresholds": None,
        "witness": {
            "compared": ["upward", 0], "other": 0, "scores": [1, 0], "cut": 1, "window": window,
        },
        "region": None, "smt": [], "versions": {"ppdm_formal": "0", "python": "3"},
    })  # fmt: skip


def test_an_input_that_is_like_another_is_still_against_it():
    """Two inputs with one row and one prior: the second does not leave with the first."""
    genuine = alone([("1/4", ["9/10", "1/10"]), ("3/4", ["1/5", "4/5"])])
    assert check_certificate(genuine).accepted
    assert is_true(genuine) is True
    like = ["9/10", "1/10"]
    forged = alone([("1/4", like), ("1/4", like), ("1/2", ["1/5", "4/5"])])
    assert is_true(forged) is False
    assert not check_certificate(forged).accepted


def nothing_to_compare(relation, bound):
    """Two values that are answered alike: delta is 0."""
    found = alone([("1/2", ["1/2", "1/2"]), ("1/2", ["1/2", "1/2"])])
    claim = {
        "kind": "bound", "text": f"require delta(1) {relation} {bound} after shuffling 1",
        "measure": "delta", "relation": relation, "bound": bound, "prior": None, "unit": None,
        "properties": [], "crowd": found["claim"]["crowd"], "at": "1",
    }  # fmt: skip
    operator = found["operator"]
    operator["rows"] = [{"count": 2, "example": 0, "likelihoods": ["1/2", "1/2"]}]
    evidence = {"kind": "crowd", "clients": 1, "proofs": []}
    return seal({
        **found, "claim": claim, "verdict": "certified", "witness": None, "evidence": evidence,
        "thresholds": {"clients_from": 1},
    })  # fmt: skip


def test_delta_below_0_is_not_certified_where_nothing_is_compared():
    genuine = nothing_to_compare("<=", "0")
    assert check_certificate(genuine).accepted
    assert is_true(genuine) is True
    for relation, bound in (("<", "0"), ("<=", "-1"), ("<", "-1/2")):
        forged = nothing_to_compare(relation, bound)
        assert is_true(forged) is False
        assert not check_certificate(forged).accepted


def test_others_that_are_alike_are_summed_as_they_are_listed():
    """The oracle's two ways."""
    chance = random.Random(3)
    for _ in range(20):
        first, second, law = (tuple(row(chance, 3)) for _ in range(3))
        clients, factor = chance.randint(1, 5), F(chance.randint(2, 12), 4)
        (others,) = listed([law], clients - 1)
        case = Case(first, second, factor)
        sums = delta_alike(case, law, factor, clients), breach_alike(case, law, clients)
        lists = delta_listed(case, others, factor), breach_listed(case, others)
        for one, two in zip(sums, lists, strict=True):
            assert abs(one - two) < F(1, 10**40)

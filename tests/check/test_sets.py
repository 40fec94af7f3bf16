"""Operators stated as sets: changed certificates are rejected, or true by the definition.

The truth is found from the certificate's own statement: every set of the stated sizes, every
property, the definition of a breach.
"""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction as F
from itertools import product

import pytest
from certificate_builder import seal

import ppdm_formal.declare.families.single_values as single_values
from ppdm_formal.certify import certify
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.operators.prior import Constraint, Prior, PriorFamily, Property
from ppdm_formal.declare.operators.randomization import Operator


@pytest.fixture(autouse=True)
def _no_views(monkeypatch):
    monkeypatch.setattr(single_values, "MAX_KINDS", 0)


UNARY = unary_encoding(4, keep="1/2", flip="1/4", name="U")
SUBSETS = subset_selection(4, gamma=3, chosen=2, name="U")
PRIOR = Prior.of(UNARY.inputs, {0: "1/2", 1: "1/4", 2: "1/8", 3: "1/8"}, "X")
Q = Property.of(UNARY.inputs, [1, 2], "q")
KNOWING = Operator.from_matrix([["1/3", "2/3"], [0, 1], ["1/3", "2/3"], [1, 0]], name="Z")
FAMILY = PriorFamily((Constraint(((F(1), Q),), "<=", F(1, 3)),))
CLAIMS = [
    BreachClaim("1/4", "2/3", under=PRIOR),
    BreachClaim("1/4", "2/5", "upward", PRIOR),
    BreachClaim("3/8", "3/4", under=PRIOR, about=Q),
    BreachClaim("3/8", "1/2", under=PRIOR, about=Q),
    BreachClaim("1/4", "4/5", "both", PRIOR, None, KNOWING),
    BreachClaim("1/4", "2/3", under=None, about=Q),
]


def documents():
    for operator, claim in product((UNARY, SUBSETS), CLAIMS):
        document = json.loads(json.dumps(certify(operator, claim).to_json()))
        assert document["operator"]["kind"] == "sets"
        yield document


def numbers(part, path=()):
    """Where numbers, flags and verdicts stand."""
    if isinstance(part, (dict, list)):
        items = part.items() if isinstance(part, dict) else enumerate(part)
        for key, inside in items:
            if key not in ("text", "name", "versions", "sha256", "views_sha256", "reason", "model"):
                yield from numbers(inside, (*path, key))
    else:
        yield path


def changed(document, rng):
    found = copy.deepcopy(document)
    places = list(numbers(found))
    for _ in range(rng.choice([1, 1, 2, 3])):
        room = rng.choice(["claim", "operator", "evidence", "evidence"])
        *path, last = rng.choice([place for place in places if place[0] == room])
        part = found
        for key in path:
            part = part[key]
        part[last] = _other(part[last], rng)
    claim = found["claim"]
    low, high = claim["rho1"], claim["rho2"]
    if claim["direction"] == "downward":
        low, high = high, low
    tail = claim["text"].partition(" -> ")[2].partition(" ")[2]
    word = "" if claim["direction"] == "both" else f"{claim['direction']} "
    claim["text"] = f"forbid {word}breach {low} -> {high}" + (f" {tail}" if tail else "")
    if rng.random() < 0.3:
        found["verdict"] = rng.choice(["certified", "breached"])
    return seal(found)


def _other(value, rng):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(0, value + rng.choice([-1, 1, 2]))
    try:
        q = F(value)
    except (TypeError, ValueError):
        return rng.choice(["upward", "downward", "both"]) if value in ("upward", "both") else value
    return str(rng.choice([q + F(1, 20), q - F(1, 20), q * 2, q / 2, 1 - q, F(0), F(1), -q]))


def truth(document):
    """Whether some set and property break the claim, by the definition."""
    claim, sets = document["claim"], document["operator"]["sets"]
    rho1, rho2 = F(claim["rho1"]), F(claim["rho2"])
    both = claim["direction"] == "both"
    directions = ["upward", "downward"] if both else [claim["direction"]]
    for group in sets["groups"]:
        values = [kind for kind in group["kinds"] for _ in range(kind["count"])]
        known = [F(kind.get("knowledge", "1")) for kind in values]
        for held in product((False, True), repeat=len(values)):
            if not sets["least"] <= sum(held) <= sets["most"]:
                continue
            likely = [F(sets["held"]) if h else F(sets["lacking"]) for h in held]
            for direction in directions:
                if claim["under"] == "all priors":
                    moved = _two_points(values, known, likely, claim, direction, rho1, rho2)
                else:
                    moved = _beliefs(values, known, likely, claim)
                for before, after in moved:
                    if direction == "upward" and before <= rho1 and after >= rho2:
                        return True
                    if direction == "downward" and before >= rho2 and after <= rho1:
                        return True
    return False


def _beliefs(values, known, likely, claim):
    masses = [F(kind["prior"]) * k for kind, k in zip(values, known, strict=True)]
    if not sum(masses):
        return
    seen = sum(m * chance for m, chance in zip(masses, likely, strict=True))
    about = claim["for"]
    every = product((False, True), repeat=len(values))
    for inside in every if about is None else [[kind["member"][about] for kind in values]]:
        before = sum(m for m, i in zip(masses, inside, strict=True) if i)
        after = sum(m * c for m, c, i in zip(masses, likely, inside, strict=True) if i)
        yield before / sum(masses), after / seen


def _two_points(values, known, likely, claim, direction, rho1, rho2):
    """The worst prior for all priors: on two values, one of which has the property."""
    for x, y in product(range(len(values)), repeat=2):
        inside, outside = (values[place]["member"][claim["for"]] for place in (x, y))
        if inside and not outside and known[x] and known[y]:
            start = rho1 if direction == "upward" else rho2
            yield start, start * likely[x] / (start * likely[x] + (1 - start) * likely[y])


def test_changed_certificates_are_rejected_or_true():
    rng, rejected, accepted = random.Random(5), 0, 0
    for document in documents():
        assert check_certificate(document).accepted
        assert truth(document) == (document["verdict"] == "breached")
        for _ in range(30):
            other = changed(document, rng)
            if check_certificate(other).accepted:
                accepted += 1
                assert truth(other) == (other["verdict"] == "breached"), other
            else:
                rejected += 1
    assert rejected > 200
    assert accepted > 20


def without_a_view(document):
    document["operator"]["views"].pop()
    for direction in ("upward", "downward"):
        document["evidence"].get(direction, [None]).pop()


def larger_sets(document):
    document["operator"]["sets"]["most"] = 3


def fewer_inputs(document):
    document["operator"]["sets"]["groups"][0]["kinds"][0]["count"] += 1


def no_likelihood(document):
    document["operator"]["sets"]["lacking"] = "0"


def one_report(document):
    document["operator"]["one_report"] = []


def another_sort(document):
    document["operator"]["likelihoods"] = "relative"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (without_a_view, "no view covers"),
        (larger_sets, "no view covers"),
        (fewer_inputs, "counts are not the inputs"),
        (no_likelihood, "not above 0"),
        (one_report, "one_report"),
        (another_sort, "likelihoods"),
    ],
)
def test_a_family_of_priors_needs_all_shapes_of_sets(change, why):
    genuine = certify(SUBSETS, BreachClaim("1/3", "2/3", "upward", FAMILY)).to_json()
    assert check_certificate(genuine).accepted
    document = json.loads(json.dumps(genuine))
    change(document)
    result = check_certificate(seal(document))
    assert not result.accepted
    assert why in result.reason


def test_a_lower_bound_with_the_trees_of_a_higher_one_is_rejected():
    """Claim and evidence changed together: the bound is what would have to be true."""
    document = certify(SUBSETS, BreachClaim("1/4", "2/3", "upward", PRIOR)).to_json()
    bound = document["evidence"]["upward"]["rho2_above"]
    for value in (F(bound["at_most"]) - F(1, 1000), F(1, 2)):
        other = json.loads(json.dumps(document))
        mine = other["evidence"]["upward"]["rho2_above"]
        mine["at_most"] = mine["trees"][0]["at_most"] = str(value)
        other["thresholds"]["rho2_above"] = {"lo": mine["at_least"], "hi": str(value)}
        assert not check_certificate(seal(other)).accepted

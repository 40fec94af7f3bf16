"""Certificates as files: canonical, complete, digests that match, written atomically."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from certify_cases import random_case
from certify_schema import Invalid, validate
from how_many import cases
from hypothesis import given, settings
from hypothesis import strategies as st

from ppdm_formal.certify import Verdict, certify
from ppdm_formal.certify.canonical import operator_json
from ppdm_formal.certify.witness import FalseWitness, replay
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.operators.canonical import canonical, value_json
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Constraint, Prior, PriorFamily, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.view import ViewKind

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "certificate.schema.json").read_text(encoding="utf-8")
)
COIN = Operator.from_matrix(
    [["3/4", "1/4"], ["1/4", "3/4"]], inputs=["yes", "nö"], outputs=[("a", 1), 0], name="coin"
)
LOW, HIGH = Fraction(1, 10), Fraction(1, 2)
PROVENANCE = {"file": "m.ppdm", "sha256": "0" * 64, "set": {"p": "3/4"}, "files": []}


def every_kind():
    """One certificate of each kind of evidence, certified and breached."""
    inputs = COIN.inputs
    prior = Prior.of(inputs, {"yes": "1/10", "nö": "9/10"}, "X")
    yes = Property.of(inputs, ["yes"], "yes")
    family = PriorFamily((Constraint(((Fraction(2), yes),), "<", Fraction(1)),))
    knowing = Operator.from_matrix([["1/2", "1/2"], ["1/3", "2/3"]], inputs, name="Z")
    p = Parameter("p", Fraction(1, 2), Fraction(1))
    warner = Operator.from_matrix(
        [[p.symbol, 1 - p.symbol], [1 - p.symbol, p.symbol]], name="W", parameters=[p]
    )
    for high in (HIGH, Fraction(1, 5)):
        yield COIN, BreachClaim(LOW, high)
        yield COIN, BreachClaim(LOW, high, about=yes)
        yield COIN, BreachClaim(LOW, high, under=prior)
        yield COIN, BreachClaim(LOW, high, under=prior, about=yes)
        yield COIN, BreachClaim(LOW, high, under=family)
        yield COIN, BreachClaim(LOW, high, under=prior, knowing=knowing)
        yield COIN, BreachClaim(LOW, high, knowing=knowing)
        yield warner, BreachClaim(LOW, high)
    for bound in (Fraction(3), Fraction(1, 7)):
        yield COIN, BoundClaim("amplification", "<=", bound)
        yield COIN, BoundClaim("dependence", "<=", bound, prior)
        yield COIN, BoundClaim("worst_case_information", "<", bound, prior, "bit")
    yield warner, BoundClaim("amplification", "<=", Fraction(3))


def test_every_kind_fits_the_schema_and_is_canonical(tmp_path):
    seen = set()
    for number, (operator, claim) in enumerate(every_kind()):
        found = certify(operator, claim, provenance=PROVENANCE)
        path = found.write(tmp_path, f"c{number}")
        raw = path.read_bytes()
        document = json.loads(raw)
        validate(document, SCHEMA)
        assert raw.decode() == canonical(document) + "\n"
        assert document == found.to_json(f"c{number}")
        views = document["operator"]["views"]
        digest = hashlib.sha256(canonical(views).encode()).hexdigest()
        assert document["operator"]["views_sha256"] == digest == found.views_sha256
        whole = document.pop("sha256")
        assert whole == hashlib.sha256(canonical(document).encode()).hexdigest()
        assert document["claim"]["text"] == str(claim)
        for question in document["smt"]:
            text = (tmp_path / question["file"]).read_bytes()
            assert question["sha256"] == hashlib.sha256(text).hexdigest()
        seen.add((document["evidence"]["kind"], document["verdict"]))
    assert seen == {
        ("ratio", "certified"), ("ratio", "breached"),
        ("arithmetic", "certified"), ("arithmetic", "breached"),
        ("knapsack", "certified"), ("knapsack", "breached"),
        ("farkas", "certified"), ("witness", "breached"),
        ("enclosure", "certified"), ("enclosure", "breached"),
        ("region", "partly"),
    }  # fmt: skip


def test_the_schema_refuses():
    document = certify(COIN, BreachClaim(LOW, HIGH)).to_json()
    validate(document, SCHEMA)
    for key in document.keys() - {"vacuous"}:  # older certificates lack it
        broken = {k: v for k, v in document.items() if k != key}
        with pytest.raises(Invalid):
            validate(broken, SCHEMA)
    for change in ({"verdict": "unknown"}, {"extra": 1}, {"trust": "yes"}, {"thresholds": "1/2"}):
        with pytest.raises(Invalid):
            validate(document | change, SCHEMA)


def test_views_can_belong_to_an_operator():
    """The conditions of docs/certificate.md, on random claims."""
    for seed in range(120):
        case = random_case(seed)
        shown = certify(case.operator, case.claim).to_json()["operator"]
        assert shown["likelihoods"] == "probabilities"
        groups = {}
        for view in shown["views"]:
            assert sum(c["count"] for c in view["classes"]) == shown["inputs"]
            groups.setdefault(json.dumps(view.get("known")), []).append(view)
        for views in groups.values():
            assert sum(view["outputs"] for view in views) == shown["outputs"]
            mass = sum(
                view["outputs"] * c["count"] * Fraction(c["likelihood"])
                for view in views
                for c in view["classes"]
            )
            assert mass == shown["inputs"]


def test_a_file_is_all_or_nothing(tmp_path, monkeypatch):
    found = certify(COIN, BreachClaim(LOW, HIGH))
    first = found.write(tmp_path, "c")
    before = first.read_bytes()

    def fails(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(OSError, match="disk full"):
        found.write(tmp_path, "c")
    assert first.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["c.json"]


def test_names_of_files_are_plain(tmp_path):
    found = certify(COIN, BreachClaim(LOW, HIGH))
    assert found.write(tmp_path, "../../etc/x y").parent == tmp_path
    assert found.write(tmp_path, "...").name.startswith("certificate.")
    assert found.write(tmp_path, "R_3-1").name == "R_3-1.json"
    names = ["\u00e9-1", "\u00e8-1", "_-1", "operator1-1", "a b", "a_b", "a" * 200, "a" * 201, ""]
    written = {found.write(tmp_path, name).name for name in names}
    assert len(written) == len(names)
    assert {found.write(tmp_path, name.removesuffix(".json")).name for name in written} != written


VALUES = st.recursive(
    st.one_of(st.integers(-(10**16), 10**16), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple), st.frozensets(inner, max_size=3)
    ),
    max_leaves=5,
)


@settings(max_examples=cases(80, 300), derandomize=True, deadline=None, database=None)
@given(VALUES, VALUES)
def test_values_are_told_apart(first, second):
    assert (canonical(value_json(first)) == canonical(value_json(second))) == (first == second)


def test_integers_that_others_may_round_are_marked():
    assert [value_json(n) for n in (10**15, -(10**15))] == [10**15, -(10**15)]
    assert value_json(10**15 + 1) == {"int": "1000000000000001"}
    assert value_json(-(10**15) - 1) == {"int": "-1000000000000001"}


def test_very_long_numbers_have_a_spelling():
    huge = Fraction(1, 2**100_000)
    assert number_text(huge) == f"1/{hex(2**100_000)}"
    assert number_text(Fraction(-3, 7)) == "-3/7"


def test_the_audit_summary():
    found = certify(COIN, BreachClaim(LOW, HIGH)).summary("x.json")
    assert found["claim"] == {
        "text": "forbid breach 1/10 -> 1/2",
        "kind": "breach",
        "direction": "both",
        "rho1": "1/10",
        "rho2": "1/2",
        "under": "all priors",
        "for": None,
        "knowing": None,
    }
    assert found["verdict"] == "certified"
    assert found["trust"] == "re-checked exactly"
    assert found["file"] == "x.json"
    assert found["thresholds"] == {"rho2_above": "1/4", "rho1_below": "1/4"}
    assert found["witness"] is None
    breached = certify(COIN, BreachClaim(Fraction(1, 4), HIGH)).summary()["witness"]
    assert breached["prior"] == {"yes": "1/4", "nö": "3/4"}
    assert breached["property"] == ["yes"]
    assert (breached["output"], breached["before"], breached["after"]) == ("(a, 1)", "1/4", "1/2")


def test_large_witnesses_are_shown_by_class():
    domain = Domain(range(200))
    operator = randomized_response(200, "1/2", name="G")
    found = certify(operator, BreachClaim(LOW, Fraction(1, 5), under=Prior.uniform(domain, "U")))
    assert found.verdict is Verdict.BREACHED
    classes = found.summary()["witness"]["classes"]
    assert sum(int(c["inputs"]) for c in classes) == 200
    assert sum(Fraction(c["mass_inside"]) + Fraction(c["mass_outside"]) for c in classes) == 1


def test_a_likelihood_up_to_a_factor_is_said_to_be_relative():
    views = COIN.views()
    claim = BreachClaim(LOW, HIGH)
    # The views themselves say so: likelihoods alone do not tell a factor from a probability.
    doubled = [
        replace(
            view,
            kind=ViewKind.RELATIVE,
            classes=tuple(replace(c, likelihood=2 * c.likelihood) for c in view.classes),
        )
        for view in views
    ]
    assert operator_json(COIN, claim, views)["likelihoods"] == "probabilities"
    assert operator_json(COIN, claim, doubled)["likelihoods"] == "relative"


def test_a_label_and_the_number_that_it_looks_like_stay_apart():
    inputs = [1, "1", (1, 2), "(1, 2)", "-3", "a, b", "plain", "18-24"]
    rows = [["9/10", "1/10"]] * 2 + [["1/10", "9/10"]] * 6
    operator = Operator.from_matrix(rows, inputs, [0, 1], "R")
    prior = Prior.uniform(operator.inputs, "U")
    found = certify(operator, BreachClaim(Fraction(1, 4), HIGH, under=prior))
    shown = found.summary()["witness"]
    assert sum(map(Fraction, shown["prior"].values())) == 1
    assert set(shown["prior"]) == {
        "1", '"1"', "(1, 2)", '"(1, 2)"', '"-3"', '"a, b"', "plain", "18-24",
    }  # fmt: skip
    assert set(shown["property"]) == {"1", '"1"'}


def test_a_witness_with_other_numbers_is_refused():
    claim = BreachClaim(Fraction(1, 4), HIGH)
    found = certify(COIN, claim)
    view = found.views[found.witness.view]
    replay(COIN, claim, view, found.witness)
    for change in ({"before": Fraction(1, 5)}, {"after": Fraction(3, 5)}):
        with pytest.raises(FalseWitness):
            replay(COIN, claim, view, replace(found.witness, **change))

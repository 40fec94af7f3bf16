"""Bounds on measures that a certificate defines by a formula: the checker evaluates it itself."""

from __future__ import annotations

import math
import random
from fractions import Fraction as F
from typing import Any

import pytest
from certificate_builder import bound, certificate, seal, views_of
from hypothesis import given, settings
from hypothesis import strategies as st
from test_handwritten import HALF, SURVEY, WARNER, X
from test_mutations import row

from ppdm_formal.checker import check_certificate
from ppdm_formal.checker.claim import BoundClaim, read_claim
from ppdm_formal.checker.formula import formula_value
from ppdm_formal.checker.view import read_described
from ppdm_formal.checker.views import read_views

RATIO = ["/", "likelihood", "evidence"]
MUTUAL = {"over": "sum", "of": ["sum", ["*", "prior", "likelihood", ["log", RATIO]]]}
WORST = {
    "over": "max",
    "of": ["sum", ["*", ["/", ["*", "prior", "likelihood"], "evidence"], ["log", RATIO]]],
}
EPSILON = {"over": "max", "of": ["log", ["/", ["max", "likelihood"], ["min", "likelihood"]]]}
DEPENDENCE = {"over": "max", "of": ["max", ["abs", ["log", RATIO]]]}
VULNERABILITY = {"over": "sum", "of": ["max", ["*", "prior", "likelihood"]]}


def built(
    matrix: Any, tree: Any, relation: str, limit: F, verdict: str, prior: Any = None,
    unit: str | None = None, view: int = 0, **changes: Any,
) -> dict[str, Any]:  # fmt: skip
    views = views_of(matrix, prior)
    claim = bound("novel", relation, limit, None if prior is None else "X", unit)
    claim["formula"] = tree
    witness = {"view": view, "output": views[view]["output"]} if verdict == "breached" else None
    return certificate(views, claim, verdict, {"kind": "formula"}, witness, **changes)


TRUE = [
    (WARNER, VULNERABILITY, "<=", F(3, 4), "certified", [HALF, HALF], None),
    (WARNER, VULNERABILITY, "<", F(3, 4), "breached", [HALF, HALF], None),
    (WARNER, EPSILON, "<", F(11, 10), "certified", None, "nat"),  # ln 3 = 1.0986...
    (WARNER, EPSILON, "<=", F(109, 100), "breached", None, "nat"),
    ([[F(1), F(0)], [F(0), F(1)]], MUTUAL, "<=", F(1), "certified", [HALF, HALF], "bit"),
    ([[F(1), F(0)], [F(0), F(1)]], MUTUAL, "<", F(1), "breached", [HALF, HALF], "bit"),
    ([[F(1), F(0)], [F(0), F(1)]], MUTUAL, "<", F(7, 10), "certified", [HALF, HALF], "nat"),
    ([[F(1), F(0)], [F(0), F(1)]], EPSILON, "<", F(10**9), "breached", None, "nat"),  # infinite
    (SURVEY, DEPENDENCE, "<=", F(1, 2), "certified", X, "nat"),
    (SURVEY, WORST, "<=", F(1, 10), "certified", X, "bit"),
]  # fmt: skip


@pytest.mark.parametrize(("matrix", "tree", "relation", "limit", "verdict", "prior", "unit"), TRUE)
def test_a_formula_is_evaluated(matrix, tree, relation, limit, verdict, prior, unit):
    good = built(matrix, tree, relation, limit, verdict, prior, unit)
    result = check_certificate(good)
    assert result.status == "accepted", result.reason
    assert "over outputs of" in result.formula
    other = "breached" if verdict == "certified" else "certified"
    assert not check_certificate(built(matrix, tree, relation, limit, other, prior, unit)).accepted


def value(matrix: Any, prior: Any, tree: Any, unit: str | None) -> tuple[float, float]:
    document = built(matrix, tree, "<=", F(1), "certified", prior, unit)
    claim = read_claim(document["claim"])
    assert isinstance(claim, BoundClaim)
    views = read_views(read_described(document["operator"]), claim)
    low, high = formula_value(views, claim, 128)
    return float(low), float(high)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["bit", "nat"]))
def test_it_is_what_floating_point_says(seed, unit):
    chance = random.Random(seed)
    matrix = [row(chance, 3) for _ in range(chance.randint(1, 4))]
    prior = row(chance, len(matrix))
    base = math.log(2) if unit == "bit" else 1.0
    mutual = vulnerability = 0.0
    worst = -1.0
    for y in range(3):
        seen = float(sum(p * r[y] for p, r in zip(prior, matrix, strict=True)))
        if not seen:
            continue
        ratios = [(float(p), float(r[y]) / seen) for p, r in zip(prior, matrix, strict=True)]
        here = sum(p * f * math.log(f) / base for p, f in ratios if p and f)
        mutual, worst = mutual + seen * here, max(worst, here)
        vulnerability += max(p * f * seen for p, f in ratios)
    for tree, expected in ((MUTUAL, mutual), (WORST, worst), (VULNERABILITY, vulnerability)):
        low, high = value(matrix, prior, tree, unit)
        assert low - 1e-9 <= expected <= high + 1e-9


BAD = [
    ({"over": "min", "of": "1"}, "over"),
    ({"over": "max", "of": "likelihood"}, "of a class"),
    ({"over": "max", "of": ["sum", "prior"]}, "without a prior"),
    ({"over": "max", "of": ["sum", "evidence"]}, "without a prior"),
    ({"over": "max", "of": ["exp", "1"]}, "parts"),
    ({"over": "max", "of": ["-", "1"]}, "parts"),
    ({"over": "max", "of": ["+"]}, "parts"),
    ({"over": "max", "of": []}, "operation"),
    ({"over": "max", "of": [["+"], "1"]}, "operation"),
    ({"over": "max", "of": 1}, "list"),
    ({"over": "max", "of": "0.5"}, "number"),
    ({"over": "max", "of": None}, "list"),
    ({"over": "max", "of": ["log", "-1"]}, "negative"),
    ({"over": "max", "of": ["/", "0", "0"]}, "0 divided by 0"),
    ({"over": "max", "of": ["-", ["/", "1", "0"], ["/", "1", "0"]]}, "infinity"),
    ({"over": "max", "of": ["/", "1", ["-", ["log", "2"], ["log", "2"]]]}, "may be 0"),
    ({"over": "max"}, "missing"),
    ([], "not an object"),
]  # fmt: skip


@pytest.mark.parametrize(("tree", "why"), BAD)
def test_a_bad_formula_is_rejected(tree, why):
    result = check_certificate(built(WARNER, tree, "<=", F(5), "certified"))
    assert result.status == "rejected"
    assert why in result.reason


def test_known_measures_have_no_formula_and_others_have_one():
    good = built(WARNER, EPSILON, "<", F(11, 10), "certified", None, "nat")
    for name in ("amplification", "dependence", "worst_case_information"):
        claim = {
            **good["claim"],
            "measure": name,
            "text": good["claim"]["text"].replace("novel", name),
        }
        assert "no formula" in check_certificate(seal({**good, "claim": claim})).reason
    claim = {key: thing for key, thing in good["claim"].items() if key != "formula"}
    assert "unknown measure" in check_certificate(seal({**good, "claim": claim})).reason
    for name in ("Novel", "no vel", "", "novel<b>"):
        claim = {**good["claim"], "measure": name}
        assert not check_certificate(seal({**good, "claim": claim})).accepted
    for unit in ("byte", 1, True, ["bit"]):
        claim = {**good["claim"], "unit": unit}
        assert not check_certificate(seal({**good, "claim": claim})).accepted


def test_relative_likelihoods_only_where_no_factor_and_no_count_matters():
    relative = {"likelihoods": "relative"}
    good = built(WARNER, EPSILON, "<", F(11, 10), "certified", None, "nat", operator=relative)
    assert check_certificate(good).accepted
    for of in (["max", "likelihood"], ["sum", ["/", "likelihood", "likelihood"]],
               ["max", ["+", "likelihood", "1"]], ["log", ["max", "likelihood"]]):  # fmt: skip
        lie = built(WARNER, {"over": "max", "of": of}, "<", F(10), "certified", operator=relative)
        assert "relative" in check_certificate(lie).reason
    total = {"over": "sum", "of": EPSILON["of"]}
    lie = built(WARNER, total, "<", F(10), "certified", None, "nat", operator=relative)
    assert "relative" in check_certificate(lie).reason


def test_the_witness_must_break_it():
    rows = [[F(1, 2), F(1, 4), F(1, 4)], [F(1, 2), F(1, 8), F(3, 8)]]
    good = built(rows, EPSILON, "<", F(1, 2), "breached", None, "nat", view=1)
    assert check_certificate(good).accepted
    for view in (0, 3, -1, None):
        lie = {**good, "witness": {**good["witness"], "view": view}}
        assert not check_certificate(seal(lie)).accepted
    assert not check_certificate(seal({**good, "witness": {}})).accepted

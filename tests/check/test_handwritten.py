"""Certificates written by hand from docs/certificate.md are accepted; lies are not."""

from __future__ import annotations

import copy
from fractions import Fraction as F
from typing import Any

import pytest
from certificate_builder import as_file, bound, breach, certificate, digest, seal, views_of

from ppdm_formal.checker import check_certificate

WARNER = [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]]
SURVEY = [[F(1, 2), F(1, 2)], [F(1, 3), F(2, 3)], [F(1, 4), F(3, 4)]]
UNREACHED = [[F(3, 4), F(1, 4), F(0)], [F(1, 4), F(3, 4), F(0)]]
X = [F(1, 2), F(1, 4), F(1, 4)]
HALF = F(1, 2)
RATIO = {"kind": "ratio"}
SOLVER = {"kind": "solver", "questions": [0]}


def part(c: int, inside: int, u: str, w: str) -> dict[str, Any]:
    return {"class": c, "inside": inside, "mass_inside": u, "mass_outside": w}


def all_priors() -> dict[str, Any]:
    # amplification 3 < 9 = (1/2 * 9/10) / (1/10 * 1/2)
    limits = {"rho2_above": "1/4", "rho1_below": "1/4"}
    return certificate(views_of(WARNER), breach(F(1, 10), HALF), "certified", RATIO, None, limits)


def at_the_boundary() -> dict[str, Any]:
    # 1/4 -> 1/2 is exactly amplification 3: breached, by the two-point prior
    witness = {
        "direction": "upward", "view": 0, "output": 0, "before": "1/4", "after": "1/2",
        "classes": [part(0, 1, "1/4", "0"), part(1, 0, "0", "3/4")],
    }  # fmt: skip
    limits = {"rho2_above": "1/2", "rho1_below": "1/4"}
    claim = breach(F(1, 4), HALF, "upward")
    return certificate(views_of(WARNER), claim, "breached", RATIO, witness, limits)


def no_threshold() -> dict[str, Any]:
    views = views_of([[F(1), F(0)], [F(0), F(1)]])
    witness = {
        "direction": "downward", "view": 0, "output": 0, "before": "1/2", "after": "0",
        "classes": [part(0, 0, "0", "1/2"), part(1, 1, "1/2", "0")],
    }  # fmt: skip
    limits = {"rho2_above": None, "rho1_below": None}
    return certificate(views, breach(F(1, 10), HALF), "breached", RATIO, witness, limits)


def one_property() -> dict[str, Any]:
    # Q = {low}: L = 1/2, l = 1/4 on y = a; downward of Q on b: L = 3/4, l = 1/2
    views = views_of(SURVEY, None, [[True, False, False]])
    claim = breach(F(1, 10), HALF, "upward", properties=["low"], about=0)
    limits = {"rho2_above": "2/11", "rho1_below": "1/3"}
    return certificate(views, claim, "certified", RATIO, None, limits)


def amplification() -> dict[str, Any]:
    return certificate(views_of(UNREACHED), bound("amplification", "<=", F(3)), "certified", RATIO)


def amplification_broken() -> dict[str, Any]:
    witness = {"view": 0, "output": 0, "likely": 0, "unlikely": 1, "value": "3"}
    claim = bound("amplification", "<", F(3))
    return certificate(views_of(WARNER), claim, "breached", RATIO, witness)


def one_prior_one_property() -> dict[str, Any]:
    # low has prior 1/2; after a: 1/4 / (1/4 + 1/12 + 1/16) = 12/19, after b: 1/4 / (29/48) = 12/29
    views = views_of(SURVEY, X, [[True, False, False]])
    claim = breach(HALF, F(2, 3), "upward", {"prior": "X"}, ["low"], 0)
    limits = {"rho2_above": "12/19", "rho1_below": "2/3"}
    return certificate(views, claim, "certified", {"kind": "arithmetic"}, None, limits)


def every_property() -> dict[str, Any]:
    # Warner under (1/4, 3/4): A(1/4) is 1/2 (y = 0), B(1/2) is 1/4 (y = 0), nothing else fits.
    views = views_of(WARNER, [F(1, 4), F(3, 4)])
    claim = breach(F(1, 4), F(2, 3), "upward", {"prior": "X"})
    above = {
        "at_least": "1/2", "view": 0, "inside": [[0, 1]], "at_most": "1/2",
        "trees": [{"class": 1, "at": 0, "below": "0", "above": "over"},
                  {"class": 1, "at": 0, "below": "0", "above": "over"}],
    }  # fmt: skip
    # B(1/3): after at most 1/3. y = 0: after is 1/2 each: nothing. y = 1: input 0 has 1/10: 1/4.
    below = {
        "at_least": "1/4", "view": 1, "inside": [[0, 1]], "at_most": "1/4",
        "trees": [{"class": 1, "at": 0, "below": "0", "above": "over"},
                  {"class": 1, "at": 0, "below": "0", "above": "over"}],
    }  # fmt: skip
    evidence = {"kind": "knapsack", "upward": {"rho2_above": above, "rho1_below": below}}
    limits = {"rho2_above": "1/2", "rho1_below": "2/3"}
    return certificate(views, claim, "certified", evidence, None, limits)


def family() -> dict[str, Any]:
    # mass(low) <= 1/10 and Q = low: upward 1/10 -> 1/2 fails on both views.
    views = views_of(SURVEY, None, [[True, False, False]])
    under = {"constraints": [{"terms": [["1", 0]], "relation": "<=", "bound": "1/10"}]}
    claim = breach(F(1, 10), HALF, "upward", under, ["low"], 0)
    # rows: sum - 1; a(u + w) - u; l(u - b(u + w)); l(u + w) > 0; 1/10 - u
    # view a: u: y1(-9/10) + y2/4 + y4(-1) + y0 <= 0; w(1/4): y0 + y1/10 - y2/8 <= 0
    evidence = {
        "kind": "farkas",
        "prior": ["1/10", "9/10", "0"],
        "upward": [["1", "10", "16", "0", "0"], ["1", "10", "8", "0", "0"]],
    }
    return certificate(views, claim, "certified", evidence)


def split_family() -> dict[str, Any]:
    # mass(yes) == 1/2: with half of "yes" in Q there would be a breach 3/8 -> 1/2, but one input
    # is in Q or not.
    views = views_of(WARNER, None, [[True, False]])
    under = {"constraints": [{"terms": [["1", 0]], "relation": "==", "bound": "1/2"}]}
    claim = breach(F(3, 8), HALF, "upward", under, ["yes"])
    too_much = ["-3/8", "1", "0", "0", "1"]
    split = {
        "class": 1,
        "inside": ["5/8", "1", "0", "0", "-1"],
        "outside": ["1/8", "0", "1", "0", "0"],
    }
    trees = [
        {"class": 0, "inside": too_much, "outside": ["-1", "0", "8", "0", "4"]},
        {"class": 0, "inside": too_much, "outside": split},
    ]
    evidence = {"kind": "farkas", "prior": ["1/2", "1/2"], "upward": trees}
    return certificate(views, claim, "certified", evidence)


def family_broken() -> dict[str, Any]:
    views = views_of(WARNER, None, [[True, False]])
    under = {"constraints": [{"terms": [["1", 0]], "relation": ">=", "bound": "1/5"}]}
    claim = breach(F(1, 4), HALF, "both", under, ["yes"])
    witness = {
        "direction": "upward", "view": 0, "output": 0, "before": "1/4", "after": "1/2",
        "classes": [part(0, 1, "1/4", "0"), part(1, 0, "0", "3/4")],
    }  # fmt: skip
    return certificate(views, claim, "breached", {"kind": "witness"}, witness)


def knowing() -> dict[str, Any]:
    # Z tells whether x is low; under all priors that never helps.
    views = views_of(SURVEY, None, (), [[F(1), F(0)], [F(0), F(1)], [F(0), F(1)]])
    # left: {low} alone, and {mid, high}: 1/3 against 1/4, 3/4 against 2/3
    limits = {"rho2_above": "4/31", "rho1_below": "3/7"}
    return certificate(views, breach(F(1, 10), HALF, knowing="Z"), "certified", RATIO, None, limits)


def information() -> dict[str, Any]:
    # a sure output tells one bit of a fair coin
    views = views_of([[F(1), F(0)], [F(0), F(1)]], [HALF, HALF])
    evidence = {"kind": "enclosure", "digits": 15, "equal": [0]}
    claim = bound("worst_case_information", "<=", F(1), "X", "bit")
    return certificate(views, claim, "certified", evidence)


def information_broken() -> dict[str, Any]:
    views = views_of([[F(1), F(0)], [F(0), F(1)]], [HALF, HALF])
    claim = bound("worst_case_information", "<", F(69, 100), "X", "nat")  # ln 2 = 0.6931...
    evidence = {"kind": "enclosure", "digits": 15, "equal": []}
    return certificate(views, claim, "breached", evidence, {"view": 0, "output": 0})


def dependence() -> dict[str, Any]:
    # f = 3/2 and 1/2: the greatest |ln f| is ln 2 = 0.69314...
    views = views_of(WARNER, [HALF, HALF])
    evidence = {"kind": "enclosure", "digits": 6, "equal": []}
    return certificate(
        views, bound("dependence", "<=", F(69315, 10**5), "X"), "certified", evidence
    )


def several_parameters() -> dict[str, Any]:
    views = [{
        "classes": [{"likelihood": form, "count": 1, "example": x}
                    for x, form in enumerate(forms)],
        "outputs": 1, "output": y,
    } for y, forms in enumerate([["p", "q^2/1"], ["1 - p", "(1 - q)*(1 + q)"]])]  # fmt: skip
    instance = copy.deepcopy(views[0])
    instance["classes"][0]["likelihood"], instance["classes"][1]["likelihood"] = "9/10", "1/100"
    witness = {
        "direction": "upward", "view": 0, "output": 0, "before": "1/10", "after": "10/11",
        "classes": [part(0, 1, "1/10", "0"), part(1, 0, "0", "9/10")],
        "parameters": {"p": "9/10", "q": "1/10"}, "instance": instance,
    }  # fmt: skip
    free = [{"name": "p", "interval": "(0, 1)"}, {"name": "q", "interval": "[0, 1/2]"}]
    evidence = {"kind": "witness"}
    return certificate(
        views, breach(F(1, 10), HALF), "breached", evidence, witness, operator={"parameters": free}
    )


BUILDERS = [
    all_priors, at_the_boundary, no_threshold, one_property, amplification, amplification_broken,
    one_prior_one_property, every_property, family, split_family, family_broken, knowing,
    information, information_broken, dependence, several_parameters,
]  # fmt: skip


@pytest.mark.parametrize("build", BUILDERS)
def test_a_true_certificate_is_accepted(build):
    built = build()
    result = check_certificate(as_file(built), views=built["operator"]["views"])
    assert (result.status, result.reason) == ("accepted", "re-checked exactly")
    assert result.claim == built["claim"]["text"]
    assert check_certificate(built, views=built["operator"]).accepted


@pytest.mark.parametrize("build", BUILDERS)
def test_the_opposite_verdict_is_rejected(build):
    built = build()
    built["verdict"] = "breached" if built["verdict"] == "certified" else "certified"
    assert check_certificate(seal(built)).status == "rejected"
    built["witness"] = None if built["verdict"] == "certified" else {"view": 0, "output": 0}
    assert check_certificate(seal(built)).status == "rejected"


def warner_region() -> dict[str, Any]:
    """Warner with free p: holds exactly for p < 9/10."""
    views = [{
        "classes": [{"likelihood": "p", "count": 1, "example": 0},
                    {"likelihood": "1 - p", "count": 1, "example": 1}],
        "outputs": 2, "output": 0,
    }]  # fmt: skip
    instance = copy.deepcopy(views[0])
    instance["classes"][0]["likelihood"], instance["classes"][1]["likelihood"] = "9/10", "1/10"
    witness = {
        "direction": "upward", "view": 0, "output": 0, "before": "1/10", "after": "1/2",
        "classes": [part(0, 1, "1/10", "0"), part(1, 0, "0", "9/10")],
        "parameters": {"p": "9/10"}, "instance": instance,
    }  # fmt: skip
    holds = [{"from": "1/2", "from_included": False, "to": "9/10", "to_included": False}]
    region = {"parameter": "p", "declared": "(1/2, 1)", "holds": holds, "text": "p < 9/10"}
    evidence = {"kind": "region", "cuts": ["9/10"]}
    free = [{"name": "p", "interval": "(1/2, 1)"}]
    return certificate(
        views, breach(F(1, 10), HALF), "partly", evidence, witness,
        region=region, operator={"parameters": free},
    )  # fmt: skip


def warner_region_by_solver() -> dict[str, Any]:
    """The same as it was written before cuts: a solver's word."""
    question = {"file": "q.smt2", "sha256": "0" * 64, "solver": "z3 4", "answer": "unsat"}
    evidence = {"kind": "region", "questions": [0]}
    changes = {"evidence": evidence, "smt": [question], "trust": "solver-trusted (z3 4)"}
    return seal({**warner_region(), **changes})


def two_parameters() -> dict[str, Any]:
    """(1 + p)/3 against (1 + q)/3, at most twice as likely: held by boxes, and by no one box."""
    forms = [["(1 + p)/3", "(1 + q)/3"], ["(2 - p)/3", "(2 - q)/3"]]
    views = [{
        "classes": [{"likelihood": form, "count": 1, "example": x} for x, form in enumerate(row)],
        "outputs": 1, "output": y,
    } for y, row in enumerate(forms)]  # fmt: skip
    free = [{"name": "p", "interval": "[0, 1]"}, {"name": "q", "interval": "[0, 1]"}]
    evidence = {"kind": "boxes", "above": [[0, 1]] * 2, "below": [[0, 1]] * 2, "boxes": None}
    claim = bound("amplification", "<=", F(2))
    return certificate(views, claim, "certified", evidence, operator={"parameters": free})


def test_free_parameters_are_verified_exactly():
    built = warner_region()
    result = check_certificate(built)
    assert (result.status, result.reason) == ("accepted", "re-checked exactly")
    assert result.where == "it holds exactly for p < 9/10 (declared (1/2, 1))"
    several = check_certificate(two_parameters())
    assert (several.status, several.reason) == ("accepted", "re-checked exactly")
    assert several.where == "for every p in [0, 1], q in [0, 1]"
    assert check_certificate(several_parameters()).where == "it fails at p = 9/10, q = 1/10"


def test_ends_that_do_not_belong_need_not_hold():
    """(1 + p)/(1 + q) < 2 fails at p = 1, q = 0 alone, and at p = 0, q = 1."""
    built = change(two_parameters(), "claim", bound("amplification", "<", F(2)))
    assert not check_certificate(built).accepted
    for p, q in (("(0, 1)", "[0, 1]"), ("[0, 1]", "(0, 1)"), ("(0, 1]", "(0, 1]")):
        for place, interval in enumerate((p, q)):
            built = change(built, f"operator.parameters.{place}.interval", interval)
        assert check_certificate(built).accepted, (p, q)
    built = change(built, "operator.parameters.1.interval", "[0, 1]")
    assert not check_certificate(built).accepted


def test_solver_trusted_needs_permission():
    built = warner_region_by_solver()
    result = check_certificate(built)
    assert (result.status, result.reason) == ("solver-trusted", "solver-trusted (z3 4)")
    assert not result.accepted
    assert check_certificate(built, allow_solver_trusted=True).accepted
    with pytest.raises(TypeError):
        bool(result)


def by_solver(built: dict[str, Any]) -> dict[str, Any]:
    """The same claim, resting on a solver's word alone."""
    question = {"file": "q.smt2", "sha256": "0" * 64, "solver": "z3 4", "answer": "unsat"}
    changes = {"evidence": SOLVER, "smt": [question], "trust": "solver-trusted (z3 4)"}
    return seal({**built, **changes, "thresholds": None, "verdict": "certified", "witness": None})


def test_no_solver_is_trusted_where_arithmetic_decides():
    for build in (every_property, family):
        assert check_certificate(by_solver(build())).status == "solver-trusted"
    # A lie is found out where a few priors show it, whatever the solver is said to have said.
    lie = check_certificate(by_solver(family_broken()), allow_solver_trusted=True)
    assert lie.reason == "the claim is broken, whatever a solver says"
    for build in (all_priors, at_the_boundary, one_property, one_prior_one_property, amplification,
                  dependence, knowing):  # fmt: skip
        result = check_certificate(by_solver(build()), allow_solver_trusted=True)
        assert result.status == "rejected"
        assert "the evidence of such a claim is" in result.reason


def change(built: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The certificate with one place changed, sealed again."""
    found = copy.deepcopy(built)
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place: Any = found
    for step in steps:
        place = place[step]
    place[last] = value
    return seal(found)


ELSEWHERE = {"file": "../q", "sha256": "0" * 64, "solver": "z", "answer": "sat"}
NOT_ADMITTED = [part(0, 1, "1/6", "0"), part(1, 0, "0", "5/6")]
LIES = [
    # the text says another claim than the structure
    (all_priors, "claim.text", "forbid breach 1/10 -> 2/5", "text"),
    (all_priors, "claim.rho2", "1/3", "text"),
    (all_priors, "claim.direction", "upward", "text"),
    (one_property, "claim.for", None, "text"),
    (one_property, "claim.properties", ["high"], "text"),
    (one_prior_one_property, "claim.under", {"prior": "all priors"}, "not allowed"),
    (one_prior_one_property, "claim.under", {"prior": "X for low"}, "not allowed"),
    (one_prior_one_property, "claim.under", {"prior": "X\u202e"}, "printable"),
    (family, "claim.under.constraints.0.bound", "1/5", "text"),
    (family, "claim.under.constraints.0.terms.0.1", 1, "position"),
    (information, "claim.unit", "nat", "text"),
    (information, "claim.prior", None, "prior"),
    (amplification, "claim.unit", "", "unit"),
    (amplification, "claim.unit", 0, "unit"),
    (amplification, "claim.prior", "X", "prior"),
    (all_priors, "claim.rho1", "1/2", "rho1 < rho2"),
    # thresholds
    (all_priors, "thresholds", None, "thresholds"),
    (all_priors, "thresholds.rho2_above", "1/5", "thresholds"),
    (all_priors, "thresholds.rho2_above", {"lo": "1/4", "hi": "1/4"}, "thresholds"),
    (all_priors, "thresholds.rho1_below", None, "thresholds"),
    (family, "thresholds", {"rho2_above": "1/2", "rho1_below": "1/2"}, "thresholds"),
    # evidence of another kind, or none
    (all_priors, "evidence", {"kind": "arithmetic"}, "evidence"),
    (all_priors, "evidence", {}, "evidence"),
    (all_priors, "evidence", [], "evidence"),
    (all_priors, "evidence", {"kind": "witness"}, "do not say"),
    (all_priors, "evidence", SOLVER, "position"),
    (family, "evidence.prior", ["1/5", "4/5", "0"], "not of the family"),
    (family, "evidence.prior", ["-1/10", "11/10", "0"], "not of the family"),
    (family, "evidence.prior", ["1/10", "4/5", "0"], "not of the family"),
    (family, "evidence.prior", ["1/10", "9/10"], "list of 3"),
    (family, "evidence.upward", [], "list of 2"),
    (family, "evidence.upward.0", [], "list of 5"),
    (family, "evidence.upward.0", ["0"] * 5, "contradiction"),
    (family, "evidence.upward.1", ["1", "10", "16", "0", "-1"], "negative"),
    (split_family, "evidence.upward.0", ["-3/8", "1", "0", "0", "1"], "positive coefficient"),
    (split_family, "evidence.upward.0", ["-1", "0", "8", "0", "4"], "positive coefficient"),
    (split_family, "evidence.upward.0.class", 1, "coefficient"),
    (split_family, "evidence.upward.0.class", 2, "position"),
    (split_family, "evidence.upward.1.outside.class", 0, "split"),
    (split_family, "evidence.upward.0.outside", "over", "list"),
    (every_property, "evidence.upward.rho2_above.trees", [], "list of 2"),
    (every_property, "evidence.upward.rho2_above.trees.0", None, "null"),
    (every_property, "evidence.upward.rho2_above.trees.0", "over", "not over"),
    (every_property, "evidence.upward.rho2_above.trees.0.below", "-1", "negative"),
    (every_property, "evidence.upward.rho2_above.trees.0.at", 1, "branch"),
    (every_property, "evidence.upward.rho2_above.at_most", "2/5", "at_most"),
    (every_property, "evidence.upward.rho2_above.at_most", "3/5", "thresholds"),
    (every_property, "evidence.upward.rho2_above.at_most", "3/4", "open"),
    (every_property, "evidence.upward.rho2_above.at_least", "0", "attain"),
    (every_property, "evidence.upward.rho2_above.inside", [[1, 1]], "admitted"),
    (every_property, "evidence.upward.rho2_above.inside", [[0, 1], [0, 1]], "order"),
    (every_property, "evidence.downward", {}, "unknown"),
    (information, "evidence.equal", [], "equal"),
    (information, "evidence.digits", 0, "digits"),
    (information, "evidence.digits", 10**6, "digits"),
    # witnesses
    (at_the_boundary, "witness", None, "witness"),
    (all_priors, "witness", {}, "witness"),
    (at_the_boundary, "witness.direction", "downward", "direction"),
    (at_the_boundary, "witness.view", 1, "position"),
    (at_the_boundary, "witness.output", 1, "output"),
    (at_the_boundary, "witness.before", "1/5", "before"),
    (at_the_boundary, "witness.classes.0.inside", 2, "too large"),
    (at_the_boundary, "witness.classes.0.inside", 0, "no input"),
    (at_the_boundary, "witness.classes.1.mass_outside", "1/2", "sum to 1"),
    (family_broken, "witness.classes", NOT_ADMITTED, "admitted"),
    (amplification_broken, "witness.value", "4", "ratio"),
    (amplification_broken, "witness.likely", 1, "ratio"),
    (several_parameters, "witness.parameters.p", "8/9", ""),
    (several_parameters, "witness.parameters.q", "2/3", "range"),
    (several_parameters, "witness.instance.classes.0.likelihood", "8/9", "instance"),
    (several_parameters, "operator.views.0.classes.0.likelihood", "2*p", ""),
    # views that belong to no operator
    (all_priors, "operator.views.0.classes.0.likelihood", "1/2", "sum to 1"),
    (all_priors, "operator.views.0.classes.0.likelihood", "5/4", "likelihood"),
    (all_priors, "operator.views.0.classes.0.likelihood", "-1/4", "likelihood"),
    (all_priors, "operator.views.0.classes.0.likelihood", "0.75", "not a number"),
    (all_priors, "operator.views.0.classes.0.likelihood", "6/8", "canonical"),
    (all_priors, "operator.views.0.classes.0.likelihood", 1, "text"),
    (all_priors, "operator.views.0.classes.0.count", "1", "count"),
    (all_priors, "operator.views.0.classes.0.count", 0, "without inputs"),
    (all_priors, "operator.views.0.classes.0.count", True, "text"),
    (all_priors, "operator.views.0.classes.1.example", 0, "example"),
    (all_priors, "operator.views.0.outputs", 3, "outputs"),
    (all_priors, "operator.views", [], "views"),
    (all_priors, "operator.inputs", 3, "inputs"),
    (amplification, "operator.views.1.output", 0, "twice"),
    (one_prior_one_property, "operator.views.0.classes.0.prior", "1/4", "prior"),
    (one_prior_one_property, "operator.views.0.classes.0.member", [False], "kind"),
    (one_prior_one_property, "operator.views.0.classes.0.member", [1], "membership"),
    (one_prior_one_property, "operator.views.0.classes.0.member", [], "membership"),
    (knowing, "operator.views.0.classes.0.knowledge", "1/2", ""),
    (one_prior_one_property, "operator.likelihoods", "relative", "relative"),
    (every_property, "operator.likelihoods", "relative", "relative"),
    (one_property, "operator.likelihoods", "relative", "relative"),
    (knowing, "operator.likelihoods", "relative", "relative"),
    (information, "operator.likelihoods", "relative", "relative"),
    # trust and the rest
    (all_priors, "trust", "solver-trusted (z3 4)", "re-checked exactly"),
    (all_priors, "region", {}, "region"),
    (all_priors, "format", "ppdm-certificate/3", "unknown format"),
    (all_priors, "format", "ppdm-certificate/1", "older format: audit the model again"),
    (all_priors, "format", "ppdm-continuous/1", "older format: audit the model again"),
    (all_priors, "format", "ppdm-parts/1", "older format: audit the model again"),
    (all_priors, "operator.kind", "sets", "operator"),
    (all_priors, "operator.kind", "rounded", "operator"),
    (all_priors, "operator.kind", "additive", "operator"),
    (all_priors, "operator.kind", "parts", "claim"),
    (all_priors, "operator.kind", "none", "unknown kind"),
    (all_priors, "operator.kind", None, "unknown kind"),
    (all_priors, "operator", [], "operator is not an object"),
    (all_priors, "versions", {}, "versions"),
    (all_priors, "verdict", "unknown", "verdict"),
    (all_priors, "model", {"file": "m"}, "model"),
    (all_priors, "smt", [ELSEWHERE], "name"),
    # a solver's word
    (warner_region_by_solver, "trust", "re-checked exactly", "solver-trusted"),
    (warner_region_by_solver, "trust", "solver-trusted (cvc5 1)", "solver-trusted"),
    (warner_region_by_solver, "smt.0.answer", "unknown", "unsat"),
    (warner_region_by_solver, "evidence.questions", [], "question"),
    (warner_region_by_solver, "evidence.questions", [True], "position"),
    # free parameters
    (warner_region, "trust", "solver-trusted (z3 4)", "re-checked exactly"),
    (warner_region, "evidence.cuts", [], "no cut"),
    (warner_region, "evidence.cuts", ["9/10", "9/10"], "disorder"),
    (warner_region, "evidence.cuts", ["9/10", "3/4"], "disorder"),
    (warner_region, "evidence.cuts", ["1/4", "9/10"], "disorder"),
    (warner_region, "evidence.questions", [0], "evidence"),
    (warner_region, "operator.views.0.classes.1.likelihood", "1 - p^2", ""),
    (warner_region, "operator.views.0.classes.1.likelihood", "1 - p + (p - p)/(p - 3/5)", ""),
    (two_parameters, "claim", bound("amplification", "<", F(2)), "box"),
    (two_parameters, "claim", bound("amplification", "<=", F(199, 100)), "box"),
    (two_parameters, "operator.parameters.0.interval", "[0, 101/100]", ""),
    (two_parameters, "operator.parameters.1.interval", "[-1/100, 1]", ""),
    (two_parameters, "evidence.above", [[0, 0], [0, 1]], "box"),
    (two_parameters, "evidence.above", [[0, 1]], "list of 2"),
    (two_parameters, "evidence.above", [], "list of 2"),
    (two_parameters, "evidence.below", [[0, 2], [0, 1]], "position"),
    (two_parameters, "evidence.boxes", {"axis": 2, "below": None, "above": None}, "position"),
    (two_parameters, "evidence.boxes", {"axis": 0, "below": None}, "missing"),
    (two_parameters, "evidence.boxes", [], "object"),
    (two_parameters, "operator.views.0.classes.0.likelihood", "(1 + p^2)/3", "sum to 1"),
    (warner_region, "region.text", "p < 99/100", "text"),
    (warner_region, "region.holds.0.to", "8/9", "text"),
    (warner_region, "region.holds.0.to_included", True, "text"),
    (warner_region, "region.holds", [], "text"),
    (warner_region, "region.declared", "(0, 1)", "parameter"),
    (warner_region, "witness.parameters.p", "19/20", ""),
    (warner_region, "operator.parameters.0.interval", "(1/2, 2)", ""),
    (warner_region, "operator.parameters.0.name", ".*", "name"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("build", "path", "lie", "reason"),
    LIES,
    ids=[f"{b.__name__}.{p}-{i}" for i, (b, p, _, _) in enumerate(LIES)],
)
def test_a_lie_is_rejected_with_its_reason(build, path, lie, reason):
    built = change(build(), path, lie)
    result = check_certificate(built, allow_solver_trusted=True)
    assert result.status == "rejected"
    assert reason in result.reason


NO_BREACH = {
    "direction": "upward", "view": 0, "output": 0, "before": "1/10", "after": "1/4",
    "classes": [part(0, 1, "1/10", "0"), part(1, 0, "0", "9/10")],
}  # fmt: skip
NEGATIVE = {
    **NO_BREACH, "before": "-1/4", "after": "-3/2",
    "classes": [part(0, 1, "-1/4", "0"), part(1, 0, "0", "5/4")],
}  # fmt: skip
UNSEEN = {**NO_BREACH, "view": 1, "output": 2, "before": "0", "after": "1/2",
          "classes": [part(0, 0, "0", "1")]}  # fmt: skip
IMPOSSIBLE = {"view": 1, "output": 2, "likely": 0, "unlikely": 0, "value": "infinity"}
CLASS = "operator.views.0.classes."
# ln 2 is 0.693147180559945309417232121458176568075500134360255...: just above this bound
CLOSE = F(69314718055994530941723212145817656807550013436, 10**47)
ROOT = {"polynomial": ["-9/10", "1"], "between": ["8/9", "10/11"]}
BROADER_LIES = [
    ({"verdict": "breached", "evidence": {"kind": "witness"}, "thresholds": None,
      "witness": NO_BREACH}, all_priors, "does not break"),
    ({"verdict": "breached", "evidence": {"kind": "witness"}, "thresholds": None,
      "witness": NEGATIVE}, all_priors, "negative mass"),
    ({"operator.views": views_of(UNREACHED), "operator.outputs": 3, "witness": UNSEEN},
     at_the_boundary, "never seen"),
    ({"witness": IMPOSSIBLE, "verdict": "breached", "claim": bound("amplification", "<", F(3))},
     amplification, "cannot produce"),
    ({"witness.classes": at_the_boundary()["witness"]["classes"][::-1]}, at_the_boundary,
     "disorder"),
    ({CLASS + "0.likelihood": "5/4", CLASS + "1.likelihood": "-1/4"}, all_priors, "below 0"),
    ({CLASS + "0.count": 2, "operator.inputs": 3}, all_priors, "sum to 1"),
    ({"operator.views.1.outputs": 0, "operator.outputs": 2}, amplification, "no output"),
    ({CLASS + "1.example": 2, CLASS + "2.example": 1, CLASS + "1.prior": "1/4",
      CLASS + "0.example": 2, CLASS + "2.example": 0}, one_prior_one_property, "example"),
    ({f"operator.views.{i}.classes.{c}.prior": p for i in (0, 1)
      for c, p in enumerate(["3/2", "-1/4", "-1/4"])}, one_prior_one_property, "[0, 1]"),
    ({f"operator.views.{i}.classes.{c}.member": [m] for i, c, m in
      [(0, 0, False), (0, 1, True)]}, one_property, "kind"),
    ({f"operator.views.{i}.classes.{c}.knowledge": "1/2" for i in range(4) for c in range(3)
      if i < 2}, knowing, "known"),
    ({"claim": {**bound("amplification", "==", F(3))}}, amplification, "relation"),
    ({"claim": {**breach(F(1, 10), HALF), "kind": "bread"}}, all_priors, "sort of claim"),
    ({"claim": breach(F(1, 10), HALF, "sideways")}, all_priors, "sort of claim"),
    ({"claim": {**one_property()["claim"], "properties": ["low", "low"]}}, one_property,
     "one name"),
    ({"claim.under.constraints.0.relation": "!="}, family, "relation"),
    ({"evidence.equal": [0, 0]}, information, "equal"),
    ({"evidence.equal": [0]}, dependence, "equal"),
    ({"claim": bound("dependence", "<=", CLOSE, "X"), "evidence.digits": 1}, dependence, "decide"),
    ({"claim": bound("dependence", "<=", CLOSE, "X"), "evidence.digits": 20}, dependence,
     "do not say"),
    ({"operator.likelihoods": "likely"}, all_priors, "likelihoods"),
    ({"model": {"file": "m", "sha256": "0" * 64, "set": [], "files": []}}, all_priors, "set"),
    ({"smt": [{**ELSEWHERE, "file": "q", "answer": "perhaps"}]}, all_priors, "answer"),
    ({"verdict": "certified", "witness": None}, warner_region, "do not say certified"),
    ({"witness.parameters.p": "4/5"}, warner_region, "the witness"),
    ({"region.holds.0.to": {**ROOT, "between": ["1/2", "8/9"]}}, warner_region, "sign"),
    ({"region.holds.0.to": ROOT, "region.text": "p < 0.924999... (a root of p - 9/10)"},
     warner_region, "root"),
    ({"region.holds.0.to": ROOT, "region.text": "p < 9/10"}, warner_region, ""),
    ({"region.holds.0.from": "19/20", "region.text": "19/20 < p < 9/10"}, warner_region, "empty"),
    ({"region.holds.0.from": "1/3", "region.text": "1/3 < p < 9/10"}, warner_region, "disorder"),
    ({"region.holds.0.from_included": True, "region.text": "1/2 <= p < 9/10"}, warner_region,
     "range"),
]  # fmt: skip


@pytest.mark.parametrize(("lies", "build", "reason"), BROADER_LIES)
def test_a_lie_in_several_places_is_rejected(lies, build, reason):
    built = build()
    for path, lie in lies.items():
        built = change(built, path, lie)
    result = check_certificate(built, allow_solver_trusted=True)
    assert result.status == "rejected"
    assert reason in result.reason


def test_a_region_that_holds_the_witness_is_rejected_though_its_text_agrees():
    for end, included, text in [("9/10", True, "p <= 9/10"), ("91/100", False, "p < 91/100")]:
        built = change(warner_region(), "region.holds.0.to", end)
        built["region"]["holds"][0]["to_included"] = included
        built["region"]["text"] = text
        result = check_certificate(seal(built), allow_solver_trusted=True)
        assert result.status == "rejected", text
        assert "the claim fails at p = 9/10" in result.reason or "region" in result.reason


def test_digests_are_recomputed():
    built = all_priors()
    for where in (built, built["operator"]):
        key = "sha256" if where is built else "views_sha256"
        changed = copy.deepcopy(built)
        place = changed if where is built else changed["operator"]
        place[key] = "0" * 64
        if where is not built:  # the outer digest is right
            changed["sha256"] = digest({k: v for k, v in changed.items() if k != "sha256"})
        result = check_certificate(changed)
        assert result.status == "rejected"
        assert "digest" in result.reason


def test_views_and_model_are_compared():
    built = all_priors()
    other = views_of([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]])
    assert check_certificate(built, views=other).reason == "the views are not those of the model"
    swapped = copy.deepcopy(built["operator"]["views"])
    swapped[0]["classes"][0]["count"] = True  # True == 1 in Python, not in JSON
    assert not check_certificate(built, views=swapped).accepted
    model = {"file": "m.ppdm", "sha256": "1" * 64, "set": {"p": "3/4"}, "files": []}
    assert not check_certificate(built, model=model).accepted
    built = seal({**built, "model": {**model, "file": "elsewhere/m.ppdm"}})
    assert check_certificate(built, model=model).accepted
    for change_of in (
        {"sha256": "2" * 64},
        {"set": {}},
        {"files": [{"file": "a", "sha256": "1" * 64}]},
    ):
        assert not check_certificate(built, model={**model, **change_of}).accepted


def test_no_likelihood_is_above_1_though_the_sums_are_right():
    views = views_of([[F(5, 4), F(1, 4)], [F(1, 4), F(1, 4)]])
    built = certificate(views, bound("amplification", "<=", F(5)), "certified", RATIO)
    assert "above 1" in check_certificate(built).reason


def test_a_family_without_priors_proves_nothing():
    # mass(low) >= 2: the multipliers are right, but there is no prior to speak of
    views = views_of(SURVEY, None, [[True, False, False]])
    under = {"constraints": [{"terms": [["1", 0]], "relation": ">=", "bound": "2"}]}
    claim = breach(F(1, 10), HALF, "upward", under, ["low"], 0)
    refuted = ["-1", "0", "0", "0", "1"]
    for prior in (["1", "0", "0"], ["2", "-1", "0"], ["2", "0", "0"]):
        evidence = {"kind": "farkas", "prior": prior, "upward": [refuted, refuted]}
        built = certificate(views, claim, "certified", evidence)
        assert "not of the family" in check_certificate(built).reason
    del evidence["prior"]
    assert "prior" in check_certificate(certificate(views, claim, "certified", evidence)).reason


def test_an_operator_has_some_output():
    views = views_of([[F(0)], [F(0)]])
    limits = {"rho2_above": "1/10", "rho1_below": "1/2"}
    built = certificate(
        views, breach(F(1, 10), HALF), "certified", RATIO, None, limits,
        operator={"likelihoods": "relative"},
    )  # fmt: skip
    assert check_certificate(built).reason == "no output is ever seen"


def test_relative_likelihoods_only_where_counts_do_not_matter():
    views = views_of(WARNER)
    for c, likelihood in zip(views[0]["classes"], ["3", "1"], strict=True):
        c["likelihood"] = likelihood
    limits = {"rho2_above": "1/4", "rho1_below": "1/4"}
    relative = {"likelihoods": "relative"}
    built = certificate(
        views, breach(F(1, 10), HALF), "certified", RATIO, None, limits, operator=relative
    )
    assert check_certificate(built).accepted
    under = {"constraints": []}
    family_claim = breach(F(1, 10), HALF, "upward", under)
    evidence = {"kind": "farkas", "prior": ["1", "0"], "upward": [["1", "10", "4", "0"]]}
    built = certificate(views, family_claim, "certified", evidence, operator=relative)
    assert "relative" in check_certificate(built).reason

"""Lies of which each needs one mistake in the checker: forged with care, and rejected.

Every forgery is false (the oracle says so) and whole but for the one place that the checker must
look at. tests/mutation/mistakes.py names the mistakes.
"""

from __future__ import annotations

import itertools
import json
import random
from fractions import Fraction as F

import pytest
from certificate_builder import breach, certificate, views_of
from changes import copied, helped, sealed, worded
from every_oracle import judged

import ppdm_formal.declare.families.single_values as single_values
from ppdm_formal import BoundClaim, BreachClaim, Operator, Prior, Property
from ppdm_formal.certify import certify
from ppdm_formal.checker import check_certificate
from ppdm_formal.checker.placing import Problem, problem
from ppdm_formal.checker.result import Rejected
from ppdm_formal.checker.sets import Group, Kind
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.arithmetic.logarithm import ln
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.noises.named import parse_noise
from ppdm_formal.declare.operators.parts import Parts, PartsClaim, SanitizedPart
from ppdm_formal.declare.reals.additive import ContinuousOperator, Window
from ppdm_formal.declare.reals.density import Density, Flat
from ppdm_formal.declare.reals.reals import RealProperty, Reals

LINE = Reals(F(0), F(10), "Line")
EVEN = Density(LINE, (Flat(F(1), F(0), F(10)),), "P")
CERTIFIED = {"verdict": "certified", "witness": None}


def document(found):
    return json.loads(json.dumps(found.to_json()))


def refused(lie):
    """A lie that is false, and rejected even where its numbers are made to match."""
    told = helped(sealed(lie))
    assert judged(told) is False
    result = check_certificate(told)
    assert result.status == "rejected", told
    return result.reason


# -- noise on real numbers


def noisy(noise, window=None):
    made = None if window is None else Window(window[0], F(window[1]), F(window[2]))
    return ContinuousOperator(LINE, parse_noise(noise), made, "C")


def decided(operator, claim):
    found = document(certify(operator, claim))
    assert check_certificate(found).accepted
    return found


E = exp_of(F(1))


@pytest.mark.parametrize(
    ("noise", "window", "claim", "verdict"),
    [
        # 3 : 1 at the end of the window alone, which no output reaches
        ("triangular(-15, 15)", ("truncated", 0, 10), BreachClaim("1/4", "1/2"), "certified"),
        # e : 1 from 10 on to 20, and at 10 alone
        ("laplace(10)", ("truncated", -10, 20), BreachClaim("1/2", E / (1 + E)), "breached"),
        ("laplace(10)", ("truncated", 0, 10), BreachClaim("1/2", E / (1 + E)), "certified"),
    ],
)
def test_a_limit_that_is_met_counts_where_outputs_reach_it(noise, window, claim, verdict):
    found = decided(noisy(noise, window), claim)
    assert found["verdict"] == verdict
    assert judged(found) is True
    if verdict == "breached":
        refused(found | CERTIFIED)


def claimed(noise, window, about, rho1, rho2, density=EVEN, direction="upward"):
    """An operator and a claim that is broken there; its certificate."""
    named = None if about is None else RealProperty(LINE, tuple(about), "q")
    claim = BreachClaim(rho1, rho2, direction, density, named)
    found = decided(noisy(noise, window), claim)
    assert found["verdict"] == "breached", found["reason"]
    return found | CERTIFIED


def every(low, high, step=F(1, 8)):
    many = int((high - low) / step)
    return [str(low + k * step) for k in range(many + 1)]


def cells(cuts, tails=(), atoms=()):
    row = {"direction": "upward", "starts": True, "parts": 1, "cuts": cuts}
    return {"kind": "cells", "ways": [row | {"tails": list(tails), "atoms": list(atoms)}]}


@pytest.mark.parametrize(("about", "end"), [((F(8), F(10)), "hi"), ((F(0), F(2)), "lo")])
def test_a_breach_at_one_end_of_the_window_alone(about, end):
    lie = claimed("normal(4)", ("clamped", 0, 10), [about], F(1, 4), F(2, 5))
    assert judged(lie) is False
    genuine = decided(
        noisy("normal(4)", ("clamped", 0, 10)),
        BreachClaim(F(1, 4), F(2, 5), "upward", EVEN, RealProperty(LINE, (about,), "q")),
    )
    assert genuine["witness"]["atom"] == end
    lie["evidence"] = cells(every(F(0), F(10)), atoms=["lo", "hi"])
    assert "end of the window" in refused(lie)


def test_a_breach_at_the_upper_end_alone_by_levels():
    """Every property: between the ends none gets beyond 2/5, at the upper end one to 0.506."""
    window = ("clamped", 5, 10)
    lie = claimed("normal(4)", window, None, F(1, 5), F(1, 2))
    higher = BreachClaim(F(1, 5), F(13, 25), "upward", EVEN)
    shown = decided(noisy("normal(4)", window), higher)
    assert shown["evidence"]["kind"] == "levels"
    lie["evidence"] = shown["evidence"]
    assert "at an end of the window" in refused(lie)


@pytest.mark.parametrize(
    ("about", "cuts"),
    [((F(8), F(10)), every(F(-20), F(8))), ((F(0), F(2)), every(F(2), F(30)))],
)
def test_the_cells_beyond_the_property_bound_a_tail(about, cuts):
    """Far out all that is left is the property at that end: nothing beyond it speaks against."""
    lie = claimed("normal(4)", None, [about], F(1, 4), F(9, 10))
    lie["evidence"] = cells(cuts, ["bottom", "top"])
    assert "of the outputs" in refused(lie)


def test_bounded_noise_reaches_beyond_the_property():
    lie = claimed("uniform(-4, 4)", None, [(F(9), F(10))], F(1, 4), F(1, 2))
    lie["evidence"] = cells(every(F(-4), F(10)), ["top"])
    assert "at the top" in refused(lie)


def test_laplace_odds_still_change_between_the_inputs():
    lie = claimed("laplace(1)", None, [(F(8), F(10))], F(1, 4), F(4, 5))
    lie["evidence"] = cells(every(F(-2), F(5)), ["bottom", "top"])
    assert "at the top" in refused(lie)


def test_levels_still_change_between_the_inputs():
    parts = (Flat(F(9, 20), F(0), F(1)), Flat(F(1, 10), F(4), F(6)), Flat(F(9, 20), F(9), F(10)))
    density = Density(LINE, parts, "P")
    lie = claimed("laplace(1)", None, None, F(1, 10), F(1, 2), density)
    row = {"direction": "upward", "parts": 60, "cuts": ["-41/20", "-2"], "atoms": [None, None]}
    reasons = set()
    for level in (F(45, 1000), F(50, 1000), F(55, 1000)):
        # a level that shows the claim where no input is: beyond all of them, but not above
        row |= {"levels": [str(level)], "tails": [str(level), str(level)]}
        lie["evidence"] = {"kind": "levels", "ways": [row]}
        reasons.add(refused(lie))
    assert "the top is not covered" in reasons


# -- records in parts


COIN = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], name="C")
RECORD = Parts("D", (SanitizedPart("a", COIN), SanitizedPart("b", COIN)), ln(F(6, 5)))


def with_law(claim, law, **more):
    found = document(certify(RECORD, claim))
    assert found["verdict"] == "breached"
    law = [[F(cell) for cell in row] for row in law]
    seen = [law[0][0] * 3, law[1][0]]
    witness = found["witness"] | {
        "law": [[str(cell) for cell in row] for row in law],
        "before": str(sum(law[0])), "after": str(seen[0] / sum(seen)), "other": 1,
    }  # fmt: skip
    return found | {"witness": witness | more}


@pytest.mark.parametrize(
    ("bound", "law", "more", "why"),
    [
        (F(3, 2), [["3/10", "1/5"], ["1/5", "3/10"]], {}, "depend on each other more"),
        (F(5, 2), [["13/1000", "87/1000"], ["87/1000", "813/1000"]], {}, "depend on each other"),
        (F(5, 2), [["143/10000", "957/10000"], ["957/10000", "8943/10000"]], {}, "sum to 1"),
        (F(2), [["-1/10"], ["11/10"]], {"other": None}, "not positive"),
        (F(5, 2), [["3/250", "11/125"], ["11/125", "203/250"]], {"other": 0}, "no other part"),
    ],
)
def test_the_law_of_a_witness_is_one_that_is_given(bound, law, more, why):
    assert why in refused(with_law(PartsClaim("dependence", "a", "<=", ln(bound)), law, **more))


def test_a_law_that_is_given_is_accepted():
    law = [["3/250", "11/125"], ["11/125", "203/250"]]
    found = sealed(with_law(PartsClaim("dependence", "a", "<=", ln(F(5, 2))), law))
    assert judged(found) is True
    assert check_certificate(found).accepted


# -- outputs that are sets


@pytest.fixture
def sets_only(monkeypatch):
    monkeypatch.setattr(single_values, "MAX_KINDS", 0)


def subsets(claim):
    found = document(certify(subset_selection(4, gamma=3, chosen=2, name="U"), claim))
    assert found["operator"]["kind"] == "sets"
    assert check_certificate(found).accepted
    return found


INPUTS = subset_selection(4, gamma=3, chosen=2).inputs
HALVES = Prior.of(INPUTS, {0: "1/2", 1: "1/4", 2: "1/8", 3: "1/8"}, "X")


@pytest.mark.usefixtures("sets_only")
def test_a_set_of_another_size_is_no_output():
    """If all four values are always sent nothing is told; the set of two of them is never sent."""
    found = subsets(BreachClaim("1/4", "1/2", about=Property.of(INPUTS, [0, 1], "q")))
    assert found["verdict"] == "breached"
    found["operator"]["sets"] |= {"least": 4, "most": 4}
    assert refused(found) == "a view of no set"


@pytest.mark.usefixtures("sets_only")
def test_a_set_holds_no_more_values_than_there_are():
    about = Property.of(INPUTS, [0], "q")
    found = subsets(BreachClaim("1/2", "9/10", under=HALVES, about=about))
    kinds = [int(kind["count"]) for kind in found["operator"]["sets"]["groups"][0]["kinds"]]
    small = kinds.index(1)
    held = [2 if place == small else 0 for place in range(len(kinds))]
    found["operator"]["views"].append({"group": 0, "held": held, "output": "none"})
    assert refused(found) == "a view of no set"


@pytest.mark.usefixtures("sets_only")
def test_a_bound_is_not_below_what_its_trees_show():
    """At most 1/100, says the bound; at most 2/3, says the tree that should show it."""
    found = subsets(BreachClaim("1/4", "2/5", "upward", HALVES))
    assert found["verdict"] == "breached"
    mine = found["evidence"]["upward"]["rho2_above"]
    mine |= {"at_least": "0", "inside": [], "at_most": "1/100"}
    assert "does not show at_most" in refused(found | CERTIFIED)


LEAVES = [
    {"room": str(room), "size": str(size), "empty": empty}
    for room in (F(0), F(1, 4), F(1), F(2), F(5))
    for size in (F(0), F(-1), F(1), F(-5), F(5))
    for empty in (False, True)
]


PLAIN = [leaf for leaf in LEAVES if leaf["size"] in ("0", "1", "-1")]


def shows(of, tree, box):
    try:
        of.show(tree, box)
    except Rejected:
        return False
    return True


def proof(of, box):
    """A leaf that shows it of a box; None where none of these does."""
    return next((leaf for leaf in PLAIN if shows(of, leaf, box)), None)


def placings(group, box):
    """All ways to place values within a box: for each kind how many are in each state."""
    ways = []
    for kind, row in zip(group.kinds, box, strict=True):
        ranges = [range(low, high + 1) for low, high in row]
        ways.append([one for one in itertools.product(*ranges) if sum(one) == kind.count])
    for placed in itertools.product(*ways):
        if group.least <= sum(one[0] + one[2] for one in placed) <= group.most:
            yield placed


def summed(amounts, placed):
    return sum(
        n * a
        for row, one in zip(amounts, placed, strict=True)
        for n, a in zip(one, row, strict=True)
    )


def violates(of, placed):
    return summed(of.over, placed) <= 0 < summed(of.goal, placed)


def random_problem(chance, wide=False):
    """Few values; wide: of sets of all sizes often, and such that much is admitted."""
    kinds = tuple(
        Kind(chance.randint(1, 3), (), F(chance.randint(0, 3), 6), F(1))
        for _ in range(chance.randint(1, 2))
    )
    whole = sum(kind.count for kind in kinds)
    least = 0 if wide and chance.random() < 0.5 else chance.randint(0, whole)
    most = whole if wide and chance.random() < 0.5 else chance.randint(least, whole)
    held, lacking = F(chance.randint(1, 6), 2), F(1)
    group = Group(held, lacking, least, most, kinds, b"")
    room, goal = (F(chance.randint(1, 9), 10) for _ in range(2))
    room, goal = (min(room, goal), max(room, goal)) if wide else (room, goal)
    return problem(group, chance.random() < 0.5, room, goal)


def whole_box(of: Problem):
    return [[(0, kind.count)] * 4 for kind in of.group.kinds]


def test_what_is_shown_of_a_box_is_so_of_every_placing_in_it():
    chance, shown = random.Random(11), 0
    for _ in range(100):
        of = random_problem(chance, wide=True)
        box = [
            [tuple(sorted(chance.choices(range(kind.count + 1), k=2))) for _ in range(4)]
            for kind in of.group.kinds
        ]
        for part in (box, whole_box(of)):
            wrong = any(violates(of, placed) for placed in placings(of.group, part))
            for leaf in LEAVES:
                good = shows(of, leaf, part)
                shown += good
                assert not (good and wrong), (of, leaf, part)
    assert shown > 60


def test_a_placing_that_breaks_the_claim_is_in_one_of_both_halves():
    """Trees whose halves leave it out, each half rightly shown: no tree shows what is false."""
    chance, tried = random.Random(12), 0
    for _ in range(25):
        of = random_problem(chance)
        box = whole_box(of)
        bad = next((p for p in placings(of.group, box) if violates(of, p)), None)
        if bad is None:
            continue
        point = [[(n, n) for n in one] for one in bad]
        assert not any(shows(of, leaf, point) for leaf in LEAVES)
        for k, row in enumerate(box):
            for s, (low, high) in enumerate(row):
                for at in range(low, high):
                    for first, second in (
                        ((low, low), (at + 1, high)), ((low, at), (high, high)),
                        ((low, at), (at + 1, high)),
                    ):  # fmt: skip
                        parts = []
                        for ends in (first, second):
                            part = [list(own) for own in box]
                            part[k][s] = ends
                            parts.append(proof(of, part))
                        if None not in parts:
                            tree = {"kind": k, "state": s, "at": at}
                            tree |= {"below": parts[0], "above": parts[1]}
                            tried += 1
                            assert not shows(of, tree, box)
    assert tried > 0


# -- capacity


def channel(bound):
    told = Operator.from_matrix([["3/4", "1/4", 0], ["1/4", "3/4", 0]], name="R")
    return document(certify(told, BoundClaim("mutual_information_dp", "<=", bound, None, "bit")))


@pytest.mark.parametrize("law", [["1", "1", "-1"], ["1", "1", "0"]])
def test_a_law_of_outputs_is_one(law):
    found = channel(F(1, 100))
    assert found["verdict"] == "breached"
    assert len(found["operator"]["views"]) == 3
    lie = found | CERTIFIED | {"evidence": {"kind": "capacity", "laws": [law]}}
    assert refused(lie) == "shares that do not sum to 1"


# -- several reports


def twice(rows):
    inputs = ["x0", "x1"]
    told = Operator.from_matrix(rows, inputs, ["a", "b"], name="R")
    known = Operator.from_matrix([["2/3", "1/3"], ["1/3", "2/3"]], inputs, ["u", "v"], name="Z")
    prior = Prior.of(told.inputs, {"x0": "1/4", "x1": "3/4"}, "X")
    about = Property.of(told.inputs, ["x0"], "q")
    claim = BreachClaim("1/2", "99/100", "upward", prior, about, known, 2)
    return document(certify(told, claim))


def test_what_comes_out_does_not_depend_on_what_is_known():
    one = twice([["3/4", "1/4"], ["1/4", "3/4"]])
    other = twice([["1/4", "3/4"], ["3/4", "1/4"]])
    lie = copied(one)
    for key in ("one_report", "views"):
        entries = [e for e in one["operator"][key] if e["known"] == "u"]
        lie["operator"][key] = entries + [e for e in other["operator"][key] if e["known"] == "v"]
    assert "depend on what is known" in refused(lie)


def test_the_views_of_two_reports_are_those_of_one_report_twice():
    lie = twice([["3/4", "1/4"], ["1/4", "3/4"]])
    lie["operator"]["one_report"] = twice([["2/3", "1/3"], ["1/4", "3/4"]])["operator"][
        "one_report"
    ]
    assert "not that of its output" in refused(lie)


def test_no_view_of_two_reports_is_left_out():
    """The one that tells most is left out, another counts twice: all sums are as they should be."""
    rows = [[F(1, 10), F(9, 10)], [F(3, 5), F(2, 5)], [F(4, 5), F(1, 5)]]
    told = Operator.from_matrix(rows, name="R")
    prior = Prior.uniform(told.inputs, "X")
    claim = BoundClaim("worst_case_information", "<=", F(13, 20), prior, "bit", reports=2)
    lie = document(certify(told, claim))
    assert lie["verdict"] == "breached"
    views = lie["operator"]["views"]
    del views[lie["witness"]["view"]]
    next(view for view in views if int(view["outputs"]) == 1)["outputs"] = 2
    assert "not those of so many reports" in refused(lie | CERTIFIED)


# -- families of priors, and rounded matrices


def rounded(rows, claim):
    found = document(certify(Operator.from_matrix(rows, rounded=2, name="R"), claim))
    assert check_certificate(found).accepted
    return found


NINE = [[F(9, 10), F(1, 10)], [F(1, 10), F(9, 10)]]
FIRST = {"terms": [["1", 0]], "relation": "<=", "bound": "1/50"}


def reclaimed(found, **changes):
    lie = copied(found)
    lie["claim"] |= changes
    worded(lie)
    return lie


def cut(inside, masses, column=0):
    return {"column": column, "direction": "upward", "inside": inside, "masses": masses}


def by_cuts(found, cuts, weights=None):
    evidence = {"kind": "rounded", "cuts": cuts, "weights": weights or ["1"] * len(cuts)}
    witness = {
        "column": cuts[0]["column"],
        "output": found["operator"]["columns"][cuts[0]["column"]],
    }
    return found | {"verdict": "breached", "evidence": evidence, "witness": witness}


def one_property(rows, rho1, rho2, inside=0):
    matrix = Operator.from_matrix(rows, rounded=2, name="R")
    about = Property.of(matrix.inputs, [inside], "A")
    return rounded(rows, BreachClaim(rho1, rho2, "upward", about=about))


def test_a_cut_has_a_prior_of_the_family():
    found = one_property(NINE, F(1, 4), F(1, 2))
    lie = reclaimed(found, under={"constraints": [FIRST]})
    assert "does not admit" in refused(by_cuts(lie, [cut([0], ["1/4", "3/4"])]))
    # what the family admits is no breach, and without the family it is one
    honest = by_cuts(found, [cut([0], ["1/4", "3/4"])])
    assert check_certificate(sealed(honest)).accepted


def test_a_cut_starts_where_the_claim_does():
    found = one_property(NINE, F(1, 4), F(19, 20))
    assert found["verdict"] == "certified"
    assert "does not start" in refused(by_cuts(found, [cut([0], ["3/4", "1/4"])]))


def test_a_cut_is_about_the_property_of_the_claim():
    found = one_property([[F(1, 2), F(1, 2)], [F(1, 10), F(9, 10)]], F(1, 4), F(1, 2), inside=1)
    assert found["verdict"] == "certified"
    assert "another property" in refused(by_cuts(found, [cut([0], ["1/4", "3/4"])]))


def test_a_cut_has_weight():
    """Less than nothing of what is never so is always so."""
    found = one_property(NINE, F(1, 4), F(19, 20))
    lie = by_cuts(found, [cut([0], ["1/100", "99/100"])], ["-1"])
    assert "without weight" in refused(lie)


NONE = [
    {"terms": [["1", 0]], "relation": ">=", "bound": "1/2"},
    {"terms": [["1", 0]], "relation": "<=", "bound": "1/4"},
]
NOTHING = ["0", "0", "0", "0", "1", "1"]


def test_a_family_without_priors_is_not_certified_rounded():
    found = one_property(NINE, F(1, 4), F(1, 2))
    lie = reclaimed(found, under={"constraints": NONE}) | CERTIFIED
    lie["evidence"] = {"kind": "rounded", "prior": ["1/2", "1/2"], "upward": [NOTHING] * 2}
    assert "not of the family" in refused(lie)


def family_claim(rows):
    return breach(F(1, 4), F(1, 2), "upward", {"constraints": rows}, ["A"], 0)


def test_a_family_without_priors_is_not_certified():
    views = views_of(NINE, members=[[True, False]])
    evidence = {"kind": "farkas", "prior": ["1/2", "1/2"], "upward": [NOTHING] * 2}
    lie = certificate(views, family_claim(NONE), "certified", evidence)
    assert "not of the family" in refused(lie)


def test_a_witness_has_a_prior_of_the_family():
    views = views_of(NINE, members=[[True, False]])
    rows = [
        {"class": 0, "inside": 1, "mass_inside": "1/4", "mass_outside": "0"},
        {"class": 1, "inside": 0, "mass_inside": "0", "mass_outside": "3/4"},
    ]
    witness = {"direction": "upward", "view": 0, "output": 0, "classes": rows}
    witness |= {"before": "1/4", "after": "3/4"}
    kept = [{"terms": [["1", 0]], "relation": "<=", "bound": "1/4"}]
    honest = certificate(views, family_claim(kept), "breached", {"kind": "witness"}, witness)
    assert check_certificate(honest).accepted
    lie = certificate(views, family_claim([FIRST]), "breached", {"kind": "witness"}, witness)
    assert "not admitted" in refused(lie)

"""Claims for every property under a density: verdicts by brute force, and evidence that lies."""

from __future__ import annotations

import copy
import sys
from fractions import Fraction as F
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "numeric"))
from continuous_cases import MIXED, TWO, WINDOWS, best_belief, operator

from ppdm_formal.certify.continuous_certificate import certify_continuous
from ppdm_formal.check import checker
from ppdm_formal.claim import BoundClaim, BreachClaim
from ppdm_formal.numeric.continuous.additive import ContinuousOperator, Window
from ppdm_formal.numeric.continuous.reals import Reals
from ppdm_formal.numeric.noise import parse_noise
from ppdm_formal.operator.canonical import digest

CASES = [
    ("laplace(50)", None, TWO),
    ("laplace(50)", WINDOWS[1], TWO),
    ("laplace(50)", WINDOWS[2], TWO),
    ("normal(40)", WINDOWS[1], TWO),
    ("normal(40)", WINDOWS[2], TWO),
    ("uniform(-200, 200)", WINDOWS[1], MIXED),
    ("triangular(-230, 230)", WINDOWS[2], TWO),
]


def checked(certificate):
    return checker.check_certificate(certificate.to_json())


@pytest.mark.parametrize(("noise", "window", "density"), CASES)
def test_the_likeliest_property_decides(noise, window, density):
    made = operator(noise, window)
    most = best_belief(made, density, 0.1)
    for factor, verdict in ((1.03, "certified"), (0.97, "breached")):
        limit = F(round(most * factor * 10**4), 10**4)
        found = certify_continuous(made, BreachClaim("1/10", limit, "upward", under=density), 60)
        assert found.verdict.value == verdict, limit
        assert checked(found).accepted


@pytest.mark.parametrize("noise", ["normal(40)", "uniform(-200, 200)", "triangular(-230, 230)"])
def test_outputs_that_go_as_far_as_they_can_tell_everything(noise):
    found = certify_continuous(operator(noise), BreachClaim("1/100", "99/100", under=TWO), 60)
    assert found.verdict.value == "breached"
    assert checked(found).accepted


def test_a_fall_is_the_rise_of_the_complement():
    made = operator("laplace(50)")
    for rho2 in ("4/5", "87/100"):
        claim = BreachClaim("2/3", rho2, "downward", under=TWO)
        found = certify_continuous(made, claim, 60)
        most = best_belief(made, TWO, 1 - float(F(rho2)))
        assert (most >= 1 / 3) == (found.verdict.value == "breached")
        assert checked(found).accepted


def resealed(document):
    document.pop("sha256", None)
    return document | {"sha256": digest(document)}


def test_evidence_that_lies_is_rejected():
    """The evidence alone, the claim alone, and both together."""
    made = operator("laplace(50)")
    document = certify_continuous(made, BreachClaim("1/10", "6/25", under=TWO), 60).to_json()
    assert document["evidence"]["kind"] == "levels"
    assert checker.check_certificate(document).accepted

    def way(changed):
        return changed["evidence"]["ways"][0]

    def no_levels(changed):
        way(changed)["levels"] = ["0"] * len(way(changed)["levels"])

    def few_cuts(changed):
        way(changed)["cuts"], way(changed)["levels"] = ["18", "90"], ["1/200"]

    def negative(changed):
        way(changed)["levels"][0] = "-1"

    def short(changed):
        way(changed)["cuts"][0] = "30"

    def no_tails(changed):
        way(changed)["tails"] = [None, None]

    def one_way(changed):
        changed["evidence"]["ways"].pop()

    def one_cell(changed):
        way(changed)["parts"] = 1

    def lower(changed):  # a claim that is false, with the evidence of one that is true
        false = certify_continuous(made, BreachClaim("1/10", "11/50", under=TWO), 60).to_json()
        changed["claim"] = false["claim"]

    def other_noise(changed):
        changed["operator"]["noise"]["parameters"] = ["10"]

    def other_density(changed):
        changed["operator"]["density"][0]["weight"] = "1/10"
        changed["operator"]["density"][1]["weight"] = "9/10"

    lies = [no_levels, few_cuts, negative, short, no_tails, one_way, one_cell, lower, other_noise]
    for lie in [*lies, other_density]:
        changed = copy.deepcopy(document)
        lie(changed)
        assert checker.check_certificate(resealed(changed)).status == "rejected", lie.__name__


def test_a_ratio_that_cannot_be_told_is_not_taken_for_a_small_one():
    """Far out both probabilities are below all that is computed: nothing is known of e^5000."""
    window = Window("clamped", F(-5000), F(5000))
    made = ContinuousOperator(Reals(F(0), F(1)), parse_noise("normal(1)"), window, "R")
    found = certify_continuous(made, BoundClaim("amplification", "<=", 2**3500), 60)
    assert found.verdict.value == "breached"
    lie = found.to_json() | {"verdict": "certified", "witness": None}
    assert checker.check_certificate(resealed(lie)).status == "rejected"

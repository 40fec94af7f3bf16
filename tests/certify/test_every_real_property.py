"""Claims for every property under a density: verdicts by brute force, and evidence that lies."""

from __future__ import annotations

import copy
import sys
from fractions import Fraction as F
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "numeric"))
from continuous_cases import MIXED, TWO, WINDOWS, best_belief, operator

from ppdm_formal.certify import Certificate, certify
from ppdm_formal.certify.continuous import decide_continuous
from ppdm_formal.check import checker
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.machine.deadline import NEVER
from ppdm_formal.declare.noises.named import Normal, parse_noise
from ppdm_formal.declare.operators.canonical import digest
from ppdm_formal.declare.reals.additive import ContinuousOperator, Window
from ppdm_formal.declare.reals.density import Bell, Density, Flat
from ppdm_formal.declare.reals.reals import Reals

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
        found = certify(made, BreachClaim("1/10", limit, "upward", under=density))
        assert found.verdict.value == verdict, limit
        assert checked(found).accepted


@pytest.mark.parametrize("noise", ["normal(40)", "uniform(-200, 200)", "triangular(-230, 230)"])
def test_outputs_that_go_as_far_as_they_can_tell_everything(noise):
    found = certify(operator(noise), BreachClaim("1/100", "99/100", under=TWO))
    assert found.verdict.value == "breached"
    assert checked(found).accepted


def test_a_fall_is_the_rise_of_the_complement():
    made = operator("laplace(50)")
    for rho2 in ("4/5", "87/100"):
        claim = BreachClaim("2/3", rho2, "downward", under=TWO)
        found = certify(made, claim)
        most = best_belief(made, TWO, 1 - float(F(rho2)))
        assert (most >= 1 / 3) == (found.verdict.value == "breached")
        assert checked(found).accepted


def resealed(document):
    document.pop("sha256", None)
    return document | {"sha256": digest(document)}


def test_evidence_that_lies_is_rejected():
    """The evidence alone, the claim alone, and both together."""
    made = operator("laplace(50)")
    document = certify(made, BreachClaim("1/10", "6/25", under=TWO)).to_json()
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
        false = certify(made, BreachClaim("1/10", "11/50", under=TWO)).to_json()
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
    claim = BoundClaim("amplification", "<=", 2**3500)
    # The checker cannot tell it either, so that no certificate is made of what was decided.
    assert certify(made, claim).verdict.value == "unknown"
    finding = decide_continuous(made, claim, NEVER)
    assert finding.verdict.value == "breached"
    lie = Certificate(made, claim, finding).to_json() | {
        "verdict": "certified",
        "witness": None,
    }
    assert checker.check_certificate(resealed(lie)).status == "rejected"


def test_a_breach_in_a_narrow_band_is_found():
    """Only in a gap of 1/300 of the range is one output telling: few outputs come from there."""
    gap, inside = (F(74297, 2000), F(74303, 2000)), (F(74299, 2000), F(74301, 2000))
    rest = 1 - F(1, 10**6)
    left = gap[0] / (100 - gap[1] + gap[0]) * rest
    parts = (Flat(left, F(0), gap[0]), Flat(rest - left, gap[1], F(100)), Flat(1 - rest, *inside))
    density = Density(TWO.domain, parts, "Gap")
    made = operator("laplace(1/1000)")
    assert best_belief(made, density, 1e-6) < 0.12  # many outputs miss it
    found = certify(made, BreachClaim(1 - rest, "3/25", "upward", under=density))
    assert found.verdict.value == "breached"
    assert gap[0] < F(found.witness_json()["low"]) < F(found.witness_json()["high"]) < gap[1]
    assert checked(found).accepted


def test_noise_much_narrower_than_the_cells():
    """No property gets beyond its probability times f(0)/p(z)."""
    flat = Density(TWO.domain, (Flat(F(1), F(0), F(100)),), "Even")
    claim = BreachClaim("1/100000", "1/50", "upward", under=flat)
    found = certify(operator("laplace(1/10)"), claim)
    assert found.verdict.value == "certified"
    assert checked(found).accepted


def test_outputs_that_are_all_moved_to_the_ends():
    made = operator("uniform(-40, -20)", Window("clamped", F(90), F(150)))
    found = certify(made, BreachClaim("2/5", "9/10", "upward", under=TWO))
    assert found.verdict.value == "certified"
    assert checked(found).accepted


def test_a_normal_law_that_leaves_floats_nothing_far_out():
    far = Bell(F(1), F(50), Normal(F(1, 2)), F(0), F(100))
    density = Density(TWO.domain, (far,), "Far")
    claim = BreachClaim("1/10", "1/3", "upward", under=density)
    found = certify(operator("laplace(50)", WINDOWS[1]), claim)
    assert found.verdict.value == "certified"
    assert checked(found).accepted

"""Claims about continuous operators: verdicts, certificates, and certificates that were changed."""

from __future__ import annotations

import copy
import sys
from fractions import Fraction as F
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[1] / "numeric"))
from continuous_cases import LOW, MIDDLE, MIXED, NOISES, TWO, WINDOWS, beliefs, operator

from ppdm_formal.certify import certify
from ppdm_formal.certify.real_occurrence import real_occurrence
from ppdm_formal.certify.subjects.additive import density_json
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.arithmetic.exponential import Ln
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.noises.named import Normal, parse_noise
from ppdm_formal.declare.operators.canonical import digest
from ppdm_formal.declare.reals.additive import ContinuousOperator, Window
from ppdm_formal.declare.reals.density import Bell, Density, Flat
from ppdm_formal.declare.reals.reals import RealProperty, Reals
from ppdm_formal.derive.reals.extremes import most_extreme

CLAIMS = [
    BoundClaim("amplification", "<=", 30000),
    BoundClaim("epsilon", "<=", 10),
    BoundClaim("epsilon", "<", 10),
    BreachClaim("1/10", "1/2"),
    BreachClaim("1/1000000", "99/100", about=LOW),
    BreachClaim("1/10", "1/2", under=TWO, about=MIDDLE),
    BreachClaim("1/10", "3/10", under=TWO, about=MIDDLE),
    BreachClaim("1/5", "4/5", under=MIXED, about=MIDDLE),
    BreachClaim("1/10", "1/2", "upward", under=TWO),
    BreachClaim("2/5", "7/10", "downward", under=TWO, about=MIDDLE),
]


def decided(made, claim):
    return certify(made, claim)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("window", WINDOWS)
def test_every_certificate_is_accepted(noise, window):
    for claim in CLAIMS:
        certificate = decided(operator(noise, window), claim)
        assert certificate.verdict.value != "unknown"
        result = check_certificate(certificate.to_json())
        assert (result.status, result.verdict) == ("accepted", certificate.verdict.value), result
        assert result.vacuous == certificate.vacuous


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("window", WINDOWS[:2])
def test_verdicts_under_a_density_are_those_of_many_outputs(noise, window):
    made = operator(noise, window)
    lo, hi = made.outputs
    ends = -100.0 if lo is None else float(lo), 200.0 if hi is None else float(hi)
    found = beliefs(made, TWO, MIDDLE, np.linspace(*ends, 601)[1:-1])
    most = np.nanmax(found)
    for high in ("11/100", "2/10", "3/10", "4/10", "6/10"):
        if abs(float(F(high)) - most) < 0.01:
            continue
        claim = BreachClaim("1/10", high, "upward", under=TWO, about=MIDDLE)
        expected = "breached" if most >= float(F(high)) else "certified"
        assert decided(made, claim).verdict.value == expected


def test_the_bound_is_met_exactly():
    laplace = operator("laplace(50)")
    assert decided(laplace, BoundClaim("epsilon", "<=", 2)).verdict.value == "certified"
    assert decided(laplace, BoundClaim("epsilon", "<", 2)).verdict.value == "breached"
    # At 9 = 1/2 (1 - 1/10) / (1/10 (1 - 1/2)): an atom reaches it, so that there is a breach.
    atom = operator("triangular(-150, 150)", WINDOWS[1])
    assert decided(atom, BoundClaim("amplification", "<=", 9)).verdict.value == "certified"
    assert decided(atom, BreachClaim("1/10", "1/2")).verdict.value == "breached"
    assert decided(atom, BreachClaim("1/10", "51/100")).verdict.value == "certified"
    assert decided(atom, BoundClaim("epsilon", "<=", Ln(F(9)))).verdict.value == "certified"


def test_a_property_without_a_case_says_nothing():
    found = decided(operator("laplace(10)"), BreachClaim("1/25", "1/2", under=TWO, about=MIDDLE))
    assert found.says_nothing
    assert check_certificate(found.to_json()).vacuous


def resealed(document):
    document.pop("sha256", None)
    return document | {"sha256": digest(document)}


def changes(document):
    """Mistakes of the kinds that a wrong certificate could hold, each sealed with a new digest."""
    for verdict in ("certified", "breached"):
        if document["verdict"] != verdict:
            yield "verdict", document | {"verdict": verdict}
            yield "verdict alone", document | {"verdict": verdict, "witness": None}
    for place, wrong in (
        (("operator", "noise", "parameters"), ["1"]),
        (("operator", "inputs"), ["0", "100000"]),
        (("operator", "noise", "law"), "cauchy"),
        (("evidence", "kind"), "trust me"),
        (("trust",), "solver-trusted (me)"),
        (("vacuous",), True),
        (("claim", "text"), "forbid nothing"),
    ):
        if place[0] == "operator" and document["verdict"] == "breached":
            continue  # what is broken here may be broken there as well
        if place[-1] == "inputs" and document["operator"]["density"] is not None:
            continue  # only where x may lie beforehand matters
        changed = copy.deepcopy(document)
        part = changed
        for key in place[:-1]:
            part = part[key]
        if part[place[-1]] != wrong:
            part[place[-1]] = wrong
            yield ".".join(place), changed
    for row in document["evidence"].get("ways", []):
        if len(row.get("cuts", [])) > 2:
            changed = copy.deepcopy(document)
            changed["evidence"]["ways"][0]["cuts"] = [row["cuts"][0], row["cuts"][-1]]
            yield "cuts", changed
        changed = copy.deepcopy(document)
        changed["evidence"]["ways"][0] = {"direction": row["direction"], "starts": False}
        if row["starts"]:
            yield "starts", changed
        if row.get("tails"):
            changed = copy.deepcopy(document)
            changed["evidence"]["ways"][0]["tails"] = []
            yield "tails", changed
    for key in ("z", "low", "likely"):
        if (document["witness"] or {}).get(key) is not None:
            changed = copy.deepcopy(document)
            changed["witness"][key] = "50"
            if changed != document:
                yield f"witness.{key}", changed


@pytest.mark.parametrize(
    ("noise", "window", "claim"),
    [
        ("laplace(50)", None, CLAIMS[3]),
        ("laplace(50)", None, BoundClaim("epsilon", "<=", 2)),
        ("laplace(10)", None, BreachClaim("1/10", "2/5", under=TWO, about=MIDDLE)),
        ("normal(40)", WINDOWS[1], CLAIMS[3]),
        ("normal(40)", None, CLAIMS[3]),
        ("normal(10)", WINDOWS[1], CLAIMS[5]),
    ],
)
def test_changed_certificates_are_rejected(noise, window, claim):
    document = decided(operator(noise, window), claim).to_json()
    assert check_certificate(document).accepted
    tried = 0
    for what, changed in changes(document):
        result = check_certificate(resealed(changed))
        assert result.status == "rejected", what
        tried += 1
    assert tried >= 6


def test_a_certificate_that_is_not_resealed_is_rejected():
    document = decided(operator("laplace(50)"), CLAIMS[3]).to_json()
    document["reason"] = "because"
    assert "digest" in check_certificate(document).reason


def test_the_checker_encloses_what_it_says():
    """Its exponentials and normal probabilities against floats and against each other."""
    from scipy.stats import norm

    from ppdm_formal.checker.noise import read_noise
    from ppdm_formal.checker.spans import exp_span, normal_span

    for q in (F(-1, 3), F(-40), F(7, 2)):
        low, high = exp_span(q, 192)
        assert float(low) == pytest.approx(float(np.exp(float(q))), rel=1e-12)
        assert low <= high
    for t in (F(-12), F(-5, 2), F(0), F(1, 3), F(9)):
        low, high = normal_span(t, 192)
        assert float(low) == pytest.approx(norm.cdf(float(t)), rel=1e-9)
        assert 0 <= high - low < F(1, 2**180)
    laws = {"normal": [F(2)], "laplace": [F(3)], "uniform": [F(-1), F(2)]}
    for noise in (read_noise(*law) for law in laws.items()):
        step = F(1, 50)
        total = sum(noise.distribution(k * step + step / 2, 64)[0] for k in range(-150, 0)) * step
        gained = noise.integral(F(0), 192)[0] - noise.integral(F(-3), 192)[0]
        assert float(total) == pytest.approx(float(gained), abs=1e-3)


@pytest.mark.parametrize("noise", ["uniform(-10, 10)", "triangular(-10, 10)"])
@pytest.mark.parametrize("window", [None, WINDOWS[2]])
def test_a_tail_that_begins_before_all_outputs_shows_nothing(noise, window):
    """A false claim: cuts where nothing comes out, and the rest called a tail."""
    document = decided(
        operator(noise, window), BreachClaim("1/2", "9/10", "upward", under=TWO, about=LOW)
    ).to_json()
    assert document["verdict"] == "breached"
    row = {"direction": "upward", "starts": True, "parts": 1, "cuts": ["-99", "-98"]}
    lie = document | {"verdict": "certified", "witness": None}
    lie["evidence"] = {"kind": "cells", "ways": [row | {"tails": ["top"], "atoms": []}]}
    assert check_certificate(resealed(lie)).status == "rejected"


def test_a_witness_names_the_end_that_is_told_apart_most():
    document = decided(operator("normal(40)", WINDOWS[1]), BreachClaim("1/10", "1/2")).to_json()
    assert (document["witness"]["at"], document["witness"]["z"]) == ("atom", "100")
    assert check_certificate(document).accepted
    document["witness"]["z"] = "0"
    assert check_certificate(resealed(document)).status == "rejected"


def test_outputs_from_zero_on():
    """The region that shows the ratio begins at 0, which is a number and not nothing."""
    below = Reals(F(-100), F(0))
    made = ContinuousOperator(
        below, parse_noise("laplace(50)"), Window("truncated", F(-120), F(20))
    )
    assert most_extreme(made).at == 0
    found = decided(made, BoundClaim("amplification", "<=", 2))
    assert (found.verdict.value, found.witness_json()["z"]) == ("breached", "0")
    assert check_certificate(found.to_json()).accepted


def test_a_breach_far_out_is_shown_or_left_open():
    """Outputs 34 deviations out show it; where 86 are needed, no certificate has the digits."""
    wide = Reals(F(0), F(1000))
    bell = Bell(F(1, 11), F(280), Normal(F(20)), F(0), F(1000))
    parts = (bell, Flat(F(6, 11), F(770), F(890)), Flat(F(4, 11), F(200), F(850)))
    about = RealProperty(wide, ((F(190), F(360)),), "about")
    claim = BreachClaim("1/2", "4/5", "upward", under=Density(wide, parts, "P"), about=about)
    for sd, verdict in ((2000, "breached"), (5000, "unknown")):
        made = ContinuousOperator(wide, parse_noise(f"normal({sd})"))
        found = decided(made, claim)
        assert found.verdict.value == verdict
        assert check_certificate(found.to_json()).accepted == (verdict == "breached")


def test_odds_of_outputs_that_are_all_moved_to_an_end():
    made = operator("uniform(-5, 5)", Window("clamped", F(-60), F(-50)))
    found = decided(made, BreachClaim("1/5", "4/5", under=MIXED, about=MIDDLE))
    assert found.verdict.value == "certified"
    assert check_certificate(found.to_json()).accepted


@pytest.mark.parametrize("window", WINDOWS[1:])
def test_a_ratio_beyond_all_digits_is_at_least_so_much(window):
    """From x = 0 the checker only knows that 100 is less likely than 2^-3000."""
    found = decided(operator("normal(1)", window), BreachClaim("1/10", "1/2"))
    assert found.verdict.value == "breached"
    assert check_certificate(found.to_json()).accepted


def test_a_density_is_written_with_the_numbers_of_each_of_its_laws():
    parts = (
        Bell(F(1, 3), F(45), Normal(F(12)), F(0), F(100)),
        Flat(F(2, 3), F(5), F(81, 2)),
    )
    assert density_json(Density(Reals(F(0), F(100)), parts)) == [
        {"law": "normal", "parameters": ["45", "12"], "weight": "1/3"},
        {"law": "uniform", "parameters": ["5", "81/2"], "weight": "2/3"},
    ]


def test_how_often_a_claim_is_breached_is_said_of_breached_ones_alone():
    """For 50 <= y <= 100, x is uniform on [y - 50, 100], of which the upper half is 50/(150 - y).

    That is 99/100 from 150 - 50/0.99 on; y has the density (150 - y)/10^4 there and beyond.
    """
    half = Density(Reals(F(0), F(100)), (Flat(F(1), F(0), F(100)),), "flat")
    about = RealProperty(half.domain, ((F(50), F(100)),), "upper")
    made = ContinuousOperator(half.domain, parse_noise("uniform(-50, 50)"), name="R")
    deadline = Deadline.after(60)
    sure = decided(made, BreachClaim("1/2", "99/100", "upward", under=half, about=about))
    assert sure.verdict.value == "breached"
    found = real_occurrence(sure, deadline)
    assert found is not None
    assert found.probability.lo <= F(1250, 9801) <= found.probability.hi
    assert found.probability.hi - found.probability.lo < F(1, 1000)
    none = decided(made, BreachClaim("1/4", "99/100", "upward", under=half, about=about))
    assert none.verdict.value == "certified"
    assert real_occurrence(none, deadline) is None

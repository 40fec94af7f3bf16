"""z3 beside the exact deciders: it confirms them, and can only take a verdict away."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from certify_cases import random_case
from test_families_of_priors import as_claim, random_family_case

from ppdm_formal.certify import InconsistentConstraints, Verdict, certify
from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.certify.finding import Finding
from ppdm_formal.certify.solver import confirm, solver
from ppdm_formal.certify.solver.confirm import Confirmer
from ppdm_formal.cli import run
from ppdm_formal.declare.arithmetic.exponential import Ln
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator

COIN = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], name="coin")
UNIFORM = Prior.of(COIN.inputs, {0: "1/2", 1: "1/2"}, "U")


def turned(certificate):
    """The opposite verdict, as a mistake of a decider would give it."""
    if certificate.verdict is Verdict.CERTIFIED:
        return replace(certificate, finding=replace(certificate.finding, verdict=Verdict.BREACHED))
    evidence, views = {"kind": "ratio"}, certificate.views
    finding = Finding(Verdict.CERTIFIED, "a mistake", evidence, views=views)
    return replace(certificate, finding=finding)


def test_every_kind_of_breach_claim_and_mistakes_in_each():
    confirmer = Confirmer(6000)
    seen = set()
    for seed in range(60):
        case = random_case(seed)
        found = certify(case.operator, case.claim)
        said = confirmer.confirmed(found)
        assert said.verdict is found.verdict
        assert said.confirmation.solver.startswith("z3 ")
        mistaken = confirmer.confirmed(turned(found))
        assert mistaken.verdict is Verdict.UNKNOWN
        assert mistaken.reason.startswith("DISAGREEMENT: z3 ")
        seen.add((found.verdict, case.prior is None, case.about is None, case.knowledge is None))
    assert len(seen) > 12


def test_families():
    confirmer, verdicts = Confirmer(6000), set()
    for seed in range(40):
        case = random_family_case(seed)
        try:
            found = certify(Operator.from_matrix(case[0]), as_claim(*case))
        except InconsistentConstraints:
            continue
        assert confirmer.confirmed(found).confirmation.disagrees is False
        verdicts.add(found.verdict)
    assert len(verdicts) == 2


@pytest.mark.parametrize("relation", ["<", "<="])
@pytest.mark.parametrize(
    ("measure", "value", "prior", "at"),
    [
        ("amplification", Fraction(3), None, None),
        ("epsilon", Ln(Fraction(3)), None, None),
        ("total_variation", Fraction(1, 4), UNIFORM, None),
        ("vulnerability", Fraction(3, 4), UNIFORM, None),
        ("delta", Fraction(1, 4), None, Ln(Fraction(2))),
    ],
)
def test_bounds_at_the_value_itself(measure, value, prior, at, relation):
    claim = BoundClaim(measure, relation, value, prior, at=at)
    found = Confirmer(6000).confirmed(certify(COIN, claim))
    assert found.verdict is (Verdict.CERTIFIED if relation == "<=" else Verdict.BREACHED)
    assert found.confirmation.solver
    assert Confirmer(6000).confirmed(turned(found)).verdict is Verdict.UNKNOWN


def test_what_it_cannot_say_has_a_reason():
    claim = BoundClaim("dependence", "<=", Fraction(2), UNIFORM)
    found = Confirmer(6000).confirmed(certify(COIN, claim))
    assert found.verdict is Verdict.CERTIFIED
    assert found.confirmation.solver == ""
    assert "logarithms" in found.confirmation.why
    found = certify(COIN, BreachClaim("1/10", "1/2"))
    spent = Confirmer(60)
    spent.left = 0
    assert "used up" in spent.confirmed(found).confirmation.why


def test_free_parameters_and_their_region():
    model = compile_text(
        "param p in (1/2, 1)\nparam q in (0, 1/4)\n"
        "operator W(x: {a, b}) -> {a, b} { [x -> y] = p if y == x | 1 - p otherwise }\n"
        "operator V(x: {a, b}) -> {a, b} { [x -> y] = p - q if y == x | 1 - p + q otherwise }\n"
        "audit W, V { forbid breach 1/10 -> 1/2 }\n"
        "audit W { require amplification < 100 }\n"
    )
    result = audit(model)
    for found in result.operators:
        for certificate in found.certificates:
            assert certificate.verdict.fails
            assert certificate.confirmation.solver, certificate.confirmation
    region = result.operators[0].certificates[0]
    narrower = replace(region.region, intervals=())
    mistaken = replace(region, finding=replace(region.finding, region=narrower))
    assert Confirmer(6000).confirmed(mistaken).verdict is Verdict.UNKNOWN


def test_ratios_of_a_hundred_classes_and_regions_that_are_wrong():
    (found,) = audit(
        compile_text(
            "param t in (1, 100)\noperator Sign(x: -50..50) -> {-1, 1} "
            "{ [x -> y] = 1/2 + y * x/50 * (t - 1) / (2 * (t + 1)) }\n"
            "audit Sign { forbid breach 10% -> 30% }"
        )
    ).operators
    (certificate,) = found.certificates
    assert Confirmer(6000).confirmed(certificate).confirmation.solver
    (interval,) = certificate.region.intervals
    assert interval.end == Fraction(27, 7)
    for end in (Fraction(26, 7), Fraction(28, 7)):
        moved = replace(certificate.region, intervals=(replace(interval, end=end),))
        mistaken = replace(certificate, finding=replace(certificate.finding, region=moved))
        assert Confirmer(6000).confirmed(mistaken).confirmation.disagrees


LIAR = """
import json, sys
print(json.dumps({"version": "0.1"}), flush=True)
for line in sys.stdin:
    print(json.dumps({"answer": sys.argv[1]}), flush=True)
"""


@pytest.mark.parametrize("answer", ["sat", "unknown"])
def test_a_disagreement_is_loud(answer, monkeypatch, tmp_path, capsys):
    script = tmp_path / "liar.py"
    script.write_text(LIAR)
    liar = solver.SolverProcess("z3", [sys.executable, str(script), answer])
    monkeypatch.setattr(confirm.solver, "solver", lambda _: liar)
    path, target = tmp_path / "coin.ppdm", tmp_path / "audit.json"
    path.write_text(
        "operator R(x: {a, b}) -> {a, b} { [x -> y] = 3/4 if y == x | 1/4 otherwise }\n"
        "audit R { forbid breach 1/10 -> 1/2 }\n"
    )
    code = run(["audit", str(path), "--json", str(target)])
    shown = capsys.readouterr()
    [certificate] = json.loads(target.read_text())["operators"][0]["certificates"]
    if answer == "sat":
        assert (code, certificate["verdict"]) == (3, "unknown")
        assert "DISAGREEMENT" in shown.out
        assert "DISAGREEMENT" in shown.err
        assert certificate["confirmation"]["agrees"] is False
    else:
        assert (code, certificate["verdict"]) == (0, "certified")
        assert certificate["confirmation"]["solver"] is None
    liar.close()
    assert run(["audit", str(path), "--json", str(target), "--no-solver"]) == 0
    [certificate] = json.loads(target.read_text())["operators"][0]["certificates"]
    assert "confirmation" not in certificate

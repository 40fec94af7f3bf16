"""The banner never says more than the verdicts do."""

from fractions import Fraction
from types import SimpleNamespace

import pytest

from ppdm_formal import compile_text
from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.certify.finding import BreachWitness, Verdict, WitnessPart
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.operators.view import InputClass, View
from ppdm_formal.report.parts.outcome import outcome
from ppdm_formal.report.parts.proofs import _details
from ppdm_formal.report.parts.sections.verdicts import verdict_block
from ppdm_formal.report.parts.sweep import _claims
from ppdm_formal.report.pictures.operator_frontiers import frontier_pictures
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.standing import badge
from ppdm_formal.report.words.weighed import weighed

PARAMETER = Parameter("p", Fraction(0), Fraction(1))
REGION = SimpleNamespace(parameter=PARAMETER, text="p < 1/3", intervals=(None,))


def decided(operator, *standings):
    """Claims of one operator; partly is a breach with a region, vacuous one that holds."""
    found = SimpleNamespace(operator=SimpleNamespace(name=operator))
    for number, standing in enumerate(standings, 1):
        verdict = {"vacuous": "certified"}.get(standing, standing)
        certificate = SimpleNamespace(
            operator=found.operator,
            verdict=Verdict(verdict),
            region=REGION if standing == "partly" else None,
            vacuous=standing == "vacuous",
        )
        yield Decided(number, found, certificate)


@pytest.mark.parametrize(
    ("verdicts", "colour", "words"),
    [
        ({"R": ["certified"]}, "certified", "The claim holds."),
        ({"R": ["certified"], "S": ["certified"]}, "certified", "All 2 claims hold."),
        ({"R": ["breached", "breached"]}, "breached", "Not safe: all 2 claims fail."),
        ({"R": ["breached", "certified"]}, "breached", "Of 2 claims: 1 fails, 1 holds."),
        ({"R": ["certified", "unknown"]}, "unknown", "Of 2 claims: 1 not decided, 1 holds."),
        ({"R": ["unknown"]}, "unknown", "The claim is not decided."),
        (
            {"R": ["certified"], "S": ["breached"], "T": ["breached", "certified"]},
            "partly",
            "R: every claim holds. S: not safe, its claim fails. T: not safe, some claims fail.",
        ),
        (
            {"R": ["certified"], "S": ["unknown", "certified"]},
            "unknown",
            "R: every claim holds. S: not shown to be safe, a claim is not decided.",
        ),
        (
            {"R": ["partly"]},
            "partly",
            "Whether it is safe depends on a parameter. Claim 1 holds exactly for p < 1/3 and "
            "fails for every other p in (0, 1). Check which value your system uses.",
        ),
        (
            {"R": ["breached"], "S": ["breached"], "T": ["certified"]},
            "partly",
            "R and S: not safe, every claim fails. T: every claim holds.",
        ),
        (
            {"R": ["vacuous"]},
            "vacuous",
            "The claim says nothing: no case can break it.",
        ),
        ({"R": ["certified", "vacuous"]}, "vacuous", "Of 2 claims: 1 says nothing, 1 holds."),
        (
            {"R": ["certified"], "S": ["vacuous", "vacuous"]},
            "vacuous",
            "R: every claim holds. S: not shown to be safe, nothing that is claimed can be tested.",
        ),
        (
            {"R": ["certified"], "S": ["vacuous", "certified"]},
            "vacuous",
            "R: every claim holds. S: what was tested holds, but a claim says nothing.",
        ),
    ],
)
def test_banner(verdicts, colour, words):
    claims = [claim for name, found in verdicts.items() for claim in decided(name, *found)]
    assert outcome(claims) == (colour, words)


@pytest.mark.parametrize("standing", ["unknown", "vacuous"])
@pytest.mark.parametrize("others", [[], ["certified"], ["partly"], ["breached"]])
def test_what_was_not_shown_is_never_green(standing, others):
    for claims in (
        list(decided("R", standing, *others)),
        [*decided("R", standing), *decided("S", *others)],
    ):
        colour, words = outcome(claims)
        assert colour != "certified"
        assert "safe for" not in words


@pytest.mark.parametrize(
    ("limit", "finding", "region"),
    [
        ("4", "Holds for every p in [1/2, 3/4].", []),
        ("2", "Holds exactly for p <= 2/3, of p in [1/2, 3/4]; fails for all others.", []),
        ("1/2", "Fails: at p = 1/2", ["It holds for no p in [1/2, 3/4]."]),
    ],
)
def test_where_a_claim_holds_is_said_once(limit, finding, region):
    text = (
        "param p in [1/2, 3/4]\noperator R = randomized_response(values: 2, keep: p)\n"
        f"audit R {{ require amplification <= {limit} }}"
    )
    (certificate,) = audit(compile_text(text)).operators[0].certificates
    block = verdict_block(certificate)
    assert block.finding.startswith(finding)
    assert [words for words in block.compact if "hold" in words] == region


@pytest.mark.parametrize("verdict", list(Verdict))
@pytest.mark.parametrize("vacuous", [False, True])
def test_only_what_holds_partly_names_its_region_in_a_badge(verdict, vacuous):
    """A claim that holds for all values has a region too, the whole range."""

    def said(region):
        return badge(SimpleNamespace(verdict=verdict, vacuous=vacuous, region=region))

    wanted = "Holds for p < 1/3 only" if verdict is Verdict.PARTLY else said(None)
    assert said(REGION) == wanted


@pytest.mark.parametrize(("free", "curves"), [("", 1), ("param p in (1/2, 1)", 2)])
def test_the_frontier_of_all_priors_is_drawn_with_a_parameter_too(free, curves):
    """Without one a single curve; with one a curve for each value that is shown."""
    keep = "p" if free else "3/4"
    operator = f"operator R = randomized_response(values: 2, keep: {keep})"
    text = f"{free}\n{operator}\naudit R {{ forbid breach 1/10 -> 1/2 }}"
    (found,) = audit(compile_text(text)).operators
    picture = next(frontier_pictures(found, []))
    assert picture.title == "Breach frontier, all priors"
    assert str(picture.svg).count("amplification") >= curves


def test_a_sweep_says_nothing_of_claims_that_there_are_not():
    holds, fails = (
        SimpleNamespace(verdict=verdict, vacuous=False, region=None)
        for verdict in (Verdict.CERTIFIED, Verdict.BREACHED)
    )
    told = [_claims(SimpleNamespace(certificates=some)) for some in ((), (holds,), (holds, fails))]
    assert told == ["", "holds", f"2: {badge(fails).lower()}"]


def test_groups_of_a_witness_hold_every_input_of_a_class_once():
    classes = (InputClass(Fraction(1, 2), 5, 0), InputClass(Fraction(1, 8), 3, 5))
    parts = (
        WitnessPart(0, 2, Fraction(1, 4), Fraction(1, 4)),
        WitnessPart(1, 0, Fraction(0), Fraction(1, 2)),
    )
    witness = BreachWitness("upward", 0, parts, Fraction(1, 4), Fraction(2, 5))
    groups = weighed(View(classes, 1, "y"), witness)
    told = [(classes.index(group.of), group.many, group.inside, group.mass) for group in groups]
    quarter, half = Fraction(1, 4), Fraction(1, 2)
    assert told == [(0, 2, True, quarter), (0, 3, False, quarter), (1, 3, False, half)]


def test_what_refutes_a_statement_and_its_neighbours_is_told():
    outcome = {"detail": "false", "kind": "refuted", "correction": "", "findings": ()}
    outcome |= {"scope": "", "means": (), "trust": ""}
    nothing = {"hypotheses": (), "uses": ()}
    told = {}
    for example in (None, {"x": "1/2", "n": "3"}):
        one = SimpleNamespace(**outcome, counterexample=example)
        statement = SimpleNamespace(**nothing, neighbours=(SimpleNamespace(text="x < 1"),))
        details = _details(SimpleNamespace(statement=statement, outcome=one, neighbours=(one,)))
        told[example is None] = dict(details)
    assert told[False]["Counterexample"] == "x = 1/2, n = 3"
    neighbour = ["x < 1", "refuted: false", "counterexample: x = 1/2, n = 3"]
    assert told[False]["False neighbour"] == neighbour
    assert "Counterexample" not in told[True]
    assert told[True]["False neighbour"] == neighbour[:2]

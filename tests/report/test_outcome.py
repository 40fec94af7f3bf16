"""The banner never says more than the verdicts do."""

from types import SimpleNamespace

import pytest

from ppdm_formal.report.parts.decided import Decided
from ppdm_formal.report.parts.outcome import outcome

REGION = {"parameter": "p", "declared": "(0, 1)", "text": "p < 1/3", "holds": [{"from": "0"}]}


def decided(operator, *verdicts):
    """Claims of one operator; partly is a breach with a region."""
    found = SimpleNamespace(operator=SimpleNamespace(name=operator))
    for number, verdict in enumerate(verdicts, 1):
        summary = {"verdict": verdict}
        if verdict == "partly":
            summary = {"verdict": "breached", "region": REGION}
        yield Decided(number, found, None, summary, None)


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
    ],
)
def test_banner(verdicts, colour, words):
    claims = [claim for name, found in verdicts.items() for claim in decided(name, *found)]
    assert outcome(claims) == (colour, words)


def test_what_is_not_decided_is_never_green():
    for others in (["certified"], ["partly"], ["breached"]):
        claims = list(decided("R", "unknown", *others))
        assert outcome(claims)[0] != "certified"
        assert "safe for" not in outcome(claims)[1]

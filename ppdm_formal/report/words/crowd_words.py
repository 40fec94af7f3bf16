"""Claims about crowds in words: what is asked, how it went, what happens, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.crowd_described import CrowdDescribed
from ppdm_formal.certify.finding import Verdict
from ppdm_formal.declare.arithmetic.people import share
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.operators.crowd import MAX_CLIENTS, Crowd
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.certify.crowd import CrowdWitness

ALONE = (
    "Shuffling does not change this: some histogram leaves no doubt which report is whose, so that "
    "one report alone decides."
)
"""Said of claims with a crowd and without an exception."""

_SEEN = {"shuffling": "shuffled", "summing": "added up"}


def chance_words(chance: Any) -> str:
    """A small probability as people say it.

    >>> chance_words(Fraction(1, 10**6)), chance_words(Fraction(3, 4))
    ('1 in 1,000,000', '75% (3/4)')
    """
    if isinstance(chance, Fraction) and chance.numerator == 1 and chance.denominator >= 100:
        return f"1 in {chance.denominator:,}"
    return share(chance)


def among_words(crowd: Crowd) -> str:
    """What is done with the reports: the reports of 1,000 clients are shuffled."""
    said = f"the reports of {crowd.clients:,} clients are {_SEEN[crowd.how]}"
    if crowd.colluding:
        tell = "tells" if crowd.colluding == 1 else "tell"
        said += f", of whom {crowd.colluding:,} {tell} the server what they sent"
    if crowd.missing:
        get = "gets" if crowd.missing == 1 else "get"
        said += f", and up to {crowd.missing:,} of them {get} lost"
    return said


def crowd_asked(claim: Claim) -> str:
    """The claim as a sentence, where the size of the crowd decides it."""
    assert claim.crowd is not None
    if isinstance(claim, BoundClaim):
        assert claim.at is not None
        how = "less than" if claim.relation == "<" else "at most"
        said = (
            "the chance of anything that the server can see exceeds "
            f"e^({number_text(claim.at)}) times its chance if the client had any other value by "
            f"{how} {chance_words(claim.bound)}"
        )
    else:
        said = f"the server {_change(claim)}"
    return f"If {among_words(claim.crowd)}, {said}; {_whatever(claim)}."


def crowd_promise(claim: Claim) -> str:
    """What the claim promises, as part of a sentence."""
    asked = crowd_asked(claim)
    return asked[0].lower() + asked[1:-1]


def _change(claim: BreachClaim) -> str:
    assert claim.exception is not None
    low, high = share(claim.rho1), share(claim.rho2)
    what = "any property"
    if claim.about is not None:
        what = f"the property {clean(claim.about.name)}"
    up = (
        f"comes to believe with {high} or more in {what} that it believed with {low} or less "
        f"before, with probability at most {chance_words(claim.exception)}, given that it is true "
        "of the client"
    )
    down = (
        f"comes to believe with {low} or less in {what} that it believed with {high} or more "
        f"before, with probability at most {chance_words(claim.exception)}, given that it is not "
        "true of the client"
    )
    return {"both": f"{up}, or the reverse", "upward": up, "downward": down}[claim.direction]


def _whatever(claim: Claim) -> str:
    assert claim.crowd is not None
    said = []
    if isinstance(claim, BreachClaim) and claim.under is None:
        said.append("whatever it believed before")
    elif isinstance(claim, BreachClaim):
        said.append(f"for a server whose prior belief is {clean(claim.under_text)}")
    said.append(_others(claim.crowd))
    return ", ".join(said)


def _others(crowd: Crowd) -> str:
    if crowd.others is None:
        return "whatever values the others have, which it may know"
    return f"if the others' values are independent draws{clean(crowd.drawn, 200)}"


def beside_words(claim: Claim) -> str:
    """The end of a sentence that says against whom: what is seen of the crowd."""
    crowd = claim.crowd
    if crowd is None:
        return ""
    which = "shuffled reports" if crowd.how == "shuffling" else "sums of the reports"
    said = f", among the {which} of {crowd.clients:,} clients"
    return f"{said}, {_others(crowd)}" if claim.of_crowd else said


def rests_words(claim: Claim) -> list[str]:
    """What must be trusted beside the arithmetic; loudly, where it is strangers' data."""
    crowd = claim.crowd
    if crowd is None:
        return []
    if not claim.of_crowd:
        return [ALONE]
    said = crowd.assumption
    found = [f"{said[0].upper()}{said[1:]}."]
    if crowd.others is not None:
        found.insert(0, strangers_words(crowd))
    if crowd.told_apart_from is not None:
        found.append(
            f"Of {crowd.told_apart_from:,} clients it counts those whose reports look alike: as "
            f"the plan expects them, {crowd.clients:,}."
        )
    return found


def all_rest_words(claims: Iterable[tuple[int, Claim]]) -> list[str]:
    """The same for the numbered claims of a report, each sentence once."""
    found: dict[str, list[str]] = {}
    for number, claim in claims:
        for words in rests_words(claim) if claim.of_crowd else ():
            found.setdefault(words, []).append(str(number))
    return [
        f"Claim{'s' * (len(numbers) > 1)} {', '.join(numbers)}: {words}"
        for words, numbers in found.items()
    ]


def kept_words(found: Sequence[tuple[str, Any]], reports: int, alike: int) -> list[str]:
    """Of each operator's claims among a crowd what they rest on, and whether there are so many.

    found: where each certificate belongs. alike: how many there are at least that look alike.
    """
    said: list[str] = []
    for where, certificate in found:
        if not isinstance(certificate, Certificate) or not certificate.claim.of_crowd:
            continue
        claim, least = certificate.claim, certificate.finding.clients_from
        assert claim.crowd is not None
        said += [f"{clean(where)}: {words}" for words in rests_words(claim)]
        if least is None:
            continue
        among = reports if claim.crowd.told_apart_from is None else alike
        missing = f"{among:,} reports hide one, and it is shown from {least:,} clients on"
        if among < least:
            said.append(f"{clean(where)}: NOT KEPT: {missing}.")
        elif claim.crowd.how == "summing":
            said.append(
                f"{clean(where)}: it speaks of sums alone: what was written are the single "
                "reports, for the servers that add"
            )
    return list(dict.fromkeys(said))


def strangers_words(crowd: Crowd) -> str:
    """That a promise is made from other people's data."""
    return (
        "CAUTION: this rests on strangers' data. Nothing is promised to a client if the others' "
        f"values are not drawn{clean(crowd.drawn, 200)}, independently of one another."
    )


# -- the finding ---------------------------------------------------------------------------------


def crowd_finding(certificate: Certificate) -> str:
    """How a claim went that the size of the crowd decides."""
    claim, crowd = certificate.claim, certificate.claim.crowd
    assert crowd is not None
    if certificate.verdict is Verdict.UNKNOWN:
        return f"Not decided: {certificate.reason}."
    if certificate.verdict is Verdict.BREACHED:
        return f"Fails: {_happens(certificate)}. {_enough(certificate)}"
    least = certificate.finding.clients_from
    if least is None or not certificate.evidence.get("proofs"):
        return f"Holds: {certificate.reason.partition(';')[0]}."
    bound = claim.exception if isinstance(claim, BreachClaim) else claim.bound
    within = "less than" if isinstance(claim, BoundClaim) and claim.relation == "<" else "at most"
    said = f"Holds: {_what(claim)} is {within} {chance_words(bound)}"
    if least <= 1 + crowd.colluding + crowd.missing:
        return f"{said}, however few the clients are: one report alone tells no more than that."
    return f"{said}, and it holds from {least:,} clients on."


def _what(claim: Claim) -> str:
    if isinstance(claim, BoundClaim):
        assert claim.at is not None
        return f"delta at epsilon = {number_text(claim.at)}"
    return "the chance of such a breach"


def _enough(certificate: Certificate) -> str:
    least = certificate.finding.clients_from
    if least is None:
        return f"No number of clients up to {MAX_CLIENTS:,} was found to be enough."
    return f"It holds from {least:,} clients on."


def crowd_flips(certificate: Certificate) -> list[str]:
    """From how many clients on it holds."""
    least, crowd = certificate.finding.clients_from, certificate.claim.crowd
    assert crowd is not None
    if certificate.verdict is Verdict.UNKNOWN:
        return []
    if certificate.verdict is Verdict.BREACHED or least is None:
        return [_enough(certificate)]
    if least <= 1 + crowd.colluding + crowd.missing:
        return ["It holds however few the clients are."]
    return [f"It holds from {least:,} clients on; for fewer that is not shown."]


def crowd_often(certificate: Certificate) -> str:
    """How often a claim that fails is broken."""
    event = certificate.finding.event
    if event is None or isinstance(certificate.claim, BoundClaim):
        return "Delta bounds what is seen as a whole; how often a breach happens is another claim."
    value = f"{event.event.value:.3g}"
    return f"What the example describes happens with probability at least about {value}."


@dataclass(frozen=True)
class _Told:
    """What a witness compares, by example: two inputs, or a property (first) under a prior.

    other: the value that all others have, where they have one. falls: a belief is lowered.
    """

    first: str
    second: str
    other: str
    falls: bool


def _happens(certificate: Certificate) -> str:
    """What happens more often than is allowed."""
    claim, witness = certificate.claim, certificate.finding.event
    assert witness is not None
    assert claim.crowd is not None
    told = _told(certificate, witness)
    about = f"(at least about {witness.event.value:.3g})"
    others = f"all others have the value {told.other}"
    if not told.other:
        others = _others(claim.crowd).removeprefix("if ")
        if witness.other is not None:
            others = others.replace("each from a prior", "all from one prior")
    if isinstance(claim, BoundClaim):
        assert claim.at is not None
        more = "by" if claim.relation == "<" else "by more than"
        return (
            f"where {others}, something that the server can see is likelier if the client has "
            f"{told.first} than e^({number_text(claim.at)}) times if it has {told.second}, {more} "
            f"{chance_words(claim.bound)} {about}"
        )
    assert claim.exception is not None
    low, high = share(claim.rho1), share(claim.rho2)
    often = f"with a probability above {chance_words(claim.exception)} {about}"
    change = f"falls to {low} or less" if told.falls else f"rises to {high} or more"
    if claim.under is not None:
        is_true = "is not true" if told.falls else "is true"
        return (
            f"for a server whose prior belief is {clean(claim.under_text)}, where {others}: when "
            f"{told.first} {is_true} of the client, the belief in it {change} {often}"
        )
    believed, share_of = (told.second, high) if told.falls else (told.first, low)
    alternative = told.first if told.falls else told.second
    return (
        f"where {others}, take a server that holds {believed} for {share_of} likely, and "
        f"{alternative} otherwise. When the client has {told.first}, its belief in {believed} "
        f"{change} {often}"
    )


def _told(certificate: Certificate, witness: CrowdWitness) -> _Told:
    claim, place = certificate.claim, witness.compared
    described = CrowdDescribed.of(certificate.operator, claim)
    examples = described.examples(place, witness.other)
    first, second, other = ("" if value is None else _shown(value) for value in examples)
    falls = isinstance(claim, BreachClaim) and claim.direction == "downward"
    rows = described.rows
    if not isinstance(claim, BreachClaim) or rows is None:
        return _Told(first, second, other, falls)
    if not isinstance(place[0], str):
        falls = falls if claim.about is None else not rows.meanings[place[0]][1][0]
        return _Told(first, second, other, falls)
    if claim.about is not None:
        name = f"the property {clean(claim.about.name)}"
    else:
        many = rows.counts[place[1]]
        name = f"the property {{{first}}}"
        if many > 1:
            name = f"the property of being {first} or one of the {many - 1:,} values like it"
    return _Told(name, "", other, place[0] == "downward")


def _shown(value: Any) -> str:
    return clean(show_value(value), 40)

"""Summary: page one, which stands alone: verdicts, one picture, what was assumed, signatures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ppdm_formal.certify.audit.audited import AuditResult, OperatorAudit
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.report.parts.blocks import (
    Block,
    Facts,
    Gallery,
    Picture,
    Section,
    Signatures,
    Table,
    Text,
)
from ppdm_formal.report.parts.comparison import entries, frontiers
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.parts.trust import checking_words
from ppdm_formal.report.pictures.densities import density_picture
from ppdm_formal.report.pictures.operator_frontiers import frontier_pictures
from ppdm_formal.report.pictures.parameter_pictures import parameter_pictures
from ppdm_formal.report.words.crowd_words import all_rest_words
from ppdm_formal.report.words.decided import AnyDecided
from ppdm_formal.report.words.real_words import hidden_words
from ppdm_formal.report.words.standing import badge, shade
from ppdm_formal.report.words.subject import words_of
from ppdm_formal.report.words.utility_words import (
    CONFIDENCE,
    asked,
    people_needed,
    priced_words,
    without_randomization,
)
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.continuous_audit import ContinuousAudit

_ROWS = 12
"""So many claims are listed on page one, those that do not hold first."""

_COSTS, _NUMBERS, _PRIORS = 3, 8, 2
_ORDER = ("breached", "partly", "unknown", "vacuous", "certified")

ASSUMED = (
    "the software in use does what the model says; clients randomize independently, with ideal "
    "coins; each person sends one report unless a claim says otherwise; observers know the "
    "randomization and see nothing but the report."
)
MEANING = (
    "A breach r1 -> r2: one report takes the belief in a property of the true value from r1 or "
    "less to r2 or more, or back."
)
SIGNED = ("Prepared by", "Checked by", "Approved by")


def summary_part(material: Material) -> list[Section]:
    """What someone who signs reads, on one page."""
    result = material.result
    blocks: list[Block] = [*_verdicts(material.judged)]
    picture = _picture(material)
    if picture is not None:
        blocks.append(Gallery([picture]))
    crowds = all_rest_words((claim.number, claim.claim) for claim in material.claims)
    facts: list[tuple[str, str | list[str]]] = [
        ("What it costs", _costs(result.operators)),
        ("What the noise hides", _hidden(result.continuous)),
        ("Whose beliefs", _priors(material.judged)),
        ("What was assumed", [f"That {ASSUMED}", *crowds] if crowds else f"That {ASSUMED}"),
        ("Who can check this", checking_words(material)[0]),
    ]
    blocks.append(Facts([(term, words) for term, words in facts if words]))
    blocks.append(Signatures(SIGNED))
    return [Section("Summary", blocks, 2, "summary")]


def _costs(operators: Sequence[OperatorAudit]) -> list[str]:
    """What estimates cost, of a few operators; those of which it is a number of people at once."""
    counts = {clean(o.operator.name, 30): people_needed(o) for o in operators}
    if len(counts) > 1 and all(counts.values()):
        few = [f"{name} {count}" for name, count in list(counts.items())[:_NUMBERS]]
        more = ", ..." if len(counts) > _NUMBERS else ""
        return [
            f"People it takes to know {asked()}, {CONFIDENCE}: {', '.join(few)}{more} "
            f"({without_randomization()} without randomization)."
        ]
    said = []
    for found in operators[:_COSTS]:
        words = priced_words(found)
        if words:
            whose = f"{clean(found.operator.name, 30)}: " if len(operators) > 1 else ""
            said.append(f"{whose}{words}")
    if said and len(operators) > _COSTS:
        said.append(f"{len(operators) - _COSTS} further operators: under What it costs.")
    return said


def _hidden(operators: Sequence[ContinuousAudit]) -> list[str]:
    """What continuous operators hide, of a few of them."""
    said = [f"{clean(o.operator.name, 30)}: {hidden_words(o)}" for o in operators[:_COSTS]]
    left = len(operators) - _COSTS
    if left > 0:
        said.append(f"{left} further operator{'s' * (left > 1)}: in sections of their own.")
    return said


def _priors(claims: Sequence[AnyDecided]) -> list[str]:
    """The priors that claims name, in words; the others are spelled out further on."""
    named = dict.fromkeys(words_of(one.certificate).belief(one.certificate) for one in claims)
    return [f"{one[0]}: {one[1]}" for one in [one for one in named if one][:_PRIORS]]


def _verdicts(claims: Sequence[AnyDecided]) -> list[Block]:
    if not claims:
        return []
    listed = sorted(claims, key=lambda c: (_ORDER.index(shade(c.certificate)), c.number))
    shown = sorted(listed[:_ROWS], key=lambda claim: claim.number)
    rows = [
        [
            f"Claim {claim.number}",
            badge(claim.certificate),
            clean(claim.about, 30),
            claim.words,
            words_of(claim.certificate).against(claim.certificate),
        ]
        for claim in shown
    ]
    # The verdict stands where a narrow screen shows it without scrolling.
    head = ["claim", "verdict", "operator", "what is claimed", "against whom"]
    links = [f"claim-{claim.number}" for claim in shown]
    shades = [shade(claim.certificate) for claim in shown]
    blocks: list[Block] = [Table(head, rows, "", (), (), links, {1: shades})]
    if any(isinstance(claim.claim, BreachClaim) for claim in shown):
        blocks.append(Text(MEANING))
    if len(claims) > len(shown):
        left = len(claims) - len(shown)
        blocks.append(Text(f"{left} further claims are among the verdicts below."))
    return blocks


def _picture(material: Material) -> Picture | None:
    """Where claims hold along a free parameter, how far beliefs can move, or what noise does."""
    result: AuditResult = material.result
    if not result.operators:
        drawn = [(found, part) for found in result.continuous for part in found.measures]
        return density_picture(drawn[0][0].operator, drawn[0][1].density) if drawn else None
    for found in result.operators:
        if len(found.operator.parameters) == 1:
            along = parameter_pictures(found, material.of(found))
            if along:
                return along[0]
    if len(result.operators) == 1:
        [found] = result.operators
        own = [claim for claim in material.of(found) if claim.of_one_report]
        return next(frontier_pictures(found, own), None)
    return next(iter(frontiers(entries([result]))), None)


PART = Part(5, summary_part)

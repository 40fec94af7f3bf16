"""Verdicts of a plan: a row for each operator, those that fail in full, and how to check them."""

from __future__ import annotations

import shlex

from ppdm_formal.report.parts.blocks import Block, Code, Points, Section, Table, Text
from ppdm_formal.report.parts.part import Part
from ppdm_formal.report.parts.plan import PlanMaterial
from ppdm_formal.report.parts.sections.verdicts import decided_block
from ppdm_formal.report.words.crowd_words import all_rest_words, rests_words
from ppdm_formal.report.words.measure_words import cell
from ppdm_formal.report.words.standing import verdict_word
from ppdm_formal.report.words.visible import clean

_FAILING = 3  # that are shown in full


def certificates_part(material: PlanMaterial) -> list[Section]:
    """All operators in a table, what fails, and the commands that check certificates."""
    rows = []
    for claim in material.claims:
        name, factor = claim.found.operator.name, cell(claim.found.readings[0])
        row = [clean(name, 40), clean(factor, 40), claim.words, verdict_word(claim.certificate)]
        rows.append([*row, clean(claim.file or "-", 60)])
    head = ["operator", "amplification", "claim", "verdict", "certificate"]
    blocks: list[Block] = [Table(head, rows, "", (1,))]
    failing = [claim for claim in material.claims if claim.verdict.value != "certified"]
    blocks += [decided_block(claim) for claim in failing[:_FAILING]]
    blocks += _rests(material, brief=False)
    file = shlex.quote(material.file)
    blocks += [
        Text(
            "Amplification is over baskets of one size, or over all that are brought to it. To "
            "write certificates and check them, independently of what made them:"
        ),
        Code(
            [
                f"ppdm audit {file} --certificates certificates",
                f"ppdm check certificates --model {file}",
            ]
        ),
    ]
    return [Section("Verdicts", blocks, 2, "verdicts")]


def failing_part(material: PlanMaterial) -> list[Section]:
    """What verdicts rest on, and what does not hold, for a terminal."""
    failing = [claim for claim in material.claims if claim.verdict.value != "certified"]
    found = [Section("What it rests on", blocks) for blocks in [_rests(material, True)] if blocks]
    if failing:
        shown = [decided_block(claim) for claim in failing[:_FAILING]]
        found.append(Section("Claims that do not hold", shown))
    return found


def _rests(material: PlanMaterial, brief: bool) -> list[Block]:
    """What claims among a crowd rest on: in brief that of the smallest crowd for all."""
    claims = [claim for claim in material.claims if claim.claim.of_crowd]
    if brief and claims:
        least = min(claims, key=lambda claim: claim.claim.crowd.clients if claim.claim.crowd else 0)
        name = clean(least.certificate.operator.name, 40)
        told = [f"{name}: {words}" for words in rests_words(least.claim)]
        more = ["Claims about others likewise, each among its own clients."]
        return [Points(told + more * (len(claims) > 1))]
    said = all_rest_words((claim.number, claim.claim) for claim in claims)
    return [Points(said)] if said else []


PART = Part(60, certificates_part, 60, failing_part)

"""Questions that someone who signs off asks: answered for each operator, and for the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from ppdm_formal.certify.audit.audited import OperatorAudit, PosteriorRow
from ppdm_formal.certify.frontier import worst_posterior_for
from ppdm_formal.certify.region_words import region_words
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.people import (
    bound_percent,
    bound_share,
    moved_share,
    number_words,
    percent,
)
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.domain import Value, show_value
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.derive.measures.posterior import joint_mass
from ppdm_formal.report.parts.blocks import Block, Facts, Section, Table
from ppdm_formal.report.parts.outcome import kept, listed
from ppdm_formal.report.parts.part import Material, Part
from ppdm_formal.report.parts.samples import samples_table
from ppdm_formal.report.parts.trust import whole_answers
from ppdm_formal.report.words.claim_words import often_words
from ppdm_formal.report.words.decided import Decided
from ppdm_formal.report.words.flips import flip_words
from ppdm_formal.report.words.measure_words import cell
from ppdm_formal.report.words.question import against_words, promise_words
from ppdm_formal.report.words.standing import shade
from ppdm_formal.report.words.utility_words import priced_words
from ppdm_formal.report.words.verdict_words import no_case_words
from ppdm_formal.report.words.visible import clean

_NAMED = 4
_TENTH = Fraction(1, 10)


def answers_part(material: Material) -> list[Section]:
    """A table of all operators where there are several, answers for each, then for the whole."""
    operators, claims = material.result.operators, material.claims
    if not (operators or material.result.continuous):
        return []
    parts: list[Block] = []
    if len(operators) > 1:
        parts.append(_side_by_side(operators, claims))
    for found in operators:
        mine = material.of(found)
        blocks: list[Block] = [
            Facts(
                [
                    ("Is it safe?", _safe(mine)),
                    ("Against whom?", _against(mine)),
                    ("What is the worst an observer can learn?", _worst(found)),
                    ("How often?", _often(found, mine)),
                    ("At what cost?", priced_words(found) or "Not measured."),
                    ("What would make it pass or fail?", _flips(found, mine)),
                ]
            )
        ]
        table = samples_table(found, mine)
        if table is not None:
            blocks.append(table)
        parts.append(Section(f"Operator {clean(found.operator.name)}", blocks, 3))
    parts.append(Section("The whole report", [Facts(whole_answers(material))], 3))
    return [Section("Questions and answers", parts, 2, "answers")]


def _side_by_side(operators: Sequence[OperatorAudit], claims: Sequence[Decided]) -> Table:
    rows = []
    for found in operators:
        name = found.operator.name
        gain = found.gain
        reach, factor = "see below", clean(cell(found.readings[0]), 60)
        if is_number(gain) or isinstance(gain, Infinity):
            reach = bound_percent(worst_posterior_for(_TENTH, gain), up=True)
        if is_number(gain):
            factor = number_words(gain)
        asked = any(claim.found is found for claim in claims)
        rows.append(
            [clean(name, 30), kept(claims, name) if asked else "no claim made", reach, factor]
        )
    head = ["operator", "claims", "a suspicion of 10% becomes at most", "odds grow at most by"]
    caption = "Operators side by side, whatever the observer believed before"
    return Table(head, rows, caption, (2, 3))


def _numbers(claims: Sequence[Decided]) -> str:
    word = "claim" if len(claims) == 1 else "claims"
    return f"{word} {', '.join(str(claim.number) for claim in claims)}"


def _grouped(said: Iterable[tuple[str, Decided]]) -> list[tuple[str, str]]:
    """Sentences with the claims of which they are true, each sentence once."""
    groups: dict[str, list[Decided]] = {}
    for words, claim in said:
        groups.setdefault(words, []).append(claim)
    return [(words, _numbers(claims)) for words, claims in groups.items()]


def _safe(mine: Sequence[Decided]) -> str | list[str]:
    if not mine:
        return "Nothing was claimed of this operator; the measures below say what it discloses."
    found = {word: [c for c in mine if shade(c.certificate) == word] for word in _ORDER}
    failing, partly, unknown = found["breached"], found["partly"], found["unknown"]
    parts = []
    if len(failing) == len(mine):
        parts.append(f"No. It fails every claim made for it ({_numbers(failing)}).")
    elif failing:
        parts.append(f"No. It fails {_numbers(failing)}, out of {_numbers(mine)}.")
    parts += [_partly(claim, alone=len(partly) == len(mine) == 1) for claim in partly]
    if unknown:
        parts.append(f"Not decided, and so not shown to hold: {_numbers(unknown)}.")
    if not parts and found["certified"]:
        promised = _grouped((promise_words(c.claim), c) for c in found["certified"])
        parts.append("Yes, it keeps what was claimed:")
        parts += [f"{words} ({who})." for words, who in promised]
    elif not parts:
        parts.append("Not shown: nothing that was claimed can be tested.")
    parts += [
        f"No case tests {who}, which says nothing: {words}."
        for words, who in _grouped((_no_case(c), c) for c in found["vacuous"])
    ]
    return parts


_ORDER = ("breached", "partly", "unknown", "certified", "vacuous")


def _no_case(decided: Decided) -> str:
    claim = decided.claim
    return no_case_words(decided.certificate, claim) if isinstance(claim, BreachClaim) else ""


def _partly(decided: Decided, *, alone: bool) -> str:
    region = decided.certificate.region
    assert region is not None
    where = clean(region_words(region), 200)
    other = (
        f"every other {clean(region.parameter.told.name, 20)} in {region.parameter.told.interval}"
    )
    if alone:
        return f"Yes if {where} (claim {decided.number}); no for {other}."
    return f"Claim {decided.number} holds if {where}, and fails for {other}."


def _against(mine: Sequence[Decided]) -> str:
    most = max((claim.claim.reports for claim in mine), default=1)
    reports = "one report" if most == 1 else f"up to {most:,} reports"
    seen, hidden = f"{reports} of a client", "the shuffled reports, or sums, of a crowd"
    if mine and all(claim.claim.of_crowd for claim in mine):
        seen = hidden
    elif any(claim.claim.of_crowd for claim in mine):
        seen += f", or {hidden} where a claim says so,"
    said = f"Anyone who sees {seen} and knows how reports are randomized"
    if not mine:
        return said + "."
    whom = _grouped((against_words(claim.claim), claim) for claim in mine)
    return f"{said}: {'; '.join(f'{words} ({who})' for words, who in whom)}."


def _worst(found: OperatorAudit) -> list[str]:
    if found.amplification is None:
        return ["How far beliefs can move was not computed within the time limit."]
    gain = found.amplification.value
    witness = found.amplification.witness
    output = clean(show_value(witness.output))
    parts = []
    if isinstance(gain, Infinity):
        parts.append(
            f"Certainty: output {output} can come from {clean(show_value(witness.likely))} but "
            f"never from {clean(show_value(witness.unlikely))}, so some suspicion becomes 100%."
        )
    elif is_number(gain):
        examples = ", ".join(
            f"{percent(r)} to at most {bound_percent(worst_posterior_for(r, gain), up=True)}"
            for r in (Fraction(1, 100), _TENTH, Fraction(1, 2))
        )
        parts.append(
            "Whatever was believed before, one report can raise a suspicion of "
            f"{examples} (the odds grow by a factor of at most {number_words(gain)})."
        )
    else:
        parts.append(
            "Whatever was believed before, one report multiplies the odds of any property by at "
            f"most {found.amplification.text}; the table below says what that means."
        )
    for row in _highest(found)[:_NAMED]:
        if is_number(row.before) and is_number(row.after):
            rises = "rises" if row.after > row.before else "stays"
            parts.append(
                f"To an observer who believes {clean(row.prior.name)}, output "
                f"{clean(show_value(row.given))} is the worst for {clean(row.property.name)}: the "
                f"belief {rises} from {percent(row.before)} to "
                f"{moved_share(row.before, row.after)}."
            )
    return parts


def _highest(found: OperatorAudit) -> list[PosteriorRow]:
    return [row for row in found.posteriors if row.worst == "highest"]


def _often(found: OperatorAudit, mine: Sequence[Decided]) -> list[str]:
    failing = [claim for claim in mine if claim.verdict.fails]
    parts = [
        f"{who[0].upper()}{who[1:]}: {words}"
        for words, who in _grouped((often_words(claim), claim) for claim in failing)
    ]
    worst: dict[tuple[Value, Prior], list[str]] = {}
    for row in _highest(found)[:_NAMED]:
        if is_number(row.after) and row.after != row.before:
            worst.setdefault((row.given, row.prior), []).append(clean(row.property.name))
    for (output, prior), names in worst.items():
        view = found.operator.view_of(output, prior)
        if view.relative:  # how often is not known, as of all sets of so many values
            continue
        mass = joint_mass(view.classes)
        parts.append(
            f"Output {clean(show_value(output))} (the worst for {listed(names)}) "
            f"occurs in {percent(mass, 4)} of all reports under {clean(prior.name)}."
        )
    if not failing:
        parts.insert(0, "No claim fails, so that no output breaches one.")
    return parts


def _flips(found: OperatorAudit, mine: Sequence[Decided]) -> list[str]:
    gain = found.gain
    said = []
    for claim in mine:
        region = claim.certificate.region
        if region is not None:
            said.append((f"It holds exactly for {clean(region_words(region), 200)}.", claim))
        else:
            said += [(words, claim) for words in flip_words(claim.certificate, found)[:1]]
    parts = [f"{who[0].upper()}{who[1:]}: {words}" for words, who in _grouped(said)]
    if is_number(gain):
        start = bound_share(1 / (1 + gain), up=False)
        parts.append(
            f"Whatever was believed before, suspicions below {start} stay below 50%; others need "
            "not."
        )
    return parts


PART = Part(10, answers_part)

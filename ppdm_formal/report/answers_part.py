"""Five questions that someone who signs off asks, answered for each operator."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.audit import OperatorAudit, PosteriorRow
from ppdm_formal.domain import show_value
from ppdm_formal.measures.posterior import joint_mass
from ppdm_formal.measures.value import Infinity
from ppdm_formal.report.blocks import Facts, Section
from ppdm_formal.report.decimals import clean, percent
from ppdm_formal.report.frontier import worst_posterior_for
from ppdm_formal.report.question import against_words
from ppdm_formal.report.verdicts_part import Decided, bound_flip, often_words
from ppdm_formal.report.words import bound_percent, threshold_words

_NAMED = 4


def answers_part(
    operators: Sequence[OperatorAudit], claims: Sequence[Decided], checking: str
) -> Section:
    """One list of answers for each operator."""
    parts = []
    for found in operators:
        mine = [claim for claim in claims if claim.found is found]
        pairs: list[tuple[str, str | Sequence[str]]] = [
            ("Is it safe?", _safe(mine)),
            ("Against what?", _against(mine)),
            ("What is the worst an observer can learn?", _worst(found)),
            ("How often?", _often(found, mine)),
            ("What would make it pass or fail?", _flips(found, mine)),
            ("Who else can check this?", checking),
        ]
        parts.append(Section(f"Operator {clean(found.operator.name)}", [Facts(pairs)], 3))
    return Section("Questions and answers", parts, 2, "answers")


def _numbers(claims: Sequence[Decided]) -> str:
    word = "claim" if len(claims) == 1 else "claims"
    return f"{word} {', '.join(str(claim.number) for claim in claims)}"


def _safe(mine: Sequence[Decided]) -> str:
    if not mine:
        return "Nothing was claimed of this operator; the measures below say what it discloses."
    failing = [claim for claim in mine if claim.verdict == "breached"]
    unknown = [claim for claim in mine if claim.verdict == "unknown"]
    parts = []
    if failing and all(claim.summary.get("region") for claim in failing):
        parts.append(f"For some values of its parameter only: see {_numbers(failing)}.")
    elif len(failing) == len(mine):
        parts.append(f"No. It fails whatever was asked of it ({_numbers(failing)}).")
    elif failing:
        parts.append(f"No. It fails {_numbers(failing)}, out of {_numbers(mine)}.")
    if unknown:
        parts.append(f"Not decided, and so not shown to hold: {_numbers(unknown)}.")
    if not parts:
        parts.append(f"Yes, in the sense of what was asked: {_numbers(mine)}, all of which hold.")
    return " ".join(parts)


def _against(mine: Sequence[Decided]) -> str:
    said = "Against anyone who sees one report of a client and knows how reports are randomized"
    if not mine:
        return said + "."
    whom = dict.fromkeys(against_words(claim.summary["claim"]) for claim in mine)
    numbered = [
        f"{words} ({_numbers([c for c in mine if against_words(c.summary['claim']) == words])})"
        for words in whom
    ]
    return f"{said}: {'; '.join(numbered)}."


def _worst(found: OperatorAudit) -> list[str]:
    gain = found.amplification.value
    witness = found.amplification.witness
    output = clean(show_value(witness.output))
    parts = []
    if isinstance(gain, Infinity):
        parts.append(
            f"Certainty: output {output} can come from {clean(show_value(witness.likely))} but "
            f"never from {clean(show_value(witness.unlikely))}, so some suspicion becomes 100%."
        )
    elif isinstance(gain, Fraction):
        examples = ", ".join(
            f"{percent(r)} to at most {bound_percent(worst_posterior_for(r, gain), up=True)}"
            for r in (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2))
        )
        parts.append(
            "Whatever was believed before, one report can raise a suspicion of "
            f"{examples} (the odds grow by a factor of at most {found.amplification.text})."
        )
    else:
        parts.append(
            "Whatever was believed before, one report multiplies the odds of any property by at "
            f"most {found.amplification.text}."
        )
    for row in _highest(found)[:_NAMED]:
        if isinstance(row.before, Fraction) and isinstance(row.after, Fraction):
            rises = "rises" if row.after > row.before else "stays"
            parts.append(
                f"Under the prior {clean(row.prior.name)}, the belief in "
                f"{clean(row.property.name)} {rises} from {percent(row.before)} to at most "
                f"{bound_percent(row.after, up=True)} (after "
                f"output {clean(show_value(row.given))})."
            )
    return parts


def _highest(found: OperatorAudit) -> list[PosteriorRow]:
    return [row for row in found.posteriors if row.worst == "highest"]


def _often(found: OperatorAudit, mine: Sequence[Decided]) -> list[str]:
    parts = [
        f"Claim {claim.number}: {often_words(claim)}"
        for claim in mine
        if claim.verdict == "breached"
    ]
    for row in _highest(found)[:_NAMED]:
        if not isinstance(row.after, Fraction) or row.after == row.before:
            continue
        mass = joint_mass(found.operator.view_of(row.given, row.prior).classes)
        parts.append(
            f"Output {clean(show_value(row.given))} (the worst for {clean(row.property.name)}) "
            f"occurs with probability {percent(mass, 4)} under {clean(row.prior.name)}."
        )
    if not any(claim.verdict == "breached" for claim in mine):
        parts.insert(0, "No claim fails, so that no output breaches one.")
    return parts


def _flips(found: OperatorAudit, mine: Sequence[Decided]) -> list[str]:
    gain = found.amplification.value
    parts = []
    for claim in mine:
        summary = claim.summary
        if summary.get("region"):
            said = f"It holds exactly for {clean(summary['region']['text'], 200)}."
        elif summary["thresholds"]:
            said = " ".join(threshold_words(summary["claim"], summary["thresholds"]))
        elif summary["claim"]["kind"] == "bound":
            said = bound_flip(claim)
        else:
            continue
        parts.append(f"Claim {claim.number}: {said}")
    if isinstance(gain, Infinity):
        parts.append("Under all priors it fails every limit below 100%.")
    elif isinstance(gain, Fraction):
        start = 1 / (1 + gain)
        near = bound_percent(start, up=False)
        exact = f"{start} ({near})" if len(str(start)) <= 40 else near
        parts.append(f"Under all priors, suspicions below {exact} stay below 50%; others need not.")
    return parts

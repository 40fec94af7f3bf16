"""The pictures of one operator, each with a caption that says what is to be seen."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ppdm_formal.audit import OperatorAudit
from ppdm_formal.certify.finding import BreachWitness
from ppdm_formal.claim import BreachClaim
from ppdm_formal.numbers.people import bound_percent, exact_within, moved, percent, rounded
from ppdm_formal.numbers.value import Infinity
from ppdm_formal.operator.domain import show_value
from ppdm_formal.operator.operator import Operator
from ppdm_formal.operator.prior import Prior
from ppdm_formal.report.frontier import all_priors, one_prior
from ppdm_formal.report.parts.blocks import Picture
from ppdm_formal.report.parts.decided import Decided
from ppdm_formal.report.pictures.frontier import ClaimPoint, Curve, frontier_picture
from ppdm_formal.report.pictures.heat_map import heat, heat_picture
from ppdm_formal.report.pictures.measure_bars import amplification_bars, information_bars
from ppdm_formal.report.pictures.posterior import Seen, odds_factors, posterior_picture
from ppdm_formal.report.pictures.region import Track, region_picture
from ppdm_formal.report.pictures.samples import sample_values
from ppdm_formal.report.pictures.tradeoff import tradeoff, tradeoff_picture
from ppdm_formal.report.words.question import BADGES, badge, in_part
from ppdm_formal.report.words.verdict_words import is_worst
from ppdm_formal.report.words.visible import clean

_CURVES = 6
_READ = "A claim holds exactly if its point lies above the lines; on a line or below it fails."
_READ_AT = (
    "For each value a claim holds exactly if its point lies above that line; on it or below it, it "
    "fails."
)


def pictures(found: OperatorAudit, claims: Sequence[Decided], unit: str) -> list[Picture]:
    """All pictures that the operator allows."""
    free = found.operator.parameters
    shown: list[Picture | None] = []
    if len(free) == 1:
        shown += _parameter_pictures(found, claims)
    shown += _frontiers(found, claims)
    for part in found.priors:
        if not free and not part.prior.parameters:
            shown += _posteriors(found, part.prior, claims)
    if not free:
        shown.append(amplification_bars(found, claims))
        for part in found.priors:
            if not part.prior.parameters:
                shown.append(information_bars(found.operator, part, unit))
    return [picture for picture in [*shown, _heat(found, claims)] if picture is not None]


def claim_points(
    claims: Sequence[Decided], under: Prior | None
) -> list[tuple[BreachClaim, ClaimPoint]]:
    """The breach claims for every property under all priors, or under one."""
    points = []
    for decided in claims:
        claim = decided.certificate.claim
        if (
            isinstance(claim, BreachClaim)
            and claim.about is None
            and claim.knowing is None
            and claim.under == under
        ):
            words = f"claim {decided.number}: {claim.rho1} -> {claim.rho2}, "
            words += badge(decided.summary).lower() + _margin(decided.summary)
            verdict = "unknown" if in_part(decided.summary) else decided.verdict
            breach = _breach(decided)
            points.append((claim, ClaimPoint(claim.rho1, claim.rho2, verdict, words, breach)))
    return points


def _margin(summary: dict[str, Any]) -> str:
    """How near to the limit a claim that holds comes."""
    bound = (summary["thresholds"] or {}).get("rho2_above")
    if summary["verdict"] != "certified" or bound is None:
        return ""
    top = Fraction(bound["hi"] if isinstance(bound, dict) else bound)
    limit = percent(Fraction(summary["claim"]["rho2"]))
    return f" ({bound_percent(top, up=True)} against {limit})"


def _breach(decided: Decided) -> tuple[Fraction, Fraction, str] | None:
    """Where the example of a breach stands; one that lowers a belief stands at (after, before)."""
    witness = decided.certificate.witness
    if not isinstance(witness, BreachWitness):
        return None
    before, after = witness.before, witness.after
    words = f"its example: {percent(before)} becomes {moved(before, after)}"
    if witness.parameters:
        words += ", " + ", ".join(f"{clean(n, 12)} = {v}" for n, v in witness.parameters.items())
    upward = witness.direction == "upward"
    return (before, after, words) if upward else (after, before, words)


def _frontiers(found: OperatorAudit, claims: Sequence[Decided]) -> list[Picture]:
    shown = []
    gain = found.gain
    curves = []
    if isinstance(gain, Fraction | Infinity):
        curves.append(
            Curve(all_priors(gain), f"worst over all priors, amplification {_gain(gain)}")
        )
    elif len(found.operator.parameters) == 1 and found.amplification is not None:
        parameter = found.operator.parameters[0]
        for value in sample_values(parameter, claims)[:_CURVES]:
            at = found.amplification.at({parameter.name: value})
            if at is not None:
                words = f"{clean(parameter.name)} = {value}: amplification {_gain(at)}"
                curves.append(Curve(all_priors(at), words))
    points = [point for _, point in claim_points(claims, None)]
    if curves:
        title = "Breach frontier, all priors"
        caption = (
            "How far one report can raise a suspicion (across: before, up: after), whatever was "
            f"believed before. {_READ_AT if found.operator.parameters else _READ}"
        )
        shown.append(Picture(title, frontier_picture(curves, points, title), caption))
    for prior in _known_priors(found, claims):
        shown += _known_frontier(found.operator, prior, claims)
    return shown


def _known_priors(found: OperatorAudit, claims: Sequence[Decided]) -> list[Prior]:
    asked = [part.prior for part in found.priors]
    for decided in claims:
        claim = decided.certificate.claim
        if isinstance(claim, BreachClaim) and isinstance(claim.under, Prior):
            asked.append(claim.under)
    if found.operator.parameters:
        return []
    return [prior for prior in dict.fromkeys(asked) if not prior.parameters]


def _known_frontier(operator: Operator, prior: Prior, claims: Sequence[Decided]) -> list[Picture]:
    points = claim_points(claims, prior)
    found = one_prior(operator, prior, [claim.rho1 for claim, _ in points])
    if found is None:
        return []
    name = clean(prior.name, 20)
    curves = [
        Curve(found[0], "raised: from x (across) up to y (up)"),
        Curve(found[1], "lowered: from y (up) down to x (across)"),
    ]
    title = f"Breach frontier, prior {name}"
    exact = (
        "Every step is drawn where it is. "
        if all(steps.whole for steps in found)
        else "Exact at the points drawn, between them drawn too high rather than too low. "
    )
    others = ""
    if any(_about_one(decided, prior) for decided in claims):
        others = " Claims for one property are in the picture of that property."
    caption = (
        f"The same for an observer who believes {name}, over every property and output. "
        f"{exact}{_READ}{others}"
    )
    return [Picture(title, frontier_picture(curves, [p for _, p in points], title), caption)]


def _about_one(decided: Decided, prior: Prior) -> bool:
    claim = decided.certificate.claim
    return isinstance(claim, BreachClaim) and claim.about is not None and claim.under == prior


def _posteriors(found: OperatorAudit, prior: Prior, claims: Sequence[Decided]) -> list[Picture]:
    shown = []
    rows = [row for row in found.posteriors if row.prior == prior]
    for property in dict.fromkeys(row.property for row in rows):
        seen: dict[tuple[object, object], Seen] = {}
        for row in rows:
            before, after = row.before, row.after
            if row.property != property or not isinstance(after, Fraction):
                continue
            assert isinstance(before, Fraction)
            output = clean(show_value(row.given), 16)
            words = f"output {output}: {percent(before)} to {moved(before, after)}"
            if row.worst:
                words = f"{row.worst}, {words}"
            seen.setdefault((row.given, after), Seen(before, after, words))
        marks = list(seen.values())
        for decided in claims:
            claim = decided.certificate.claim
            if isinstance(claim, BreachClaim) and claim.about == property and claim.under == prior:
                words = f"claim {decided.number}: {claim.rho1} -> {claim.rho2}, "
                words += BADGES[decided.verdict].lower()
                marks.append(Seen(claim.rho1, claim.rho2, words, decided.verdict))
                example = _breach(decided)
                if example is not None and not is_worst(decided.summary):
                    witness = decided.certificate.witness
                    assert isinstance(witness, BreachWitness)
                    marks.append(Seen(witness.before, witness.after, example[2]))
        factors = odds_factors(found.operator, prior, property)
        name = clean(property.name, 20)
        title = f"Belief in {name}, prior {clean(prior.name, 16)}"
        caption = (
            f"Belief in {name} after the outputs that move it most, if its mass in the prior "
            "varied (across) and all else stayed; dots are the declared prior."
        )
        shown.append(Picture(title, posterior_picture(factors, marks, title), caption))
    return shown


def _gain(value: Fraction | Infinity) -> str:
    if isinstance(value, Infinity):
        return "infinity"
    return exact_within(value, 12) or rounded(value, 4)


def _parameter_pictures(found: OperatorAudit, claims: Sequence[Decided]) -> list[Picture]:
    parameter = found.operator.parameters[0]
    name = clean(parameter.name, 20)
    shown = []
    tracks = [
        Track(f"Claim {decided.number}: {decided.words}", decided.summary["region"])
        for decided in claims
        if decided.summary.get("region")
    ]
    if tracks:
        title = f"Where each claim holds, along {name}"
        caption = (
            f"Solid: the values of {name} for which the claim holds; thin: those for which it "
            "fails. A filled end belongs to the region, a hollow one does not."
        )
        shown.append(Picture(title, region_picture(parameter, tracks, title), caption))
    if found.amplification is None:
        return shown
    curve = tradeoff(found.operator.name, found.amplification, parameter)
    if len(curve.points) > 1:
        title = f"Trade-off along {name}"
        caption = (
            f"Epsilon, the logarithm of the amplification, against {name}: "
            "lower is safer. Near an end where it grows without bound it leaves the picture."
        )
        shown.append(Picture(title, tradeoff_picture(parameter, [curve], title), caption))
    return shown


def _heat(found: OperatorAudit, claims: Sequence[Decided]) -> Picture | None:
    operator, at = found.operator, ""
    if operator.parameters:
        values = _sample(operator, claims)
        operator = operator.substitute(values)
        at = " at " + ", ".join(f"{clean(n, 20)} = {v}" for n, v in values.items())
    cells = heat(operator)
    if cells is None:
        return None
    title = f"Heat map of p[x -> y]{at}"
    caption = (
        "The stronger the colour, the likelier; on a screen, a cell under the pointer shows its "
        "exact probability."
    )
    if not cells.whole:
        caption = (
            "The stronger the colour, the likelier. The matrix is summarized by blocks, each "
            "shaded by its largest probability; on a screen, a block under the pointer "
            "shows the exact range of its entries."
        )
    return Picture(title, heat_picture(operator, cells, title), caption)


def _sample(operator: Operator, claims: Sequence[Decided]) -> dict[str, Fraction]:
    """Where the matrix is drawn: at a witness's values, otherwise in the middle."""
    for decided in claims:
        witness = decided.certificate.witness
        if witness is not None and witness.parameters:
            return {p.name: witness.parameters[p.name] for p in operator.parameters}
    return {p.name: (p.lower + p.upper) / 2 for p in operator.parameters}

"""What a claim asks, whom it guards against, and what its verdict rests on, in plain words."""

from __future__ import annotations

from typing import Any

from ppdm_formal.numbers.people import share
from ppdm_formal.report.words.visible import clean

BADGES = {"certified": "Holds", "breached": "Fails", "unknown": "Not decided"}


def in_part(summary: dict[str, Any]) -> bool:
    """Whether a claim fails for some values of a free parameter only."""
    region = summary.get("region")
    return summary["verdict"] == "breached" and bool(region and region["holds"])


def badge(summary: dict[str, Any]) -> str:
    """The verdict in a word or two."""
    if in_part(summary):
        return f"Fails for some {clean(summary['region']['parameter'], 20)}"
    return BADGES[summary["verdict"]]


_MEASURES = {
    "amplification": "No output may be {how} {bound} times as likely from one true value as from "
    "another (whatever the observer believed before).",
    "worst_case_information": "Under the prior {prior}, no single output may tell {how} {bound} "
    "{unit} about the true value.",
    "dependence": "Under the prior {prior}, no output may make a true value more or less likely by "
    "a factor of {how} e^({bound}).",
}

_PROMISES = {
    "amplification": "no output is {how} {bound} times as likely from one true value as from "
    "another",
    "worst_case_information": "under the prior {prior}, no single output tells {how} {bound} "
    "{unit} about the true value",
    "dependence": "under the prior {prior}, no output makes a true value more or less likely by a "
    "factor of {how} e^({bound})",
}


def shade(summary: dict[str, Any]) -> str:
    """The verdict as a page colours it: partly where it depends on a free parameter."""
    return "partly" if in_part(summary) else str(summary["verdict"])


def promise_words(claim: dict[str, Any]) -> str:
    """What the claim promises, as part of a sentence."""
    if claim["kind"] == "bound":
        how = "as much as" if claim["relation"] == "<" else "more than"
        shown = {key: clean(str(claim[key] or "")) for key in ("bound", "prior", "unit")}
        return _PROMISES[claim["measure"]].format(how=how, **shown)
    low, high = share(claim["rho1"]), share(claim["rho2"])
    what = "any property" if claim["for"] is None else clean(claim["for"])
    rise = f"raises the belief in {what} from {low} or less to {high} or more"
    fall = f"lowers the belief in {what} from {high} or more to {low} or less"
    both = f"{rise}, or the reverse"
    change = {"both": both, "upward": rise, "downward": fall}[claim["direction"]]
    return f"no single report {change}"


def asked_words(claim: dict[str, Any]) -> str:
    """The claim as a sentence for those who do not write models."""
    if claim["kind"] == "bound":
        how = "as much as" if claim["relation"] == "<" else "more than"
        shown = {key: clean(str(claim[key] or "")) for key in ("bound", "prior", "unit")}
        return _MEASURES[claim["measure"]].format(how=how, **shown)
    low, high = share(claim["rho1"]), share(claim["rho2"])
    what = "any yes-or-no property of the true value"
    if claim["for"] is not None:
        what = f"the property {clean(claim['for'])}"
    up = f"raise the belief in {what} from {low} or less to {high} or more"
    down = f"lower it from {high} or more to {low} or less"
    if claim["direction"] == "downward":
        down = f"lower the belief in {what} from {high} or more to {low} or less"
    change = {"both": f"{up}, or {down}", "upward": up, "downward": down}[claim["direction"]]
    return f"Seeing one output must not {change}, {against_words(claim)}."


def against_words(claim: dict[str, Any]) -> str:
    """Whom the claim guards against."""
    if claim["kind"] == "bound":
        prior = claim["prior"]
        if prior is None:
            return "whatever the observer believed before"
        return f"for an observer whose prior belief is {clean(prior)}"
    who = {"all priors": "whatever the observer believed before"}.get(
        claim["under"], f"for an observer whose prior belief is {clean(claim['under'], 120)}"
    )
    if claim["under"].startswith("{"):
        who = f"for every prior belief with {clean(claim['under'], 120)}"
    if claim["knowing"] is not None:
        who += f", who also sees {clean(claim['knowing'])}(x)"
    return who


def trust_words(summary: dict[str, Any]) -> str:
    """What must be trusted for the verdict."""
    trust = summary["trust"]
    if trust is None:
        return "Nothing was proved either way."
    if trust.startswith("solver-trusted"):
        solver = clean(trust.partition("(")[2].rstrip(")"), 80)
        rests = (
            f"rests on the answers of {solver}, a theorem prover; --certificates keeps the "
            "questions put to it as .smt2 files, for any other prover."
        )
        if summary["witness"] is None:
            return f"The verdict {rests}"
        return f"The breach was replayed in exact fractions. That the region is exact {rests}"
    if summary["verdict"] == "breached":
        return (
            "Re-checked exactly: the breach was replayed in exact fractions, no prover is trusted."
        )
    return "Re-checked exactly: exact fractions derive the verdict again, no prover is trusted."

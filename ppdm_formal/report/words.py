"""Verdicts in plain words, from the same summary that the JSON holds.

Bounds are rounded outward: an upper bound up, a lower bound down, never the comfortable way.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ppdm_formal.report.decimals import clean, decimal, percent

_LISTED = 6
_MOST_DIGITS = 10


def rounded_up(value: Fraction, digits: int = 2) -> str:
    """A percentage that is not below the value."""
    scaled = value * 100 * 10**digits
    return decimal(Fraction(-((-scaled) // 1), 10**digits)) + "%"


def rounded_down(value: Fraction, digits: int = 2) -> str:
    """A percentage that is not above the value."""
    return decimal(Fraction(value * 100 * 10**digits // 1, 10**digits)) + "%"


def bound_percent(value: Fraction, *, up: bool) -> str:
    """A bound in percent, rounded outward, with digits enough to tell it from 0% and from 100%.

    >>> bound_percent(Fraction(1, 531442), up=False), bound_percent(Fraction(601, 1204), up=True)
    ('0.0001%', '49.92%')
    """
    for digits in range(2, _MOST_DIGITS):
        shown = rounded_up(value, digits) if up else rounded_down(value, digits)
        if shown != ("100%" if up else "0%") or value in (0, 1):
            break
    return shown


def verdict_words(summary: dict[str, Any]) -> list[str]:
    """Sentences that say what the verdict of a claim means, the most important first."""
    verdict = summary["verdict"]
    if verdict == "unknown":
        return [f"Not decided: {summary['reason']}."]
    words = []
    if verdict == "breached":
        words.append(_witness_words(summary))
    elif summary["claim"]["kind"] == "breach":
        words.append(_holds_words(summary))
    else:
        words.append(f"Holds: {summary['reason']}.")
    region = summary.get("region")
    if region:
        words.append(
            f"It holds exactly for {region['text']}"
            f" (of {region['parameter']} in {region['declared']})."
        )
    elif summary.get("thresholds"):
        words += threshold_words(summary["claim"], summary["thresholds"])
    return words


def _holds_words(summary: dict[str, Any]) -> str:
    claim = summary["claim"]
    rho1, rho2 = claim["rho1"], claim["rho2"]
    bound = (summary["thresholds"] or {}).get("rho2_above")
    top = Fraction(bound["hi"] if isinstance(bound, dict) else bound) if bound else None
    of = "" if claim["for"] is None else f" in the property {clean(claim['for'])}"
    lowers = f"lowers a belief{of} of {rho2} or more to {rho1} or less"
    if claim["direction"] == "downward":
        return f"Holds: no output {lowers}."
    if top is None:
        said = f"Holds: no output raises a belief{of} of {rho1} or less to {rho2} or more"
    else:
        said = (
            f"Holds: seeing any output can raise a suspicion{of} of {rho1} or less"
            f" to at most {bound_percent(top, up=True)}"
        )
    if claim["direction"] == "both":
        said += f", and none {lowers}"
    return said + "."


def threshold_words(claim: dict[str, Any], thresholds: dict[str, Any]) -> list[str]:
    """Where the claim flips, in one sentence for each of its two numbers."""
    rho1, rho2 = claim["rho1"], claim["rho2"]
    high, low = thresholds["rho2_above"], thresholds["rho1_below"]
    above = "" if high is None else _bound(high, up=True)
    below = "" if low is None else _bound(low, up=False)
    if claim["direction"] == "downward":
        return [
            f"Down to {rho1}, it holds for no belief before."
            if high is None
            else f"Down to {rho1}, it holds exactly for beliefs before above {above}.",
            f"From a belief of {rho2}, it holds for no lower limit above 0."
            if low is None
            else f"From a belief of {rho2}, it holds exactly for lower limits below {below}.",
        ]
    return [
        f"From a belief of {rho1}, it holds for no limit below 100%."
        if high is None
        else f"From a belief of {rho1}, it holds exactly for limits above {above}.",
        f"With the limit {rho2}, it holds for no belief before above 0."
        if low is None
        else f"With the limit {rho2}, it holds exactly for beliefs before below {below}.",
    ]


def _bound(value: Any, *, up: bool) -> str:
    """A threshold with its percentage, rounded to the side that promises less."""
    if isinstance(value, dict):
        end = Fraction(value["hi" if up else "lo"])
        shown = rounded_up(end, 6) if up else rounded_down(end, 6)
        return f"a value that is {'at most' if up else 'at least'} {shown}"
    number = Fraction(value)
    shown = bound_percent(number, up=up)
    near = shown
    if Fraction(shown[:-1]) != number * 100:
        near = f"just {'under' if up else 'over'} {shown}"
    return f"{value} ({near})" if len(value) <= 40 else near


def _witness_words(summary: dict[str, Any]) -> str:
    witness = summary["witness"]
    output = clean(witness["output"])
    at = ""
    if witness.get("parameters"):
        at = "At " + ", ".join(f"{n} = {v}" for n, v in witness["parameters"].items()) + ": "
    if summary["claim"]["kind"] == "bound":
        if "value" not in witness:
            return f"Fails: {at}{summary['reason']}, at output {output}."
        likely, unlikely = clean(witness["likely"]), clean(witness["unlikely"])
        if witness["value"] == "infinity":
            return f"Fails: {at}output {output} can come from {likely}, but never from {unlikely}."
        ratio = f"{witness['value']} times as likely"
        return f"Fails: {at}output {output} is {ratio} from {likely} as from {unlikely}."
    before, after = Fraction(witness["before"]), Fraction(witness["after"])
    when = f"output {output}"
    if "known" in witness:
        when += f" to a server that knows {clean(witness['known'])}"
    change = f"from {_exact(before)} to {_exact(after)}"
    return f"Fails: {at}{when} takes {_property_words(summary)} {change}{_prior_words(witness)}."


def _exact(value: Fraction) -> str:
    shown = str(value)
    return f"{shown} ({percent(value)})" if len(shown) <= 40 else percent(value, 6)


def _property_words(summary: dict[str, Any]) -> str:
    witness, named = summary["witness"], summary["claim"]["for"]
    if named is not None:
        return f"the property {clean(named)}"
    if "property" in witness:
        members = [clean(member) for member in witness["property"]]
        more = f", ... {len(members)} inputs" if len(members) > _LISTED else ""
        return "the property {" + ", ".join(members[:_LISTED]) + more + "}"
    inside = [part for part in witness["classes"] if part["inside"] != "0"]
    parts = [
        clean(part["example"])
        if part["inputs"] == "1"
        else f"{_many(part['inside'], part['inputs'])} inputs like {clean(part['example'])}"
        for part in inside[:_LISTED]
    ]
    more = ", ..." if len(inside) > _LISTED else ""
    return "the property {" + ", ".join(parts) + more + "}"


def _many(inside: str, inputs: str) -> str:
    return f"all {inputs}" if inside == inputs else f"{inside} of the {inputs}"


def _prior_words(witness: dict[str, Any]) -> str:
    if "prior" not in witness:
        return ""
    parts = [f"{mass} on {clean(x)}" for x, mass in list(witness["prior"].items())[:_LISTED]]
    more = ", ..." if len(witness["prior"]) > _LISTED else ""
    return ", under the prior with " + ", ".join(parts) + more

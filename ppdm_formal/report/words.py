"""Verdicts in plain words, from the same summary that the JSON holds.

Bounds are rounded outward: an upper bound up, a lower bound down, never the comfortable way.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ppdm_formal.report.decimals import clean, decimal, percent

_LISTED = 6


def rounded_up(value: Fraction, digits: int = 2) -> str:
    """A percentage that is not below the value."""
    scaled = value * 100 * 10**digits
    return decimal(Fraction(-((-scaled) // 1), 10**digits)) + "%"


def rounded_down(value: Fraction, digits: int = 2) -> str:
    """A percentage that is not above the value."""
    return decimal(Fraction(value * 100 * 10**digits // 1, 10**digits)) + "%"


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
        words.append(_threshold_words(summary["claim"], summary["thresholds"]))
    return words


def _holds_words(summary: dict[str, Any]) -> str:
    claim = summary["claim"]
    rho1, rho2 = claim["rho1"], claim["rho2"]
    bound = (summary["thresholds"] or {}).get("rho2_above")
    top = Fraction(bound["hi"] if isinstance(bound, dict) else bound) if bound else None
    what = "the probability of any property" if claim["for"] is None else f"P[{claim['for']}]"
    if claim["direction"] == "downward":
        return f"Holds: no output lowers {what} from {rho2} or more to {rho1} or less."
    limit = f"at most {rounded_up(top)}" if top is not None else f"{rho2} or more"
    verb = "raises" if top is not None else "never raises"
    said = f"Holds: seeing any output {verb} {what} from {rho1} or less to {limit}"
    if claim["direction"] == "both":
        said += f", and lowers none from {rho2} or more to {rho1} or less"
    return said + "."


def _threshold_words(claim: dict[str, Any], thresholds: dict[str, Any]) -> str:
    parts = []
    for key, given, sign in (("rho2_above", "rho1", ">"), ("rho1_below", "rho2", "<")):
        other = "rho2" if given == "rho1" else "rho1"
        value = thresholds[key]
        if value is None:
            parts.append(f"with {given} = {claim[given]} for no {other}")
            continue
        if isinstance(value, dict):
            shown = f"a value between {value['lo']} and {value['hi']}"
        else:
            number = Fraction(value)
            shown = f"{value} ({percent(number)})" if len(value) <= 40 else percent(number, 6)
        parts.append(f"with {given} = {claim[given]} exactly for {other} {sign} {shown}")
    return "It holds " + "; ".join(parts) + "."


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
    return f"Fails: {at}{when} takes {_property_words(witness)} {change}{_prior_words(witness)}."


def _exact(value: Fraction) -> str:
    shown = str(value)
    return f"{shown} ({percent(value)})" if len(shown) <= 40 else percent(value, 6)


def _property_words(witness: dict[str, Any]) -> str:
    if "property" in witness:
        members = [clean(member) for member in witness["property"]]
        more = f", ... {len(members)} inputs" if len(members) > _LISTED else ""
        return "the property {" + ", ".join(members[:_LISTED]) + more + "}"
    inside = [part for part in witness["classes"] if part["inside"] != "0"]
    parts = [
        f"{part['inside']} of the {part['inputs']} inputs like {clean(part['example'])}"
        if part["inputs"] != "1"
        else clean(part["example"])
        for part in inside[:_LISTED]
    ]
    more = ", ..." if len(inside) > _LISTED else ""
    return "the property {" + ", ".join(parts) + more + "}"


def _prior_words(witness: dict[str, Any]) -> str:
    if "prior" not in witness:
        return ""
    parts = [f"{mass} on {clean(x)}" for x, mass in list(witness["prior"].items())[:_LISTED]]
    more = ", ..." if len(witness["prior"]) > _LISTED else ""
    return ", under the prior with " + ", ".join(parts) + more

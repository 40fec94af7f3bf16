"""Verdicts in plain words, from the same summary that the JSON holds.

Bounds are rounded outward: an upper bound up, a lower bound down, never the comfortable way.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from ppdm_formal.numbers.decimals import decimal_text
from ppdm_formal.numbers.people import (
    about_bound,
    bound_percent,
    moved_share,
    number_words,
    percent,
    percent_toward,
    share,
)
from ppdm_formal.report.words.visible import clean

NO_CASE = "holds for want of a case"
"""How a decider's reason starts where nothing satisfies a claim's hypothesis."""

_LISTED = 6
_NARROW = Fraction(19, 20)
"""From this share of a limit on, a claim holds narrowly."""


def verdict_words(summary: dict[str, Any]) -> list[str]:
    """Sentences that say what the verdict of a claim means, the most important first."""
    verdict, region = summary["verdict"], summary.get("region")
    if verdict == "unknown":
        words = [f"Not decided: {summary['reason']}."]
    elif verdict == "breached" and region and region["holds"]:
        return [
            f"Holds exactly for {region['text']}, of {region['parameter']} in "
            f"{region['declared']}; fails for all others. {_witness_words(summary, '')}"
        ]
    elif verdict == "breached":
        words = [_witness_words(summary, "Fails: ")]
    elif summary["claim"]["kind"] == "breach" and not region:
        words = [_holds_words(summary)]
    else:
        words = [_bound_holds_words(summary)]
    if verdict == "unknown":
        return words
    if region:
        words.append(
            f"It holds exactly for {region['text']}"
            f" (of {region['parameter']} in {region['declared']})."
        )
    elif summary.get("thresholds"):
        words += threshold_words(summary)
    return words


def _bound_holds_words(summary: dict[str, Any]) -> str:
    """The decider's reason; where it is one number, with its decimal and the limit."""
    claim, reason = summary["claim"], summary["reason"]
    found = re.fullmatch(r"the amplification is (\d+(?:/\d+)?)", reason)
    if found is None or claim["kind"] != "bound":
        return f"Holds: {reason}."
    value, bound = Fraction(found[1]), Fraction(claim["bound"])
    return f"Holds: the amplification is {number_words(value)}, {_near(value, bound)} {bound}."


def _near(value: Fraction, limit: Fraction) -> str:
    return ("narrowly " if value >= _NARROW * limit else "") + "within the limit of"


def _holds_words(summary: dict[str, Any]) -> str:
    claim = summary["claim"]
    rho1, rho2 = share(claim["rho1"]), share(claim["rho2"])
    bound = (summary["thresholds"] or {}).get("rho2_above")
    # Of both directions together the threshold bounds the rise only where they are one question.
    one_question = claim["under"] == "all priors" and claim["for"] is None
    if not one_question and claim["direction"] == "both":
        bound = None
    top = Fraction(bound["hi"] if isinstance(bound, dict) else bound) if bound else None
    of = "" if claim["for"] is None else f" in the property {clean(claim['for'])}"
    lowers = f"lowers a belief{of} of {rho2} or more to {rho1} or less"
    if summary["reason"].startswith(NO_CASE):
        return (
            f"Holds, but for want of a case: beforehand the belief{of} is neither {rho1} or less"
            f" nor {rho2} or more where that matters, so the claim says nothing about it."
        )
    if claim["direction"] == "downward":
        return f"Holds: no output {lowers}."
    if top is None:
        said = f"Holds: no output raises a belief{of} of {rho1} or less to {rho2} or more"
    else:
        said = (
            f"Holds: seeing any output can raise a suspicion{of} of {rho1} or less"
            f" to at most {bound_percent(top, up=True)},"
            f" {_near(top, Fraction(claim['rho2']))} {percent(Fraction(claim['rho2']))}"
        )
    if claim["direction"] == "both":
        said += f", and none {lowers}"
    return said + "."


def threshold_words(summary: dict[str, Any]) -> list[str]:
    """Where the claim flips: the other limit, and the other starting belief."""
    claim, thresholds = summary["claim"], summary["thresholds"]
    high, low = thresholds["rho2_above"], thresholds["rho1_below"]
    upward = claim["direction"] != "downward"
    above = None if high is None else _bound(high, up=True)
    below = None if low is None else _bound(low, up=False)
    rho1, rho2 = share(claim["rho1"]), share(claim["rho2"])
    limit, start = ("limit", "starting belief") if upward else ("starting belief", "lower limit")
    if summary["verdict"] == "certified":
        return [
            f"The {name} of {now} could be {moved} to anything {side} {end}, no further."
            for name, now, moved, side, end in (
                (limit, rho2, "lowered", "above", above),
                (start, rho1, "raised", "below", below),
            )
            if end is not None
        ]
    if above is None:
        first = f"No {limit} below 100% would make it pass."
    else:
        first = f"With the {start} of {rho1}, it would pass only with a {limit} above {above}"
        first += _instead(high, claim["rho2"])
    if above is None and below is None:
        second = f"Nor would any {start} above 0, however small."
    elif below is None:
        second = f"With the {limit} of {rho2}, no {start} above 0, however small, would do."
    else:
        second = f"With the {limit} of {rho2}, it would pass only with a {start} below {below}"
        second += _instead(low, claim["rho1"])
    own = (summary["witness"] or {}).get("before")
    if own and upward and claim["for"] and low == own and not _free(claim["under"]):
        second = (
            f"With the limit of {rho2}, it would pass only with starting beliefs below {below}: "
            "this observer's belief, which is just that, would then no longer count."
        )
    return [first, second]


def _instead(needed: Any, given: str) -> str:
    return "; it just misses that." if needed == given else f" instead of {share(given)}."


def _free(under: str) -> bool:
    """Whether a claim is for more than one prior."""
    return under == "all priors" or under.startswith("{")


def _bound(value: Any, *, up: bool) -> str:
    """A threshold in percent, rounded to the side that promises less, with its exact value."""
    if isinstance(value, dict):
        end = percent_toward(Fraction(value["hi" if up else "lo"]), 6, up=up)
        return f"a value that is {'at most' if up else 'at least'} {decimal_text(end)}%"
    number = Fraction(value)
    shown = about_bound(number, up=up)
    return f"{shown} ({value})" if "/" in value and len(value) <= 40 else shown


def _witness_words(summary: dict[str, Any], fails: str) -> str:
    witness = summary["witness"]
    output = clean(witness["output"])
    at = ""
    if witness.get("parameters"):
        at = "at " + ", ".join(f"{n} = {v}" for n, v in witness["parameters"].items()) + " "
    if not fails:
        at = f"For example, {at}"
    if summary["claim"]["kind"] == "bound":
        if "value" not in witness:
            return f"{fails}{at}{summary['reason']}, at output {output}."
        likely, unlikely = clean(witness["likely"]), clean(witness["unlikely"])
        if witness["value"] == "infinity":
            return f"{fails}{at}output {output} can come from {likely}, but never from {unlikely}."
        ratio = f"{number_words(Fraction(witness['value']))} times as likely"
        return f"{fails}{at}output {output} is {ratio} from {likely} as from {unlikely}."
    before, after = Fraction(witness["before"]), Fraction(witness["after"])
    when = f"output {output}"
    if "known" in witness:
        when += f" to a server that knows {clean(witness['known'])}"
    change = f"from {share(before)} to {moved_share(before, after)}"
    if fails and not is_worst(summary):
        at = f"for example, {at}"
    return f"{fails}{at}{when} takes {_property_words(summary)} {change}{_prior_words(witness)}."


def is_worst(summary: dict[str, Any]) -> bool:
    """Whether no breach of the claim goes further than its witness does."""
    witness, thresholds = summary["witness"], summary["thresholds"]
    if not thresholds or "after" not in witness:
        return False
    upward = witness["direction"] == "upward"
    reached, most = witness["after" if upward else "before"], thresholds["rho2_above"]
    return bool(reached == most or (most is None and reached == "1"))


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
        else f"{_many(part)} inputs alike, such as {clean(part['example'])}"
        for part in inside[:_LISTED]
    ]
    more = ", ..." if len(inside) > _LISTED else ""
    return "the property {" + ", ".join(parts) + more + "}"


def _many(part: dict[str, Any]) -> str:
    inside, inputs = part["inside"], part["inputs"]
    return f"all {inputs}" if inside == inputs else f"{inside} of the {inputs}"


def _prior_words(witness: dict[str, Any]) -> str:
    if "prior" not in witness:
        return ""
    parts = [f"{mass} on {clean(x)}" for x, mass in list(witness["prior"].items())[:_LISTED]]
    more = ", ..." if len(witness["prior"]) > _LISTED else ""
    return ", under the prior with " + ", ".join(parts) + more

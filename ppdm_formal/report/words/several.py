"""Several reports in words: how many a claim speaks of, and which outputs were seen how often."""

from __future__ import annotations

from ppdm_formal.declare.claim import Claim
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.declare.operators.view import View
from ppdm_formal.report.words.visible import clean

_LISTED = 6


def seen_words(view: View, claim: Claim) -> str:
    """What was seen: yes; yes, 10 times; yes, 7 times and no, 3 times."""
    if claim.reports == 1:
        return clean(show_value(view.output))
    if not claim.by_counts or not isinstance(view.output, tuple):
        return f"{clean(show_value(view.output))}, {_times(claim.reports)}"
    said = [
        f"{clean(show_value(pair[0]))}, {_times(pair[1])}"
        for pair in view.output[:_LISTED]
        if isinstance(pair, tuple) and isinstance(pair[1], int)
    ]
    if len(view.output) > _LISTED:
        said.append(f"{len(view.output) - _LISTED} further outputs")
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"


def _times(many: int) -> str:
    return "once" if many == 1 else f"{many:,} times"


def after_words(claim: Claim) -> str:
    """The end of a sentence about a claim on several reports; nothing for one."""
    if claim.reports == 1:
        return ""
    return f" after {claim.reports:,} reports of one true value, each with fresh coins"

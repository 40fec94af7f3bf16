"""Priors and properties of finite sets in words: which inputs, and how likely they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ppdm_formal.declare.arithmetic.exact import ZERO, Exact, is_symbolic
from ppdm_formal.declare.arithmetic.people import brief, show_count
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.report.words.visible import clean

_LISTED = 6


def prior_words(prior: Prior) -> str:
    """Each distinct probability with how many inputs have it, the likeliest first."""
    codes = prior.codes.tolist()
    counts = Counter(codes)
    first = {code: codes.index(code) for code in counts}
    kept = [code for code in sorted(first, key=first.__getitem__) if prior.palette[code] != ZERO]
    parts = []
    for code in kept[:_LISTED]:
        value = _mass(prior.palette[code])
        example = clean(show_value(prior.domain[first[code]]), 30)
        if counts[code] == 1:
            parts.append(f"{value} for {example}")
        elif counts[code] == prior.domain.size:
            parts.append(f"{value} for each of all {show_count(counts[code])} inputs")
        else:
            parts.append(f"{value} for each of {show_count(counts[code])} inputs such as {example}")
    if len(kept) > _LISTED:
        parts.append(f"{len(kept) - _LISTED} further probabilities")
    return "what the observer believes of x before: " + "; ".join(parts)


def _mass(value: Exact) -> str:
    if is_symbolic(value):
        return number_text(value)
    return brief(value)


def property_words(property: Property) -> str:
    """How many inputs have it, and which; runs of integers as ranges."""
    members = property.members
    if not members:
        return "holds for no input"
    runs = _runs(members) if property.domain.integers else [show_value(x) for x in members]
    shown = ", ".join(clean(run, 40) for run in runs[:_LISTED])
    more = ", ..." if len(runs) > _LISTED else ""
    total = show_count(property.domain.size)
    return f"true of {show_count(len(members))} of {total} inputs: {shown}{more}"


def _runs(members: Iterable[object]) -> list[str]:
    runs: list[list[int]] = []
    for member in members:
        assert isinstance(member, int)
        if runs and runs[-1][1] == member - 1:
            runs[-1][1] = member
        else:
            runs.append([member, member])
    return [str(a) if a == b else f"{a} to {b}" for a, b in runs]

"""What the best form gains on the paper's, and how far it may be from the optimum, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

LISTED = 6
"""Up to so many sizes each has its own figure."""

WORTH = 0.0005
"""Gains below this share are none to speak of."""


def best_notes(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """Sentences on the entries of a plan in the best form."""
    gains = {entry["size"]: _gain(entry) for entry in entries}
    return [_gained(gains), *_proved(entries)]


def _gain(entry: Mapping[str, Any]) -> float:
    """By which share the largest LDS is below that of the paper's form."""
    return 1 - float(entry["largest"]) / float(entry["paper_form"]["largest"])


def _gained(gains: Mapping[int, float]) -> str:
    better = {size: gain for size, gain in gains.items() if gain > WORTH}
    if not better:
        return "Best form: no size gains on the paper's (Statement 2's form)."
    if len(better) <= LISTED:
        listed = ", ".join(f"{gain:.1%} for size {size}" for size, gain in better.items())
    else:
        most = max(better, key=lambda size: better[size])
        listed = f"up to {better[most]:.1%} (size {most}) for sizes {ranges(list(better))}"
    rest = sorted(set(gains) - set(better))
    same = f"; nothing for {'size' if len(rest) == 1 else 'sizes'} {ranges(rest)}" if rest else ""
    return f"Best form: the largest LDS is lower than in the paper's form by {listed}{same}."


def _proved(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    proved = [entry for entry in entries if entry["evidence"] == "proved"]
    found = [entry["size"] for entry in entries if entry["evidence"] != "proved"]
    said = []
    if proved:
        widest = max(float(entry["gap"]) for entry in proved)
        which = "" if not found else f" for sizes {ranges([entry['size'] for entry in proved])}"
        said.append(
            "Proved: with the same gamma no select-a-size of any rho and p[j] has a largest LDS "
            f"that is lower by more than {widest:.2%}{which}."
        )
    if found:
        said.append(
            f"Not proved, only the best found in the time: sizes {ranges(found)} (--timeout)."
        )
    return said


def ranges(sizes: Sequence[int]) -> str:
    """Sizes in order, runs as first..last.

    >>> ranges([1, 2, 3, 5, 8, 9])
    '1..3, 5, 8..9'
    """
    runs = [
        [size for _, size in run]
        for _, run in groupby(enumerate(sizes), key=lambda place: place[1] - place[0])
    ]
    return ", ".join(f"{run[0]}..{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)

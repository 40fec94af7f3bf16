"""Channel capacities by the algorithm of Blahut and Arimoto, in floats, with both its bounds."""

from __future__ import annotations

import math
from typing import Any

from definition_oracle import an_operator, listed, valued

NEAR = 1e-7


def enclosed_capacity(rows: list[list[float]], times: list[int]) -> tuple[float, float]:
    """Between which numbers the capacity lies, in nats; a column stands for so many outputs."""
    prior = [1 / len(rows)] * len(rows)
    low, high = 0.0, math.inf
    for _ in range(3000):
        mean = [
            sum(r * row[y] for r, row in zip(prior, rows, strict=True)) for y in range(len(times))
        ]
        told = [
            sum(
                n * p * math.log(p / q)
                for n, p, q in zip(times, row, mean, strict=True)
                if p > 0 and q > 0
            )
            for row in rows
        ]
        low = sum(r * d for r, d in zip(prior, told, strict=True))
        high = min(high, max(told))
        if high - low < NEAR / 10:
            break
        weights = [r * math.exp(d) for r, d in zip(prior, told, strict=True)]
        prior = [w / sum(weights) for w in weights]
    return low, high


def capacity_true(certificate: dict[str, Any]) -> bool | None:
    """Whether the largest capacity of a channel keeps the bound; None where it is too close."""
    claim, described = certificate["claim"], certificate["operator"]
    raw = described["views"]
    views = [listed(view) for view in raw]
    if not an_operator(claim, described, views):
        return False
    channels: dict[str, list[int]] = {}
    for place, view in enumerate(raw):
        channels.setdefault(repr(view.get("known")), []).append(place)
    low = high = 0.0
    for places in channels.values():
        many = len(views[places[0]])
        rows = [[float(views[y][x].seen) for y in places] for x in range(many)]
        found = enclosed_capacity(rows, [int(raw[y]["outputs"]) for y in places])
        low, high = max(low, found[0]), max(high, found[1])
    bound = float(valued(claim["bound"])) * (math.log(2) if claim["unit"] == "bit" else 1)
    said = certificate["verdict"] == "breached"
    if certificate["thresholds"] is not None or certificate.get("vacuous"):
        return False
    if low > bound + NEAR:
        return said
    return None if high > bound - NEAR else not said

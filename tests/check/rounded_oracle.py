"""Rounded matrices by their corners: whether every matrix within keeps a claim, or breaks it.

A claim under one prior and property is broken where a linear function of a column is at least 0,
so that some matrix breaks it exactly if a corner does: rows are taken at the corners of what they
may be. That all break it is refuted by corners and by many matrices in between.
"""

from __future__ import annotations

import itertools
import random
from fractions import Fraction as F
from functools import lru_cache
from typing import Any

from definition_oracle import (
    Input,
    Shown,
    breached,
    empty_family,
    exceeds,
    named_prior,
    to_power,
    vacuous,
)

MOST = 500  # matrices that are tried


@lru_cache(maxsize=10_000)
def corners(least: tuple[F, ...], most: tuple[F, ...]) -> tuple[tuple[F, ...], ...]:
    """All entries but one at an end of their intervals."""
    found = set()
    for free in range(len(least)):
        others = [i for i in range(len(least)) if i != free]
        for ends in itertools.product(*((least[i], most[i]) for i in others)):
            rest = 1 - sum(ends)
            if least[free] <= rest <= most[free]:
                row = dict(zip(others, ends, strict=True)) | {free: rest}
                found.add(tuple(row[i] for i in range(len(least))))
    return tuple(sorted(found))


def matrices(described: dict[str, Any]) -> list[tuple[tuple[F, ...], ...]] | None:
    """Corners (all, or many) and mixtures of them; None where some row cannot be one."""
    rows = []
    for row in described["rows"]:
        least, most = (tuple(F(x) for x in row[key]) for key in ("least", "most"))
        if not all(0 <= a <= b <= 1 for a, b in zip(least, most, strict=True)):
            return None
        if not corners(least, most) or len(least) != int(described["outputs"]):
            return None
        rows.append(corners(least, most))
    chance = random.Random(1)
    whole = 1
    for row in rows:
        whole *= len(row)
    if whole <= MOST:
        found = list(itertools.product(*rows))
    else:
        found = [tuple(chance.choice(row) for row in rows) for _ in range(MOST)]
    for _ in range(60):  # and between
        mixed = []
        for row in rows:
            one, two, share = chance.choice(row), chance.choice(row), F(chance.randint(0, 8), 8)
            mixed.append(tuple(share * a + (1 - share) * b for a, b in zip(one, two, strict=True)))
        found.append(tuple(mixed))
    return found


def views_of(described: dict[str, Any], matrix: tuple[tuple[F, ...], ...]) -> list[Shown]:
    """What every output (and every known z) shows of one exact matrix."""
    known = range(len(described["known"])) if "known" in described else [None]
    views = []
    for z in known:
        for y in range(len(matrix[0])):
            inputs = []
            for row, own in zip(described["rows"], matrix, strict=True):
                chance = F(1) if z is None else F(row["knowledge"][z])
                member = tuple(row.get("member", ()))
                inputs.append(Input(own[y], chance, F(row.get("prior", 0)), member))
            views.append(tuple(inputs))
    return views


def breaks(claim: dict[str, Any], views: list[Shown]) -> bool:
    """Whether one exact matrix breaks the claim."""
    if claim["kind"] == "bound":
        return bool(exceeds(claim, views, [1] * len(views)))
    if claim.get("reports", 1) > 1:
        views = [to_power(inputs, claim["reports"]) for inputs in views]
    return breached(claim, views, F(claim["rho1"]), F(claim["rho2"]))


def rounded_true(certificate: dict[str, Any]) -> bool | None:
    """Certified: none breaks the claim; breached: each does."""
    claim, described = certificate["claim"], certificate["operator"]
    rows = described["rows"]
    if len(rows) != int(described["inputs"]) or "views" in described:
        return False
    if len({repr(row["example"]) for row in rows}) != len(rows):
        return False
    if any("knowledge" in row and sum(map(F, row["knowledge"])) != 1 for row in rows):
        return False
    if named_prior(claim) and sum(F(row["prior"]) for row in rows) != 1:
        return False
    tried = matrices(described)
    if tried is None or certificate["thresholds"] is not None:
        return False
    if claim["kind"] == "breach":
        first = views_of(described, tried[0])
        family = claim["under"] != "all priors" and not named_prior(claim)
        if family and empty_family(claim, first):
            return False
        stated = certificate.get("vacuous")
        if stated is not None and stated != vacuous(claim, first):
            return False
    said = certificate["verdict"] == "breached"
    return all(breaks(claim, views_of(described, matrix)) == said for matrix in tried)

"""Breaches by brute force: every property, every output, plain definitions in Fractions.

Nothing of ppdm_formal is used. An operator is a list of rows, a prior a list of
probabilities, a property a bit mask over the inputs, knowledge a list of P[Z = z | x].
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction


def whole(table):
    """A table of rationals as integers, all multiplied by the same factor."""
    common = math.lcm(*(cell.denominator for row in table for cell in row))
    return [[int(cell * common) for cell in row] for row in table]


def changes(column, prior, known, properties):
    """(before, after) of each property; nothing where the output is not reached.

    The column of likelihoods, the prior and P[Z = z | x] may be scaled by any factor.
    """
    held = [p * k for p, k in zip(prior, known, strict=True)]
    seen = [h * q for h, q in zip(held, column, strict=True)]
    if sum(seen) == 0:
        return
    for members in properties:
        inside = [x for x in range(len(column)) if members >> x & 1]
        yield (
            Fraction(sum(held[x] for x in inside), sum(held)),
            Fraction(sum(seen[x] for x in inside), sum(seen)),
        )


def breached(direction, rho1, rho2, before, after):
    upward = before <= rho1 and after >= rho2
    downward = before >= rho2 and after <= rho1
    return (upward and direction != "downward") or (downward and direction != "upward")


def columns_and_knowledge(rows, knowledge):
    """All pairs of an output's column and a known value's; one sure known value if none."""
    known = [[1] * len(rows)] if knowledge is None else list(zip(*whole(knowledge), strict=True))
    return itertools.product(zip(*whole(rows), strict=True), known)


def known_prior_changes(rows, prior, knowledge, about):
    """Every (before, after) under one prior."""
    properties = range(1 << len(rows)) if about is None else [about]
    (weights,) = whole([prior])
    for column, known in columns_and_knowledge(rows, knowledge):
        yield from changes(column, weights, known, properties)


def extreme_priors(size, members, share):
    """Vertices of {prior : P[Q] <= share} that decide upward breaches, share on the inside."""
    inside = [x for x in range(size) if members >> x & 1]
    outside = [x for x in range(size) if not members >> x & 1]
    top, bottom = share.numerator, share.denominator
    for x in outside:
        yield [int(i == x) for i in range(size)]
    for x1, x2 in itertools.product(inside, outside):
        yield [top * (i == x1) + (bottom - top) * (i == x2) for i in range(size)]


def all_priors_breached(rows, knowledge, about, direction, rho1, rho2):
    """Whether some prior has a breach: conditional priors given z are tried as such."""
    size = len(rows)
    properties = range(1 << size) if about is None else [about]
    for column, known in columns_and_knowledge(rows, knowledge):
        allowed = [x for x in range(size) if known[x] > 0]
        part = [column[x] for x in allowed]
        everything = (1 << len(allowed)) - 1
        for inner in {
            sum(1 << i for i, x in enumerate(allowed) if members >> x & 1) for members in properties
        }:
            tries = []
            if direction != "downward":
                tries += extreme_priors(len(allowed), inner, rho1)
            if direction != "upward":
                tries += extreme_priors(len(allowed), everything ^ inner, 1 - rho2)
            for prior in tries:
                for found in changes(part, prior, [1] * len(allowed), [inner]):
                    if breached(direction, rho1, rho2, *found):
                        return True
    return False


def known_prior_thresholds(found, direction, rho1, rho2):
    """(rho2_above, rho1_below) from all (before, after), clipped as docs/certificate.md says."""
    above, below = [rho1], [rho2]
    for before, after in found:
        if direction != "downward":
            above += [after] if before <= rho1 else []
            below += [before] if after >= rho2 else []
        if direction != "upward":
            above += [before] if after <= rho1 else []
            below += [after] if before >= rho2 else []
    t, s = max(above), min(below)
    return (None if t >= 1 else t), (None if s <= 0 else s)


def all_priors_thresholds(rows, knowledge, about, direction, rho1, rho2):
    """By trying every two inputs and every output."""
    above, below = [rho1], [rho2]
    size = len(rows)
    for column, known in columns_and_knowledge(rows, knowledge):
        for x1, x2 in itertools.permutations(range(size), 2):
            if not (known[x1] and known[x2] and column[x1]):
                continue
            if about is not None:
                inner = about >> x1 & 1
                if inner == about >> x2 & 1 or direction == ("downward" if inner else "upward"):
                    continue
            more, less = column[x1], column[x2]
            above.append(rho1 * more / (rho1 * more + (1 - rho1) * less))
            below.append(rho2 * less / (rho2 * less + (1 - rho2) * more))
    t, s = max(above), min(below)
    return (None if t >= 1 else t), (None if s <= 0 else s)

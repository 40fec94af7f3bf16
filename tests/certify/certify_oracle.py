"""Breaches by brute force: every property, every output, plain definitions in Fractions.

Nothing of ppdm_formal is used. An operator is a list of rows, a prior a list of
probabilities, a property a bit mask over the inputs, knowledge a list of P[Z = z | x].
"""

from __future__ import annotations

import itertools
from fractions import Fraction


def changes(rows, prior, knowledge, column, members):
    """(before, after) of a property, or None where the output is not reached."""
    held = [p * k for p, k in zip(prior, knowledge, strict=True)]
    seen = [h * row[column] for h, row in zip(held, rows, strict=True)]
    if sum(seen) == 0:
        return None
    inside = [x for x in range(len(rows)) if members >> x & 1]
    return (
        Fraction(sum(held[x] for x in inside), sum(held)),
        Fraction(sum(seen[x] for x in inside), sum(seen)),
    )


def breached(direction, rho1, rho2, before, after):
    upward = before <= rho1 and after >= rho2
    downward = before >= rho2 and after <= rho1
    return (upward and direction != "downward") or (downward and direction != "upward")


def columns_and_knowledge(rows, knowledge):
    """All pairs of an output and a known value; one known value of probability 1 if none."""
    known = [[Fraction(1)] * len(rows)] if knowledge is None else list(zip(*knowledge, strict=True))
    return itertools.product(range(len(rows[0])), known)


def known_prior_changes(rows, prior, knowledge, about):
    """Every (before, after) under one prior."""
    properties = range(1 << len(rows)) if about is None else [about]
    for column, known in columns_and_knowledge(rows, knowledge):
        for members in properties:
            found = changes(rows, prior, known, column, members)
            if found is not None:
                yield found


def extreme_priors(size, members, share):
    """Vertices of {prior : P[Q] <= share} that decide upward breaches, share on the inside."""
    inside = [x for x in range(size) if members >> x & 1]
    outside = [x for x in range(size) if not members >> x & 1]
    for x in outside:
        yield [Fraction(int(i == x)) for i in range(size)]
    for x1, x2 in itertools.product(inside, outside):
        yield [share * (i == x1) + (1 - share) * (i == x2) for i in range(size)]


def all_priors_breached(rows, knowledge, about, direction, rho1, rho2):
    """Whether some prior has a breach: conditional priors given z are tried as such."""
    size = len(rows)
    properties = range(1 << size) if about is None else [about]
    for column, known in columns_and_knowledge(rows, knowledge):
        allowed = [x for x in range(size) if known[x] > 0]
        part = [rows[x] for x in allowed]
        ones = [Fraction(1)] * len(allowed)
        for members in properties:
            inner = sum(1 << i for i, x in enumerate(allowed) if members >> x & 1)
            whole = (1 << len(allowed)) - 1
            tries = []
            if direction != "downward":
                tries += extreme_priors(len(allowed), inner, rho1)
            if direction != "upward":
                tries += extreme_priors(len(allowed), whole ^ inner, 1 - rho2)
            for prior in tries:
                found = changes(part, prior, ones, column, inner)
                if found is not None and breached(direction, rho1, rho2, *found):
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
            if not (known[x1] and known[x2] and rows[x1][column]):
                continue
            if about is not None:
                inner = about >> x1 & 1
                if inner == about >> x2 & 1 or direction == ("downward" if inner else "upward"):
                    continue
            more, less = rows[x1][column], rows[x2][column]
            above.append(rho1 * more / (rho1 * more + (1 - rho1) * less))
            below.append(rho2 * less / (rho2 * less + (1 - rho2) * more))
    t, s = max(above), min(below)
    return (None if t >= 1 else t), (None if s <= 0 else s)

"""Pseudorandom select-a-size by listing all seeds: small generators of every kind."""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ppdm_formal.run.compress.bch import BCH, ExtendedBCH
from ppdm_formal.run.compress.cap import Cap
from ppdm_formal.run.compress.direct import Direct
from ppdm_formal.run.compress.generator import Generator, values
from ppdm_formal.run.compress.goppa import Goppa
from ppdm_formal.run.compress.polynomial import Polynomial
from ppdm_formal.run.compress.twisted import TwistedBCH

Items = frozenset[int]

GENERATORS: tuple[tuple[Generator, int], ...] = (
    (BCH(7, 4, 1, 1), 2),
    (BCH(3, 2, 3, 2), 1),
    (ExtendedBCH(8, 3, 1, 1), 2),
    (Polynomial(4, 3, 3, 2), 1),
    (TwistedBCH(5, 3, 3, 2), 2),
    (Goppa(8, 4, 1, 1), 2),
    (Cap(4, 3, 3, 2), 2),
    (Direct(4, 4, 3, 2), 2),
)
"""Generators of each kind (BCH also with b = 2) and the size m of transactions to list."""

KEEP = {
    1: (Fraction(1, 3), Fraction(2, 3)),
    2: (Fraction(1, 7), Fraction(2, 7), Fraction(4, 7)),
}


def reports(generator: Generator) -> list[Items]:
    """tau(seed) of every seed, by formula (7)."""
    seeds = np.arange(1 << generator.seed_bits, dtype=np.uint64)[:, None]
    items = np.arange(generator.items, dtype=np.uint64)
    held = values(generator, seeds, items) < generator.numerator
    return [frozenset(np.flatnonzero(row).tolist()) for row in held]


def subsets(items: Items) -> list[Items]:
    """All subsets."""
    return [
        frozenset(chosen)
        for size in range(len(items) + 1)
        for chosen in itertools.combinations(sorted(items), size)
    ]


def seed_law(tau: Sequence[Items], t: Items) -> list[Fraction]:
    """P[R'(t) = seed] by the three steps of section 5."""
    consistent: dict[Items, list[int]] = {}
    for seed, report in enumerate(tau):
        consistent.setdefault(report & t, []).append(seed)
    law = [Fraction(0)] * len(tau)
    for kept in subsets(t):
        chance = KEEP[len(t)][len(kept)] / math.comb(len(t), len(kept))
        for seed in consistent[kept]:
            law[seed] += chance / len(consistent[kept])
    return law


def item_law(t: Items, rho: Fraction, itemset: Items) -> dict[Items, Fraction]:
    """P[R(t) ∩ A = B] for every B, by Definition 4."""
    found: dict[Items, Fraction] = {}
    outside = itemset - t
    for kept in subsets(t):
        chance = KEEP[len(t)][len(kept)] / math.comb(len(t), len(kept))
        for inserted in subsets(outside):
            coins = rho ** len(inserted) * (1 - rho) ** (len(outside) - len(inserted))
            part = (kept & itemset) | inserted
            found[part] = found.get(part, Fraction(0)) + chance * coins
    return {part: chance for part, chance in found.items() if chance}


def seen_law(
    law: Sequence[Fraction], tau: Sequence[Items], itemset: Items
) -> dict[Items, Fraction]:
    """P[tau(R'(t)) ∩ A = B] for every B."""
    found: dict[Items, Fraction] = {}
    for chance, report in zip(law, tau, strict=True):
        part = report & itemset
        found[part] = found.get(part, Fraction(0)) + chance
    return {part: chance for part, chance in found.items() if chance}

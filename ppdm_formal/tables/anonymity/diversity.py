"""l-diversity (Machanavajjhala et al. 2006): how varied the sensitive values of a class are.

distinct: the fewest different values in a class. entropy: a class is entropy l-diverse if
H = -sum of p ln(p) >= ln(l) (Dor18 1.3 prints it without the minus). recursive (c, l): with
counts r1 >= r2 >= ..., r1 < c (r_l + r_(l+1) + ...): for each l there is a ratio c must exceed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.log_sum import LogSum
from ppdm_formal.tables.anonymity.classes import ValueCounts

MOST_RATIOS = 20


@dataclass(frozen=True)
class Diversity:
    """Each form, and the class that is worst by it."""

    distinct: int
    distinct_class: int
    entropy: Enclosure
    entropy_l: int
    entropy_class: int
    ratios: tuple[tuple[int, Fraction, int], ...]
    """(l, what c must exceed, the class that makes it so), from l = 2 to the distinct one."""


def diversity(counts: ValueCounts) -> Diversity:
    """All three forms, exactly."""
    fewest = int(counts.distinct.min())
    patterns: dict[tuple[int, ...], int] = {}
    for number, held in counts.patterns():
        patterns.setdefault(tuple(sorted((c for _, c in held), reverse=True)), number)
    least, where = None, 0
    for pattern, number in patterns.items():
        entropy = _entropy(pattern)
        if least is None or (entropy - least).sign() < 0:
            least, where = entropy, number
    assert least is not None
    ell = 1
    while (least - LogSum.log(Fraction(ell + 1))).sign() >= 0:
        ell += 1
    ratios = []
    for size in range(2, min(fewest, MOST_RATIOS) + 1):
        ratio, number = max(
            (Fraction(pattern[0], sum(pattern[size - 1 :])), -number)
            for pattern, number in patterns.items()
        )
        ratios.append((size, ratio, -number))
    lowest = int(counts.distinct.argmin())
    return Diversity(fewest, lowest, least.enclosed(), ell, where, tuple(ratios))


def _entropy(pattern: tuple[int, ...]) -> LogSum:
    """H of a class in nats: ln(n) - (1/n) sum of c ln(c)."""
    size = sum(pattern)
    terms = [(Fraction(1), LogSum.log(Fraction(size)))]
    terms += [(Fraction(-c, size), LogSum.log(Fraction(c))) for c in pattern if c > 1]
    return LogSum.total(terms, "nat")

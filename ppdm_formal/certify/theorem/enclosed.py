"""e^q between two rational numbers, ever closer, as proofs/coq/Exponential.v shows it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ppdm_formal.certify.theorem.term import NotCovered

FINE = (1, 16, 1 << 10, 1 << 20, 1 << 30)  # the ends are multiples of 1/FINE: coarse computes fast
ONE, HALVINGS = 1 << 96, 40  # as in proofs/coq/Exponential.v


def enclosures(q: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """Ends of intervals around e^q."""
    n, d = q.numerator, q.denominator
    for fine in FINE:
        low = Fraction(_lower(n, d) * fine // ONE, fine)
        yield low, Fraction(-(-fine * ONE // _lower(-n, d)), fine)


def _lower(n: int, d: int) -> int:
    """ONE e^(n/d), not above it, by the steps of proofs/coq/Exponential.v."""
    found = ONE * ((d << HALVINGS) + n) // (d << HALVINGS)
    for _ in range(HALVINGS):
        found = found * found // ONE
    if found <= 0:
        raise NotCovered("powers of e that are too large")
    return found

"""Reconstruction on finitely many cells, exactly: masses pi_i = m_i theta_i, chances A[j][i].

A[j][i] = Pr(Y in z_j - Omega_i) / m_i is the density of Z = z_j where X is uniform on cell i, so
that f_Z(z_j) = sum of A[j][i] pi_i, and the EM step of Theorem 4.2 is pi_i (1/N) sum over j of
A[j][i] / f_Z(z_j).
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from flint import arb, fmpq

Row = Sequence[Fraction]
Cell = tuple[Fraction, Fraction]

CELLS: tuple[Cell, ...] = (
    (Fraction(0), Fraction(1)),
    (Fraction(1), Fraction(2)),
    (Fraction(2), Fraction(4)),
)


def noise_below(at: Fraction) -> Fraction:
    """Pr(Y <= at) for uniform Y on [-1, 1]."""
    return min(max((at + 1) / 2, Fraction(0)), Fraction(1))


def chances(cells: Sequence[Cell], z: Fraction) -> list[Fraction]:
    """A[i]: the density of Z at z for X uniform on each cell."""
    return [
        (noise_below(z - lo) - noise_below(z - hi)) / (hi - lo) for lo, hi in cells
    ]  # of the interval [z - hi, z - lo]


def density(row: Row, masses: Row) -> Fraction:
    """f_Z at the point that the row belongs to."""
    return sum((a * p for a, p in zip(row, masses, strict=True)), Fraction(0))


def em_step(rows: Sequence[Row], masses: Row) -> list[Fraction]:
    """One step of EM on masses."""
    below = [density(row, masses) for row in rows]
    return [
        mass
        * sum((row[i] / f for row, f in zip(rows, below, strict=True)), Fraction(0))
        / len(rows)
        for i, mass in enumerate(masses)
    ]


def grid(size: int, parts: int) -> Iterator[tuple[Fraction, ...]]:
    """All positive masses that are multiples of 1/parts."""
    if size == 1:
        if parts > 0:
            yield (Fraction(parts),)
        return
    for first in range(1, parts):
        for rest in grid(size - 1, parts - first):
            yield (Fraction(first), *rest)


def masses(size: int, parts: int) -> Iterator[tuple[Fraction, ...]]:
    """The same, summing to 1."""
    for row in grid(size, parts):
        yield tuple(part / parts for part in row)


def log_ball(value: Fraction) -> arb:
    """The natural logarithm as a ball."""
    return arb(fmpq(value.numerator, value.denominator)).log()


def likelihood(rows: Sequence[Row], at: Row) -> arb:
    """The log-likelihood as a ball."""
    return sum((log_ball(density(row, at)) for row in rows), arb(0))

"""Joint laws of two variables as tables of fractions: P[X = x, Y = y] in row x, column y."""

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction

from ppdm_formal.declare.arithmetic.log_sum import LogSum

Joint = tuple[tuple[Fraction, ...], ...]
ZERO, ONE = Fraction(0), Fraction(1)


def joint(prior: Sequence[Fraction], rows: Sequence[Sequence[Fraction]]) -> Joint:
    """The law of X and R(X)."""
    return tuple(tuple(p * q for q in row) for p, row in zip(prior, rows, strict=True))


def margins(law: Joint) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """The laws of X and of Y."""
    return tuple(sum(row, ZERO) for row in law), tuple(
        sum(column, ZERO) for column in zip(*law, strict=True)
    )


def factor(law: Joint) -> Fraction | None:
    """The least e^epsilon of Definition 1; None where there is none."""
    of_x, of_y = margins(law)
    worst = ONE
    for p, row in zip(of_x, law, strict=True):
        for q, both in zip(of_y, row, strict=True):
            if p * q:
                if not both:
                    return None
                worst = max(worst, both / (p * q), p * q / both)
    return worst


def information(law: Joint) -> LogSum:
    """I(X; Y) in nats."""
    of_x, of_y = margins(law)
    return LogSum.total(
        (
            (both, LogSum.log(both / (p * q)))
            for p, row in zip(of_x, law, strict=True)
            for q, both in zip(of_y, row, strict=True)
            if both
        ),
        "nat",
    )


def entropy(masses: Sequence[Fraction]) -> LogSum:
    """H in nats."""
    return LogSum.total(((-p, LogSum.log(p)) for p in masses if p), "nat")


def tables(rows: int, columns: int, parts: int, least: int = 1) -> Iterator[Joint]:
    """All joint laws whose cells are multiples of 1/parts, each at least `least` of them."""
    cells = rows * columns
    for cuts in itertools.combinations_with_replacement(
        range(parts - least * cells + 1), cells - 1
    ):
        ends = (0, *cuts, parts - least * cells)
        counts = [b - a + least for a, b in itertools.pairwise(ends)]
        yield tuple(
            tuple(Fraction(count, parts) for count in counts[row * columns : (row + 1) * columns])
            for row in range(rows)
        )


def shown(law: Joint) -> str:
    """For a counterexample."""
    return "; ".join(" ".join(str(value) for value in row) for row in law)

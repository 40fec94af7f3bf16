"""KL^f of EGS03 Definition 7 by brute force: E_{x ~ p1} f(p1(x)/p2(x)) in Fractions."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Function:
    """f(t) with the limits of t f(t) at 0 and of f at infinity (None: it has no finite one)."""

    name: str
    value: Callable[[Fraction], Fraction]
    vanishing: Fraction | None
    growing: Fraction | None


ZERO, ONE = Fraction(0), Fraction(1)
# t f(t): t^2 - t, t^3, t - 1, -1, 1, 1/t; all convex on t > 0.
FUNCTIONS = (
    Function("t - 1", lambda t: t - 1, ZERO, None),
    Function("t^2", lambda t: t * t, ZERO, None),
    Function("-1/t + 1", lambda t: 1 - 1 / t, -ONE, ONE),
    Function("-1/t", lambda t: -1 / t, -ONE, ZERO),
    Function("1/t", lambda t: 1 / t, ONE, ZERO),
    Function("t^-2", lambda t: 1 / t**2, None, ZERO),
)
VANISHING = tuple(f for f in FUNCTIONS if f.vanishing is not None and f.vanishing <= 0)
"""Those for which terms of probability zero may be dropped."""


def divergence(
    first: Sequence[Fraction], second: Sequence[Fraction], f: Function, *, limits: bool
) -> Fraction | None:
    """KL^f(p1 || p2); None where it is infinite.

    limits: terms with p1(x) = 0 < p2(x) count p2(x) lim t f(t); otherwise they are dropped.
    Terms with p2(x) = 0 < p1(x) count p1(x) f(infinity) either way.
    """
    total = ZERO
    for p1, p2 in zip(first, second, strict=True):
        if p1 and p2:
            total += p1 * f.value(p1 / p2)
        elif p1:
            if f.growing is None:
                return None
            total += p1 * f.growing
        elif p2 and limits:
            if f.vanishing is None:
                return None
            total += p2 * f.vanishing
    return total


def at_most(left: Fraction | None, right: Fraction | None) -> bool:
    """Left <= right, where None is infinity."""
    return right is None or (left is not None and left <= right)


def distributions(size: int, parts: int) -> Iterator[tuple[Fraction, ...]]:
    """All distributions on so many values whose probabilities are multiples of 1/parts."""
    for cuts in itertools.combinations_with_replacement(range(parts + 1), size - 1):
        ends = (0, *cuts, parts)
        yield tuple(Fraction(b - a, parts) for a, b in itertools.pairwise(ends))


def after(prior: Sequence[Fraction], column: Sequence[Fraction]) -> tuple[Fraction, ...] | None:
    """The distribution given an output with these likelihoods; None where it cannot occur."""
    joint = [p * q for p, q in zip(prior, column, strict=True)]
    total = sum(joint, ZERO)
    return tuple(part / total for part in joint) if total else None


def seen(prior: Sequence[Fraction], channel: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...]:
    """The distribution of Z where P[Z = z | X = x] = channel[x][z]."""
    columns = range(len(channel[0]))
    return tuple(
        sum((p * row[z] for p, row in zip(prior, channel, strict=True)), ZERO) for z in columns
    )

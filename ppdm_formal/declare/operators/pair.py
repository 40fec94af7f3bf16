"""PairClass: outputs on which two inputs have the same two likelihoods.

What an operator does to two inputs is not a function of its views, which count inputs but do
not follow them from output to output. Measures over pairs (how much mass of p[x1 -> .] exceeds
c times p[x2 -> .], say) are sums over these classes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ppdm_formal.declare.arithmetic.exact import ZERO, Exact, simplify


@dataclass(frozen=True)
class PairClass:
    """Outputs y with p[x1 -> y] = first and p[x2 -> y] = second, and how many there are."""

    first: Exact
    second: Exact
    outputs: int


@dataclass(frozen=True)
class CrowdPair:
    """Two inputs, by position, and kinds of outputs as a crowd sees them (docs/shuffling.md).

    kinds: chances (p, q, least, alike) that outputs of a kind come from the first input, from the
    second, from any input at least, and from `other`, a value that all others may have. Within a
    kind the four are in one proportion. Where `other` is None, kinds have three chances only.
    `least` may be less than that: who is hidden by so much is hidden by more (T3).
    """

    first: int
    second: int
    other: int | None
    kinds: tuple[tuple[Exact, ...], ...]


@dataclass(frozen=True)
class CrowdColumns:
    """Reports of independent bits, of which a crowd's sums are seen column by column.

    A bit is 1 with chance `held` where the input holds its value, and `lacking` where not. Two
    inputs differ in so many columns that the first alone holds, and the second alone, at most.
    first, second, third: inputs by position that do; the third holds none of these columns (None:
    there is no such input).
    """

    held: Exact
    lacking: Exact
    ahead: int
    behind: int
    first: int
    second: int
    third: int | None


def pair_classes(parts: Iterable[tuple[Exact, Exact, int]]) -> tuple[PairClass, ...]:
    """Each pair of likelihoods once, in the order in which they are first met."""
    counts: dict[tuple[Exact, Exact], int] = {}
    for first, second, outputs in parts:
        if outputs:
            counts[first, second] = counts.get((first, second), 0) + outputs
    return tuple(PairClass(*likelihoods, outputs) for likelihoods, outputs in counts.items())


def crowd_kinds(
    parts: Iterable[tuple[Exact | int, tuple[Exact, ...]]],
) -> tuple[tuple[Exact, ...], ...]:
    """Kinds of outputs, each proportion of chances once, in the order in which they are first met.

    parts: (factor, numbers) stands for the chances factor * number.

    >>> from fractions import Fraction as F
    >>> crowd_kinds([(3, (F(1), F(2))), (F(1, 4), (F(2), F(4))), (1, (F(0), F(0)))])
    ((Fraction(7, 2), Fraction(7, 1)),)
    """
    scaled: dict[tuple[Exact, ...], tuple[Exact, tuple[Exact, ...]] | None] = {}
    sums: dict[tuple[Exact, ...], Exact] = {}
    for factor, numbers in parts:
        if numbers not in scaled:
            unit = next((number for number in numbers if number != 0), None)
            proportion = tuple(simplify(number / unit) for number in numbers) if unit else ()
            scaled[numbers] = None if unit is None else (unit, proportion)
        known = scaled[numbers]
        if known is not None and factor != 0:
            unit, proportion = known
            sums[proportion] = simplify(sums.get(proportion, ZERO) + factor * unit)
    return tuple(
        tuple(simplify(whole * number) for number in proportion)
        for proportion, whole in sums.items()
    )

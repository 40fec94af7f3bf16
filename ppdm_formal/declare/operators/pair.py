"""PairClass: outputs on which two inputs have the same two likelihoods.

What an operator does to two inputs is not a function of its views, which count inputs but do
not follow them from output to output. Measures over pairs (how much mass of p[x1 -> .] exceeds
c times p[x2 -> .], say) are sums over these classes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ppdm_formal.declare.arithmetic.exact import Exact


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
    """

    first: int
    second: int
    other: int | None
    kinds: tuple[tuple[Exact, ...], ...]


def pair_classes(parts: Iterable[tuple[Exact, Exact, int]]) -> tuple[PairClass, ...]:
    """Each pair of likelihoods once, in the order in which they are first met."""
    counts: dict[tuple[Exact, Exact], int] = {}
    for first, second, outputs in parts:
        if outputs:
            counts[first, second] = counts.get((first, second), 0) + outputs
    return tuple(PairClass(*likelihoods, outputs) for likelihoods, outputs in counts.items())

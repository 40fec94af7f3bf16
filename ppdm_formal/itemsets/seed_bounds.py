"""Bounds on seeds: how short they can be at all, and what a transaction takes without them."""

from __future__ import annotations

from fractions import Fraction

from ppdm_formal.numbers.log_sum import LogSum


def rao_bits(items: int, q: int, levels: int = 2) -> int:
    """Rao's bound: log2 of the least number of seeds if any q of n variables are independent.

    Variables of L levels each (at least 2, with any probabilities) have L - 1 orthogonal functions
    of mean 0; products over up to u = floor(q/2) variables are orthogonal, being at most q
    variables in two of them. So there are at least as many seeds as such products; where q is
    odd, products over u + 1 variables that share one given variable count as well.

    >>> rao_bits(100_000, 15), rao_bits(100_000, 15, 16)
    (105, 136)
    """
    width = 1 << 12
    while True:
        low, high = _rao_ends(items, q, levels - 1, width)
        if low == high:
            return low
        width *= 4


def _rao_ends(items: int, q: int, others: int, width: int) -> tuple[int, int]:
    """Bounds on log2 of Rao's sum, rounded up; equal where `width` bits of its terms suffice."""
    half, dropped = q // 2, 0
    low = high = term_low = term_high = 1  # sums, and C(n, i) (L - 1)^i, in units of 2^dropped

    def scaled(factor: int, divisor: int) -> tuple[int, int]:
        return term_low * factor // divisor, -(-term_high * factor // divisor)

    for i in range(half):
        term_low, term_high = scaled((items - i) * others, i + 1)
        low, high = low + term_low, high + term_high
        more = high.bit_length() - width
        if more > 0:
            low, term_low = low >> more, term_low >> more
            high, term_high = (high >> more) + 1, (term_high >> more) + 1
            dropped += more
    if q % 2:
        term_low, term_high = scaled((items - half) * others, items)  # C(n - 1, u) (L - 1)^(u + 1)
        low, high = low + term_low, high + term_high
    return (low - 1).bit_length() + dropped, (high - 1).bit_length() + dropped


def level_bound_bits(items: int, bits: int, q: int) -> int:
    """The bound for generators with independent b-bit numbers, such as all linear ones.

    Rao's for 2^b levels; and q numbers of b bits take b q bits.
    """
    return max(rao_bits(items, q, 1 << bits), bits * q)


def coin_entropy(insert: Fraction) -> LogSum:
    """H(rho) = -rho log2 rho - (1 - rho) log2(1 - rho), in bits."""
    sides = (insert, 1 - insert)
    return LogSum.total([(-side, LogSum.log(side, "bit")) for side in sides], "bit")


def uncompressed_bits(items: int, insert: Fraction) -> int:
    """The entropy n H(rho) of a transaction whose items are all inserted alike, rounded down.

    So the paper counts; the m items of t, whose number j has another law, change it by m bits at
    most. No code is shorter on average.

    >>> uncompressed_bits(100_000, Fraction(1, 16)), uncompressed_bits(100_000, Fraction(1, 2))
    (33729, 100000)
    """
    whole = coin_entropy(insert).times(Fraction(items))
    digits = len(str(items)) + 5
    while True:
        found = whole.enclosed(digits)
        if found.lo // 1 == found.hi // 1:
            return int(found.lo // 1)
        digits *= 2

"""Seed sizes: how many bits a compressed randomized transaction takes (EGS03 section 5).

n items, rho = a/2^b, any q items independent: each of the generators in run/compress, by its
name, has its size here as a formula. A size is None where the generator does not exist.

Bounds say how short seeds can be at all, and what a transaction takes without them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from ppdm_formal.declare.arithmetic.log_sum import LogSum

Size = Callable[[int, int, int], "int | None"]
"""From n, b and q to the bits of a seed."""


MAX_DEGREE = 64
"""Fields GF(2^r) go up to here, as their elements are words."""

MAX_BITS = 16
"""Bits of rho."""

MAX_STRENGTH = 1 << 16
"""Largest q."""


def strength(items: int, size: int, itemsets: int) -> int:
    """The q that transactions of m items and itemsets of up to s need: m + s, or all n items."""
    if not 1 <= size <= items:
        raise ValueError(
            f"transactions of {size} items among {items}: the size must be in 1..{items}"
        )
    if itemsets < 1:
        raise ValueError(f"itemsets have 1 item or more, not {itemsets}")
    q = min(size + itemsets, items)
    if q > MAX_STRENGTH:
        raise ValueError(f"seeds are for q = m + s up to {MAX_STRENGTH}, not {q}")
    return q


def bch_degree(items: int, bits: int, q: int) -> int:
    """The field GF(2^r) of the paper: 2^r - 1 >= b n, and l <= 2^(r - 1) - 1 rows for distances.

    >>> bch_degree(100_000, 1, 15), bch_degree(100_000, 4, 15)
    (17, 19)
    """
    return max((bits * items).bit_length(), (-(-bits * q // 2)).bit_length() + 1)


def paper_bits(items: int, bits: int, q: int) -> int:
    """The paper's: a BCH code of b n columns and distance b q + 1 has l = ceil(b q / 2) blocks.

    >>> paper_bits(100_000, 1, 15), paper_bits(100_000, 4, 15)
    (136, 570)
    """
    return bch_degree(items, bits, q) * -(-bits * q // 2)


def bch_bits(items: int, bits: int, q: int) -> int | None:
    """The paper's, in fields up to GF(2^64)."""
    return paper_bits(items, bits, q) if bch_degree(items, bits, q) <= MAX_DEGREE else None


def extended_bch_degree(items: int, bits: int) -> int:
    """The least r with 2^r >= b n: with a parity row 0 can be a column as well."""
    return max((bits * items - 1).bit_length(), 1)


def extended_bch_bits(items: int, bits: int, q: int) -> int | None:
    """One parity row raises the distance 2 l + 1 to 2 l + 2, enough for b q = 2 l + 1 columns.

    >>> extended_bch_bits(100_000, 1, 15)
    120
    """
    degree = extended_bch_degree(items, bits)
    return 1 + degree * (bits * q // 2) if degree <= MAX_DEGREE else None


def polynomial_degree(items: int, bits: int) -> int:
    """The least r with 2^r >= n and r >= b."""
    return max((items - 1).bit_length(), bits)


def polynomial_bits(items: int, bits: int, q: int) -> int | None:
    """A polynomial of degree below q over GF(2^r): q coefficients.

    >>> polynomial_bits(100_000, 4, 15)
    255
    """
    degree = polynomial_degree(items, bits)
    return degree * q if degree <= MAX_DEGREE else None


@dataclass(frozen=True)
class Exponents:
    """The powers x^j, j = first..first + q - 1, that a polynomial needs if b bits are taken of it.

    Exponents j, 2 j, 4 j, ... modulo 2^r - 1 are a coset: if a sum of x^j over some items is 0,
    so are those of x^(2 j), .... `single` exponents take a coefficient of r bits each. A `full`
    coset (exponent, width) instead takes one of `width` bits for each of the b bits; this is
    cheaper where more than b exponents are in one coset, or where the coset is shorter than r
    (its powers lie in a smaller field).
    """

    degree: int
    first: int
    single: tuple[int, ...]
    full: tuple[tuple[int, int], ...]

    def seed_bits(self, bits: int) -> int:
        """The bits of all coefficients; that of x^0 has b."""
        constant = bits if self.first == 0 else 0
        blocks = bits * sum(width for _, width in self.full)
        return constant + self.degree * len(self.single) + blocks


@cache
def exponents(degree: int, bits: int, first: int, last: int) -> Exponents:
    """The cheapest coefficients for the powers from `first` (0 or 1) to `last`."""
    order = (1 << degree) - 1
    if last > order:
        raise ValueError(f"GF(2^{degree}) has no {last} different powers")
    members: dict[tuple[int, int], list[int]] = {}
    for j in range(1, last + 1):
        members.setdefault(_coset(j, degree, last), []).append(j)
    single: list[int] = []
    full: list[tuple[int, int]] = []
    for coset, found in members.items():
        if degree * len(found) <= bits * coset[1]:
            single += found
        else:
            full.append(coset)
    return Exponents(degree, first, tuple(sorted(single)), tuple(full))


def _coset(j: int, degree: int, last: int) -> tuple[int, int]:
    """The least of j, 2 j, 4 j, ... modulo 2^r - 1, and how many they are.

    Below 2^(r/2) nothing wraps around: the least is the odd part, and there are r of them.
    """
    if last < 1 << degree // 2:
        return j // (j & -j), degree
    order = (1 << degree) - 1
    least, width, current = j, 1, 2 * j % order or order
    while current != j:
        least, width, current = min(least, current), width + 1, 2 * current % order or order
    return least, width


def twisted_exponents(items: int, bits: int, q: int) -> Exponents:
    """The powers of a twisted BCH code: 0..q - 1 on any n <= 2^r points, or 1..q without x = 0.

    With a point at infinity there may be 2^r + 1 items, if x^(q - 1) has its own coefficient.
    """
    degree = polynomial_degree(items, bits)
    if items == (1 << (degree - 1)) + 1 and degree > bits and q < items - 1:
        fewer = exponents(degree - 1, bits, 0, q - 1)
        if q - 1 in fewer.single:
            return fewer
    found = exponents(degree, bits, 0, q - 1)
    if items.bit_length() > MAX_DEGREE:
        return found
    other = exponents(max(items.bit_length(), bits), bits, 1, q)
    return min(found, other, key=lambda one: one.seed_bits(bits))


def twisted_bch_bits(items: int, bits: int, q: int) -> int | None:
    """In most cases b + r (q - 1 - floor((q - 1) / 2^b)): powers whose exponent 2^b divides go.

    >>> [twisted_bch_bits(100_000, bits, 15) for bits in (1, 2, 3, 4)]
    [120, 189, 224, 242]
    """
    if items > 1 << MAX_DEGREE:
        return None
    return twisted_exponents(items, bits, q).seed_bits(bits)


GOPPA_DEGREE = 20
"""Goppa codes are made by trying all elements of the field; larger n are not near a 2^r."""


def goppa_degree(items: int, q: int) -> int:
    """The least r with 2^r >= n, or 2^r + 1 >= n for odd q."""
    return max((items - 1 - q % 2).bit_length(), 1)


def goppa_bits(items: int, bits: int, q: int) -> int | None:
    """A Goppa code of t = floor(q/2) >= 2 blocks, with a parity row for odd q; b = 1.

    >>> goppa_bits(65536, 1, 14), extended_bch_bits(65536, 1, 14)
    (112, 113)
    """
    degree = goppa_degree(items, q)
    if bits > 1 or q < 4 or degree > GOPPA_DEGREE:
        return None
    return degree * (q // 2) + q % 2


def cap_digits(items: int, bits: int) -> int:
    """How many digits to base 2^b number the items."""
    return max(-(-(items - 1).bit_length() // bits), 1)


def cap_bits(items: int, bits: int, q: int) -> int | None:
    """For q = 3 and b from 2 on: 1, M digits and ceil(M/2) norms, b bits each.

    >>> cap_bits(100_000, 2, 3), twisted_bch_bits(100_000, 2, 3)
    (30, 36)
    """
    if items > 1 << MAX_DEGREE:
        return None
    digits = cap_digits(items, bits)
    return bits * (1 + digits + -(-digits // 2)) if q == 3 and bits > 1 else None


def direct_bits(items: int, bits: int, q: int) -> int | None:
    """Every item has its own b bits, where that is not longer than a twisted BCH code.

    >>> direct_bits(20, 1, 15), direct_bits(20, 1, 5)
    (20, None)
    """
    other = twisted_bch_bits(items, bits, q)
    return bits * items if other is not None and bits * items <= other else None


SIZES: dict[str, Size] = {
    "direct": direct_bits,
    "bch": bch_bits,
    "extended-bch": extended_bch_bits,
    "polynomial": polynomial_bits,
    "twisted-bch": twisted_bch_bits,
    "goppa": goppa_bits,
    "cap": cap_bits,
}
"""By name, simple ones first: of two that are equally short the first is taken."""


def seed_sizes(items: int, bits: int, q: int) -> dict[str, int]:
    """The sizes of all generators that exist.

    >>> seed_sizes(100_000, 1, 15)
    {'bch': 136, 'extended-bch': 120, 'polynomial': 255, 'twisted-bch': 120, 'goppa': 120}
    """
    found = {name: size(items, bits, q) for name, size in SIZES.items()}
    return {name: size for name, size in found.items() if size is not None}


def shortest(items: int, bits: int, q: int) -> tuple[str, int]:
    """The generator with the shortest seeds, and how long they are.

    >>> shortest(100_000, 1, 15), shortest(100_000, 4, 15)
    (('extended-bch', 120), ('twisted-bch', 242))
    """
    sizes = seed_sizes(items, bits, q)
    if not sizes:
        raise ValueError(f"there are no seeds for {items} items: items are numbered in 64 bits")
    name = min(sizes, key=sizes.__getitem__)
    return name, sizes[name]


def compressed_bits(items: int, bits: int, size: int, itemsets: int) -> int | None:
    """The bits of the shortest seed for transactions of m items and itemsets of up to s.

    None where there is none: of more than 2^64 items, or with more than 16 bits of rho.

    >>> compressed_bits(100_000, 8, 5, 3), compressed_bits(100_000, 17, 5, 3)
    (127, None)
    """
    q = strength(items, size, itemsets)
    return min(seed_sizes(items, bits, q).values(), default=None) if bits <= MAX_BITS else None


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

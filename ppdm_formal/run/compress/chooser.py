"""The chooser: which generators there are for n items, q and rho = a/2^b, the shortest first."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ppdm_formal.itemsets.seed_size import seed_sizes, shortest, strength
from ppdm_formal.run.compress.bch import BCH, ExtendedBCH
from ppdm_formal.run.compress.direct import Direct
from ppdm_formal.run.compress.generator import MAX_BITS, Generator
from ppdm_formal.run.compress.polynomial import Polynomial
from ppdm_formal.run.compress.twisted import TwistedBCH
from ppdm_formal.run.errors import DataError

KINDS: dict[str, type[Generator]] = {
    kind.name: kind for kind in (BCH, ExtendedBCH, Polynomial, TwistedBCH, Direct)
}


def dyadic(insert: Fraction) -> tuple[int, int]:
    """The pair a, b with rho = a/2^b."""
    bits = insert.denominator.bit_length() - 1
    if not 0 < insert < 1 or insert.denominator != 1 << bits or bits > MAX_BITS:
        raise ValueError(
            f"rho = {insert} is not a/2^b with 0 < a < 2^b and b up to {MAX_BITS}: "
            "generators make no other probabilities"
        )
    return insert.numerator, bits


def generators(items: int, size: int, itemsets: int, insert: Fraction) -> list[Generator]:
    """Those that serve transactions of m items and itemsets of up to s, the shortest first.

    q = m + s, as EGS03 Statement 3 needs, or n where that is less.
    """
    numerator, bits = dyadic(insert)
    q = strength(items, size, itemsets)
    sizes = seed_sizes(items, bits, q)
    return [KINDS[name](items, q, numerator, bits) for name in sorted(sizes, key=sizes.__getitem__)]


def best_generator(items: int, size: int, itemsets: int, insert: Fraction) -> Generator:
    """The one with the shortest seeds.

    >>> best_generator(100_000, 10, 5, Fraction(1, 16)).seed_bits
    242
    """
    numerator, bits = dyadic(insert)
    q = strength(items, size, itemsets)
    return KINDS[shortest(items, bits, q)[0]](items, q, numerator, bits)


def generator_of(written: Mapping[str, Any]) -> Generator:
    """The generator that to_json wrote; anything else is refused."""
    if not isinstance(written, Mapping):
        raise DataError("a generator must be an object")
    kind = KINDS.get(str(written.get("name")))
    if kind is None:
        raise DataError("no generator of this name is known here")
    numbers = [written.get(key) for key in ("items", "q", "numerator", "bits")]
    if not all(isinstance(one, int) and not isinstance(one, bool) for one in numbers):
        raise DataError("a generator's items, q, numerator and bits must be whole numbers")
    try:
        found = kind(*numbers)  # type: ignore[arg-type]
    except ValueError as problem:
        raise DataError(str(problem)) from None
    if found.to_json() != dict(written):
        raise DataError(f"this is not how {found.name} generators with these parameters are made")
    return found

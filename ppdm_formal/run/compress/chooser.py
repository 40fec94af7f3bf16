"""The chooser: which generators there are for n items, q and rho = a/2^b, the shortest first."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ppdm_formal.declare.arithmetic.people import said
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families.select_a_size import select_a_size_law
from ppdm_formal.declare.operators.cut import drawable
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.design.seed_size import MAX_BITS, seed_sizes, shortest, strength
from ppdm_formal.run.compress.bch import BCH, ExtendedBCH
from ppdm_formal.run.compress.cap import Cap
from ppdm_formal.run.compress.direct import Direct
from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.goppa import Goppa
from ppdm_formal.run.compress.guarantee import guarantee
from ppdm_formal.run.compress.polynomial import Polynomial
from ppdm_formal.run.compress.twisted import TwistedBCH
from ppdm_formal.run.errors import DataError

KINDS: dict[str, type[Generator]] = {
    kind.name: kind for kind in (BCH, ExtendedBCH, Polynomial, TwistedBCH, Goppa, Cap, Direct)
}


def dyadic(insert: Fraction) -> tuple[int, int]:
    """The pair a, b with rho = a/2^b.

    >>> dyadic(Fraction(3, 10))
    Traceback (most recent call last):
    ...
    ValueError: rho = 3/10 is not a/2^b with b up to 16, as generators need: near it are 5/16, \
77/256, 1229/4096, 19661/65536
    """
    if not 0 < insert < 1:
        raise ValueError(f"rho = {said(insert)} is not between 0 and 1")
    bits = insert.denominator.bit_length() - 1
    if insert.denominator != 1 << bits or bits > MAX_BITS:
        near = ", ".join(number_text(one) for one in nearby(insert))
        raise ValueError(
            f"rho = {said(insert)} is not a/2^b with b up to {MAX_BITS}, as generators need: "
            f"near it are {near}"
        )
    return insert.numerator, bits


def nearby(insert: Fraction) -> list[Fraction]:
    """The nearest numbers a/2^b between 0 and 1 with b = 4, 8, 12 and 16, each one once.

    >>> [str(one) for one in nearby(Fraction(1, 3))]
    ['5/16', '85/256', '1365/4096', '21845/65536']
    """
    found = []
    for bits in range(4, MAX_BITS + 1, 4):
        whole = 1 << bits
        found.append(Fraction(min(max(round(insert * whole), 1), whole - 1), whole))
    return list(dict.fromkeys(found))


def generators(items: int, size: int, itemsets: int, insert: Fraction) -> list[Generator]:
    """Those that serve transactions of m items and itemsets of up to s, the shortest first.

    q = m + s, as EGS03 Statement 3 needs, or n where that is less.
    """
    numerator, bits = dyadic(insert)
    q = strength(items, size, itemsets)
    sizes = seed_sizes(items, bits, q)
    shortest(items, bits, q)  # refuses where there is none
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


def part_generator(operator: Operator, itemsets: int) -> Generator:
    """The shortest seeds that serve a select-a-size operator and itemsets of up to s items."""
    law = select_a_size_law(operator)
    if law is None:
        raise ValueError("only select-a-size is sent as seeds")
    return best_generator(law.items, law.size, itemsets, drawable(law.insert))


def independent(generator: Generator, operator: Operator) -> int:
    """How many items beside a basket's are distributed as the operator says (Statement 3)."""
    law = select_a_size_law(operator)
    assert law is not None
    return guarantee(generator, law.size).itemsets

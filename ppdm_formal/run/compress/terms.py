"""Terms: a generator told in one form for all kinds, for clients that compute it item by item.

Bit l of item i has the point x = scale i + each l + first of GF(2^r). A term [exponent, start,
step, shift, telling] puts x^exponent times the generator of the field to the power shift l into
the functional, from seed bit start + step l on; `telling` lists the bits of it that are put
there (null: all). The item `infinite`, where there is one, has 1 for x^last and 0 for all others.
Without a field (degree 0) the functional is seed bit x alone. Goppa codes and caps are not sums of
powers: they have a `form` and constants of their own.
"""

from __future__ import annotations

from typing import Any

from ppdm_formal.design.seed_size import cap_digits
from ppdm_formal.run.compress.bch import BCH
from ppdm_formal.run.compress.cap import Cap
from ppdm_formal.run.compress.direct import Direct
from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.goppa import Goppa
from ppdm_formal.run.compress.polynomial import Polynomial
from ppdm_formal.run.compress.twisted import TwistedBCH

Term = list[Any]


def generator_terms(generator: Generator) -> dict[str, Any]:
    """What a client needs of a generator; whole numbers without limit are hexadecimal text."""
    common = {
        "form": "powers",
        "numerator": hex(generator.numerator),
        "bits": generator.bits,
        "seed_bits": generator.seed_bits,
        "degree": 0,
        "modulus": "0x0",
        "scale": 1,
        "each": 0,
        "first": 0,
        "infinite": None,
        "last": generator.q - 1,
        "terms": [],
    }
    if isinstance(generator, Direct):
        return {**common, "scale": generator.bits, "each": 1}
    if isinstance(generator, BCH):
        return {**common, **_field(generator), **_bch(generator)}
    if isinstance(generator, Polynomial):
        return {**common, **_field(generator), "terms": _polynomial(generator)}
    if isinstance(generator, TwistedBCH):
        return {**common, **_field(generator), **_twisted(generator)}
    if isinstance(generator, Goppa):
        return {
            **common,
            **_field(generator),
            "form": "goppa",
            "constant": hex(generator.constant),
            "errors": generator.errors,
            "parity": generator.q % 2,
        }
    if isinstance(generator, Cap):
        return {
            **common,
            **_field(generator),
            "form": "cap",
            "constant": hex(generator.constant),
            "digits": cap_digits(generator.items, generator.bits),
        }
    raise ValueError(f"clients do not know {generator.name} generators")


def _field(generator: BCH | Polynomial | TwistedBCH | Goppa | Cap) -> dict[str, Any]:
    return {"degree": generator.field.degree, "modulus": hex(generator.field.modulus)}


def _bch(generator: BCH) -> dict[str, Any]:
    """Odd powers, behind a parity bit where there is one."""
    starts = range(generator.parity, generator.seed_bits, generator.degree)
    terms: list[Term] = [[0, 0, 0, 0, None]] * generator.parity
    terms += [[2 * place + 1, start, 0, 0, None] for place, start in enumerate(starts)]
    first = 1 - generator.parity
    return {"scale": generator.bits, "each": 1, "first": first, "terms": terms}


def _polynomial(generator: Polynomial) -> list[Term]:
    return [[j, generator.degree * j, 0, 1, None] for j in range(generator.q)]


def _twisted(generator: TwistedBCH) -> dict[str, Any]:
    """The constant, then single exponents, then full cosets, as TwistedBCH.functionals has them."""
    powers, field, bits = generator.exponents, generator.field, generator.bits
    terms: list[Term] = []
    start = 0
    if powers.first == 0:
        terms.append([0, 0, 1, 0, [0]])
        start = bits
    for j in powers.single:
        terms.append([j, start, 0, 1, None])
        start += field.degree
    for j, width in powers.full:
        telling = None if width == field.degree else field.telling(width)
        terms.append([j, start, width, 0, telling])
        start += bits * width
    extra = generator.items == (1 << powers.degree) + 1
    infinite = hex(generator.items - 1) if extra else None
    return {"first": powers.first, "infinite": infinite, "terms": terms}

"""RAPPOR (Erlingsson, Pihur, Korolova 2014): a Bloom filter of x, with two rounds of noise.

h hash functions set h of m bits. Permanent noise: each bit becomes a fair coin with probability
f, once and for all. Instantaneous noise: each report shows 1 with probability q where the kept
bit is 1, and with probability p where it is 0. A bit of one report is 1 with probability

    q* = (f/2)(p + q) + (1 - f) q  if it is set,    p* = (f/2)(p + q) + (1 - f) p  if not,

so that the amplification of one report is (q*(1 - p*) / (p*(1 - q*)))^h; with p = 0 and q = 1
the reports show the kept bits themselves, whose amplification bounds that of all reports.

Hash functions are public: what they make of x happens before any coin. The inputs here are the
Bloom filters themselves, all sets of h of the m bits. Values with one filter are one input, so
whatever is certified for all priors holds for any values and hash functions (cohorts are public
too); the worst pair of inputs is that of two values which share no bit.
"""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.declare.arithmetic.exact import Exact, simplify
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.arguments import check_values, probability
from ppdm_formal.declare.families.select_a_size import (
    SelectASize,
    default_probabilities,
    reaches_end,
)
from ppdm_formal.declare.operators.randomization import Operator

MAX_HASHES = 100
"""Most bits of a filter that are set."""


def reported(f: Exact, p: Exact, q: Exact) -> tuple[Exact, Exact]:
    """P* and q*: how likely a bit of a report is 1 where the filter's is 0, and where it is 1.

    >>> from fractions import Fraction as F
    >>> [str(chance) for chance in reported(F(1, 2), F(1, 2), F(3, 4))]
    ['9/16', '11/16']
    """
    coin = f / 2 * (p + q)
    return simplify(coin + (1 - f) * p), simplify(coin + (1 - f) * q)


def rappor(
    bits: int,
    hashes: int,
    f: object,
    p: object = 0,
    q: object = 1,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """One report on filters of `bits` bits; without p and q, the permanent noise alone.

    >>> filters = rappor(128, 2, "1/2", "1/2", "3/4")
    >>> filters.inputs.size, str(filters.law.insert)
    (8128, '9/16')
    """
    check_values("a filter", bits)
    if not 1 <= hashes <= min(bits, MAX_HASHES):
        raise ValueError(f"{hashes} hash functions: 1 to {min(bits, MAX_HASHES)} bits are set")
    noise, zero, one = (
        probability(what, value, parameters) for what, value in (("f", f), ("p", p), ("q", q))
    )
    unset, kept = reported(noise, zero, one)
    chances = default_probabilities(hashes, kept)
    law = SelectASize(bits, hashes, unset, chances, ends=reaches_end(unset, parameters))
    return Operator(law.inputs(), law.outputs(), law, name, parameters)

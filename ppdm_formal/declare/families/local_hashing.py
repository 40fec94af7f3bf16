"""Local hashing (Wang, Blocki, Li, Jha 2017): a random hash of x to g buckets, by g-ary response.

A client draws a hash function H of all functions from the k values to g buckets, hashes x, and
sends H with the bucket H(x) with probability `keep`, with any other bucket otherwise. What that
report shows of x is the set y of all values that H sends to the bucket, and no more: whoever
knows y can draw the rest without x. x itself is in y with probability keep, every other value
with probability 1/g, independently: the operator is unary encoding with flip = 1/g, and so it
is written here, with sets y as outputs. The published keep = gamma/(gamma + g - 1) gives the
amplification gamma = e^epsilon; g = gamma + 1 is the optimized form.

Hash functions from a smaller family (with seeds) have the same amplification, as long as some
function tells some two values apart; under one known prior they may tell more than these.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.declare.arithmetic.exact import simplify
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.arguments import check_values, probability, ratio_of
from ppdm_formal.declare.families.unary_encoding import unary_law
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.randomization import Operator


def local_hashing(
    values: int,
    buckets: int,
    keep: object = None,
    gamma: object = None,
    epsilon: object = None,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Give `keep`, the chance of the right bucket, or `gamma` = e^epsilon, how much likelier it is.

    >>> [str(p) for p in local_hashing(100, 4, gamma=3).law.sets.keep]
    ['1/2', '1/2']
    """
    check_values("local hashing", values)
    if not 2 <= buckets <= 1_000_000:
        raise ValueError(f"local hashing needs 2 to 1,000,000 buckets, not {buckets}")
    if sum(given is not None for given in (keep, gamma, epsilon)) != 1:
        raise ValueError("local hashing takes one of keep, gamma and epsilon")
    if keep is not None:
        kept = probability("keep", keep, parameters)
    else:
        ratio = ratio_of(gamma, epsilon, parameters)
        kept = simplify(ratio / (ratio + (buckets - 1)))
    law = unary_law(values, kept, Fraction(1, buckets), parameters)
    return Operator(Domain(range(values)), law.sets.outputs(), law, name, parameters)

"""Pad-and-sample (Qin et al. 2016; Wang, Li, Jha 2018): one random item of t, hidden by itself.

t has m items: baskets were padded with dummies, or cut, to so many. One of the m is drawn, each
as likely as any other, and reported through subset selection (d of the n items; d = 1 is k-ary
response) or local hashing into g buckets. Of j = |t ∩ t'| items in what the report shows, the one
drawn is among them with chance j/m, so a report is

    b[j] = 1 + (gamma - 1) j / m

times as likely as without any: fixed-size reports, or select-a-size with rho = 1/g, whose weights
rise in a line. Drawing hides as well: where reports hold at most d < m items the amplification is
1 + (gamma - 1) d / m. The error at support 0 is 4 gamma m^2 / (gamma - 1)^2 a client, many items.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.declare.arithmetic.exact import ONE, simplify
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.arguments import not_negative
from ppdm_formal.declare.families.fixed_size import fixed_size_law
from ppdm_formal.declare.families.overlap import OverlapLaw
from ppdm_formal.declare.families.select_a_size import SelectASize, check_sizes, from_balance
from ppdm_formal.declare.operators.randomization import Operator


def pad_and_sample(
    items: int,
    size: int,
    gamma: object,
    chosen: int | None = None,
    buckets: int | None = None,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Give `chosen`, how many items a report holds, or `buckets`, to how many the items are hashed.

    >>> report = pad_and_sample(5, 2, 19, chosen=1)  # as fixed_size(5, 2, 1, gamma=10)
    >>> [(str(part.likelihood), part.count) for part in report.views()[0].classes]
    [('10/23', 4), ('1/23', 6)]
    """
    check_sizes(items, size)
    ratio = not_negative("gamma", gamma, parameters)
    if (chosen is None) == (buckets is None):
        raise ValueError("pad-and-sample takes either chosen or buckets")
    if chosen == items:  # all items, whatever t: gamma is without effect
        ratio = ONE
    weights = [simplify(1 + (ratio - 1) * Fraction(j, size)) for j in range(size + 1)]
    law: OverlapLaw
    if chosen is not None:
        law = fixed_size_law(items, size, chosen, weights)
    else:
        if buckets is None or not 2 <= buckets <= 1_000_000:
            raise ValueError(f"hashing needs 2 to 1,000,000 buckets, not {buckets}")
        insert = Fraction(1, buckets)
        law = SelectASize(items, size, insert, from_balance(weights, insert), tuple(weights))
    return Operator(law.inputs(), law.outputs(), law, name, parameters)

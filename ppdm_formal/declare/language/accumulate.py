"""Adding up weights: many contributions to each cell, exactly, in vector steps.

Equal contributions to a cell are counted first; what is left is folded one distinct
contribution at a time, each distinct sum computed once. Where a cell has many different
rational contributions, all are integers over one denominator instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ppdm_formal.declare.arithmetic.exact import Exact, is_rational, simplify
from ppdm_formal.declare.language.columns import Index
from ppdm_formal.declare.operators.matrix import combine, pair_codes

_MANY = 32
"""With more different contributions to a cell than this, rationals are added as integers."""


def sum_by_key(
    keys: Index, codes: Index, values: Sequence[Exact]
) -> tuple[Index, Index, list[Exact]]:
    """The distinct keys in order, and for each the code of its weights' exact sum."""
    order, codes, scaled = _counted(keys, codes, values)
    starts = np.flatnonzero(np.concatenate(([True], order[1:] != order[:-1])))
    lengths = np.diff(np.concatenate((starts, [order.size])))
    longest = int(lengths.max(initial=1))
    if longest > _MANY and all(map(is_rational, scaled)):
        return order[starts], *_over_one_denominator(starts, codes, scaled)
    sums = codes[starts]
    totals: list[Exact] = list(scaled)
    for step in range(1, longest):
        longer = np.flatnonzero(lengths > step)
        part, found = combine(
            sums[longer], totals, codes[starts[longer] + step], scaled, lambda a, b: simplify(a + b)
        )
        sums[longer] = part + len(totals)
        totals = totals + found
    return order[starts], sums, totals


def _over_one_denominator(
    starts: Index, codes: Index, values: Sequence[Exact]
) -> tuple[Index, list[Exact]]:
    """The sums of runs of rationals, as integers over their common denominator."""
    common = math.lcm(*(value.denominator for value in values))
    tops = np.array([int(value * common) for value in values], dtype=object)
    sums = np.add.reduceat(tops[codes], starts)
    numbers: dict[int, int] = {}
    found = [numbers.setdefault(top, len(numbers)) for top in sums.tolist()]
    return np.array(found, dtype=np.int64), [Fraction(top, common) for top in numbers]


def _counted(
    keys: Index, codes: Index, values: Sequence[Exact]
) -> tuple[Index, Index, list[Exact]]:
    """Sorted keys with distinct contributions; n equal ones become one, n times as large."""
    width = max(1, len(values))
    pairs, counts = np.unique(keys * width + codes, return_counts=True)
    pair, which, times = pair_codes(pairs % width, width, counts, int(counts.max(initial=0)) + 1)
    scaled = [
        values[int(code)] if count == 1 else simplify(int(count) * values[int(code)])
        for code, count in zip(which, times, strict=True)
    ]
    return pairs // width, pair, scaled

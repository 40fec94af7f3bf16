"""Are columns independent? A chi-square test whose variance is that of the randomized data.

Each column's scores, centred, are made uncorrelated with variance 1: A_k[y, i]. If the columns are
independent, so are their outputs, and t = sum over rows of A_1[y1, i] A_2[y2, j] / sqrt(N) are
about uncorrelated normals, as many as (inputs - 1) (inputs - 1). The sum of their squares is the
statistic; for square operators it is Pearson's chi-square on the table of outputs. Three columns
are mutually independent if all pairs and the triple are: their statistics add up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ppdm_formal.infer.tables.result import Independence
from ppdm_formal.infer.undoing.chi_square import chi_square_tail
from ppdm_formal.infer.undoing.counts import Counts, Floats
from ppdm_formal.infer.undoing.decoder import Decoder


def independence(
    names: Sequence[str], decoders: Sequence[Decoder], counts: Counts
) -> list[Independence]:
    """One test a pair; with three columns the mutual one as well."""
    white = [
        _whitened(decoder, counts.marginal([axis]).dense() / counts.rows)
        for axis, decoder in enumerate(decoders)
    ]
    found = []
    for size in range(2, len(decoders) + 1):
        for axes in combinations(range(len(decoders)), size):
            sums = counts.marginal(axes).sums([white[axis] for axis in axes])
            freedom = math.prod(white[axis].shape[1] for axis in axes)
            statistic = float((sums**2).sum()) / counts.rows
            found.append((tuple(names[axis] for axis in axes), statistic, freedom))
    tests = [
        Independence(columns, False, statistic, freedom, chi_square_tail(statistic, freedom))
        for columns, statistic, freedom in found
        if len(columns) == 2
    ]
    if len(decoders) > 2:
        statistic, freedom = sum(f[1] for f in found), sum(f[2] for f in found)
        tail = chi_square_tail(statistic, freedom)
        tests.append(Independence(tuple(names), True, statistic, freedom, tail))
    return tests


def _whitened(decoder: Decoder, shares: Floats) -> Floats:
    """Scores with mean 0, variance 1 and no correlation under these frequencies."""
    table = decoder.table()
    centred = table - shares @ table
    spread = (centred * shares[:, None]).T @ centred
    sizes, axes = np.linalg.eigh(spread)
    kept = sizes > 1e-9 * max(float(sizes[-1]), 0.0)
    return np.asarray(centred @ (axes[:, kept] / np.sqrt(sizes[kept])))

"""Chi-square: tail probabilities and points of the distribution, through FLINT."""

from __future__ import annotations

from functools import lru_cache

from flint import arb


def chi_square_tail(statistic: float, freedom: int) -> float:
    """P[chi-square >= statistic].

    >>> round(chi_square_tail(3.841459, 1), 6)
    0.05
    """
    if freedom == 0 or statistic <= 0:
        return 1.0
    tail = arb(statistic / 2).gamma_upper(arb(freedom) / 2, regularized=1)
    return min(max(float(tail), 0.0), 1.0)


@lru_cache(maxsize=256)
def chi_square_point(level: float, freedom: int) -> float:
    """The point that chi-square stays below with this probability, by bisection.

    >>> round(chi_square_point(0.95, 1), 4), round(chi_square_point(0.95, 49), 4)
    (3.8415, 66.3386)
    """
    low, high = 0.0, float(freedom)
    while chi_square_tail(high, freedom) > 1 - level:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        if chi_square_tail(middle, freedom) > 1 - level:
            low = middle
        else:
            high = middle
    return high

"""Select-a-size for tests: every outcome by Definition 4, and one with all parameters free."""

import itertools
import math

import sympy

from ppdm_formal.declare.arithmetic.exact import simplify
from ppdm_formal.declare.families.select_a_size import Randomization


def outcomes(t, n, rho, keep):
    """Every randomized transaction with its probability, as Definition 4 draws it."""
    outside = [a for a in range(n) if a not in t]
    for j, p in enumerate(keep):
        for kept in itertools.combinations(sorted(t), j):
            for size in range(len(outside) + 1):
                for new in itertools.combinations(outside, size):
                    coin = rho**size * (1 - rho) ** (len(outside) - size)
                    yield frozenset(kept) | frozenset(new), p * coin / math.comb(len(t), j)


def free_randomization(m):
    """Rho and p[1..m] free: whatever holds for it holds for every select-a-size of size m."""
    rho = sympy.Symbol("rho", real=True)
    p = sympy.symbols(f"p1:{m + 1}", real=True)
    return Randomization(m, rho, (simplify(1 - sum(p)), *p))

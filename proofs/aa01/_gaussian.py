"""Gaussian laws: their entropy by integration, and the entropy of a uniform plus a Gaussian.

U uniform on [-b, b] plus V normal with standard deviation d has the density f(z) = (Phi((z + b)/d)
- Phi((z - b)/d)) / 2b. For z > b it is a mean of V's density over points from z - b on, so that
f(z) <= g(z), V's density at z - b; and -t ln t rises for t < 1/e. So beyond L = b + T d, where
g < 1/e, the integral of -f ln f lies between 0 and that of -g ln g, ln(d sqrt(2 pi)) Q + (T phi(T)
+ Q)/2 with Q = 1 - Phi(T).
"""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import sympy
from flint import acb, arb, ctx

from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exponential import dyadic

PRECISION = 90
FAR = 12
"""Standard deviations beyond which the integral is bounded."""


@cache
def gaussian_entropy() -> Any:
    """The variance v, and h in nats of a Gaussian of that variance, by integrating -f ln f."""
    v, x = sympy.symbols("v x", positive=True)
    density = sympy.exp(-(x**2) / (2 * v)) / sympy.sqrt(2 * sympy.pi * v)
    log = -(x**2) / (2 * v) - sympy.log(2 * sympy.pi * v) / 2
    return v, 2 * sympy.integrate(sympy.expand(-density * log), (x, 0, sympy.oo))


def entropy_of_sum(b: Any, d: Any) -> Any:
    """H(U + V) in nats as a ball; b and d are balls."""
    root = d * arb(2).sqrt()

    def f(z: Any) -> Any:
        return (((z - b) / root).erfc() - ((z + b) / root).erfc()) / (4 * b)

    def term(z: Any, analytic: bool) -> Any:
        value = f(z)
        return -value * value.log(analytic=analytic)

    ends = [arb(0)]
    while not ends[-1] > b + FAR * d:
        ends.append(ends[-1] + d)
    total = arb(0)
    for lo, hi in pairwise(ends):
        total += acb.integral(term, acb(lo), acb(hi)).real
    far = (ends[-1] - b) / d
    height = (-far * far / 2).exp() / (2 * arb.pi()).sqrt()
    assert height / d < (-arb(1)).exp()
    beyond = (far / arb(2).sqrt()).erfc() / 2
    flat = (d * (2 * arb.pi()).sqrt()).log()
    tail = flat * beyond + (far * height + beyond) / 2
    return 2 * (total + arb(0).union(tail))


def same_privacy() -> Any:
    """The standard deviation sqrt(2/(pi e)) of AA01's Gaussian data, as a ball."""
    return (2 / (arb.pi() * arb(1).exp())).sqrt()


def enclosed(function: Callable[[], Any]) -> Enclosure:
    """What a function of balls gives, at a precision that is enough for printed digits."""
    with ctx.workprec(PRECISION):
        found = function()
        return Enclosure(dyadic(found.lower()), dyadic(found.upper()))

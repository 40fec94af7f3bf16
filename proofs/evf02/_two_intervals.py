"""The example of AA01 and Evf02: X uniform on [0, 1] and [4, 5], Y uniform on [-1, 1], Z = X + Y.

Z lies in [-1, 2] or in [3, 6], which says which interval X is in: one bit. Within it, U uniform on
[0, 1] and V = U + Y have I(U; V) = h(V) - h(Y) = 1/4 nat: the density of V is 1/2 on [0, 1] and
falls linearly to 0 at -1 and 2. So I(X; Z) = ln 2 + 1/4 nats = 1 + 1/(4 ln 2) bits.
"""

from functools import cache
from typing import Any

import sympy
from flint import arb

from ppdm_formal.declare.arithmetic.enclosure import Enclosure, enclose


@cache
def information() -> Any:
    """I(X; Z) in nats, by integrating -f log f over the pieces of the density of V."""
    v = sympy.Symbol("v", positive=True)
    half = sympy.Rational(1, 2)
    # h(V) in nats: the flat part, and twice the ramp v/2 on 0 < v < 1
    flat = -half * sympy.log(half)
    ramp = sympy.integrate(-(v / 2) * sympy.log(v / 2), (v, 0, 1))
    entropy = sympy.expand_log(flat + 2 * ramp)
    noise = sympy.log(2)  # h(Y) of a uniform Y on an interval of length 2
    which = sympy.log(2)  # and Z says which of the two intervals X is in
    return sympy.simplify(sympy.expand(entropy) - noise + which)


def mutual_bits() -> Enclosure:
    """I(X; Z) in bits."""
    return enclose(lambda: 1 + arb(1) / 4 / arb.const_log2())


def privacy() -> Enclosure:
    """Pi(X | Z) = 2^h(X|Z) = 2 * 2^-I = e^(-1/4)."""
    return enclose(lambda: (arb(-1) / 4).exp())


def loss() -> Enclosure:
    """1 - 2^-I = 1 - e^(-1/4)/2."""
    return enclose(lambda: 1 - (arb(-1) / 4).exp() / 2)

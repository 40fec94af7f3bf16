"""Unary encoding: bit x of k bits is 1 with probability `keep`, every other with `flip`.

The report is the set y of the values whose bits are 1. Symmetric unary encoding (the basic form
of RAPPOR, Erlingsson, Pihur, Korolova 2014) has flip = 1 - keep, the optimized one (Wang,
Blocki, Li, Jha 2017) keep = 1/2 and flip = 1/(gamma + 1). The amplification is

    gamma = keep (1 - flip) / (flip (1 - keep))        epsilon = ln gamma
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.declare.arithmetic.exact import Exact, simplify
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.families.arguments import check_values, probability, ratio_of
from ppdm_formal.declare.families.select_a_size import SelectASize, reaches_end
from ppdm_formal.declare.families.single_values import SingleValues
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.randomization import Operator


def unary_law(
    values: int, keep: Exact, flip: Exact, parameters: Sequence[Parameter] = ()
) -> SingleValues:
    """Value x stays in its set with probability keep, any other comes in with probability flip."""
    kept = (simplify(1 - keep), keep)
    return SingleValues(SelectASize(values, 1, flip, kept, ends=reaches_end(flip, parameters)))


def unary_encoding(
    values: int,
    keep: object = None,
    flip: object = None,
    gamma: object = None,
    epsilon: object = None,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Give `keep` and `flip`; `keep` alone: symmetric; `gamma` or `epsilon`: optimized.

    >>> report = unary_encoding(1_000_000, gamma=3)
    >>> [(str(part.likelihood), part.count) for part in report.views()[1].classes]
    [('2', 1), ('2/3', 999999)]
    """
    check_values("unary encoding", values)
    optimized = gamma is not None or epsilon is not None
    if optimized and keep is None and flip is None:
        kept: Exact = Fraction(1, 2)
        flipped = simplify(1 / (ratio_of(gamma, epsilon, parameters) + 1))
    elif not optimized and keep is not None:
        kept = probability("keep", keep, parameters)
        flipped = simplify(1 - kept) if flip is None else probability("flip", flip, parameters)
    else:
        raise ValueError(
            "unary encoding takes keep and flip, keep alone (the symmetric form), "
            "or gamma or epsilon (the optimized one)"
        )
    law = unary_law(values, kept, flipped, parameters)
    return Operator(Domain(range(values)), law.sets.outputs(), law, name, parameters)

"""Arguments of ready-made operators: exact numbers that are what they must be, or a ValueError."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.declare.arithmetic.exact import Exact, exact, is_rational, is_symbolic
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.declare.arithmetic.people import said
from ppdm_formal.declare.arithmetic.signs import not_probability, sign_over, violation

MAX_VALUES = 1_000_000
"""Most values of a ready-made operator."""


def probability(what: str, value: object, parameters: Sequence[Parameter]) -> Exact:
    """The number, which lies between 0 and 1 for all values of the parameters."""
    found = exact(value)
    wrong = not_probability(found, parameters)
    if wrong:
        raise ValueError(f"{what} = {said(found)} {wrong}")
    return found


def not_negative(what: str, value: object, parameters: Sequence[Parameter]) -> Exact:
    """The number, which is at least 0 for all values of the parameters.

    >>> str(not_negative("gamma", "3/2", ()))
    '3/2'
    """
    found = exact(value)
    if is_symbolic(found):
        undeclared = {s.name for s in found.free_symbols} - {p.name for p in parameters}
        if undeclared:
            raise ValueError(f"{what} has undeclared parameters: {', '.join(sorted(undeclared))}")
    if violation(found, parameters) is not None or sign_over(found, parameters) not in (0, 1):
        raise ValueError(f"{what} = {said(found)} could not be shown to be at least 0")
    return found


def ratio_of(gamma: object, epsilon: object, parameters: Sequence[Parameter]) -> Exact:
    """Gamma, given as it is or as e^epsilon.

    >>> str(ratio_of(None, "1/2", ())), str(ratio_of(3, None, ()))
    ('exp(1/2)', '3')
    """
    if (gamma is None) == (epsilon is None):
        raise ValueError("give either gamma or epsilon, of which gamma = e^epsilon")
    if epsilon is None:
        return not_negative("gamma", gamma, parameters)
    return exp_of(_exponent(epsilon))


def decay_of(epsilon: object, steps: int) -> Exact:
    """e^(-epsilon / steps)."""
    return exp_of(-_exponent(epsilon) / steps)


def _exponent(epsilon: object) -> Fraction:
    found = exact(epsilon)
    if not is_rational(found) or found < 0:
        raise ValueError(f"epsilon = {said(found)} is not a rational number of at least 0")
    return found


def check_values(what: str, values: int, least: int = 1) -> None:
    """Refuse a number of values that no operator of the family has."""
    if not least <= values <= MAX_VALUES:
        raise ValueError(f"{what} has {least} to {MAX_VALUES:,} values, not {values:,}")

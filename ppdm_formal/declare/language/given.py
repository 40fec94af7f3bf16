"""Given values: what --set NAME=VALUE gives a parameter: a number, ln(3), or several of them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ppdm_formal.declare.arithmetic.exact import MAX_DIGITS, parse_number


def given_value(text: str) -> Any:
    """The number, or the logarithm; ValueError where it is neither.

    >>> given_value("3/4"), str(given_value("ln(3)")), str(given_value("exp(1/2)/2"))
    (Fraction(3, 4), 'ln(3)', 'exp(1/2)/2')
    """
    if "(" not in text or len(text) > MAX_DIGITS:
        return parse_number(text)
    from ppdm_formal.declare.arithmetic.exact import is_number
    from ppdm_formal.declare.arithmetic.exponential import Ln
    from ppdm_formal.declare.language import syntax as s
    from ppdm_formal.declare.language.errors import ModelError
    from ppdm_formal.declare.language.evaluate import Evaluator
    from ppdm_formal.declare.language.parser import parse
    from ppdm_formal.declare.language.scope import Scope

    wrong = f"{text!r} is not a number such as 3, 0.05, 1/20 or 5%, nor one such as ln(3) or exp(1)"
    try:
        declared = parse(f"param value in (0, 1) = {text}")
        if len(declared) != 1 or not isinstance(declared[0], s.ParamDeclaration):
            raise ValueError(wrong)
        assert declared[0].default is not None
        found = Evaluator(Scope()).constant(declared[0].default)
    except ModelError as problem:
        raise ValueError(f"{wrong} ({problem.message})") from None
    number = Fraction(found) if type(found) is int else found
    if not is_number(number) and not isinstance(number, Ln):
        raise ValueError(wrong)
    return number


MAX_GIVEN = 200
"""Most values that one --set lists."""


def given_values(text: str) -> tuple[Any, ...]:
    """One value, several with commas between, or a range with its step: 1/2..9/10:1/10.

    >>> [str(value) for value in given_values("1/2..9/10:1/5")]
    ['1/2', '7/10', '9/10']
    >>> len(given_values("1,2,ln(3)"))
    3
    """
    values: dict[Any, None] = {}
    for part in text.split(","):
        for value in _spread(part):
            values[value] = None
            if len(values) > MAX_GIVEN:
                raise ValueError(f"more than {MAX_GIVEN} values")
    return tuple(values)


def _spread(text: str) -> Iterator[Any]:
    low, dots, rest = text.partition("..")
    if not dots:
        yield given_value(text)
        return
    high, colon, by = rest.partition(":")
    if not colon:
        raise ValueError(f"{text!r} needs a step, as in 1/2..9/10:1/10")
    start, end, step = parse_number(low), parse_number(high), parse_number(by)
    if step <= 0 or end < start:
        raise ValueError(f"{text!r}: a range goes up, by a step above 0")
    if (end - start) / step >= MAX_GIVEN:
        raise ValueError(f"{text!r} has more than {MAX_GIVEN} values")
    while start <= end:
        yield start
        start += step

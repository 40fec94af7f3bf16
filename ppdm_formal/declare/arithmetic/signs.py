"""Signs of closed forms over the parameters' region: decided exactly, or left open.

For one parameter everything is decided, by isolating the real roots of polynomials. For
several, a sign is decided where Bernstein coefficients on ever smaller boxes decide it, and
otherwise left open (None), never guessed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from ppdm_formal.declare.arithmetic.bernstein import sign_on_box
from ppdm_formal.declare.arithmetic.constant_symbol import constants
from ppdm_formal.declare.arithmetic.exact import ONE, Exact, computed, is_symbolic
from ppdm_formal.declare.arithmetic.line import Line, LineForm, line_of, samples
from ppdm_formal.declare.arithmetic.parameter import Parameter, free_parameters
from ppdm_formal.declare.arithmetic.rational_function import fraction_terms, odd_factors
from ppdm_formal.declare.arithmetic.spelling import number_text

GRID_POINTS = 1000
"""How many points a search over several parameters tries."""


def sign_over(value: Exact, parameters: Sequence[Parameter]) -> int | None:
    """The sign that a closed form keeps over the whole (open) region, or None.

    1 and -1 mean that it never is of the other sign (it may touch zero), 0 that it is zero
    throughout; None that it changes sign, or that this was not decided.
    """
    if not is_symbolic(value):
        return (value > 0) - (value < 0)
    free = free_parameters([value], parameters)
    if len(free) == 1:
        line = line_of(value, free[0])
        form = line.form(value)
        signs = {form.sign(at) for at in samples(form, line)}
        return signs.pop() if len(signs) == 1 else None
    return _box_sign(value, free)


def possible_signs(value: Exact, parameters: Sequence[Parameter]) -> set[int]:
    """The signs that a closed form takes; for several parameters perhaps more than those.

    For one parameter the answer is exact: the cells between zeros and poles, the zeros
    themselves, and the ends of the range that belong to it.
    """
    free = free_parameters([value], parameters)
    if len(free) != 1:
        sign = sign_over(value, parameters)
        return {-1, 0, 1} if sign is None else {0, sign}
    line = line_of(value, free[0])
    form = line.form(value)
    signs = {0} if line.inside(form.top, line.low, line.high) else set()
    return signs | {_sign(form.at(at)) for at in _tried(form, line)}


def _tried(form: LineForm, line: Line) -> list[Fraction]:
    """A sample of each open cell in which the sign stays what it is, and the ends that belong."""
    ends = line.parameter.lower, line.parameter.upper
    return [at for at in (*samples(form, line), *ends) if at in line.parameter]


def violation(value: Exact, parameters: Sequence[Parameter]) -> dict[str, Fraction] | None:
    """Parameter values at which a closed form is negative, if any is found.

    For one parameter the search is complete (closed ends included); for several it tries a
    grid, and `sign_over` says whether nonnegativity is proved.
    """
    if not is_symbolic(value):
        return {} if value < 0 else None
    free = free_parameters([value], parameters)
    points: Iterable[tuple[Fraction, ...]]
    if len(free) == 1:
        line = line_of(value, free[0])
        points = [(at,) for at in _tried(line.form(value), line)]
    elif value.is_polynomial() and sign_over(value, free) in (0, 1):
        return None
    else:
        points = _grid(free)
    top, bottom = fraction_terms(value, [parameter.symbol for parameter in free])
    for point in points:
        above, below = _evaluate(top, point), _evaluate(bottom, point)
        if below == 0 or above * below < 0:
            return {parameter.name: v for parameter, v in zip(free, point, strict=True)}
    return None


def _grid(parameters: Sequence[Parameter]) -> Iterable[tuple[Fraction, ...]]:
    """Evenly spread points of the region, closed ends among them."""
    steps = 8
    while steps > 2 and (steps + 1) ** len(parameters) > GRID_POINTS:
        steps -= 2
    shares = [Fraction(step, steps) for step in range(steps + 1)]
    axes = [
        [v for share in shares if (v := p.lower + (p.upper - p.lower) * share) in p]
        for p in parameters
    ]
    return itertools.islice(itertools.product(*axes), GRID_POINTS)


def _evaluate(terms: Any, point: Sequence[Fraction]) -> Fraction:
    total = Fraction(0)
    for powers, coefficient in terms:
        for number, power in zip(point, powers, strict=True):
            if power:
                coefficient *= number**power
        total += coefficient
    return total


def not_probability(value: Exact, parameters: Sequence[Parameter]) -> str:
    """Why a value is not in [0, 1] throughout the parameters' region; "" where it is."""
    if not is_symbolic(value):
        return "" if 0 <= value <= 1 else "is not between 0 and 1"
    if constants(value):
        return "has exponentials beside a free parameter, which must have a value"
    undeclared = {s.name for s in value.free_symbols} - {p.name for p in parameters}
    if undeclared:
        return f"has undeclared parameters: {', '.join(sorted(undeclared))}"
    free = free_parameters([value], parameters)
    for bound in (value, computed(ONE, "-", value)):
        point = violation(bound, parameters)
        if point is not None:
            where = ", ".join(f"{name} = {number_text(number)}" for name, number in point.items())
            return f"is not between 0 and 1 at {where}"
        if len(free) > 1 and sign_over(bound, parameters) not in (0, 1):
            return "could not be shown to lie between 0 and 1 in the parameters' ranges"
    return ""


def _sign(value: Exact) -> int:
    return int(value > 0) - int(value < 0)


def _box_sign(value: Exact, parameters: Sequence[Parameter]) -> int | None:
    """The product of the signs of the factors of numerator and denominator."""
    box = [(parameter.lower, parameter.upper) for parameter in parameters]
    constant, factors = odd_factors(value, [parameter.symbol for parameter in parameters])
    sign = _sign(constant)
    for terms in factors:
        factor_sign = sign_on_box(terms, box)
        if factor_sign is None:
            return None
        sign *= factor_sign
    return sign

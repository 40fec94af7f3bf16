"""Envelope: the largest of several closed forms, max(f1, ..., fk), over the parameters' region.

For one parameter the interval is cut where two forms cross (exact real roots) and the
result is one form for each piece. For several parameters, forms that another one
dominates everywhere are dropped, and a maximum of the rest remains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, pairwise, product
from typing import Any, Generic, TypeVar

from ppdm_formal.numbers.algebraic import as_sympy, zeros_and_poles
from ppdm_formal.numbers.exact import (
    Exact,
    is_symbolic,
    simplify,
    substitute,
    to_fraction,
    to_sympy,
)
from ppdm_formal.numbers.parameter import Parameter, free_parameters
from ppdm_formal.numbers.signs import sign_over
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.numbers.value import Infinity, Measured, value_text

Witness = TypeVar("Witness")

_SAMPLES = 81


@dataclass(frozen=True)
class Piece(Generic[Witness]):
    """A value with its witness, from lower to upper (None: over the whole region)."""

    value: Exact | Infinity
    witness: Witness
    lower: Exact | None = None
    upper: Exact | None = None


def rivals(
    forms: Sequence[tuple[Exact, Witness]], parameters: Sequence[Parameter]
) -> list[tuple[Exact, Witness]]:
    """The distinct forms that may be the largest somewhere, each with its first witness."""
    distinct: dict[Exact, Witness] = {}
    for form, witness in forms:
        distinct.setdefault(form, witness)
    free = free_parameters(distinct, parameters)
    candidates = list(distinct.items())
    if not free:
        return [max(candidates, key=lambda candidate: candidate[0])]
    if len(free) == 1:
        used = dict.fromkeys(index for _, _, index in _cells([*distinct], free[0]))
        return [candidates[index] for index in used]
    kept: list[tuple[Exact, Witness]] = []
    for form, witness in candidates:
        if any(_dominates(other, form, free) for other, _ in kept):
            continue
        kept = [pair for pair in kept if not _dominates(form, pair[0], free)]
        kept.append((form, witness))
    return kept


def envelope(
    forms: Sequence[tuple[Exact, Witness]], parameters: Sequence[Parameter]
) -> tuple[Piece[Witness], ...]:
    """The largest form, in pieces along one free parameter, as a maximum along several."""
    kept = rivals(forms, parameters)
    free = free_parameters([form for form, _ in kept], parameters)
    if len(kept) == 1:
        return (Piece(*kept[0]),)
    if len(free) == 1:
        return tuple(
            Piece(*kept[index], lower=_exact_end(low), upper=_exact_end(high))
            for low, high, index in _cells([form for form, _ in kept], free[0])
        )
    import sympy

    largest = sympy.Max(*(to_sympy(form) for form, _ in kept), evaluate=False)
    return (Piece(largest, kept[0][1]),)


def pieces_value(pieces: Sequence[Piece[Any]], parameters: Sequence[Parameter]) -> Measured:
    """The pieces as one value: the only form, or a sympy Piecewise."""
    if len(pieces) == 1:
        return pieces[0].value
    import sympy

    symbol = _along(pieces, parameters).symbol
    cases: list[Any] = [
        (piece.value, symbol <= to_sympy(piece.upper))
        for piece in pieces[:-1]
        if piece.upper is not None
    ]
    return sympy.Piecewise(*cases, (pieces[-1].value, True))


def pieces_text(
    pieces: Sequence[Piece[Any]],
    parameters: Sequence[Parameter],
    wrap: str = "{}",
    known: Callable[[Any, Sequence[Parameter]], str | None] = lambda form, parameters: None,
) -> str:
    """The pieces in text: "(1 - p)/(9*p) if p <= 1/10, 9*p/(1 - p) if p >= 1/10".

    wrap puts each form into another text, such as "ln({})"; known says forms in another way.
    """

    def said(value: Any) -> str:
        return known(value, parameters) or wrap.format(value_text(value))

    if len(pieces) == 1:
        return said(pieces[0].value)
    name = _along(pieces, parameters).name
    shown = []
    for number, piece in enumerate(pieces):
        where = f"{name} <= {_end_text(piece.upper)}"
        if number == len(pieces) - 1:
            where = f"{name} >= {_end_text(piece.lower)}"
        elif number:
            where = f"{_end_text(piece.lower)} <= {where}"
        shown.append(f"{said(piece.value)} if {where}")
    return ", ".join(shown)


def _along(pieces: Sequence[Piece[Any]], parameters: Sequence[Parameter]) -> Parameter:
    return free_parameters([piece.value for piece in pieces], parameters)[0]


def _end_text(end: Exact | None) -> str:
    return "" if end is None else number_text(end)


def _exact_end(end: Any) -> Exact:
    return to_fraction(end) if end.is_Rational else end


def _dominates(first: Exact, second: Exact, parameters: Sequence[Parameter]) -> bool:
    """Whether first >= second is proved; a few samples refute cheaply what does not hold."""
    gain = _difference(first, second)
    for tenths in islice(product((1, 5, 9), repeat=len(parameters)), _SAMPLES):
        sample = {
            parameter.name: parameter.lower + (parameter.upper - parameter.lower) * Fraction(t, 10)
            for parameter, t in zip(parameters, tenths, strict=True)
        }
        if substitute(gain, sample) < 0:
            return False
    return sign_over(gain, parameters) in (0, 1)


def _difference(first: Exact, second: Exact) -> Exact:
    if not is_symbolic(first) and not is_symbolic(second):
        return first - second
    return simplify(to_sympy(first) - to_sympy(second))


def _cells(forms: Sequence[Exact], parameter: Parameter) -> list[tuple[Any, Any, int]]:
    """Open intervals that cover all but finitely many points, each with its largest form."""
    cells: list[tuple[Any, Any, int]] = [(to_sympy(parameter.lower), to_sympy(parameter.upper), 0)]
    for index in range(1, len(forms)):
        refined: list[tuple[Any, Any, int]] = []
        for low, high, best in cells:
            gain = _difference(forms[index], forms[best])
            inside = [cut for cut in _cuts(gain, parameter) if low < cut < high]
            for left, right in pairwise([low, *inside, high]):
                sample = {parameter.name: _between(left, right)}
                winner = index if substitute(gain, sample) > 0 else best
                if refined and refined[-1][2] == winner:
                    refined[-1] = (refined[-1][0], right, winner)
                else:
                    refined.append((left, right, winner))
        cells = refined
    return cells


def _cuts(form: Exact, parameter: Parameter) -> list[Any]:
    """Zeros and poles as sympy's numbers."""
    if not is_symbolic(form):
        return []
    return [as_sympy(point) for point in zeros_and_poles([form], parameter)]


def _between(low: Any, high: Any) -> Fraction:
    """A simple rational strictly between two of sympy's numbers."""
    import sympy

    scale = 1
    while True:
        candidate = sympy.Rational(sympy.floor(low * scale) + 1, scale)
        if candidate < high:
            return to_fraction(candidate)
        scale *= 2

"""Envelope: the largest of several closed forms, max(f1, ..., fk), over the parameters' region.

For one parameter the interval is cut where two forms cross (exact real roots) and the
result is one form for each piece. For several parameters, forms that another one
covers everywhere are dropped, and a maximum of the rest remains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Generic, TypeVar

import numpy as np

from ppdm_formal.declare.arithmetic.algebraic import Point, Root, as_sympy
from ppdm_formal.declare.arithmetic.exact import Exact, computed, to_sympy
from ppdm_formal.declare.arithmetic.line import Line, cells
from ppdm_formal.declare.arithmetic.parameter import Parameter, free_parameters
from ppdm_formal.declare.arithmetic.sampled import Table, never_below, sample_points, sampled, wins
from ppdm_formal.declare.arithmetic.signs import sign_over
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.value import Infinity, Measured, value_text

Witness = TypeVar("Witness")

_KEPT = 1024
"""How many answers are kept: views share likelihoods, and claims ask again what measures did."""


@dataclass(frozen=True)
class EnvelopePiece(Generic[Witness]):
    """A value with its witness, from lower to upper (None: over the whole region)."""

    value: Exact | Infinity
    witness: Witness
    lower: Exact | None = None
    upper: Exact | None = None


def covered(forms: Sequence[Exact], parameters: Sequence[Parameter]) -> list[int]:
    """For each form the place of one that is proved to be at least as large: its own at worst.

    Who could cover whom is read off a table of floats at sample points; what is then believed is
    proved, once a form.
    """
    free = free_parameters(forms, parameters)
    first: dict[Exact, int] = {}
    places = [first.setdefault(form, place) for place, form in enumerate(forms)]
    rows = {place: _row(form, tuple(free)) for form, place in first.items()}
    standing: list[int] = []
    found: dict[int, int] = {}
    # Those that win most often first: they may cover others, those that never win last.
    won = wins(np.array([*rows.values()]))
    ranked = sorted(zip(won, rows, strict=True), key=lambda pair: -pair[0])
    for _, place in ranked:
        above = (other for other in standing if never_below(rows[other], rows[place]))
        cover = next((o for o in above if _dominates(forms[o], forms[place], tuple(free))), place)
        found[place] = cover
        if cover == place:
            standing.append(place)
    return [found[place] for place in places]


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
    kept = sorted(set(covered([*distinct], free)))
    return [candidates[place] for place in kept]


def envelope(
    forms: Sequence[tuple[Exact, Witness]], parameters: Sequence[Parameter]
) -> tuple[EnvelopePiece[Witness], ...]:
    """The largest form, in pieces along one free parameter, as a maximum along several."""
    kept = rivals(forms, parameters)
    free = free_parameters([form for form, _ in kept], parameters)
    if len(kept) == 1:
        return (EnvelopePiece(*kept[0]),)
    if len(free) == 1:
        return tuple(
            EnvelopePiece(*kept[index], lower=_end(low), upper=_end(high))
            for low, high, index in _cells([form for form, _ in kept], free[0])
        )
    import sympy

    largest = sympy.Max(*(to_sympy(form) for form, _ in kept), evaluate=False)
    return (EnvelopePiece(largest, kept[0][1]),)


def pieces_value(pieces: Sequence[EnvelopePiece[Any]], parameters: Sequence[Parameter]) -> Measured:
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
    pieces: Sequence[EnvelopePiece[Any]],
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


def _along(pieces: Sequence[EnvelopePiece[Any]], parameters: Sequence[Parameter]) -> Parameter:
    return free_parameters([piece.value for piece in pieces], parameters)[0]


def _end(point: Point) -> Exact:
    return as_sympy(point) if isinstance(point, Root) else point


def _end_text(end: Exact | None) -> str:
    return "" if end is None else number_text(end)


@lru_cache(_KEPT)
def _row(form: Exact, parameters: tuple[Parameter, ...]) -> Table:
    """A form at the sample points."""
    (row,) = sampled([form], parameters, sample_points(parameters))
    return np.asarray(row)


@lru_cache(_KEPT)
def _dominates(first: Exact, second: Exact, parameters: tuple[Parameter, ...]) -> bool:
    """Whether first >= second is proved."""
    return sign_over(computed(first, "-", second), parameters) in (0, 1)


def _cells(forms: Sequence[Exact], parameter: Parameter) -> list[tuple[Point, Point, int]]:
    """Open intervals that cover all but finitely many points, each with its largest form."""
    line = Line(parameter)
    columns = [line.form(form) for form in forms]

    def largest(x: Fraction) -> int:
        defined = [(k, column.at(x)) for k, column in enumerate(columns) if column.defined(x)]
        return max(defined, key=lambda pair: pair[1], default=(0, None))[0]

    def deciding(x: Fraction) -> Iterator[Any]:
        best = columns[largest(x)]
        for column in columns:
            yield column.bottom
            yield best.minus(column).top

    found = [
        (line.point(a), line.point(b), largest(line.sample(a, b))) for a, b in cells(line, deciding)
    ]
    merged: list[tuple[Point, Point, int]] = []
    for low, high, best in found:
        if merged and merged[-1][2] == best:
            merged[-1] = (merged[-1][0], high, best)
        else:
            merged.append((low, high, best))
    return merged

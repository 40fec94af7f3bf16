"""Pieces of probability: what a distribution is made of, for every world at once.

A piece is a point (some worlds, a value in each) or flat (the same probability for every
member of a constant set). Flat pieces are not written out unless they are drawn from.
Weights may be negative in single pieces (uniform over A without x is flat on A, less one
point); only their sum is a distribution.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_formal.declare.arithmetic.exact import ONE, ZERO, simplify
from ppdm_formal.declare.language.accumulate import sum_by_key
from ppdm_formal.declare.language.columns import (
    Coded,
    Column,
    Const,
    Index,
    apply,
    apply_two,
    check_worlds,
    coded,
    join,
    present,
    settle,
    take,
)
from ppdm_formal.declare.language.finite_set import FiniteSet
from ppdm_formal.declare.language.for_each import Spread, by_position, concatenated
from ppdm_formal.declare.language.varying_set import Edited, Sets, changes, only_member

_FEW_SETS = 8
"""Up to so many different sets stay flat; more are written out."""


@dataclass(frozen=True)
class PointPieces:
    """A value and a weight in some of the worlds (a world may have several points)."""

    index: Index
    value: Column
    weight: Column


@dataclass(frozen=True)
class FlatPieces:
    """In each of some worlds the same weight on every member of a constant set."""

    index: Index
    members: FiniteSet
    weight: Column


Piece = PointPieces | FlatPieces


def expand(pieces: list[Piece]) -> PointPieces:
    """All pieces as points, for a draw; those of a world that share a value are added up."""
    points = _points(pieces)
    if len(pieces) > 1 and any(isinstance(piece, FlatPieces) for piece in pieces):
        return _cancelled(points.index, points.value, points.weight)
    return points


def _points(pieces: list[Piece]) -> PointPieces:
    """All pieces written out, one after the other."""
    points: list[tuple[Index, Column, Column]] = []
    for piece in pieces:
        if isinstance(piece, PointPieces):
            points.append((piece.index, piece.value, piece.weight))
            continue
        size, count = piece.index.size, len(piece.members)
        check_worlds(size * count)
        repeat = np.repeat(np.arange(size), count)
        tiled = np.tile(np.arange(count), size)
        points.append(
            (piece.index[repeat], take(piece.members.column(), tiled), take(piece.weight, repeat))
        )
    check_worlds(sum(index.size for index, _, _ in points))
    index = np.concatenate([i for i, _, _ in points])
    value = join([(value, i.size) for i, value, _ in points])
    weight = join([(weight, i.size) for i, _, weight in points])
    return PointPieces(index, value, weight)


def _cancelled(index: Index, value: Column, weight: Column) -> PointPieces:
    """Points of a world that share their value added up; those that cancel left out."""
    values, weights = coded(value, index.size), coded(weight, index.size)
    width = len(values.values)
    keys, codes, sums = sum_by_key(index * width + values.codes, weights.codes, weights.values)
    kept = np.array([total != ZERO for total in sums])[codes]
    keys, codes = keys[kept], codes[kept]
    return PointPieces(
        keys // width,
        settle(present(Coded(keys % width, values.values))),
        settle(present(Coded(codes, sums))),
    )


def by_element(points: PointPieces, over: Spread, size: int) -> list[PointPieces]:
    """Draws in spread worlds as draws of each element, in a tuple; () where a world has none."""
    outcomes = np.bincount(points.index, minlength=over.owner.size).astype(float)
    starts = np.flatnonzero(over.position == 0)
    with np.errstate(over="ignore"):  # infinitely many combinations are too many, too
        check_worlds(float(np.multiply.reduceat(outcomes, starts).sum()))
    elements = []
    for where in by_position(over.position[points.index]):
        drawn = over.owner[points.index[where]]
        missing = np.setdiff1d(np.arange(size), drawn)
        value = apply(take(points.value, where), where.size, lambda element: (element,))
        elements.append(
            PointPieces(
                np.concatenate((drawn, missing)),
                join([(value, drawn.size), (Const(()), missing.size)]),
                join([(take(points.weight, where), drawn.size), (Const(ONE), missing.size)]),
            )
        )
    return elements


def independent(first: PointPieces, second: PointPieces, size: int) -> PointPieces:
    """Two draws of tuples in each world, one after the other, independent of each other."""
    left, right = _sorted(first), _sorted(second)
    counts = np.bincount(right.index, minlength=size)
    times = counts[left.index]
    total = int(times.sum())
    check_worlds(total)
    one = np.repeat(np.arange(left.index.size), times)
    within = np.arange(total) - np.repeat(np.cumsum(times) - times, times)
    other = (np.cumsum(counts) - counts)[left.index[one]] + within
    return PointPieces(
        left.index[one],
        apply_two(take(left.value, one), take(right.value, other), total, concatenated),
        apply_two(
            take(left.weight, one),
            take(right.weight, other),
            total,
            lambda a, b: simplify(a * b),
        ),
    )


def _sorted(points: PointPieces) -> PointPieces:
    order = np.argsort(points.index, kind="stable")
    return PointPieces(points.index[order], take(points.value, order), take(points.weight, order))


def possible(piece: Piece) -> Piece:
    """The piece without the worlds in which its weight is 0."""
    weights = coded(piece.weight, piece.index.size)
    kept = np.flatnonzero(np.array([value != ZERO for value in weights.values])[weights.codes])
    if kept.size == piece.index.size:
        return piece
    index, weight = piece.index[kept], take(piece.weight, kept)
    if isinstance(piece, FlatPieces):
        return FlatPieces(index, piece.members, weight)
    return PointPieces(index, take(piece.value, kept), weight)


def spread(sets: Sets, weight: Column, size: int) -> list[Piece]:
    """The weight on every member of each world's set."""
    everyone = np.arange(size)
    value = only_member(sets)
    if value is not None:
        return [PointPieces(everyone, value, weight)]
    if isinstance(sets, Edited):
        return _spread_edited(sets, weight, size)
    if isinstance(sets, Const):
        return [FlatPieces(everyone, sets.value, weight)]
    order = np.argsort(sets.codes, kind="stable")
    ends = np.cumsum(np.bincount(sets.codes, minlength=len(sets.values)))
    flats: list[Piece] = []
    for members, index in zip(sets.values, np.split(order, ends[:-1]), strict=True):
        flats.append(FlatPieces(index, members, take(weight, index)))
    return flats if len(flats) <= _FEW_SETS else [_points(flats)]


def _spread_edited(sets: Edited, weight: Column, size: int) -> list[Piece]:
    """Flat on the constant set, with a correction at each edited element."""
    pieces: list[Piece] = []
    if len(sets.base):
        pieces.append(FlatPieces(np.arange(size), sets.base, weight))
    for column, change in changes(sets, size):
        for sign in (1, -1):
            index = np.flatnonzero(change == sign)
            if index.size:
                part = take(weight, index)
                signed = part if sign > 0 else apply(part, index.size, lambda value: -value)
                pieces.append(PointPieces(index, take(column, index), signed))
    return pieces

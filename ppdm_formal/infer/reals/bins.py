"""Bins: how many z fall into each of many narrow intervals, a whole number of them in a cell.

Ties: a z on an edge belongs to the bin on its right. What is within 10^-9 of a bin's width of an
edge counts as on it, since most decimals are no doubles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.undoing.channel import Floats

MOST_BINS = 1 << 20
"""Most bins; a value far from all cells would need more, and has no use here."""

LEAST_BINS = 200
"""The cells together have at least so many bins: few cells are no reason to read z coarsely."""

_TIE = 1e-9

_BLOCK = 1 << 15


class NoFit(ValueError):
    """Data that do not go with the cells and the noise, and why."""


class CountedBins(Protocol):
    """Reports in intervals: how many in each, and where the intervals end."""

    @property
    def counts(self) -> Floats:
        """How many reports each interval holds."""

    @property
    def edges(self) -> Floats:
        """The ends of the intervals."""

    @property
    def unit(self) -> float:
        """What probabilities of intervals are divided by in likelihoods: width, or 1."""


@dataclass(frozen=True)
class Bins:
    """Bins [lo + first w, ...) with their counts; first <= 0 and the bins cover all cells."""

    cells: Partition
    per_cell: int
    first: int
    counts: Floats
    shift: float = 0.0
    """How far bins are moved, in bins, where z was rounded: edges lie between its points."""

    @property
    def width(self) -> float:
        """Of one bin."""
        return self.cells.width / self.per_cell

    @property
    def unit(self) -> float:
        """Likelihoods are those of densities."""
        return self.width

    @property
    def edges(self) -> Floats:
        """The ends of the bins."""
        places = np.arange(self.first, self.first + len(self.counts) + 1) + self.shift
        return np.asarray(float(self.cells.lo) + places * self.width)

    @property
    def total(self) -> float:
        """How many z there are."""
        return float(self.counts.sum())

    def with_counts(self, counts: Floats) -> Bins:
        """The same bins, filled otherwise."""
        return replace(self, counts=counts)


def bins_per_cell(cells: Partition) -> int:
    """At least 4, and enough for LEAST_BINS in all."""
    return max(4, -(-LEAST_BINS // cells.count))


def binned(
    z: npt.ArrayLike, cells: Partition, per_cell: int | None = None, step: Fraction | None = None
) -> Bins:
    """Count z; ValueError for what is no number, NoFit for values out of all proportion.

    step: z was rounded to multiples of it, so that each stands for half a step to both sides.
    """
    values = np.asarray(z, dtype=np.float64).ravel()
    per = bins_per_cell(cells) if per_cell is None else per_cell
    shift = 0.0
    if step is not None:
        per = _bins_of_steps(cells, step, per)
        # edges lie half-way between multiples of the step
        shift = -float((cells.lo - step / 2) % step) / (cells.width / per)
    ruler, first, size = _room(values, cells, per, shift)
    return Bins(cells, per, first, ruler.counts(values, first, size), shift)


def placed(
    values: Floats, cells: Partition, per_cell: int, shift: float = 0.0
) -> tuple[Bins, npt.NDArray[np.int64]]:
    """Bins that hold all values and cover all cells, and the place of each value among them."""
    ruler, first, size = _room(values, cells, per_cell, shift)
    places = ruler.places(values, first)
    counts = np.bincount(places, minlength=size).astype(np.float64)
    return Bins(cells, per_cell, first, counts, shift), places


def _room(values: Floats, cells: Partition, per_cell: int, shift: float) -> tuple[_Ruler, int, int]:
    """How values are placed, the first bin, and how many there are."""
    ruler = _Ruler.of(values, cells, per_cell, shift)
    first = min(ruler.least, 0)
    size = max(ruler.most + 1, cells.count * per_cell) - first
    if size > MOST_BINS:
        raise NoFit(
            f"values from {values.min():g} to {values.max():g} are out of all proportion to "
            f"{cells.count} cells from {float(cells.lo):g} to {float(cells.hi):g}"
        )
    return ruler, first, size


def _bins_of_steps(cells: Partition, step: Fraction, wanted: int) -> int:
    """Bins of a cell, each of them a whole number of steps, as many as wanted where possible."""
    steps = (cells.hi - cells.lo) / cells.count / step if step > 0 else Fraction(0)
    if steps.denominator != 1 or steps < 1:
        raise ValueError(
            f"values are rounded to {step}, which must be above 0 and divide the width of a cell, "
            f"{(cells.hi - cells.lo) / cells.count}"
        )
    whole = int(steps)
    if whole <= wanted:
        return whole
    return next(per for per in range(wanted, whole + 1) if whole % per == 0)


def bin_places(
    values: Floats, cells: Partition, per_cell: int, shift: float = 0.0
) -> npt.NDArray[np.int64]:
    """The number of each value's bin, 0 for the first bin of the first cell."""
    return _Ruler.of(values, cells, per_cell, shift).places(values, 0)


@dataclass(frozen=True)
class _Ruler:
    """The bin of a value is floor((value - lo) scale + moved); least and most are the extremes."""

    lo: float
    scale: float
    moved: float
    least: int
    most: int

    @classmethod
    def of(cls, values: Floats, cells: Partition, per_cell: int, shift: float) -> _Ruler:
        """Fine enough for ties of the farthest value; refuses what is no number."""
        if values.size == 0:
            raise ValueError("there are no values")
        lo, scale = float(cells.lo), per_cell / cells.width
        ends = [(float(end) - lo) * scale for end in (values.min(), values.max())]
        reach = max(shift - ends[0], ends[1] - shift)
        if not math.isfinite(reach):
            raise ValueError("a value is not a number, or infinite")
        if reach > 1e15:
            raise NoFit(
                f"a value is about {reach / per_cell:.1g} cells away from the cells from "
                f"{float(cells.lo):g} to {float(cells.hi):g}"
            )
        moved = _TIE * max(1.0, reach * 1e-6) - shift
        return cls(lo, scale, moved, *(math.floor(end + moved) for end in ends))

    def places(self, values: Floats, first: int) -> npt.NDArray[np.int64]:
        """Each value's bin, counted from `first`; in blocks that stay in the processor's cache."""
        found = np.empty(len(values), dtype=np.int64)
        for start in range(0, len(values), _BLOCK):
            block = values[start : start + _BLOCK] - self.lo
            block *= self.scale
            block += self.moved
            np.floor(block, out=block)
            block -= first
            found[start : start + _BLOCK] = block
        return found

    def counts(self, values: Floats, first: int, size: int) -> Floats:
        """How many values each bin from `first` on has; none lies before it."""
        found = np.zeros(size, dtype=np.int64)
        space, whole = np.empty(_BLOCK), np.empty(_BLOCK, dtype=np.int64)
        for start in range(0, len(values), _BLOCK):
            some = values[start : start + _BLOCK]
            block, places = space[: len(some)], whole[: len(some)]
            np.subtract(some, self.lo, out=block)
            block *= self.scale
            block += self.moved - first
            places[:] = block  # cut off, which is floor where nothing is below 0
            found += np.bincount(places, minlength=size)
        return found.astype(np.float64)

"""Lattice: equally spaced numbers, first + k step, as the inputs or outputs of an operator.

A number stands for what is rounded to it: half a step to both sides.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.noises.named import LARGEST
from ppdm_formal.declare.operators.domain import Domain, Value
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.undoing.channel import Floats

_CLOSE = 1e-6

FEW = 150
"""Inputs are joined to so many cells at most, where no cells are named."""


@dataclass(frozen=True)
class EquallySpaced:
    """Numbers in order, and the place of each in the domain that they come from."""

    first: Fraction
    step: Fraction
    places: npt.NDArray[np.int64]

    @classmethod
    def of(cls, domain: Domain, whose: str) -> EquallySpaced:
        """The numbers of a domain; ValueError where they are none, or not equally far apart.

        >>> EquallySpaced.of(Domain(["0", "0.25", "0.5"]), "inputs").step
        Fraction(1, 4)
        """
        if domain.size < 2:
            raise ValueError(f"the {whose} are a single value: there is nothing to reconstruct")
        if domain.integers is not None:
            first, _ = (_number(domain[k], whose) for k in (0, -1))
            return cls(first, Fraction(1), np.arange(domain.size))
        _number(domain[0], whose)  # sets of items are too many to look at each
        numbers = [_number(value, whose) for value in domain]
        places = sorted(range(len(numbers)), key=numbers.__getitem__)
        steps = {numbers[b] - numbers[a] for a, b in pairwise(places)}
        if len(steps) > 1 or 0 in steps:
            raise ValueError(
                f"the {whose} are not equally far apart: {_shown(numbers[p] for p in places)}"
            )
        step = steps.pop()
        if step < 1 / LARGEST:
            raise ValueError(f"the {whose} lie too close together: {number_text(step)} apart")
        return cls(numbers[places[0]], step, np.array(places))

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.places)

    @property
    def last(self) -> Fraction:
        """The largest number."""
        return self.first + (self.size - 1) * self.step

    @property
    def edges(self) -> Floats:
        """Half-way between numbers, and half a step beyond the first and the last."""
        start = float(self.first - self.step / 2)
        return np.asarray(start + np.arange(self.size + 1) * float(self.step))

    def cells(self) -> Partition:
        """A cell for each number, or for 2, 5, 10, 20, ... where there are more than FEW.

        The last cell may reach beyond the last number.
        """
        joined = next(m for m in _round_numbers() if -(-self.size // m) <= FEW)
        count = -(-self.size // joined)
        start = self.first - self.step / 2
        return Partition(start, start + count * joined * self.step, count)

    def grid(self, points: int) -> Partition:
        """Cells so fine that there are about so many, a whole number for each number or fewer."""
        low, high = self.first - self.step / 2, self.last + self.step / 2
        return Partition(low, high, self.size * (points // self.size) or points)

    def nearest(self, x: Fraction) -> int:
        """The place of the number that x is rounded to, upwards if it is half-way."""
        k = (x - self.first + self.step / 2) // self.step
        return int(self.places[min(max(k, 0), self.size - 1)])

    def places_of(self, values: Floats) -> npt.NDArray[np.int64]:
        """The places of values that are among the numbers (to a millionth of a step)."""
        steps = (values - float(self.first)) / float(self.step)
        inside = (steps > -0.5) & (steps < self.size - 0.5)
        wrong = ~inside | (np.abs(steps - np.round(steps)) > _CLOSE)  # NaN is not inside
        if wrong.any():
            raise ValueError(
                f"{values[wrong][0]:g} is none of the {self.size:,} numbers from "
                f"{number_text(self.first)} to {number_text(self.last)}"
            )
        return self.places[np.round(steps).astype(np.int64)]

    def shares(self, cells: Partition) -> list[list[tuple[int, float]]]:
        """For each cell: which numbers x is rounded to, and how often, for x uniform on it.

        What of a cell lies beyond the first and the last number holds no x.
        """
        low, high = self.first - self.step / 2, self.last + self.step / 2
        found = []
        for a, b in zip(cells.ends[:-1], cells.ends[1:], strict=True):
            start, end = max(a, low), min(b, high)
            if not start < end:
                raise ValueError(
                    f"the cell from {number_text(a)} to {number_text(b)} holds no input: inputs "
                    f"are the numbers from {number_text(self.first)} to {number_text(self.last)}"
                )
            found.append(self._between(start, end))
        return found

    def _between(self, start: Fraction, end: Fraction) -> list[tuple[int, float]]:
        """Places of the numbers that an interval is rounded to, and the share of it."""
        low = self.first - self.step / 2
        one, other = (start - low) / self.step, (end - low) / self.step
        inside = []
        for k in range(int(one), min(self.size, -int(-other // 1))):
            share = (min(other, Fraction(k + 1)) - max(one, Fraction(k))) / (other - one)
            inside.append((int(self.places[k]), float(share)))
        return inside


def _round_numbers() -> Iterable[int]:
    """1, 2, 5, 10, 20, 50, ..."""
    ten = 1
    while True:
        yield from (ten, 2 * ten, 5 * ten)
        ten *= 10


def _number(value: Value, whose: str) -> Fraction:
    found = None
    if isinstance(value, int):
        found = Fraction(value)
    elif isinstance(value, str):
        with suppress(ValueError):
            found = parse_number(value)
    if found is None:
        raise ValueError(f"the {whose} are not all numbers: there is no density to reconstruct")
    if abs(found) > LARGEST:
        raise ValueError(f"the {whose} are too large: up to {number_text(LARGEST)} they are read")
    return found


def _shown(numbers: Iterable[Fraction]) -> str:
    listed = [number_text(number) for number in numbers]
    return ", ".join(listed if len(listed) <= 6 else [*listed[:5], "..."])

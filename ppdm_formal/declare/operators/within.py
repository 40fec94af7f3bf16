"""Within: all matrices with least[x, y] <= p[x -> y] <= most[x, y] whose rows sum to 1.

So is a matrix known whose entries were rounded. Rows are independent of each other, and within a
row each entry can be anything between max(least, 1 - most of the others) and
min(most, 1 - least of the others): those are the intervals kept here, and so a column can be
any of its box, whatever the rest of the matrix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ppdm_formal.declare.arithmetic.people import said

Rows: TypeAlias = tuple[tuple[Fraction, ...], ...]
Cell: TypeAlias = tuple[int, int]

ZERO, ONE = Fraction(0), Fraction(1)


class NoSuchRow(ValueError):
    """No distribution has entries within these bounds; `row` is its position."""

    def __init__(self, row: int, low: Fraction, high: Fraction) -> None:
        super().__init__(
            f"within rounding the row sums to something between {said(low)} and {said(high)}, "
            "never to 1"
        )
        self.row = row


@dataclass(frozen=True)
class Within:
    """The intervals of all entries, each as narrow as the sum of its row allows."""

    least: Rows
    most: Rows

    @classmethod
    def of(cls, least: Sequence[Sequence[Fraction]], most: Sequence[Sequence[Fraction]]) -> Within:
        """Narrow the intervals; NoSuchRow where a row cannot sum to 1.

        >>> one = Within.of([[Fraction(1, 4), ZERO]], [[Fraction(1, 2), Fraction(2, 3)]])
        >>> [str(number) for number in one.least[0] + one.most[0]]
        ['1/3', '1/2', '1/2', '2/3']
        """
        lows, highs = [], []
        for row, (low, high) in enumerate(zip(least, most, strict=True)):
            bottom, top = sum(low, ZERO), sum(high, ZERO)
            if not bottom <= 1 <= top or any(a > b for a, b in zip(low, high, strict=True)):
                raise NoSuchRow(row, bottom, top)
            pairs = list(zip(low, high, strict=True))
            lows.append(tuple(max(a, 1 - (top - b)) for a, b in pairs))
            highs.append(tuple(min(b, 1 - (bottom - a)) for a, b in pairs))
        return cls(tuple(lows), tuple(highs))

    @classmethod
    def rounded(cls, printed: Sequence[Sequence[Fraction]], digits: int) -> Within:
        """All matrices whose entries are these, rounded to so many decimals."""
        half = Fraction(1, 2 * 10**digits)
        return cls.of(
            [[max(ZERO, value - half) for value in row] for row in printed],
            [[min(ONE, value + half) for value in row] for row in printed],
        )

    @property
    def shape(self) -> Cell:
        """Rows and columns."""
        return len(self.least), len(self.least[0])

    def holds(self, rows: Sequence[Sequence[Fraction]]) -> bool:
        """Whether a matrix is one of them."""
        return all(
            sum(row, ZERO) == 1 and all(a <= p <= b for a, p, b in zip(low, row, high, strict=True))
            for low, row, high in zip(self.least, rows, self.most, strict=True)
        )

    def near(self, printed: Sequence[Sequence[Fraction]]) -> Rows:
        """One of the matrices: each printed row, moved towards its bounds until it sums to 1."""
        found = []
        for low, row, high in zip(self.least, printed, self.most, strict=True):
            start = [min(max(a, p), b) for a, p, b in zip(low, row, high, strict=True)]
            lacking = 1 - sum(start, ZERO)
            ends = high if lacking > 0 else low
            room = [end - p for end, p in zip(ends, start, strict=True)]
            step = lacking / sum(room, ZERO) if lacking else ZERO
            found.append(tuple(p + step * r for p, r in zip(start, room, strict=True)))
        return tuple(found)

    def with_cells(self, rows: Rows, fixed: Mapping[Cell, Fraction]) -> Rows:
        """One of the matrices that has these cells, with the others as in `rows` but where needed.

        The cells must belong to such a matrix; other cells of their rows move until these sum to 1.
        """
        found = [list(row) for row in rows]
        for (row, column), value in fixed.items():
            found[row][column] = value
        for row in dict.fromkeys(row for row, _ in fixed):
            lacking = 1 - sum(found[row], ZERO)
            nearer, ends = (min, self.most[row]) if lacking > 0 else (max, self.least[row])
            for column, end in enumerate(ends):
                if (row, column) not in fixed:
                    step = nearer(end - found[row][column], lacking)
                    found[row][column] += step
                    lacking -= step
        return tuple(map(tuple, found))

    def lowest(self, costs: Mapping[Cell, Fraction]) -> Fraction:
        """The least that sum(cost * p) can be over all matrices: row by row, cheapest first."""
        by_row: dict[int, dict[int, Fraction]] = {}
        for (row, column), cost in costs.items():
            by_row.setdefault(row, {})[column] = cost
        return sum((self._lowest(row, part) for row, part in by_row.items()), ZERO)

    def _lowest(self, row: int, costs: Mapping[int, Fraction]) -> Fraction:
        low, high = self.least[row], self.most[row]
        total = sum((cost * low[column] for column, cost in costs.items()), ZERO)
        left = 1 - sum(low, ZERO)
        for column in sorted(range(len(low)), key=lambda place: costs.get(place, ZERO)):
            step = min(left, high[column] - low[column])
            total += step * costs.get(column, ZERO)
            left -= step
        return total

    def ratios(self) -> tuple[Fraction | None, Fraction | None]:
        """What the amplification of every matrix is at least and at most; None: it is infinite.

        The second is attained; the first need not be, since no matrix need be least everywhere.
        """
        return _widest(self.least, self.most), _widest(self.most, self.least)


def _widest(tops: Rows, bottoms: Rows) -> Fraction | None:
    """The greatest top / bottom in one column and two rows, at least 1; None if it is infinite."""
    found = ONE
    for top, bottom in zip(zip(*tops, strict=True), zip(*bottoms, strict=True), strict=True):
        ranked = sorted(range(len(bottom)), key=bottom.__getitem__)[:2]
        for row, value in enumerate(top):
            other = next((k for k in ranked if k != row), None)
            if value == 0 or other is None:
                continue
            if bottom[other] == 0:
                return None
            found = max(found, value / bottom[other])
    return found

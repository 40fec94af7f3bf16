"""CodedMatrix: an exact matrix as small integer codes plus the tuple of its distinct values.

A matrix of a million entries usually has few distinct ones (its palette). All that is
exact is done once a palette entry; all that is large is integer work in NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from flint import fmpq, fmpz_mat

from ppdm_formal.declare.arithmetic.exact import ZERO, Exact, is_rational, is_symbolic, total
from ppdm_formal.declare.arithmetic.people import show_count

Codes: TypeAlias = npt.NDArray[np.unsignedinteger]
Labels: TypeAlias = npt.NDArray[np.int64]

MAX_CELLS = 200_000_000
"""Largest matrix kept in memory (10,001 x 10,001 fits)."""

_HISTOGRAM_KEYS = 4096
"""Up to so many (label, code) pairs, columns are compared by histograms, above by sorting."""

_COMPARED = 8
"""Up to so many codes, each is compared with every entry, which is faster than counting all."""

_BLOCK_CELLS = 4_000_000
"""How many cells are worked on at a time, so that memory stays near the matrix's own."""


class TooLarge(ValueError):
    """The operator's matrix would not fit in memory."""


def check_cells(rows: int, columns: int) -> None:
    """Refuse a matrix that would not fit, before it is built."""
    if rows * columns > MAX_CELLS:
        shown = [f"{n:,}" if n <= 10**15 else show_count(n) for n in (rows, columns)]
        raise TooLarge(
            f"a matrix of {' x '.join(shown)} entries; at most {MAX_CELLS:,} entries are kept"
        )


def narrow(codes: npt.NDArray[np.integer], distinct: int) -> Codes:
    """Store codes in the smallest integer type that holds them."""
    kind = np.uint8 if distinct <= 1 << 8 else np.uint16 if distinct <= 1 << 16 else np.uint32
    return codes.astype(kind, copy=False)


class Palette:
    """Distinct exact values, numbered in the order in which they are first met."""

    def __init__(self, values: Iterable[Exact] = ()) -> None:
        self.values: list[Exact] = []
        self._codes: dict[Any, int] = {}
        for value in values:
            self.code(value)

    def code(self, value: Exact) -> int:
        """The number of a value, new or known."""
        # Pairs of integers, because the hash of a Fraction takes a modular inverse.
        key = value.as_integer_ratio() if isinstance(value, Fraction) else value
        code = self._codes.setdefault(key, len(self.values))
        if code == len(self.values):
            self.values.append(value)
        return code


def pair_codes(
    first: npt.NDArray[np.integer],
    firsts: int,
    second: npt.NDArray[np.integer],
    seconds: int,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Number the pairs (first, second) that occur: codes, and the two members of each pair.

    What must be computed exactly for each pair is then computed once a distinct pair.
    """
    keys = first.astype(np.int64) * seconds + second
    if firsts * seconds <= max(65_536, 4 * keys.size):
        present = np.zeros(firsts * seconds, dtype=bool)
        present[keys] = True
        found = np.flatnonzero(present)
        numbers = np.zeros(firsts * seconds, dtype=np.int64)
        numbers[found] = np.arange(found.size)
        codes = numbers[keys]
    else:
        found, codes = np.unique(keys, return_inverse=True)
        codes = codes.reshape(keys.shape)
    return codes, found // seconds, found % seconds


def combine(
    first: npt.NDArray[np.integer],
    firsts: Sequence[Exact],
    second: npt.NDArray[np.integer],
    seconds: Sequence[Exact],
    operation: Callable[[Exact, Exact], Exact],
) -> tuple[npt.NDArray[np.int64], list[Exact]]:
    """Apply an exact operation elementwise to two coded arrays."""
    codes, left, right = pair_codes(first, len(firsts), second, len(seconds))
    palette = Palette()
    renumber = np.array(
        [palette.code(operation(firsts[a], seconds[b])) for a, b in zip(left, right, strict=True)],
        dtype=np.int64,
    )
    return renumber[codes], palette.values


@dataclass(frozen=True)
class ColumnGroup:
    """Columns that show the same histogram of (row label, code)."""

    columns: int
    representative: int
    labels: npt.NDArray[np.int64]
    codes: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    examples: npt.NDArray[np.int64]


class CodedMatrix:
    """codes[i, j] is the number of the entry's value in the palette."""

    def __init__(self, codes: npt.NDArray[np.integer], palette: Sequence[Exact]) -> None:
        """Renumber canonically: used values, each once, in falling order where all are numbers."""
        used = np.zeros(len(palette), dtype=bool)
        for block in _row_blocks(codes):
            used[block] = True
        kept = [int(code) for code in np.flatnonzero(used)]
        if all(is_rational(palette[code]) for code in kept):
            kept.sort(key=lambda code: fmpq(*palette[code].as_integer_ratio()), reverse=True)
        elif not any(is_symbolic(palette[code]) for code in kept):
            kept.sort(key=palette.__getitem__, reverse=True)
        distinct = Palette()
        numbers = [distinct.code(palette[code]) for code in kept]
        self.palette: tuple[Exact, ...] = tuple(distinct.values)
        if kept == numbers == list(range(len(palette))):
            self.codes = narrow(codes, len(kept))
        else:
            renumber = narrow(np.zeros(len(palette), dtype=np.int64), len(distinct.values))
            renumber[kept] = numbers
            self.codes = renumber[codes]
        self.codes.setflags(write=False)

    def to_numpy(self) -> npt.NDArray[np.float64]:
        """The matrix in floating point, each entry the nearest double; free parameters refused."""
        if any(is_symbolic(value) for value in self.palette):
            raise ValueError("a matrix with free parameters has no floats: give them values first")
        return np.array([float(value) for value in self.palette])[self.codes]

    def __repr__(self) -> str:
        rows, columns = self.codes.shape
        return f"<CodedMatrix {rows} x {columns}: {len(self.palette)} distinct values>"

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[Exact]]) -> CodedMatrix:
        """Code a matrix given entry by entry."""
        palette = Palette()
        codes = np.array([[palette.code(value) for value in row] for row in rows], dtype=np.int64)
        return cls(codes, palette.values)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows (inputs) and columns (outputs)."""
        return self.codes.shape[0], self.codes.shape[1]

    def entry(self, row: int, column: int) -> Exact:
        """One exact entry."""
        return self.palette[int(self.codes[row, column])]

    def map(self, change: Callable[[Exact], Exact]) -> CodedMatrix:
        """The matrix with every value changed; equal results share a code."""
        palette = Palette()
        renumber = np.array([palette.code(change(value)) for value in self.palette])
        return CodedMatrix(narrow(renumber, len(palette.values))[self.codes], palette.values)

    def row_sums(self) -> list[tuple[int, Exact]]:
        """The distinct sums of rows, each with the first row that has it."""
        sums: dict[Exact, int] = {}
        transposed = CodedMatrix.__new__(CodedMatrix)
        transposed.codes, transposed.palette = self.codes.T, self.palette
        for group in transposed.column_groups(np.zeros(self.shape[1], dtype=np.int64), 1):
            value = total(
                (int(count), self.palette[int(code)])
                for count, code in zip(group.counts, group.codes, strict=True)
            )
            sums[value] = min(group.representative, sums.get(value, group.representative))
        return [(row, value) for value, row in sums.items()]

    def column_groups(self, labels: Labels, distinct: int) -> list[ColumnGroup]:
        """Group the columns that show the same histogram of (row label, code).

        labels[i] in range(distinct) is what else the question asks about row i. The rows'
        order does not matter to it, and so a thousand columns often make one group.
        """
        width = len(self.palette)
        rows, columns = self.shape
        keys = labels * width
        few = distinct * width <= min(_HISTOGRAM_KEYS, 8 * rows)
        compared = few and width <= _COMPARED and self.codes.itemsize == 1
        cells = distinct * width if compared else max(rows, distinct * width if few else 1)
        step = max(1, _BLOCK_CELLS // cells)
        found: dict[bytes, list[int]] = {}
        for start in range(0, columns, step):
            block = self.codes[:, start : start + step]
            if compared:
                signature = _histograms_of_few(block, labels, distinct, width)
            elif few:
                signature = _histograms(block + keys[:, None], distinct * width)
            else:
                signature = np.sort(np.ascontiguousarray((block + keys[:, None]).T), axis=1)
            raw = signature.tobytes()
            size = signature.shape[1] * signature.itemsize
            for offset in range(block.shape[1]):
                found.setdefault(raw[offset * size : (offset + 1) * size], []).append(
                    start + offset
                )
        return [self._describe(members, keys) for members in found.values()]

    def _describe(self, members: list[int], keys: Labels) -> ColumnGroup:
        first = members[0]
        pairs, examples, counts = np.unique(
            self.codes[:, first] + keys, return_index=True, return_counts=True
        )
        width = len(self.palette)
        return ColumnGroup(len(members), first, pairs // width, pairs % width, counts, examples)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CodedMatrix):
            return NotImplemented
        if self.shape != other.shape:
            return False
        if self.palette == other.palette:
            return bool(np.array_equal(self.codes, other.codes))
        where = {value: code for code, value in enumerate(other.palette)}
        if set(where) != set(self.palette):
            return False
        renumber = np.array([where[value] for value in self.palette])
        return all(
            bool(np.array_equal(renumber[mine], theirs))
            for mine, theirs in zip(_row_blocks(self.codes), _row_blocks(other.codes), strict=True)
        )

    def __hash__(self) -> int:
        return hash((self.shape, frozenset(self.palette)))

    def times(self, other: CodedMatrix) -> CodedMatrix:
        """The exact matrix product."""
        if all(map(is_rational, self.palette + other.palette)):
            return _rational_product(self, other)
        return _symbolic_product(self, other)


def _histograms(keys: npt.NDArray[np.int64], distinct: int) -> Labels:
    """How often each key stands in each column, a row a column."""
    columns = keys.shape[1]
    keys += np.arange(columns) * distinct
    return np.bincount(keys.ravel(), minlength=columns * distinct).reshape(columns, distinct)


def _histograms_of_few(codes: Codes, labels: Labels, distinct: int, width: int) -> Labels:
    """The same of (label, code), each compared with all entries, in bytes: few codes.

    Up to 255 rows are added up in a byte, which processors do for many columns at once.
    """
    counts = np.zeros((distinct, width, codes.shape[1]), dtype=np.int64)
    for label in range(distinct):
        mine = np.flatnonzero(labels == label)
        for at in range(0, len(mine), 255):
            some = codes[at : at + 255] if distinct == 1 else codes[mine[at : at + 255]]
            for code in range(width - 1):
                same = (some == code).view(np.uint8)
                counts[label, code] += np.add.reduce(same, axis=0, dtype=np.uint8)
        counts[label, -1] = len(mine) - counts[label].sum(axis=0)
    return np.ascontiguousarray(counts.reshape(distinct * width, -1).T)


def _row_blocks(codes: npt.NDArray[np.integer]) -> list[npt.NDArray[np.integer]]:
    step = max(1, _BLOCK_CELLS // max(1, codes.shape[1]))
    return [codes[start : start + step] for start in range(0, codes.shape[0], step)]


def _numerators(matrix: CodedMatrix) -> tuple[list[list[int]], int]:
    common = lcm(*(value.denominator for value in matrix.palette))
    tops = np.array([int(value * common) for value in matrix.palette], dtype=object)
    return tops[matrix.codes].tolist(), common


def _rational_product(first: CodedMatrix, second: CodedMatrix) -> CodedMatrix:
    """Integer matrices over one denominator each, multiplied by FLINT."""
    left, below = _numerators(first)
    right, beside = _numerators(second)
    entries = (fmpz_mat(left) * fmpz_mat(right)).tolist()
    palette: dict[int, int] = {}
    codes = np.array(
        [[palette.setdefault(int(entry), len(palette)) for entry in row] for row in entries]
    )
    return CodedMatrix(codes, [Fraction(top, below * beside) for top in palette])


def _symbolic_product(first: CodedMatrix, second: CodedMatrix) -> CodedMatrix:
    """Sums over (code, code) histograms: each distinct histogram is summed once."""
    width = len(second.palette)
    products = [
        a * b if not (a == ZERO or b == ZERO) else ZERO
        for a in first.palette
        for b in second.palette
    ]
    sums: dict[bytes, int] = {}
    palette = Palette()
    codes = np.zeros((first.shape[0], second.shape[1]), dtype=np.int64)
    for row in range(first.shape[0]):
        for column in range(second.shape[1]):
            keys = first.codes[row].astype(np.int64) * width + second.codes[:, column]
            counts = np.bincount(keys, minlength=len(products))
            signature = counts.tobytes()
            if signature not in sums:
                terms = [(int(counts[key]), products[key]) for key in np.flatnonzero(counts)]
                sums[signature] = palette.code(total(terms))
            codes[row, column] = sums[signature]
    return CodedMatrix(codes, palette.values)

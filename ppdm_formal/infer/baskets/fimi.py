"""FIMI files without a list of items: lines of numbers, read as whole blocks of bytes.

A block of digits and blanks is read at once. Where anything else stands in a block (names, signs,
numbers of more than 9 digits), its lines are read one by one, and names are collected.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.machine.compiled import compiled
from ppdm_formal.infer.baskets import kernels
from ppdm_formal.infer.baskets.kernels import Counts, Numbers
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.streams import MAX_LINE, Source

BLOCK_BYTES = 1 << 23
"""Bytes that are read at a time."""

_DIGITS = 9
_MARK = "\ufeff".encode()


class Names(Protocol):
    """What gives names numbers."""

    def codes(self, cells: list[str]) -> Numbers:
        """A code for each cell; a cell that spells a number below 10^9 has that number."""


@dataclass(frozen=True)
class CodedBlock:
    """Some transactions: the codes of all items one after the other, and how many each has."""

    codes: Numbers
    sizes: Counts


def fimi_blocks(source: Source, names: Names) -> Iterator[CodedBlock]:
    """All transactions; an empty line is one without items."""
    rest, line = b"", 1
    while data := source.stream.read(BLOCK_BYTES):
        if line == 1 and not rest:
            data = data.removeprefix(_MARK)
        cut = data.rfind(b"\n") + 1
        whole, rest = (rest + data[:cut], data[cut:]) if cut else (b"", rest + data)
        if len(rest) > MAX_LINE:
            line += whole.count(b"\n")
            raise DataError(f"{source.path}, line {line}: longer than {MAX_LINE:,} bytes")
        if whole:
            block = _block(source, whole, line, names)
            line += len(block.sizes)
            yield block
    if rest:
        yield _block(source, rest + b"\n", line, names)


def _block(source: Source, lines: bytes, first: int, names: Names) -> CodedBlock:
    text = np.frombuffer(lines, dtype=np.uint8)
    if len(lines) > MAX_LINE:
        lengths = np.diff(np.flatnonzero(text == 10), prepend=-1)
        if lengths.max() > MAX_LINE:
            number = first + int(np.argmax(lengths > MAX_LINE))
            raise DataError(f"{source.path}, line {number}: longer than {MAX_LINE:,} bytes")
    return numbers_of(text) or _by_lines(source, lines, first, names)


def numbers_of(text: npt.NDArray[np.uint8]) -> CodedBlock | None:
    r"""Lines of digits and blanks, each with its end; None where there is anything else.

    >>> found = numbers_of(np.frombuffer(b"7 012\n\n3 \n", dtype=np.uint8))
    >>> found.codes.tolist(), found.sizes.tolist()
    ([7, 12, 3], [2, 0, 1])
    """
    kernel = compiled(kernels.read_numbers)
    if kernel is None:
        return _numbers_by_numpy(text)
    values = np.empty(len(text) // 2 + 1, dtype=np.int32)
    sizes = np.empty(int(np.count_nonzero(text == 10)), dtype=np.int64)
    found, lines = kernel(text, values, sizes)
    return None if found < 0 else CodedBlock(values[:found].copy(), sizes[:lines])


def _numbers_by_numpy(text: npt.NDArray[np.uint8]) -> CodedBlock | None:
    """The twin of the kernel: digits are added up by their place from the right."""
    digit = (text >= 48) & (text <= 57)
    if not (digit | (text == 32) | ((text >= 9) & (text <= 13))).all():
        return None
    begins = digit.copy()
    begins[1:] &= ~digit[:-1]
    ends = digit.copy()
    ends[:-1] &= ~digit[1:]
    first, last = np.flatnonzero(begins), np.flatnonzero(ends)
    length = last - first + 1
    if length.max(initial=0) > _DIGITS:
        return None
    values = np.zeros(len(first), dtype=np.int32)
    for place in range(int(length.max(initial=0))):
        some = length > place
        values[some] += (text[last[some] - place].astype(np.int32) - 48) * np.int32(10**place)
    line_ends = np.flatnonzero(text == 10)
    sizes = np.diff(np.searchsorted(first, line_ends), prepend=0)
    return CodedBlock(values, sizes.astype(np.int64))


def _by_lines(source: Source, lines: bytes, first: int, names: Names) -> CodedBlock:
    cells: list[str] = []
    sizes: list[int] = []
    for number, line in enumerate(lines.split(b"\n")[:-1], start=first):
        try:
            row = line.decode().split()
        except UnicodeDecodeError:
            raise DataError(
                f"{source.path}, line {number}: not UTF-8; convert the whole file to UTF-8"
            ) from None
        cells += row
        sizes.append(len(row))
    return CodedBlock(names.codes(cells), np.array(sizes, dtype=np.int64))

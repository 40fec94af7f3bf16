"""Bits as reports: n bits, the lowest of the first byte first; base64url in JSON and in cells.

Bit x stands in byte x // 8 and is worth 2^(x mod 8) there. Bits beyond the n-th are 0.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.bit_counts import add_bit_counts
from ppdm_formal.declare.operators.domain import Value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.report import Batch, Integers, NotAReport, Report, Truths

Bytes = npt.NDArray[np.uint8]

_ALPHABET = re.compile(r"[A-Za-z0-9_-]*", re.ASCII)
_SET = re.compile(r"\s*\{\s*(?:\d{1,9}\s*(?:,\s*\d{1,9}\s*)*)?\}\s*", re.ASCII)
_TO_STANDARD = bytes.maketrans(b"-_", b"+/")
_TO_URL = bytes.maketrans(b"+/", b"-_")
_A, _MANY = ord("A"), 1 << 20


@dataclass(frozen=True)
class BitsReport(Report):
    """All subsets of n values with least to most members, a bit a value.

    >>> ten = BitsReport(10)
    >>> ten.encoded(frozenset({0, 3, 9})), ten.of_json(["CQI"]).tolist()
    ('CQI', [[9, 2]])
    """

    bits: int
    least: int = 0
    most: int = -1
    kind: ClassVar[str] = "bits"

    def __post_init__(self) -> None:
        if self.most < 0:
            object.__setattr__(self, "most", self.bits)

    def to_json(self) -> dict[str, Any]:
        """How many bits, and how many of them may be set."""
        return {"kind": self.kind, "bits": self.bits, "least": self.least, "most": self.most}

    @property
    def width(self) -> int:
        """Eight bits a byte."""
        return -(-self.bits // 8)

    @property
    def characters(self) -> int:
        """Of the text: six bits each."""
        return -(-8 * self.width // 6)

    def encoded(self, value: Value) -> Any:
        """Base64url without padding."""
        return self.texts(self.of_values([value]))[0]

    def of_json(self, sent: Sequence[object]) -> Batch:
        """From texts."""
        for place, one in enumerate(sent):
            if not isinstance(one, str) or len(one) != self.characters:
                raise NotAReport(place, self._says)
        return self._read(sent)  # type: ignore[arg-type]

    @property
    def _says(self) -> str:
        sizes = ""
        if (self.least, self.most) != (0, self.bits):
            sizes = f", {self.least:,} to {self.most:,} of them set"
        return f"not {self.bits:,} bits in base64url ({self.characters:,} characters){sizes}"

    def texts(self, batch: Batch) -> list[str]:
        """Base64url without padding; all rows are encoded at once."""
        if not len(batch):
            return []
        rows = np.zeros((len(batch), -(-self.width // 3) * 3), dtype=np.uint8)
        rows[:, : self.width] = batch
        text = binascii.b2a_base64(rows.tobytes(), newline=False).translate(_TO_URL).decode()
        step, many = rows.shape[1] // 3 * 4, self.characters
        return [text[start : start + many] for start in range(0, len(text), step)]

    def of_texts(self, cells: Sequence[str]) -> Batch:
        """Base64url, or the members in braces, as earlier versions wrote sets."""
        plain = [len(cell) == self.characters and "{" not in cell for cell in cells]
        if all(plain):
            return self._read(cells)
        rows = np.zeros((len(cells), self.width), dtype=np.uint8)
        for place, (cell, good) in enumerate(zip(cells, plain, strict=True)):
            try:
                rows[place] = self._read([cell])[0] if good else self._braces(cell)
            except NotAReport:
                raise NotAReport(place, self._says) from None
        return rows

    def _braces(self, cell: str) -> Bytes:
        bare = cell.strip()
        if not _SET.fullmatch(cell):
            if len(bare) != self.characters:
                raise NotAReport(0, self._says)
            return np.asarray(self._read([bare])[0])
        inside = bare[1:-1].strip()
        members = [int(one) for one in inside.split(",")] if inside else []
        return np.asarray(self.of_values([frozenset(members)])[0])

    def _read(self, texts: Sequence[str]) -> Bytes:
        """Texts of the right length, all decoded at once; spare bits must be 0."""
        for place, text in enumerate(texts):
            if not _ALPHABET.fullmatch(text):
                raise NotAReport(place, self._says)
        many, rows = self.characters, len(texts)
        marks = np.full((rows, -(-many // 4) * 4), _A, dtype=np.uint8)
        joined = "".join(texts).encode().translate(_TO_STANDARD)
        marks[:, :many] = np.frombuffer(joined, dtype=np.uint8).reshape(rows, many)
        packed = np.frombuffer(binascii.a2b_base64(marks.tobytes()), dtype=np.uint8)
        whole: Bytes = packed.reshape(rows, marks.shape[1] // 4 * 3)
        spare = whole[:, self.width :].any(axis=1)
        if spare.any():
            raise NotAReport(int(np.argmax(spare)), self._says)
        found = whole[:, : self.width].copy()
        self.check(found)
        return found

    def values(self, batch: Batch) -> list[Value]:
        """The sets of the places of ones."""
        return [frozenset(np.flatnonzero(row).tolist()) for row in self.unpacked(batch)]

    def of_values(self, outputs: Sequence[Value]) -> Batch:
        """From sets."""
        rows = np.zeros((len(outputs), self.width * 8), dtype=np.uint8)
        for place, one in enumerate(outputs):
            whole = isinstance(one, frozenset) and all(
                type(x) is int and 0 <= x < self.bits for x in one
            )
            if not whole or not isinstance(one, frozenset):
                raise NotAReport(place, f"not a set of the values 0..{self.bits - 1}")
            rows[place, sorted(one)] = 1
        packed = np.packbits(rows, axis=1, bitorder="little")
        self.check(packed)
        return packed

    def unpacked(self, batch: Batch) -> Bytes:
        """A byte a bit."""
        bits = np.unpackbits(batch, axis=1, bitorder="little", count=self.bits)
        return np.asarray(bits)

    def check(self, batch: Batch) -> None:
        """Spare bits are 0, and sizes those of outputs."""
        if batch.ndim != 2 or batch.shape[1] != self.width or batch.dtype != np.uint8:
            raise NotAReport(0, self._says)
        wrong = np.zeros(len(batch), dtype=bool)
        if self.bits % 8:
            wrong |= batch[:, -1] >> (self.bits % 8) != 0
        if (self.least, self.most) != (0, self.bits):
            step = max(1, _MANY // max(1, self.width))
            for start in range(0, len(batch), step):
                part = slice(start, start + step)
                sizes = np.bitwise_count(batch[part]).sum(axis=1, dtype=np.int64)
                wrong[part] |= (sizes < self.least) | (sizes > self.most)
        if wrong.any():
            raise NotAReport(int(np.argmax(wrong)), self._says)

    @property
    def outputs(self) -> int:
        """2^n; of others, sizes are checked alone."""
        return 1 << self.bits

    def positions(self, batch: Batch) -> Integers:
        """As the numbers whose bits they are."""
        if self.bits > 62:
            raise TooLarge(f"2^{self.bits} sets are too many to number")
        place = np.int64(1) << (8 * np.arange(self.width, dtype=np.int64))
        return np.asarray(batch.astype(np.int64) @ place)

    @property
    def by_output(self) -> bool:
        """Up to 16 bits."""
        return self.bits <= 16

    @property
    def supported(self) -> int:
        """A value a bit."""
        return self.bits

    def supports(self, batch: Batch) -> Truths:
        """Those whose bit is set."""
        return self.unpacked(batch).view(np.bool_)

    def add_supports(self, batch: Batch, counts: Integers) -> None:
        """Ones by column."""
        add_bit_counts(batch, counts)


def set_bits(batch: Bytes, rows: Integers, items: Integers, to: npt.NDArray[np.bool_]) -> None:
    """One bit of each of some rows set to 0 or 1."""
    masks = (1 << (items & 7)).astype(np.uint8)
    places = (rows, items >> 3)
    batch[places] = np.where(to, batch[places] | masks, batch[places] & ~masks)

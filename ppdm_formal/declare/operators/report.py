"""Report: what a client sends, and how it is written, packed, counted and checked against the law.

A law says which report it has (Law.report). A report has three forms: a JSON value (what clients
send), the text of a table's cell, and a row of a NumPy array (a batch), which Parquet holds as
fixed-size bytes or as integers. What comes from outside is checked; no message quotes a report.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.canonical import canonical, value_json
from ppdm_formal.declare.operators.domain import Domain, Value
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.shipped import values_json

Integers: TypeAlias = npt.NDArray[np.int64]
Truths: TypeAlias = npt.NDArray[np.bool_]
Batch: TypeAlias = npt.NDArray[Any]
"""Reports in a row each: bytes, or integers."""

MAX_OUTPUTS = 1 << 16
"""Up to so many outputs each is counted by itself, and the decoder of least variance is made."""

MAX_LISTED = 1 << 24
"""Most outputs that are listed: of others the report has another form."""


class NotAReport(ValueError):
    """What was sent is no output of the operator; `place` says which one of many, from 0 on."""

    def __init__(self, place: int, why: str) -> None:
        super().__init__(why)
        self.place = place
        self.why = why


class Report(ABC):
    """One type of report. Lists and batches hold many; a place of -1 never occurs in them."""

    kind: ClassVar[str]

    # -- as JSON ---------------------------------------------------------------------------------

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The type itself, as clients and descriptions hold it."""

    @abstractmethod
    def encoded(self, value: Value) -> Any:
        """An output as the JSON value that is sent."""

    @abstractmethod
    def of_json(self, sent: Sequence[object]) -> Batch:
        """JSON values as a batch; NotAReport for the first that is none."""

    def decoded(self, sent: object) -> Value:
        """The output that a JSON value stands for; NotAReport where it is none."""
        return self.values(self.of_json([sent]))[0]

    # -- as cells and as outputs -----------------------------------------------------------------

    @abstractmethod
    def texts(self, batch: Batch) -> list[str]:
        """The reports as cells of a table."""

    @abstractmethod
    def of_texts(self, cells: Sequence[str]) -> Batch:
        """Cells as a batch; NotAReport for the first that is none."""

    @abstractmethod
    def values(self, batch: Batch) -> list[Value]:
        """The reports as the outputs that they are."""

    @abstractmethod
    def of_values(self, outputs: Sequence[Value]) -> Batch:
        """Outputs as a batch; NotAReport for the first that is none."""

    # -- packed ----------------------------------------------------------------------------------

    @property
    @abstractmethod
    def width(self) -> int:
        """Bytes of a packed report."""

    @abstractmethod
    def check(self, batch: Batch) -> None:
        """Refuse a batch with a row that is no report (NotAReport)."""

    def empty(self) -> Batch:
        """A batch without reports."""
        return self.of_json([])

    # -- counted ---------------------------------------------------------------------------------

    @property
    @abstractmethod
    def outputs(self) -> int:
        """How many outputs there are."""

    @abstractmethod
    def positions(self, batch: Batch) -> Integers:
        """Where each report stands among the outputs, which are not too many to number."""

    @property
    def by_output(self) -> bool:
        """Whether outputs are counted one by one; else how many reports support each value."""
        return self.outputs <= MAX_OUTPUTS

    @property
    @abstractmethod
    def supported(self) -> int:
        """How many values reports support or not (bits, members, values that are hashed)."""

    @abstractmethod
    def add_supports(self, batch: Batch, counts: Integers) -> None:
        """Add to counts[x] how many of the reports support x."""

    @abstractmethod
    def supports(self, batch: Batch) -> Truths:
        """Which values each report supports: a row a report, a column a value."""

    @property
    def counted(self) -> int:
        """How many counts there are: of outputs, or of values."""
        return self.outputs if self.by_output else self.supported

    def add(self, batch: Batch, counts: Integers) -> None:
        """Add a batch to the counts: all that an estimate needs of it."""
        if self.by_output:
            counts += np.bincount(self.positions(batch), minlength=self.outputs)
        else:
            self.add_supports(batch, counts)


@dataclass(frozen=True)
class Listed(Report):
    """An output among those that can be listed, by its position: a number, a label, a tuple.

    >>> answers = Listed(Domain(["yes", "no"]))
    >>> answers.encoded("no"), answers.of_json(["no", "yes"]).tolist(), answers.width
    ('no', [1, 0], 1)
    """

    domain: Domain
    kind: ClassVar[str] = "value"

    def to_json(self) -> dict[str, Any]:
        """With the outputs."""
        return {"kind": self.kind, "outputs": values_json(self.domain)}

    def encoded(self, value: Value) -> Any:
        """As certificates spell values: whole numbers, text, {"tuple": ...}, {"set": ...}."""
        return value_json(value)

    def of_json(self, sent: Sequence[object]) -> Batch:
        """By their spelling."""
        found = np.fromiter(map(self._place, sent), dtype=np.int64, count=len(sent))
        self._refuse(found)
        return found

    def _place(self, sent: object) -> int:
        if type(sent) is int or isinstance(sent, str):
            return self.domain.index(sent) if sent in self.domain else -1
        if not isinstance(sent, dict):
            return -1
        try:
            return self._spelled.get(canonical(sent), -1)
        except (ValueError, TypeError, RecursionError):
            return -1

    @cached_property
    def _spelled(self) -> dict[str, int]:
        """The outputs that are not numbers or labels, by their text."""
        if self.domain.size > MAX_LISTED:
            raise TooLarge(f"{self.domain} are too many to list")
        parts = enumerate(map(value_json, self.domain))
        return {canonical(part): place for place, part in parts if isinstance(part, dict)}

    def _refuse(self, places: Batch) -> None:
        wrong = np.flatnonzero((places < 0) | (places >= self.domain.size))
        if wrong.size:
            raise NotAReport(int(wrong[0]), f"not one of the outputs {self.domain}")

    def texts(self, batch: Batch) -> list[str]:
        """As JSON; tables have cells of their own (run/cells.py)."""
        return [json.dumps(self.encoded(value)) for value in self.values(batch)]

    def of_texts(self, cells: Sequence[str]) -> Batch:
        """From JSON."""
        found: list[object] = []
        for cell in cells:
            try:
                found.append(json.loads(cell))
            except (ValueError, RecursionError):
                found.append(None)
        return self.of_json(found)

    def values(self, batch: Batch) -> list[Value]:
        """By position."""
        return [self.domain[place] for place in batch.tolist()]

    def of_values(self, outputs: Sequence[Value]) -> Batch:
        """By position."""
        places = (self.domain.index(one) if one in self.domain else -1 for one in outputs)
        found = np.fromiter(places, dtype=np.int64, count=len(outputs))
        self._refuse(found)
        return found

    @property
    def width(self) -> int:
        """Of the shortest whole number of 1, 2, 4 or 8 bytes that holds every position."""
        return int(np.min_scalar_type(self.domain.size - 1).itemsize)

    def check(self, batch: Batch) -> None:
        """Positions inside the domain."""
        self._refuse(batch)

    @property
    def outputs(self) -> int:
        """Those of the domain."""
        return self.domain.size

    def positions(self, batch: Batch) -> Integers:
        """The batch itself."""
        return batch

    @property
    def by_output(self) -> bool:
        """Always."""
        return True

    @property
    def supported(self) -> int:
        """Outputs support themselves."""
        return self.domain.size

    def supports(self, batch: Batch) -> Truths:
        """One output each."""
        return np.asarray(batch[:, None] == np.arange(self.domain.size))

    def add_supports(self, batch: Batch, counts: Integers) -> None:
        """As outputs."""
        self.add(batch, counts)

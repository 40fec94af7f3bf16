"""ReportCounts: all that an estimate needs of the reports of one operator; counts that merge.

Where outputs are few, how often each occurred; else how many reports support each value. Whole
numbers, which are added up in any order, by whoever counted: create, add, merge, extract.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.report import Batch, NotAReport
from ppdm_formal.infer.undoing.counts import Counts
from ppdm_formal.run.described import operator_json
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.report_columns import of_column

if TYPE_CHECKING:
    from ppdm_formal.infer.tables.result import Estimate, Method

MOST_COUNTS = 1 << 24
"""Most outputs that are counted one by one."""


@dataclass(frozen=True)
class ReportCounts:
    """Counts of the reports of one operator, under the name of a column.

    >>> from ppdm_formal.declare.families.unary_encoding import unary_encoding
    >>> empty = ReportCounts.create(unary_encoding(20, gamma=3))
    >>> some = empty.add(["AQAA", "AwAA"])
    >>> both = ReportCounts.merge([some, some])
    >>> both.rows, both.counts[:3].tolist()
    (4, [4, 2, 0])
    """

    name: str
    operator: Operator
    rows: int
    counts: npt.NDArray[np.int64]
    prior: Prior | None = None

    @classmethod
    def create(cls, operator: Operator, name: str = "", prior: Prior | None = None) -> ReportCounts:
        """Nothing counted yet."""
        size = operator.report.counted
        if size > MOST_COUNTS:
            raise DataError(f"{operator.name}: {size:,} outputs are too many to be counted")
        counts = np.zeros(size, dtype=np.int64)
        return cls(name or operator.name or "answers", operator, 0, counts, prior)

    def add(self, reports: Any) -> ReportCounts:
        """With reports added: JSON values as clients send them, or an Arrow column of packed ones.

        NotAReport for the first that is none; nothing is added then.
        """
        report = self.operator.report
        if isinstance(reports, list | tuple):
            return self.add_batch(report.of_json(reports))
        if report.kind == "value":
            return self.add_batch(report.of_json(reports.to_pylist()))
        return self.add_batch(of_column(report, reports))

    def add_batch(self, batch: Batch) -> ReportCounts:
        """With a checked batch added (declare/operators/report.py)."""
        counts = self.counts.copy()
        self.operator.report.add(batch, counts)
        return replace(self, rows=self.rows + len(batch), counts=counts)

    @classmethod
    def of_batches(cls, empty: ReportCounts, batches: Iterable[Batch]) -> ReportCounts:
        """Many batches, one after the other, into one array."""
        rows, counts, report = empty.rows, empty.counts.copy(), empty.operator.report
        for batch in batches:
            report.add(batch, counts)
            rows += len(batch)
        return replace(empty, rows=rows, counts=counts)

    @classmethod
    def merge(cls, parts: Sequence[ReportCounts]) -> ReportCounts:
        """Together; DataError where they are of different operators. One prior, if all have it."""
        first = parts[0]
        for other in parts[1:]:
            if other.digest != first.digest:
                raise DataError(
                    f"{other.name} and {first.name} are of different operators: their reports "
                    "cannot be counted together"
                )
        prior = first.prior if all(one.prior == first.prior for one in parts) else None
        counts = np.stack([one.counts for one in parts]).sum(axis=0)
        return replace(first, rows=sum(one.rows for one in parts), counts=counts, prior=prior)

    def restored(self, rows: int, counts: Sequence[int]) -> ReportCounts:
        """With so many reports and these counts instead: what another process counted."""
        found = np.array(counts, dtype=np.int64)
        if found.shape != self.counts.shape or (found < 0).any() or (found > rows).any():
            raise DataError("counts are whole numbers up to that of the rows, one each")
        return replace(self, rows=rows, counts=found)

    @property
    def digest(self) -> str:
        """That of the operator: its values and its law, without its name."""
        return str(operator_json(self.operator)["sha256"])

    @property
    def by_output(self) -> Counts:
        """How often each output occurred, for tables."""
        return Counts.of_array(self.counts)

    def extract(self, method: Method = "unbiased", level: object = "95%") -> Estimate:
        """The estimated distribution of the original values."""
        from ppdm_formal.infer.tables.collected import estimate_counts

        return estimate_counts([self], method=method, level=level)


def refused(where: str, wrong: NotAReport, operator: Operator) -> DataError:
    """What is said of a report in a file that is none."""
    return DataError(f"{where}: no output of {operator.name}: {wrong.why}")

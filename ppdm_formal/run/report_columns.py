"""Columns of packed reports: in Arrow, in cells of CSV, and in the answers that Python hands in.

What a report is like, its law says (declare/operators/report.py); reports of listed outputs have
cells of their own (cells.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.report import Batch, NotAReport, Report
from ppdm_formal.declare.operators.report_hashed import HashedReport
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.errors import DataError

AT_ONCE = 1 << 24
"""Bytes of reports that are drawn and written at a time."""

MAX_CELL = 131_072
"""Longest cell of CSV: readers give up at longer ones."""


def packed_reports(operators: Mapping[str, Operator]) -> dict[str, Report]:
    """The columns whose reports are packed, with their types."""
    found = {name: operator.report for name, operator in operators.items()}
    return {name: report for name, report in found.items() if report.kind != "value"}


def rows_at_once(reports: Iterable[Report], most: int) -> int:
    """So many rows are drawn and written at a time, so that memory is bounded."""
    return max(1, min(most, *(AT_ONCE // max(1, report.width) for report in reports), most))


def check_cells_hold(name: str, report: Report) -> None:
    """Refuse to write reports as text that readers of CSV would not take."""
    longest = {"bits": -(-8 * report.width // 6), "set": report.width * 10}.get(report.kind, 0)
    if longest > MAX_CELL:
        raise DataError(
            f"column {name}: reports of {report.supported:,} values are too long for cells of CSV; "
            "write Parquet (-o OUT.parquet)"
        )


def arrow_type(report: Report) -> Any:
    """Fixed-size bytes, or for hashes two integers."""
    import pyarrow as pa

    if isinstance(report, HashedReport):
        return pa.struct([("hash", pa.int64()), ("bucket", pa.int32())])
    return pa.binary(report.width)


def to_arrow(report: Report, batch: Batch) -> Any:
    """A batch as an Arrow array."""
    import pyarrow as pa

    if isinstance(report, HashedReport):
        parts = [pa.array(batch[:, 0]), pa.array(batch[:, 1].astype(np.int32))]
        return pa.StructArray.from_arrays(parts, ["hash", "bucket"])
    data = pa.py_buffer(np.ascontiguousarray(batch))
    return pa.Array.from_buffers(pa.binary(report.width), len(batch), [None, data])


def of_arrow(report: Report, column: Any) -> Batch:
    """An Arrow array as a checked batch; texts are read as cells."""
    import pyarrow as pa
    import pyarrow.types as types

    if column.null_count:
        raise NotAReport(int(np.argmax(column.is_null().to_numpy(False))), "empty")
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if types.is_string(column.type) or types.is_large_string(column.type):
        return report.of_texts(column.to_pylist())
    if isinstance(report, HashedReport):
        if not types.is_struct(column.type) or {f.name for f in column.type} != {"hash", "bucket"}:
            raise NotAReport(0, "the column does not hold hash and bucket")
        parts = [column.field(name).cast(pa.int64()) for name in ("hash", "bucket")]
        if any(part.null_count for part in parts):
            raise NotAReport(0, "empty")
        batch = np.stack([part.to_numpy(zero_copy_only=False) for part in parts], axis=1)
    else:
        if column.type != pa.binary(report.width):
            raise NotAReport(0, f"the column does not hold {report.width} bytes a report")
        start = column.offset * report.width
        data = np.frombuffer(column.buffers()[1], dtype=np.uint8)
        flat = data[start : start + len(column) * report.width]
        batch = flat.reshape(len(column), report.width).view(report.empty().dtype)
    report.check(batch)
    return batch


def of_column(report: Report, column: Any) -> Batch:
    """Cells of CSV, or an Arrow array, as a checked batch."""
    return report.of_texts(column) if isinstance(column, list) else of_arrow(report, column)


def of_sets(report: Report, sets: Baskets) -> Batch:
    """Sets that Python handed in as a checked batch."""
    whole = sets.distinct()
    wrong = (whole.items < 0) | (whole.items >= report.supported)
    if wrong.any():
        place = int(whole.owners()[np.argmax(wrong)])
        raise NotAReport(place, f"not a set of the values 0..{report.supported - 1}")
    step, found = rows_at_once([report], 1 << 16), []
    for start in range(0, len(whole), step):
        some = whole.take(np.arange(start, min(start + step, len(whole))))
        try:
            found.append(report.of_values([frozenset(one) for one in some.lists()]))
        except NotAReport as wrong_one:
            raise NotAReport(start + wrong_one.place, wrong_one.why) from None
    return np.concatenate([report.empty(), *found])

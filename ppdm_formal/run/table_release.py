"""Randomizing a table: each named column through its operator, row by row in blocks.

Only the randomized columns and those that are kept by name reach the writer. Errors name
line and column, never a value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.machine.files import written_together
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.report import Batch
from ppdm_formal.run.cells import EMPTY, NAN, OUTSIDE, REASONS, Cells, Positions
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.foretold import Foretold, silent
from ppdm_formal.run.release import SUFFIX, DataFile, Override, Release, ReleasedColumn
from ppdm_formal.run.report_columns import packed_reports, rows_at_once
from ppdm_formal.run.shuffle import Shuffle
from ppdm_formal.run.shuffled_table import ShuffledWriter
from ppdm_formal.run.streams import written_sha256
from ppdm_formal.run.tables import (
    BLOCK_ROWS,
    Block,
    TableFile,
    TableReader,
    TableWriter,
    create_table,
    open_table,
)
from ppdm_formal.run.tally import Tally

_SHOWN = 1000
"""Values of a domain that are looked at to explain a cell."""

Outside = Literal["drop", "error"]
"""What happens to a row with a value outside its domain."""

KEPT_NOT_SHUFFLED = (
    "a column that is kept as it is tells whose row it stands in, whatever the order: shuffle "
    "without it, or keep it and do not shuffle"
)


def release_table(
    source: TableFile,
    target: TableFile,
    columns: Sequence[ReleasedColumn],
    bits: Bits,
    *,
    keep: Sequence[str] = (),
    outside: Outside = "error",
    overrides: Sequence[Override] = (),
    seed: int | None = None,
    shuffle: bool = False,
    say: Callable[[float], None] = lambda _: None,
    announce: Callable[[str], None] = silent,
) -> Release:
    """Randomize a table into a file and its release description; both appear, or neither does.

    seed: where `bits` are simulated, so that the description says so. shuffle: rows come in an
    order that is uniformly random. announce: is told of a file that will be large.
    """
    if shuffle and keep:
        raise DataError(KEPT_NOT_SHUFFLED)
    inputs = {column.name: Cells(column.operator.inputs) for column in columns}
    operators = {column.name: column.operator for column in columns}
    reports = packed_reports(operators)
    outputs = {name: Cells(op.outputs) for name, op in operators.items() if name not in reports}
    beside = Path(f"{target.path}{SUFFIX}")
    foretold = Foretold(target.path, source.path, announce)
    with (
        open_table(source, inputs, keep) as reader,
        written_together(target.path, beside) as [data, description],
    ):
        with create_table(target, data, outputs, reader, reports) as plain, ExitStack() as waiting:
            writer: TableWriter = plain
            mixed = None
            if shuffle:
                mixed = waiting.enter_context(Shuffle(bits, target.path.resolve().parent))
                writer = ShuffledWriter(plain, mixed, outputs, list(reports), say)

            def seen(rows: int, total: float) -> None:
                size = data.tell() if mixed is None else mixed.bytes
                foretold.look(rows, size, total, 0 if mixed is None else size)

            def half(share: float) -> None:
                say(share if mixed is None else share / 2)

            tally = randomize_table(
                reader, writer, operators, bits, outside, source.path, half, seen
            )
            tally.check_any(source.path, "rows")
            release = Release(
                DataFile(target.path.name, target.format, target.compression),
                tally,
                tuple(columns),
                kept=tuple(keep),
                overrides=tuple(overrides),
                seed=seed,
                shuffled=shuffle,
            )
            writer.finish(release.metadata)
        return described(release, data, description)


def described(release: Release, data: IO[bytes], description: IO[bytes]) -> Release:
    """Write the description of data that were just written, with their digest."""
    data.flush()
    whole = replace(release, data=replace(release.data, sha256=written_sha256(data)))
    description.write(whole.text().encode())
    return whole


def randomize_table(
    reader: TableReader,
    writer: TableWriter,
    operators: Mapping[str, Operator],
    bits: Bits,
    outside: Outside,
    source: Path,
    say: Callable[[float], None] = lambda _: None,
    seen: Callable[[int, float], None] = lambda *_: None,
) -> Tally:
    """Read all rows, write them randomized, and count them.

    seen: is told how many rows have been written, and of about how many.
    """
    tally = Tally()
    step = rows_at_once(packed_reports(operators).values(), BLOCK_ROWS)
    for block in reader.blocks():
        rows = len(block.places)
        good = np.ones(rows, dtype=bool)
        tally.rows_in += rows
        for name in operators:
            good &= _judged(block, name, good, outside == "drop", tally)
        if outside == "error" and not good.all():
            raise _outside(block, int(np.argmin(good)), operators, reader.place, source)
        inputs = {name: block.coded[name][good] for name in operators}
        kept = {name: _where(column, good) for name, column in block.kept.items()}
        rows = int(good.sum())
        for start in range(0, rows, step):
            part = slice(start, start + step)
            few = {name: column[part] for name, column in kept.items()}
            some = {name: column[part] for name, column in inputs.items()}
            writer.write(_drawn(some, operators, bits, few))
            seen(tally.rows_out + min(rows, start + step), tally.rows_in / (reader.share() or 1))
        tally.rows_out += rows
        say(reader.share())
    return tally


def _drawn(
    inputs: Mapping[str, Positions],
    operators: Mapping[str, Operator],
    bits: Bits,
    kept: Mapping[str, Any],
) -> Block:
    """Randomized rows: positions among listed outputs, other reports packed."""
    coded: dict[str, Batch] = {}
    packed: dict[str, Batch] = {}
    for name, rows in inputs.items():
        drawn = operators[name].law.draw_batch(rows, bits)
        (coded if operators[name].report.kind == "value" else packed)[name] = drawn
    return Block(coded, kept, packed=packed)


def _judged(
    block: Block, name: str, good: npt.NDArray[np.bool_], drop: bool, tally: Tally
) -> npt.NDArray[np.bool_]:
    """Which rows have a value in the domain; the others are counted where they are dropped."""
    positions = block.coded[name]
    inside: npt.NDArray[np.bool_] = positions >= 0
    if drop:
        for code, why in REASONS.items():
            tally.dropped[name, why] += int((good & (positions == code)).sum())
    return inside


def _outside(
    block: Block, row: int, operators: Mapping[str, Operator], place: str, source: Path
) -> DataError:
    name = next(name for name in operators if block.coded[name][row] < 0)
    code, operator = int(block.coded[name][row]), operators[name]
    wrong = {EMPTY: "the cell is empty", NAN: "the cell is NaN"}.get(code, "the value is outside")
    labels = code == OUTSIDE and any(
        isinstance(value, str) for value in islice(operator.inputs, _SHOWN)
    )
    return DataError(
        f"{source}, {place} {block.places[row]}, column {name}: {wrong}; {operator.name} takes "
        f"{operator.inputs}"
        + (", and a cell holds a label's text alone, without the model's quotes" if labels else "")
        + " (--outside drop leaves such rows out and counts them)"
    )


def _where(column: Any, good: npt.NDArray[np.bool_]) -> Any:
    """The rows of a kept column that stay: a list of cells, or an Arrow array."""
    if good.all():
        return column
    if isinstance(column, list):
        return [cell for cell, stays in zip(column, good.tolist(), strict=True) if stays]
    import pyarrow as pa

    return column.filter(pa.array(good))

"""Operators from CSV files: beside a model, or a bare matrix as a model of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from ppdm_formal.language import syntax as s
from ppdm_formal.language.csv_matrix import CsvMatrix, read_csv, read_text
from ppdm_formal.language.errors import ModelError, Place
from ppdm_formal.language.model import Model
from ppdm_formal.numbers.exact import Exact
from ppdm_formal.operator.domain import Domain, Value, show_value
from ppdm_formal.operator.matrix import CodedMatrix
from ppdm_formal.operator.operator import NotStochastic, Operator

ROW_HINT = "each row of p[x -> y] is a distribution: entries in [0, 1] that sum to 1"


def load_csv(path: str | Path) -> Model:
    """A bare CSV matrix as a model of one operator, named after the file."""
    file = Path(path)
    table = read_csv(file)
    try:
        operator = Operator.from_matrix(table.rows, table.inputs, table.outputs, file.stem)
    except NotStochastic as problem:
        inputs = range(len(table.rows)) if table.inputs is None else table.inputs
        line = table.lines[inputs.index(problem.row)]  # type: ignore[arg-type]
        raise ModelError(str(problem), Place(line, 1), ROW_HINT).in_file(
            str(path), read_text(file)
        ) from None
    except ValueError as problem:
        raise ModelError(str(problem)).in_file(str(path)) from None
    return Model(file=str(path), sha256=digest(file), operators={operator.name: operator})


def digest(file: Path) -> str:
    """The SHA-256 of a file, which reports name."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def beside(node: s.CsvFile, folder: Path | None) -> Path:
    """The file that a model names, which must be in the model's own folder."""
    relative = Path(node.path)
    if folder is None or relative.is_absolute() or ".." in relative.parts or not relative.name:
        raise ModelError(
            f"the file {node.path[:80]} is not beside the model",
            node.at,
            "name a file in the model's own folder",
        )
    path = folder / relative
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ModelError(
            f"the file {node.path[:80]} is a link to a place outside the model's folder",
            node.at,
            "put the file itself beside the model",
        )
    return path


def file_matrix(node: s.CsvFile, table: CsvMatrix, inputs: Domain, outputs: Domain) -> CodedMatrix:
    """The matrix of a file, with its rows and columns brought into the declared order."""
    rows: list[list[Exact]] = [list(row) for row in table.rows]
    if table.inputs is None or table.outputs is None:
        if (len(rows), len(rows[0])) != (inputs.size, outputs.size):
            raise ModelError(
                f"{node.path} holds {len(rows)} x {len(rows[0])} numbers,"
                f" not {inputs.size} x {outputs.size}",
                node.at,
            )
        return CodedMatrix.from_rows(rows)
    row_of = _positions(node, table.inputs, inputs, "input")
    column_of = _positions(node, table.outputs, outputs, "output")
    return CodedMatrix.from_rows([[rows[i][j] for j in column_of] for i in row_of])


def _positions(node: s.CsvFile, have: Sequence[Value], want: Domain, what: str) -> list[int]:
    """Where each declared value stands in the file; both must hold the same values."""
    spelled = {_cell(value): position for position, value in enumerate(have)}
    wanted = [_cell(value) for value in want]
    known = set(wanted)
    if len(known) < len(wanted):
        raise ModelError(f"two {what}s of {want} look alike in a file", node.at)
    for name in wanted:
        if name not in spelled:
            raise ModelError(f"{node.path} lacks the {what} {name[:60]}", node.at)
    for name in spelled:
        if name not in known:
            raise ModelError(
                f"{node.path} has the {what} {name[:60]}, which is not in {want}", node.at
            )
    return [spelled[name] for name in wanted]


def _cell(value: Value) -> str:
    """A value as a cell of the file: labels without quotes."""
    return show_value(value, quoted=False)


def row_hint(node: s.CsvFile, table: CsvMatrix, problem: NotStochastic, inputs: Domain) -> str:
    """Which line of the file a bad row is."""
    have = [_cell(value) for value in (inputs if table.inputs is None else table.inputs)]
    line = table.lines[have.index(_cell(problem.row))]
    return f"line {line} of {node.path}; {ROW_HINT}"

"""Operators from CSV files: beside a model, or a bare matrix as a model of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ppdm_formal.declare.arithmetic.exact import Exact
from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.csv_layout import DeclaredLabels
from ppdm_formal.declare.language.csv_matrix import MAX_ENTRIES, CsvMatrix, read_csv, read_text
from ppdm_formal.declare.language.errors import ModelError, Place
from ppdm_formal.declare.language.model import Model
from ppdm_formal.declare.operators.domain import Domain, Value, show_value
from ppdm_formal.declare.operators.outside import MatrixReading
from ppdm_formal.declare.operators.randomization import BY_FLOATING, NotStochastic, Operator

EXACTLY = MatrixReading()
_YES_OR_NO = {"yes": True, "no": False}
ROW_HINT = "each row of p[x -> y] is a distribution: entries in [0, 1] that sum to 1"


def load_csv(path: str | Path, reading: MatrixReading = EXACTLY) -> Model:
    """A bare CSV matrix as a model of one operator, named after the file."""
    file = Path(path)
    table = read_csv(file, reading.index, reading.header)
    inputs = Domain(range(len(table.rows)) if table.inputs is None else table.inputs)
    outputs = Domain(range(len(table.rows[0])) if table.outputs is None else table.outputs)
    try:
        operator = Operator.from_outside(inputs, outputs, table.rows, reading, file.stem)
    except NotStochastic as problem:
        line = table.lines[inputs.index(problem.row)]
        hint = _remedy(problem, "--rounded {}", "--normalize")
        hint += f'; or csv("{file.name}", normalize: yes) in a model' if hint else ROW_HINT
        raise ModelError(problem.plain, Place(line, 1), hint).in_file(
            str(path), read_text(file)
        ) from None
    except ValueError as problem:
        raise ModelError(str(problem)).in_file(str(path)) from None
    tell_origin(operator, file.name, table)
    operators = {operator.name: operator}
    return Model(str(path), digest(file), operators, reading=reading)


def tell_origin(operator: Operator, file: str, table: CsvMatrix) -> None:
    """Note from which file an operator's matrix was read, and which of its cells were labels."""
    if operator.origin is not None:
        operator.origin = replace(
            operator.origin,
            file=file,
            header=table.outputs is not None,
            index=table.inputs is not None,
            guessed=table.guessed,
            header_guessed=table.header_guessed,
        )


def _remedy(problem: NotStochastic, rounded: str, normalize: str) -> str:
    """What to say about a row that misses 1 by rounding; nothing for other rows."""
    if problem.digits is None and problem.floating:
        return f"{BY_FLOATING}: say {normalize} (each row is divided by its sum)"
    if problem.digits is None:
        return ""
    return (
        f"it misses 1 by rounding: correct the numbers, or say {normalize} (each row is divided "
        f"by its sum), or {rounded.format(problem.digits)} (verdicts for every matrix that rounds "
        "to these numbers)"
    )


def read_options(node: s.CsvFile) -> MatrixReading:
    """How a file of a model is to be read: rounded: 4, normalize: yes, index: no, header: no."""
    digits, normalize = None, False
    labels: dict[str, bool | None] = {"index": None, "header": None}
    for word, value, at in node.options:
        if word == "rounded" and value.isascii() and value.isdigit() and len(value) < 5:
            digits = int(value)
        elif word == "normalize" and value in _YES_OR_NO:
            normalize = _YES_OR_NO[value]
        elif word in labels and value in _YES_OR_NO:
            labels[word] = _YES_OR_NO[value]
        else:
            raise ModelError(
                f"a file is not read with {word[:40]}: {value[:40]}",
                at,
                "expected rounded: 4, normalize: yes, index: yes or no, header: yes or no",
            )
    try:
        return MatrixReading.of(normalize, digits, labels["index"], labels["header"])
    except ValueError as problem:
        raise ModelError(str(problem), node.at) from None


def digest(file: Path) -> str:
    """The SHA-256 of a file, which reports name."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def beside(node: s.CsvFile | s.HierarchyFile, folder: Path | None) -> Path:
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


def file_rows(
    node: s.CsvFile, table: CsvMatrix, inputs: Domain, outputs: Domain
) -> list[list[Exact]]:
    """The matrix of a file, with its rows and columns brought into the declared order."""
    rows, shape = table.rows, (len(table.rows), len(table.rows[0]))
    unlabelled = table.inputs is None or table.outputs is None
    if unlabelled and shape != (inputs.size, outputs.size):
        raise ModelError(
            f"{node.path} holds {shape[0]} x {shape[1]} numbers,"
            f" not {inputs.size} x {outputs.size}",
            node.at,
        )
    row_of: Sequence[int] = range(shape[0])
    column_of: Sequence[int] = range(shape[1])
    if table.inputs is not None:
        row_of = _positions(node, table.inputs, inputs, "input")
    if table.outputs is not None:
        column_of = _positions(node, table.outputs, outputs, "output")
    return [[rows[i][j] for j in column_of] for i in row_of]


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


def declared_names(inputs: Domain, outputs: Domain) -> DeclaredLabels | None:
    """What a file's labels must be, where it has some; None for more than a file may hold."""
    if max(inputs.size, outputs.size) > MAX_ENTRIES:
        return None
    return DeclaredLabels(frozenset(map(_cell, inputs)), frozenset(map(_cell, outputs)))


def _cell(value: Value) -> str:
    """A value as a cell of the file: labels without quotes."""
    return show_value(value, quoted=False)


def row_hint(node: s.CsvFile, table: CsvMatrix, problem: NotStochastic, inputs: Domain) -> str:
    """Which line of the file a bad row is."""
    have = [_cell(value) for value in (inputs if table.inputs is None else table.inputs)]
    line = table.lines[have.index(_cell(problem.row))]
    said = _remedy(problem, "rounded: {}", "normalize: yes")
    after = f'{said} after the name of the file, as in csv("{node.path}", normalize: yes)'
    return f"line {line} of {node.path}; {after if said else ROW_HINT}"

"""ppdm estimate: the distribution of the original values from randomized ones."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._bare_reports import bare_operator, bare_options
from ppdm_formal.commands._options import (
    MatrixOptions,
    NumberType,
    exact_matrix_options,
    load_model,
    progress,
)
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.machine.files import text_writer

if TYPE_CHECKING:
    from ppdm_formal.declare.operators.outside import MatrixReading
    from ppdm_formal.infer.tables.tallied import Tallied
    from ppdm_formal.run.release import Release

LOST = 3


SHOWN = Shown("analyse", "Estimate the distribution of the original values.", 1)


@click.command("estimate")
@click.argument("sources", metavar="RELEASE...", type=click.Path(path_type=Path), nargs=-1)
@click.option("--columns", metavar="A,B", help="Estimate these columns jointly (up to three).")
@click.option(
    "--method",
    type=click.Choice(["unbiased", "mle"]),
    default="unbiased",
    show_default=True,
    help="Unbiased, or maximum likelihood.",
)
@click.option(
    "--level", type=NumberType(), default="95%", show_default=True, help="Level of the intervals."
)
@bare_options
@click.option("--csv", "csv_file", metavar="FILE|-", help="Write the cells as CSV.")
@exact_matrix_options
@writes_result
def command(
    sources: tuple[Path, ...],
    columns: str | None,
    method: Any,
    level: Any,
    model: Path | None,
    operator: str | None,
    values: Sequence[tuple[str, Any]],
    reports: tuple[Path, ...],
    column: str | None,
    matrix: MatrixOptions,
    csv_file: str | None,
    out: Outputs,
) -> Answer | int:
    """Estimate the distribution of the original values in RELEASE.

    RELEASE is randomized data with a release description beside it (data.csv with
    data.csv.release.json), or that description, or counts that ppdm tally wrote; of several, all
    reports are estimated together. With --model and --operator, --reports names bare reports, as
    clients send them. With --model alone, releases of any other model are refused. Without
    --columns each column is estimated by itself. Every number has a standard error and an
    interval. Exit code 3: some values cannot be recovered.
    """
    from ppdm_formal.infer.tables.collected import estimate
    from ppdm_formal.infer.tables.estimate_json import estimate_csv
    from ppdm_formal.infer.tables.tallied import tallied
    from ppdm_formal.infer.tables.tally import sources_of, tally
    from ppdm_formal.infer.undoing.decoder import NotEstimable, NotRecoverable
    from ppdm_formal.run.errors import DataError
    from ppdm_formal.run.release import SUFFIX, Release

    known = bare_operator(model, operator, values, reports, column)
    if not sources and not reports:
        raise click.UsageError("name at least one RELEASE, or --reports FILE with --model")
    beside = [Path(f"{source}{SUFFIX}") for source in sources]
    out.check([*sources, *reports, *beside], csv_file)
    shown = ", ".join(str(path) for path in [*sources, *reports][:3])
    with progress() as say:
        say("reading")
        try:
            read: list[Release | Tallied] = [tallied(source) for source in sources]
            for one in read:
                if isinstance(one, Release):
                    out.check([one.path], csv_file)
                    if model is not None:
                        _check_model(one, model, matrix.reading())
            if known is not None and reports:
                say("counting")
                read.append(tally(sources_of(reports, known, column)))
            say("estimating")
            named = None if columns is None else _named(columns, read)
            found = estimate(read, columns=named, method=method, level=level)
        except NotRecoverable as problem:
            click.echo(f"{shown}: {problem}", err=True)
            return LOST
        except NotEstimable as problem:
            raise click.ClickException(f"{shown}: {problem}") from None
        except DataError as problem:
            raise click.ClickException(str(problem)) from None
        except ValueError as problem:
            raise click.UsageError(str(problem)) from None
    return Answer(found, files=[(csv_file, text_writer(lambda: [estimate_csv(found)]))])


def _check_model(release: Release, path: Path, reading: MatrixReading) -> None:
    """Refuse a model whose operators are not those that were applied."""
    from ppdm_formal.declare.language.errors import ModelError
    from ppdm_formal.declare.language.given import given_value
    from ppdm_formal.run.errors import ReleaseError

    for column in release.columns:
        values = {name: given_value(text) for name, text in column.model.values.items()}
        name = column.operator.name
        try:
            operator = load_model(path, values, reading=reading).operators.get(name)
        except ModelError as wrong:
            raise ReleaseError(f"{path} is the wrong model for this release: {wrong}") from None
        if operator is None:
            raise ReleaseError(
                f"{path} is the wrong model for this release: it has no operator {name}"
            )
        release.check_operator(column.name, operator, str(path))


def _named(columns: str, read: Sequence[Release | Tallied]) -> list[str]:
    """The names in a list that is written like a line of CSV; blanks around them do not count."""
    known = {column.name for one in read for column in one.columns}
    names = next(csv.reader([columns]), []) or [""]
    found = [name if name in known else name.strip() for name in names]
    twice = next((name for name in found if found.count(name) > 1), None)
    if twice is not None:
        raise click.UsageError(f"--columns names {twice} twice")
    return found

"""Where columns and values come from: declared beforehand, or, if that is said, from the data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ppdm_formal.tables.generate.records import Records

header_option = click.option(
    "--header/--no-header",
    "header",
    default=None,
    help="Whether the first line of a CSV table names its columns (with --columns it does).",
)


def records_of(
    source: Path,
    declared: Path | None,
    header: bool | None,
    delimiter: str = ",",
    *,
    unprotected: bool,
) -> Records:
    """The records of a file over declared columns, or over its own where that is said."""
    from ppdm_formal.tables.generate.record_files import read_columns, read_records, taken_from_data

    if declared is None:
        if not unprotected:
            raise click.UsageError(
                "columns and values have to be declared: --columns FILE, a CSV line for each "
                "column, its name and then its values (ppdm domains writes one to start from). "
                "--unprotected-domain takes those that occur in IN, which no epsilon covers"
            )
        return records_alone(source, header, delimiter)
    taken = taken_from_data(declared)
    if taken and not unprotected:
        raise click.UsageError(
            f"{declared} was taken from data, as its first line says. If its columns and values "
            "are known without the data, delete that line; else add --unprotected-domain"
        )
    if unprotected and not taken:
        raise click.UsageError("--columns declares what --unprotected-domain would take from IN")
    records = read_records(source, read_columns(declared), delimiter, header=header is not False)
    return replace(records, declared=not taken)


def records_alone(source: Path, header: bool | None, delimiter: str = ",") -> Records:
    """The records of a file over the columns and values that occur in it."""
    from ppdm_formal.run.streams import bare_suffix
    from ppdm_formal.tables.generate.record_files import check_names, read_records

    table = bare_suffix(source) == ".csv"
    if table and header is None:
        raise click.UsageError(
            "say whether the first line of IN names its columns (--header) or is a record "
            "(--no-header): it would be written as it is"
        )
    records = read_records(source, None, delimiter, header=header is not False)
    if table and header:
        check_names(source, records.columns)
    return records

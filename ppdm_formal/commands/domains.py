"""ppdm domains: the columns and values that occur in data, as a list to start from."""

from __future__ import annotations

from pathlib import Path

import click

from ppdm_formal.commands._domain import header_option, records_alone
from ppdm_formal.commands._options import delimiter_option, progress
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.commands._written import Written
from ppdm_formal.declare.machine.files import text_writer

SHOWN = Shown("tables", "List the columns of a table and their values.")


@click.command("domains")
@click.argument("source", metavar="IN", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    "target",
    metavar="FILE|-",
    required=True,
    help="The list, as --columns reads.",
)
@header_option
@delimiter_option
@writes_result
def command(source: Path, target: str, header: bool | None, delimiter: str, out: Outputs) -> Answer:
    """Write the columns of IN and the values that occur in them, a CSV line each.

    IN is a CSV table or transactions (.dat, .num). This reads private data and protects nothing:
    a value that one record has is in the list. Its first line says so, and `ppdm generate
    --columns` then asks for --unprotected-domain. Who makes the list one of all values that there
    can be, whether or not they occur, deletes that line, and has declared them.
    """
    from ppdm_formal.declare.machine.interrupts import ended_cleanly
    from ppdm_formal.report.words.counted import counted
    from ppdm_formal.tables.generate.record_files import columns_text

    out.check([source], target)
    with ended_cleanly(), progress() as say:
        say(f"reading {source.name}")
        try:
            records = records_alone(source, header, delimiter)
        except ValueError as problem:
            raise click.ClickException(str(problem)) from None
    values = sum(len(column.values) for column in records.columns)
    words = (
        f"{counted(len(records.columns), 'column')} with {counted(values, 'value')}, taken from "
        "private data and NOT protected: to declare them, leave only what is known without the "
        "data, add what can occur besides, and delete the first line."
    )
    facts = {
        "source": {"file": source.name},
        "declared": False,
        "protected": False,
        "columns": [{"name": one.name, "values": len(one.values)} for one in records.columns],
    }
    answer = Answer(
        Written("domains", (target,), (words,), facts),
        files=[(target, text_writer(lambda: [columns_text(records.columns)]))],
        said=True,
    )
    out.write(answer)
    click.echo(words, err=True)
    if target != "-":
        out.say(f"Wrote {target}")
    return answer

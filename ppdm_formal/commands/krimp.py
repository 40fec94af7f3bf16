"""ppdm krimp: the itemsets that compress transactions best, as a code table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ppdm_formal.commands._options import (
    ThresholdType,
    progress_steps,
)
from ppdm_formal.commands._result import Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.result import Result

SHOWN = Shown("tables", "Compress transactions into a code table.")


@click.command("krimp")
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--min-support",
    type=ThresholdType(),
    default="1",
    show_default=True,
    help="Least support of candidates: a share such as 10%, or a count such as 1.",
)
@click.option(
    "--algorithm",
    type=click.Choice(["krimp", "slim"]),
    default="krimp",
    show_default=True,
    help="All frequent itemsets in turn, or unions of what is in the table.",
)
@click.option("--prune", is_flag=True, help="Drop itemsets again that others made superfluous.")
@click.option("--column", metavar="COLUMN", help="The list column of a Parquet file.")
@writes_result
def command(
    source: Path,
    min_support: Any,
    algorithm: Any,
    prune: bool,
    column: str | None,
    out: Outputs,
) -> Result:
    """Compress the transactions of FILE: itemsets with codes, and sizes in bits.

    FILE is .dat or .num (one transaction a line, items separated by blanks), .csv or .parquet.
    The ratio is the size with the code table over the size with single items alone, tables
    included. SLIM always prunes.
    """
    from ppdm_formal.declare.machine.interrupts import ended_cleanly
    from ppdm_formal.infer.baskets.plain_data import PlainData
    from ppdm_formal.tables.generate.krimp import Compressed, compress

    out.check([source])
    prune = prune or algorithm == "slim"
    with ended_cleanly(), progress_steps() as (say, share):
        say(f"reading {source.name}")
        try:
            data = PlainData.read(source, column, share)
            table = compress(data, min_support, algorithm, prune=prune, say=say, share=share)
        except ValueError as problem:
            raise click.ClickException(str(problem)) from None
    return Compressed(table, source.name, algorithm, min_support, prune)

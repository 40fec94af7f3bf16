"""ppdm evaluate: what a generated database keeps of the original, beside trivial baselines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ppdm_formal.commands._options import (
    ThresholdType,
    delimiter_option,
    progress,
)
from ppdm_formal.commands._result import Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.result import Result

SHOWN = Shown("tables", "Compare a generated database with its original.")


@click.command("evaluate")
@click.argument("original", type=click.Path(path_type=Path))
@click.argument("generated", type=click.Path(path_type=Path))
@click.option(
    "--min-support",
    type=ThresholdType(),
    default="10%",
    show_default=True,
    help="From when on an itemset is frequent: a share, or a count in the original.",
)
@click.option(
    "--class", "target", metavar="COLUMN", help="Also classifiers of this column (or `last`)."
)
@click.option(
    "--columns",
    "declared",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The columns and their values, a CSV line each; without it, those of ORIGINAL.",
)
@click.option("--no-header", is_flag=True, help="ORIGINAL is a CSV table without a line of names.")
@click.option(
    "--folds",
    type=click.IntRange(2, 1000),
    default=10,
    show_default=True,
    help="Parts of cross-validation within ORIGINAL.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of baselines.")
@delimiter_option
@writes_result
def command(
    original: Path,
    generated: Path,
    min_support: Any,
    target: str | None,
    declared: Path | None,
    no_header: bool,
    folds: int,
    seed: int,
    delimiter: str,
    out: Outputs,
) -> Result:
    """Compare GENERATED with ORIGINAL: itemsets, classifiers, records, compression.

    Both are CSV tables with a line of names, or transactions (.dat, .num). Transactions in which
    neighbouring items exclude each other are read as records with a column for each such group,
    named by its first and last item. Beside GENERATED stand ORIGINAL with its columns shuffled,
    uniform values, and ORIGINAL's records drawn again.
    """
    from ppdm_formal.declare.machine.interrupts import ended_cleanly
    from ppdm_formal.tables.generate.evaluation import evaluate
    from ppdm_formal.tables.generate.record_files import (
        check_described,
        read_columns,
        read_records,
    )

    out.check([original, generated, declared])
    with ended_cleanly(), progress() as say:
        say("reading")
        try:
            columns = None if declared is None else read_columns(declared)
            first = read_records(original, columns, delimiter, header=not no_header)
            check_described(generated)
            second = read_records(generated, first.columns, delimiter)
            options: Any = {"folds": folds, "seed": seed, "say": say}
            found = evaluate(first, second, min_support, target, **options)
        except ValueError as problem:
            raise click.ClickException(str(problem)) from None
    return replace(found, files=(original.name, generated.name))

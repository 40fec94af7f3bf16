"""ppdm evaluate: what a generated database keeps of the original, beside trivial baselines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ppdm_formal.commands._options import (
    ThresholdType,
    check_outputs,
    delimiter_option,
    progress,
    say_written,
)
from ppdm_formal.commands._shown import Shown
from ppdm_formal.files import write_text

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
@click.option("--json", "json_file", metavar="FILE|-", help="Write everything as JSON.")
@click.option("--html", "html_file", metavar="FILE|-", help="Write a page with pictures.")
@delimiter_option
def command(
    original: Path,
    generated: Path,
    min_support: Any,
    target: str | None,
    declared: Path | None,
    no_header: bool,
    folds: int,
    seed: int,
    json_file: str | None,
    html_file: str | None,
    delimiter: str,
) -> int:
    """Compare GENERATED with ORIGINAL: itemsets, classifiers, records, compression.

    Both are CSV tables with a line of names, or transactions (.dat, .num). Transactions in which
    neighbouring items exclude each other are read as records with a column for each such group,
    named by its first and last item. Beside GENERATED stand ORIGINAL with its columns shuffled,
    uniform values, and ORIGINAL's records drawn again.
    """
    from ppdm_formal.generate.evaluation import evaluate
    from ppdm_formal.generate.record_files import (
        check_described,
        read_columns,
        read_records,
    )
    from ppdm_formal.interrupts import ended_cleanly
    from ppdm_formal.report.formats.evaluation_json import evaluation_json
    from ppdm_formal.report.formats.html import document_html
    from ppdm_formal.report.formats.terminal import console, print_document
    from ppdm_formal.report.parts.evaluation import evaluation_document

    check_outputs([json_file, html_file], [original, generated, *([declared] if declared else [])])
    names = original.name, generated.name
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
    if json_file is not None:
        write_text(json_file, evaluation_json(found, *names))
    if html_file is not None:
        write_text(html_file, document_html(evaluation_document(found, *names)))
    if "-" not in (json_file, html_file):
        print_document(evaluation_document(found, *names, pictures=False), console())
    say_written([json_file, html_file])
    return 0

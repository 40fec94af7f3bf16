"""ppdm figures: draw a paper's figures again, from exact formulas or by repeated experiments."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ppdm_formal.commands._options import progress
from ppdm_formal.files import write_text

if TYPE_CHECKING:
    from ppdm_formal.report.pictures.figure import PaperFigure


@click.command("figures")
@click.argument("paper", type=click.Choice(["egs03", "aa01", "dor18"]))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder for the SVG and CSV files.",
)
@click.option(
    "--repetitions",
    type=click.IntRange(1, 10_000),
    help="Of each experiment.  [default: 200 for aa01, at least 5; 3 for dor18]",
)
@click.option(
    "--data",
    metavar="FOLDER",
    envvar="PPDM_DATA",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the databases of dor18 are; otherwise the variable PPDM_DATA says it.",
)
@click.option("--databases", metavar="A,B", help="Only these databases of dor18.")
def command(
    paper: str, out: Path, repetitions: int | None, data: Path | None, databases: str | None
) -> int:
    """Draw the figures of PAPER as SVG, with their data as CSV.

    egs03: Figures 1 to 3, the lowest discoverable support by privacy, transaction size and
    number of transactions, from exact formulas.

    aa01: Figures 2 to 9, reconstruction, information loss and privacy loss, by repeated
    experiments with a seeded generator; influence-*.svg show what the paper leaves open.

    dor18: Tables 1 to 8 and Figures 1 and 2, ours beside the print, on the databases found in
    the folder --data names; dor18.html has all of it. All of them take an hour; led7 and nursery
    a few minutes.
    """
    if paper != "dor18" and databases is not None:
        raise click.UsageError("--databases is for dor18")
    if paper == "dor18":
        return _dor18(out, repetitions or 3, data, databases)
    repetitions = 200 if repetitions is None else repetitions
    if repetitions < 5:
        raise click.UsageError("aa01 needs at least 5 repetitions")
    from ppdm_formal.itemsets.figures import egs03_figures
    from ppdm_formal.numeric.aa01.figures import aa01_figures
    from ppdm_formal.report.pictures.figure import figure_svg

    with progress() as say:
        say("computing")
        figures: Iterable[PaperFigure] = (
            egs03_figures() if paper == "egs03" else aa01_figures(repetitions, say)
        )
        out.mkdir(parents=True, exist_ok=True)
        for figure in figures:
            for ending, content in (("csv", figure.csv()), ("svg", figure_svg(figure))):
                path = out / f"{figure.name}.{ending}"
                write_text(str(path), content)
                click.echo(path)
    return 0


def _dor18(out: Path, repetitions: int, data: Path | None, databases: str | None) -> int:
    from ppdm_formal.generate.dor18 import find, read, redo
    from ppdm_formal.generate.dor18_print import PRINTED
    from ppdm_formal.interrupts import ended_cleanly
    from ppdm_formal.report.formats.html import document_html
    from ppdm_formal.report.parts.dor18 import dor18_document, paper_figures, paper_tables
    from ppdm_formal.report.pictures.figure import figure_svg

    if data is None or not data.is_dir():
        raise click.UsageError("name the folder with the databases: --data FOLDER, or PPDM_DATA")
    wanted = list(PRINTED) if databases is None else [n.strip() for n in databases.split(",")]
    unknown = [name for name in wanted if name not in PRINTED]
    if unknown:
        raise click.UsageError(f"no database {unknown[0]}; there are: {', '.join(PRINTED)}")
    files = {name: find(data, name) for name in wanted}
    missing = [name for name, file in files.items() if file is None]
    if len(missing) == len(files):
        raise click.ClickException(f"{data}: none of {', '.join(wanted)} is there")
    with ended_cleanly(), progress() as say:
        try:
            found = [
                redo(read(file, name), name, repetitions, classify=name != "msnbc", say=say)
                for name, file in files.items()
                if file is not None
            ]
        except ValueError as problem:
            raise click.ClickException(str(problem)) from None
    texts = {f"{table.name}.csv": table.csv() for table in paper_tables(found)}
    for figure in paper_figures(found):
        texts |= {f"{figure.name}.csv": figure.csv(), f"{figure.name}.svg": figure_svg(figure)}
    texts["dor18.html"] = document_html(dor18_document(found, missing, repetitions))
    out.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        write_text(str(out / name), text)
        click.echo(out / name)
    return 0

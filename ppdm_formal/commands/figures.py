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
@click.argument("paper", type=click.Choice(["egs03", "aa01"]))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder for the SVG and CSV files.",
)
@click.option(
    "--repetitions",
    type=click.IntRange(5, 10_000),
    default=200,
    show_default=True,
    help="Samples for each point of an experiment (aa01).",
)
def command(paper: str, out: Path, repetitions: int) -> int:
    """Draw the figures of PAPER as SVG, with their data as CSV.

    egs03: Figures 1 to 3, the lowest discoverable support by privacy, transaction size and
    number of transactions, from exact formulas.

    aa01: Figures 2 to 9, reconstruction, information loss and privacy loss, by repeated
    experiments with a seeded generator; influence-*.svg show what the paper leaves open.
    """
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

"""ppdm figures: draw a paper's figures again from the exact formulas."""

from __future__ import annotations

from pathlib import Path

import click

from ppdm_formal.commands._options import progress
from ppdm_formal.files import write_text


@click.command("figures")
@click.argument("paper", type=click.Choice(["egs03"]))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder for the SVG and CSV files.",
)
def command(paper: str, out: Path) -> int:
    """Draw the figures of PAPER as SVG, with their data as CSV.

    egs03: Figures 1 to 3, the lowest discoverable support by privacy, transaction size and
    number of transactions.
    """
    from ppdm_formal.itemsets.figures import egs03_figures
    from ppdm_formal.report.pictures.figure import figure_svg

    with progress() as say:
        say("computing")
        figures = egs03_figures()
    out.mkdir(parents=True, exist_ok=True)
    for figure in figures:
        for ending, content in (("csv", figure.csv()), ("svg", figure_svg(figure))):
            path = out / f"{figure.name}.{ending}"
            write_text(str(path), content)
            click.echo(path)
    return 0

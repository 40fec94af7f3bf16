"""ppdm figures: draw a paper's figures again, from exact formulas or by repeated experiments."""

from __future__ import annotations

from pathlib import Path

import click

from ppdm_formal.commands._options import progress
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.commands._written import Written
from ppdm_formal.declare.machine.files import write_text


def _with_figures(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """A paper whose folder of proofs holds figures."""
    from ppdm_formal.certify.statement.loader import papers_with_figures

    known = papers_with_figures()
    if value not in known:
        raise click.BadParameter(f"no figures of {value}; there are those of {', '.join(known)}")
    return value


SHOWN = Shown("papers", "Draw the papers' figures and tables again.")


@click.command("figures")
@click.argument("paper", callback=_with_figures)
@click.option(
    "--out",
    "folder",
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
@writes_result
def command(
    paper: str,
    folder: Path,
    repetitions: int | None,
    data: Path | None,
    databases: str | None,
    out: Outputs,
) -> Answer:
    """Draw the figures of PAPER (egs03, aa01 or dor18) as SVG, with their data as CSV.

    egs03: Figures 1 to 3, the lowest discoverable support by privacy, transaction size and
    number of transactions, from exact formulas.

    aa01: Figures 2 to 9, reconstruction, information loss and privacy loss, by repeated
    experiments with a seeded generator; influence-*.svg show what the paper leaves open.

    dor18: Tables 1 to 8 and Figures 1 and 2, ours beside the print, on the databases found in
    the folder --data names; dor18.html has all of it. All of them take an hour; led7 and nursery
    a few minutes.
    """
    from ppdm_formal.certify.statement.figures import Wanted
    from ppdm_formal.certify.statement.loader import load_figures

    figures = load_figures(paper)
    if databases is not None and not figures.databases:
        raise click.UsageError(f"--databases is not for {paper}")
    wanted = figures.databases
    if databases is not None:
        wanted = tuple(name.strip() for name in databases.split(","))
    unknown = [name for name in wanted if name not in figures.databases]
    if unknown:
        known = ", ".join(figures.databases)
        raise click.UsageError(f"no database {unknown[0]}; there are: {known}")
    repetitions = figures.repetitions if repetitions is None else repetitions
    if repetitions < figures.least:
        raise click.UsageError(f"{paper} needs at least {figures.least} repetitions")
    drawn: list[str] = []
    with progress() as say:
        say("computing")
        try:
            for name, text in figures.draw(Wanted(repetitions, data, wanted, say)):
                folder.mkdir(parents=True, exist_ok=True)
                write_text(str(folder / name), text)
                drawn.append(str(folder / name))
                out.say(folder / name)
        except ValueError as problem:
            raise click.ClickException(str(problem)) from None
    facts = {"paper": paper, "repetitions": repetitions, "databases": list(wanted)}
    lines = (f"Figures and tables of {paper}, drawn again",)
    return Answer(Written("figures", tuple(drawn), lines, facts), said=True)

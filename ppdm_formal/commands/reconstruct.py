"""ppdm reconstruct: the distribution of a number before noise was added to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._options import check_outputs, progress, say_written
from ppdm_formal.files import write_text

if TYPE_CHECKING:
    from ppdm_formal.numeric.reconstruct.result import Reconstruction

HOLDS, MISMATCHED = 0, 3


@click.command("reconstruct")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--column", required=True, help="The column that noise was added to.")
@click.option("--noise", required=True, help='What was added, such as "uniform(-1, 1)".')
@click.option("--cells", required=True, metavar="LO:HI:K", help="The domain of x, and its cells.")
@click.option(
    "--method",
    type=click.Choice(["em", "as"]),
    default="em",
    show_default=True,
    help="EM (AA01), or the midpoint algorithm of Agrawal and Srikant.",
)
@click.option(
    "--family", metavar="NAME", help="Fit a family instead: normal, normals:K, exponential."
)
@click.option(
    "--stop",
    metavar="RULE",
    help="gain:NATS (0.5), chi2:SHARE (0.01), iterations:N, optimum:NATS (0.001) or cv:FOLDS (5).",
)
@click.option(
    "--rounded", metavar="STEP", help="The values were rounded to multiples of STEP, such as 1/100."
)
@click.option("--accelerate", is_flag=True, help="Extrapolate pairs of iterations (SQUAREM).")
@click.option("--json", "json_file", metavar="FILE|-", help="Write the density as JSON.")
@click.option("--html", "html_file", metavar="FILE|-", help="Write a page with pictures.")
def command(
    file: Path,
    column: str,
    noise: str,
    cells: str,
    method: Any,
    family: str | None,
    stop: str | None,
    rounded: str | None,
    accelerate: bool,
    json_file: str | None,
    html_file: str | None,
) -> int:
    """Reconstruct the distribution of x in COLUMN of FILE, which holds z = x + noise.

    FILE is a table (.csv, .csv.gz, .csv.xz, .parquet). x is taken to lie in cells from LO to HI;
    each gets its probability and a standard error. Exit code 3: the values do not look like x +
    this noise.
    """
    from ppdm_formal.report.formats.density_json import density_text
    from ppdm_formal.report.formats.density_page import density_page, print_density
    from ppdm_formal.report.formats.terminal import console
    from ppdm_formal.run.errors import DataError
    from ppdm_formal.run.numeric_column import numeric_columns

    check_outputs([json_file, html_file], [file])
    with progress() as say:
        say("reading")
        try:
            values = numeric_columns(file, [column])[column]
        except DataError as problem:
            raise click.ClickException(str(problem)) from None
        say("reconstructing")
        found = _found(file, values, noise, cells, method, family, stop, rounded, accelerate)
        say("writing")
        for target, writer in ((json_file, density_text), (html_file, density_page)):
            if target is not None:
                write_text(target, writer(found, column))
    if "-" not in (json_file, html_file):
        print_density(found, column, console())
    say_written((json_file, html_file))
    return MISMATCHED if found.mismatched else HOLDS


def _found(
    file: Path,
    values: Any,
    noise: str,
    cells: str,
    method: Any,
    family: str | None,
    stop: str | None,
    rounded: str | None,
    accelerate: bool,
) -> Reconstruction:
    from ppdm_formal.numbers.exact import parse_number
    from ppdm_formal.numeric.noise import parse_noise
    from ppdm_formal.numeric.reconstruct.bins import NoFit
    from ppdm_formal.numeric.reconstruct.cells import Cells
    from ppdm_formal.numeric.reconstruct.in_family import reconstruct_family
    from ppdm_formal.numeric.reconstruct.reconstruct import reconstruct
    from ppdm_formal.numeric.reconstruct.stopping import Rule

    if family is not None and (method == "as" or accelerate or rounded is not None):
        raise click.UsageError("--family is fitted by the general EM alone: it takes --stop only")
    try:
        law, domain = parse_noise(noise), Cells.parse(cells)
        rule = None if stop is None else Rule.parse(stop)
        if family is not None:
            return reconstruct_family(values, law, domain, family, rule)
        step = None if rounded is None else parse_number(rounded)
        return reconstruct(values, law, domain, method, rule, accelerate=accelerate, step=step)
    except NoFit as problem:
        raise click.ClickException(f"{file}: {problem}") from None
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None

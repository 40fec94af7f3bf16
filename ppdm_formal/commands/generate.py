"""ppdm generate: a database that resembles another, with the epsilon of every unit stated."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._domain import header_option, records_of
from ppdm_formal.commands._options import (
    NumberType,
    delimiter_option,
    progress,
)
from ppdm_formal.commands._result import Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.result import Result

if TYPE_CHECKING:
    from ppdm_formal.tables.generate.generator import Generated


SHOWN = Shown("tables", "Generate a database that resembles another.", 1)


@click.command("generate")
@click.argument("source", metavar="IN", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    "data",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="Data file.",
)
@click.option("--epsilon", type=NumberType(), help="What the unit may cost, in nats.")
@click.option(
    "--unit",
    type=click.Choice(["cell", "attribute", "row"]),
    default="row",
    show_default=True,
    help="What epsilon is of: an item, the value of a column, or a whole record.",
)
@click.option(
    "--method",
    type=click.Choice(["code-tree", "marginals", "groups"]),
    required=True,
    help="Dependent code tree, marginals through mbi, or exact counts of groups of columns.",
)
@click.option(
    "--trust",
    type=click.Choice(["local", "central"]),
    default="local",
    show_default=True,
    help="Randomize each record by itself, or trust a curator who adds noise to counts.",
)
@click.option("--delta", type=NumberType(), help="Gaussian noise, with this delta (central).")
@click.option("--class", "target", metavar="COLUMN", help="Generate each class by itself.")
@click.option(
    "--unprotected",
    metavar="COLUMN",
    help="Names the class column once more: it is not protected, and that is wanted.",
)
@click.option(
    "--min-support",
    type=NumberType(),
    default="10%",
    show_default=True,
    help="Threshold of supports of code trees.",
)
@click.option("--group", "groups", metavar="A,B", multiple=True, help="Columns kept together.")
@click.option(
    "--columns",
    "declared",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The columns and their values, a CSV line each, as they are known without IN.",
)
@click.option(
    "--unprotected-domain",
    is_flag=True,
    help="Take columns and values from IN: no epsilon covers them, and every statement says so.",
)
@header_option
@click.option("--seed", type=click.IntRange(0), help="Simulate: repeatable, and protects nobody.")
@delimiter_option
@writes_result
def command(
    source: Path,
    data: Path,
    method: Any,
    target: str | None,
    unprotected: str | None,
    min_support: Any,
    groups: tuple[str, ...],
    declared: Path | None,
    header: bool | None,
    delimiter: str,
    out: Outputs,
    **asked: Any,
) -> Result:
    """Generate a database like IN, as many records, into OUT (and OUT.release.json).

    IN is a CSV table with a line of names, or transactions (.dat, .num); OUT is of the same kind.
    Columns and values are declared (--columns): those of IN itself would show what occurs in it.
    Beside OUT a description says the unit, the epsilon of a cell, of an attribute and of a
    record, and what they rest on. Without --class every column is protected alike.
    """
    from ppdm_formal.declare.machine.interrupts import ended_cleanly
    from ppdm_formal.run.release import SUFFIX
    from ppdm_formal.run.streams import bare_suffix
    from ppdm_formal.tables.generate.generator import GenerationRequest, generate

    beside = Path(f"{data}{SUFFIX}")
    out.check([source, declared], str(data), str(beside))
    if (bare_suffix(data) == ".csv") != (bare_suffix(source) == ".csv"):
        raise click.UsageError("OUT is of the same kind as IN: .csv for a table, else .dat or .num")
    if target is not None and unprotected != target:
        raise click.UsageError(
            f"--class {target} generates each class by itself, so that column is not protected; "
            f"if that is wanted, say so: --unprotected {target}. Without --class every column is "
            "protected alike"
        )
    if target is None and unprotected is not None:
        raise click.UsageError("--unprotected is for the column that --class names")
    if not 0 < min_support < 1:
        raise click.UsageError("--min-support is a share above 0 and below 1")
    named = tuple(tuple(n.strip() for n in next(csv.reader([text]))) for text in groups)
    request = GenerationRequest(
        method=method, target=target, least=min_support, groups=named, **asked
    )
    with ended_cleanly(), progress() as say:
        say("reading")
        try:
            domain = request.unprotected_domain
            records = records_of(source, declared, header, delimiter, unprotected=domain)
            found = generate(records, request, say)
        except ModuleNotFoundError as problem:
            raise click.ClickException(str(problem)) from None
        except ValueError as problem:
            raise click.ClickException(str(problem)) from None
        say("writing")
        return _write(found, data, beside, delimiter)


def _write(found: Generated, out: Path, beside: Path, delimiter: str) -> Result:
    """Both files, or none; what the second says of the first."""
    from ppdm_formal.declare.machine.files import written_together
    from ppdm_formal.run.streams import compression_of, writing, written_sha256
    from ppdm_formal.tables.generate.promises import GeneratedFile
    from ppdm_formal.tables.generate.record_files import records_text

    with written_together(out, beside) as (data, description):
        with writing(data, compression_of(out)) as stream:
            for line in records_text(found.records, delimiter):
                stream.write(line.encode())
        made = GeneratedFile(found, out.name, written_sha256(data))
        description.write("".join(made.json_text()).encode())
    return made

"""ppdm reconstruct: the distribution of a number before noise was added to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._options import (
    delimiter_option,
    progress,
)
from ppdm_formal.commands._result import Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable

    from ppdm_formal.infer.reals.cells import Partition
    from ppdm_formal.infer.reals.result import Reconstruction
    from ppdm_formal.infer.reals.stopping import Rule


SHOWN = Shown("analyse", "Reconstruct the distribution of a number.", 3)


@click.command("reconstruct")
@click.argument("file", metavar="FILE|RELEASE", type=click.Path(path_type=Path))
@click.option("--column", help="The column that was randomized; a release may have just one.")
@click.option(
    "--noise", help='What was added, such as "uniform(-1, 1)"; a release says it by itself.'
)
@click.option(
    "--cells",
    metavar="LO:HI:K",
    help="The domain of x, and its cells; for a release, as a rule its inputs.",
)
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
@delimiter_option
@writes_result
def command(
    file: Path,
    column: str | None,
    noise: str | None,
    cells: str | None,
    method: Any,
    family: str | None,
    stop: str | None,
    rounded: str | None,
    accelerate: bool,
    delimiter: str,
    out: Outputs,
) -> Result:
    """Reconstruct the distribution of x in a column of randomized numbers.

    FILE is a table (.csv, .csv.gz, .csv.xz, .parquet) that holds z = x + noise. RELEASE is what
    ppdm randomize wrote (data.csv with data.csv.release.json, or that description): the exact law
    of its operator is used, whose inputs must be equally spaced numbers. x is taken to lie in
    cells from LO to HI; each gets its probability, and a 95% interval. Exit code 3: the values
    do not look like x + this noise.
    """
    from ppdm_formal.run.errors import DataError
    from ppdm_formal.run.release import SUFFIX, is_release

    if not file.is_file():
        raise click.ClickException(f"{file}: no such file")
    out.check([file, Path(f"{file}{SUFFIX}")])
    asked = _Asked(file, noise, method, family, stop, rounded, accelerate, delimiter)
    with progress() as say:
        try:
            if is_release(file):
                name, found = _from_release(asked, column, cells, out, say)
            else:
                name, found = _from_table(asked, column, cells, say)
        except DataError as problem:
            raise click.ClickException(str(problem)) from None
    return replace(found, column=name)


@dataclass(frozen=True)
class _Asked:
    """How to reconstruct, as the options say."""

    file: Path
    noise: str | None
    method: Any
    family: str | None
    stop: str | None
    rounded: str | None
    accelerate: bool
    delimiter: str


def _from_release(
    asked: _Asked,
    column: str | None,
    cells: str | None,
    out: Outputs,
    say: Callable[[str], None],
) -> tuple[str, Reconstruction]:
    """By the exact law of the operator that was applied."""
    from ppdm_formal.infer.reals.reconstructed import only_column, reconstruct_release
    from ppdm_formal.run.release import Release

    say("reading the release")
    release = Release.read(asked.file)
    out.check([release.path])
    name = only_column(release) if column is None else column
    operator = release.column(name).operator.name
    if asked.delimiter != ",":
        raise click.UsageError("--delimiter: a release is written with commas")
    for option, given in {"--noise": asked.noise, "--rounded": asked.rounded}.items():
        if given is not None:
            raise click.UsageError(
                f"{option}: the release describes what {operator} did to {name}, and that law is "
                f"used; leave out {option}, or give a table that has no release description "
                "beside it"
            )
    _check_family(asked)
    say("reconstructing")

    def found(domain: Partition | None, rule: Rule | None) -> Reconstruction:
        return reconstruct_release(
            release,
            name,
            domain,
            rule,
            method=asked.method,
            family=asked.family,
            accelerate=asked.accelerate,
        )

    return name, _tried(asked, cells, found)


def _from_table(
    asked: _Asked, column: str | None, cells: str | None, say: Callable[[str], None]
) -> tuple[str, Reconstruction]:
    """By the noise that is named."""
    from ppdm_formal.declare.arithmetic.exact import parse_number
    from ppdm_formal.declare.noises.named import parse_noise
    from ppdm_formal.infer.reals.in_family import reconstruct_family
    from ppdm_formal.infer.reals.reconstruct import reconstruct
    from ppdm_formal.run.numeric_column import numeric_columns

    noise, family, rounded = asked.noise, asked.family, asked.rounded
    if column is None or noise is None or cells is None:
        missing = {"--column": column, "--noise": noise, "--cells": cells}
        named = next(option for option, given in missing.items() if given is None)
        raise click.UsageError(
            f"{asked.file} has no release description: say {named} (a table needs --column, "
            "--noise and --cells)"
        )
    _check_family(asked)
    say("reading")
    values = numeric_columns(asked.file, [column], asked.delimiter)[column]
    say("reconstructing")

    def found(domain: Partition | None, rule: Rule | None) -> Reconstruction:
        assert domain is not None
        law = parse_noise(noise)
        if family is not None:
            return reconstruct_family(values, law, domain, family, rule)
        step = None if rounded is None else parse_number(rounded)
        how = asked.method, rule
        return reconstruct(values, law, domain, *how, accelerate=asked.accelerate, step=step)

    return column, _tried(asked, cells, found)


def _check_family(asked: _Asked) -> None:
    other = asked.method == "as" or asked.accelerate or asked.rounded is not None
    if asked.family is not None and other:
        raise click.UsageError("--family is fitted by the general EM alone: it takes --stop only")


def _tried(
    asked: _Asked,
    cells: str | None,
    found: Callable[[Partition | None, Rule | None], Reconstruction],
) -> Reconstruction:
    """What is found; data that do not fit are an error of the file, others of the options."""
    from ppdm_formal.infer.reals.bins import NoFit
    from ppdm_formal.infer.reals.cells import Partition
    from ppdm_formal.infer.reals.stopping import Rule

    try:
        domain = None if cells is None else Partition.parse(cells)
        return found(domain, None if asked.stop is None else Rule.parse(asked.stop))
    except NoFit as problem:
        raise click.ClickException(f"{asked.file}: {problem}") from None
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None

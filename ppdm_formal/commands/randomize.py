"""ppdm randomize: run certified operators on a table or on transactions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._claims import forbid_options
from ppdm_formal.commands._options import (
    MatrixOptions,
    ValuesType,
    announced,
    delimiter_option,
    exact_matrix_options,
    load_model,
    model_files,
    progress,
    progress_bar,
    timeout_option,
)
from ppdm_formal.commands._param_type import ParamType
from ppdm_formal.commands._plan_run import plan_options, prepare_baskets
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._review import (
    OVERRIDE,
    Review,
    model_origin,
    override_option,
    refuse,
    review_operator,
    say_certificates,
    write_reviewed,
)
from ppdm_formal.commands._shown import Shown
from ppdm_formal.report.words.counted import counted

if TYPE_CHECKING:
    from ppdm_formal.declare.claim import Claim
    from ppdm_formal.declare.language.model import Model
    from ppdm_formal.declare.operators.draw import Bits
    from ppdm_formal.declare.operators.prior import Prior
    from ppdm_formal.declare.operators.randomization import Operator
    from ppdm_formal.run.release import Override, Release
    from ppdm_formal.run.table_release import Outside


class AppliedType(ParamType[tuple[str, str]]):
    """NAME=COLUMN."""

    name = "NAME=COLUMN"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, str]:
        """Split at the first equals sign: names of operators have none."""
        name, sign, column = str(value).partition("=")
        if not sign or not name.strip() or not column.strip():
            self.fail(f"{value!r} is not of the form NAME=COLUMN, such as R3=age", param, ctx)
        return name.strip(), column.strip()


SHOWN = Shown("collect", "Randomize a table or transactions, with a description.", 3)


@click.command("randomize")
@click.argument("source", metavar="IN", type=click.Path(path_type=Path))
@click.option("-o", "target", metavar="OUT", type=click.Path(path_type=Path), required=True)
@click.option("--model", type=click.Path(path_type=Path), help="The model with the operators.")
@click.option(
    "--operator",
    "applied",
    type=AppliedType(),
    multiple=True,
    help="Which operator on which column.",
)
@click.option("--set", "values", type=ValuesType(), multiple=True, help="Give a parameter a value.")
@click.option("--keep", multiple=True, metavar="COLUMN", help="Write this column as it is.")
@plan_options
@click.option(
    "--outside",
    type=click.Choice(["error", "drop"]),
    default="error",
    show_default=True,
    help="Rows with a value outside the domain.",
)
@forbid_options("Also claim: no breach from R1 to R2.")
@override_option
@click.option("--shuffle", is_flag=True, help="Write reports in a random order.")
@click.option(
    "--simulate", "seed", type=click.IntRange(0, 2**63 - 1), help="Seeded: protects nobody."
)
@click.option("--certificates", type=click.Path(path_type=Path), help="Write certificates there.")
@timeout_option
@delimiter_option
@exact_matrix_options
@writes_result
def command(
    source: Path, target: Path, seed: int | None, out: Outputs, **given: Any
) -> Answer | int:
    """Randomize IN, a table or transactions, and write OUT with its release description.

    \b
    Tables (.csv, .parquet):             --model MODEL --operator NAME=COLUMN ...
    Transactions (.dat, .csv, .parquet): --plan PLAN [--items FILE]

    Only randomized columns are written, and those that --keep names; a CSV file with commas. The
    operators are audited first: one with a breached or undecided claim, or without any, is
    refused. OUT.release.json says what was applied; ppdm estimate reads it. Random bits are
    cryptographic; with --shuffle they also draw the order of the reports.
    """  # noqa: D301
    from ppdm_formal.declare.machine.interrupts import ended_cleanly
    from ppdm_formal.report.words.crowd_words import kept_words
    from ppdm_formal.report.words.outside_words import origin_words
    from ppdm_formal.report.words.release_words import release_lines
    from ppdm_formal.run.errors import nothing_quoted
    from ppdm_formal.run.keystream import Keystream
    from ppdm_formal.run.release import SUFFIX
    from ppdm_formal.run.simulation import Simulation

    if _for_transactions(given):
        read = [path for path in (source, given["plan"], given["items"]) if path is not None]
        _check_files(target, read, out)
        job, reviews, written = prepare_baskets(source, target, **given)
    else:
        job, reviews, written = _table(source, target, out, **given)
    refused = [review for review in reviews if review.clearance.why]
    if refused and not given["although"]:
        say_certificates(written, given["certificates"], err=True)
        return refuse(refused, "No data were")
    bits: Bits = Keystream() if seed is None else Simulation(seed)
    overrides = [_override(review) for review in refused]
    with ended_cleanly(), progress_bar(f"randomizing {source.name}") as say, nothing_quoted():
        release = job(
            bits,
            overrides=overrides,
            seed=seed,
            shuffle=given["shuffle"],
            say=say,
            announce=announced,
        )
    what = "row" if release.transactions is None else "transaction"
    shown = counted(release.tally.rows_out, f"randomized {what}")
    out.say(f"Wrote {target} ({shown}) and {target.name}{SUFFIX}")
    say_certificates(written, given["certificates"], err=out.aside)
    for review in reviews:
        for words in origin_words(review.operator):
            out.say(f"  {words}")
    for line in release_lines(release):
        out.say(f"  {line}")
    decided = [(one.where, each.certificate) for one in reviews for each in one.numbered]
    rows = release.tally.rows_out
    for words in kept_words(decided, rows, min((*release.among, rows))):
        out.say(f"  {words}")
    return Answer(release, said=True)


def _for_transactions(given: dict[str, Any]) -> bool:
    """Whether a plan is given; options of the other kind are refused."""
    if (given["plan"] is None) == (given["model"] is None):
        raise click.UsageError("give either --model with --operator, or --plan")
    if given["plan"] is not None and given["matrix"].named:
        raise click.UsageError(f"{given['matrix'].named} is not for transactions (--plan)")
    if given["plan"] is not None and given["delimiter"] != ",":
        raise click.UsageError("--delimiter is not for transactions (--plan)")
    tables = ("applied", "values", "keep", "forbid")
    baskets = ("items", "column", "longer", "shorter", "group_by", "phase", "compress")
    for name in tables if given["plan"] is not None else baskets:
        if given[name]:
            shown = {"applied": "operator", "values": "set", "group_by": "group-by"}.get(name, name)
            kind = "transactions (--plan)" if given["plan"] is not None else "tables (--model)"
            raise click.UsageError(f"--{shown} is not for {kind}")
    if given["shuffle"] and given["keep"]:
        from ppdm_formal.run.table_release import KEPT_NOT_SHUFFLED

        raise click.UsageError(f"--shuffle is not for --keep: {KEPT_NOT_SHUFFLED}")
    return given["plan"] is not None


def _table(
    source: Path,
    target: Path,
    out: Outputs,
    *,
    model: Path,
    applied: Sequence[tuple[str, str]],
    values: Sequence[tuple[str, Any]],
    keep: Sequence[str],
    forbid: Sequence[Claim],
    outside: Outside,
    timeout: float,
    certificates: Path | None,
    matrix: MatrixOptions,
    delimiter: str,
    **_: Any,
) -> tuple[Callable[..., Release], list[Review], set[str]]:
    """What will randomize a table, what the audit says, and the certificates that were written."""
    from ppdm_formal.certify.audit.audit import gathered
    from ppdm_formal.run.release import ReleasedColumn
    from ppdm_formal.run.table_release import release_table
    from ppdm_formal.run.tables import TableFile

    if not applied:
        raise click.UsageError("name at least one --operator NAME=COLUMN")
    names = [column for _, column in applied] + list(keep)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise click.UsageError(f"the column {twice} is named twice")
    files = TableFile.named(source, delimiter), TableFile.named(target)
    loaded = load_model(model, dict(values), timeout, reading=matrix.reading())
    _check_files(target, [source, *model_files(loaded)], out)
    asked = {request.operator.name: request for request in gathered(loaded)}
    reviews: dict[str, Review] = {}
    columns = []
    with progress() as say:
        for name, column in applied:
            if name not in reviews:
                reviews[name] = review_operator(loaded, name, forbid, timeout, say)
            found = reviews[name]
            prior = _prior(loaded, found.operator, asked[name].priors if name in asked else ())
            origin = model_origin(loaded)
            columns.append(ReleasedColumn(column, found.operator, origin, prior, found.claims))
    job = partial(
        release_table,
        *files,
        columns,
        keep=keep,
        outside=outside,
    )
    written = write_reviewed(list(reviews.values()), loaded, certificates)
    return job, [replace(reviews[name], where=column) for name, column in applied], written


def _prior(model: Model, operator: Operator, named: Sequence[Prior]) -> Prior | None:
    """The prior that the operator's audit names first, else the model's only one on its inputs."""
    found = [*named] or [p for p in model.priors.values() if not p.parameters]
    fitting = [p for p in found if p.domain.same_members(operator.inputs) and not p.parameters]
    return fitting[0] if fitting and (named or len(fitting) == 1) else None


def _check_files(target: Path, read: Sequence[Path], out: Outputs) -> None:
    from ppdm_formal.run.release import SUFFIX

    out.check(read, str(target), f"{target}{SUFFIX}")


def _override(review: Review) -> Override:
    from ppdm_formal.run.release import Override

    return Override(OVERRIDE, review.where, review.clearance.why)

"""ppdm randomize: run certified operators on a table or on transactions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands.options import (
    BreachType,
    ValuesType,
    check_outputs,
    load_model,
    model_files,
    progress,
    progress_bar,
    timeout_option,
)

if TYPE_CHECKING:
    from ppdm_formal.certify.certificate import Certificate
    from ppdm_formal.claim import Claim
    from ppdm_formal.clearance import Clearance
    from ppdm_formal.language.model import Model
    from ppdm_formal.operator.draw import Bits
    from ppdm_formal.operator.operator import Operator
    from ppdm_formal.operator.prior import Prior
    from ppdm_formal.run.release import DecidedClaim, Override, Release
    from ppdm_formal.run.table_release import Outside

OVERRIDE = "--although-breached"


class AppliedType(click.ParamType[tuple[str, str]]):
    """NAME=COLUMN."""

    name = "NAME=COLUMN"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, str]:
        """Split at the first equals sign: names of operators have none."""
        name, sign, column = str(value).partition("=")
        if not sign or not name.strip() or not column.strip():
            self.fail(f"{value!r} is not of the form NAME=COLUMN, such as R3=age", param, ctx)
        return name.strip(), column.strip()


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
@click.option("--plan", type=click.Path(path_type=Path), help="What ppdm design wrote.")
@click.option("--items", type=click.Path(path_type=Path), help="Names of items, one a line.")
@click.option("--column", metavar="COLUMN", help="The list column of a Parquet file.")
@click.option(
    "--longer",
    type=click.Choice(["drop", "sample"]),
    help="Transactions longer than the plan has: leave them out, or use a random part.",
)
@click.option(
    "--shorter", type=click.Choice(["drop"]), help="Transactions shorter than the plan has."
)
@click.option(
    "--outside",
    type=click.Choice(["error", "drop"]),
    default="error",
    show_default=True,
    help="Rows with a value outside the domain.",
)
@click.option(
    "--forbid", type=BreachType(), multiple=True, help="Also claim: no breach from R1 to R2."
)
@click.option(OVERRIDE, "although", is_flag=True, help="Run what the audit does not clear.")
@click.option(
    "--simulate", "seed", type=click.IntRange(0, 2**63 - 1), help="Seeded: protects nobody."
)
@click.option("--certificates", type=click.Path(path_type=Path), help="Write certificates there.")
@timeout_option
def command(source: Path, target: Path, seed: int | None, **given: Any) -> int:
    """Randomize IN, a table or transactions, and write OUT with its release description.

    \b
    Tables (.csv, .parquet):             --model MODEL --operator NAME=COLUMN ...
    Transactions (.dat, .csv, .parquet): --plan PLAN [--items FILE]

    Only randomized columns are written, and those that --keep names. The operators are audited
    first: one with a breached or undecided claim, or without any, is refused. OUT.release.json
    says what was applied; ppdm estimate reads it. Random bits are cryptographic.
    """  # noqa: D301
    from ppdm_formal.interrupts import ended_cleanly
    from ppdm_formal.report.words.release_words import release_lines
    from ppdm_formal.run.errors import nothing_quoted
    from ppdm_formal.run.keystream import Keystream
    from ppdm_formal.run.release import SUFFIX
    from ppdm_formal.run.simulation import Simulation

    prepare = _baskets if _for_transactions(given) else _table
    job, reviews = prepare(source, target, **given)
    refused = [review for review in reviews if review.clearance.why]
    if refused and not given["although"]:
        return _refuse(refused)
    bits: Bits = Keystream() if seed is None else Simulation(seed)
    overrides = [_override(review) for review in refused]
    with ended_cleanly(), progress_bar(f"randomizing {source.name}") as say, nothing_quoted():
        release = job(bits, overrides=overrides, seed=seed, say=say)
    what = "rows" if release.transactions is None else "transactions"
    click.echo(
        f"Wrote {target} ({release.tally.rows_out:,} randomized {what}) and {target.name}{SUFFIX}"
    )
    for line in release_lines(release):
        click.echo(f"  {line}")
    return 0


@dataclass(frozen=True)
class Review:
    """What the audit says of one operator, by the column or transaction size it is meant for."""

    where: str
    operator: Operator
    certificates: tuple[Certificate, ...]
    clearance: Clearance
    claims: tuple[DecidedClaim, ...]


def _for_transactions(given: dict[str, Any]) -> bool:
    """Whether a plan is given; options of the other kind are refused."""
    if (given["plan"] is None) == (given["model"] is None):
        raise click.UsageError("give either --model with --operator, or --plan")
    tables = ("applied", "values", "keep", "forbid")
    baskets = ("items", "column", "longer", "shorter")
    for name in tables if given["plan"] is not None else baskets:
        if given[name]:
            shown = {"applied": "operator", "values": "set"}.get(name, name)
            kind = "transactions (--plan)" if given["plan"] is not None else "tables (--model)"
            raise click.UsageError(f"--{shown} is not for {kind}")
    return given["plan"] is not None


def _table(
    source: Path,
    target: Path,
    *,
    model: Path,
    applied: Sequence[tuple[str, str]],
    values: Sequence[tuple[str, Any]],
    keep: Sequence[str],
    forbid: Sequence[Claim],
    outside: Outside,
    timeout: float,
    certificates: Path | None,
    **_: Any,
) -> tuple[Callable[..., Release], list[Review]]:
    """What will randomize a table, and what the audit says of its operators."""
    from ppdm_formal import audit as auditing
    from ppdm_formal.run.release import Origin, ReleasedColumn
    from ppdm_formal.run.table_release import release_table
    from ppdm_formal.run.tables import TableFile

    if not applied:
        raise click.UsageError("name at least one --operator NAME=COLUMN")
    names = [column for _, column in applied] + list(keep)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise click.UsageError(f"the column {twice} is named twice")
    loaded = load_model(model, dict(values))
    _check_files(target, [source, *model_files(loaded)])
    asked = {request.operator.name: request for request in auditing.gathered(loaded)}
    origin = auditing.provenance(loaded)
    parameters: Any = origin["set"]
    reviews: dict[str, Review] = {}
    columns = []
    with progress() as say:
        for name, column in applied:
            operator = _operator(loaded, name)
            if name not in reviews:
                claims = (*(asked[name].claims if name in asked else ()), *forbid)
                decided = []
                for claim in claims:
                    say(f"{name}: {claim}")
                    decided.append(auditing.decide(operator, claim, loaded, timeout, False))
                reviews[name] = _review(name, operator, decided, certificates)
            prior = _prior(loaded, operator, asked[name].priors if name in asked else ())
            model_origin = Origin(Path(loaded.file).name, loaded.sha256, parameters)
            columns.append(
                ReleasedColumn(column, operator, model_origin, prior, reviews[name].claims)
            )
    job = partial(
        release_table,
        TableFile.named(source),
        TableFile.named(target),
        columns,
        keep=keep,
        outside=outside,
    )
    return job, [replace(reviews[name], where=column) for name, column in applied]


def _operator(model: Model, name: str) -> Operator:
    """An operator of the model that can run: without free parameters."""
    if name not in model.operators:
        known = ", ".join(model.operators) or "none"
        raise click.UsageError(f"the model has no operator {name} (it has {known})")
    operator = model.operators[name]
    if operator.parameters:
        free = ", ".join(parameter.name for parameter in operator.parameters)
        raise click.UsageError(f"{name} depends on {free}: give values with --set")
    return operator


def _prior(model: Model, operator: Operator, named: Sequence[Prior]) -> Prior | None:
    """The prior that the operator's audit names first, else the model's only one on its inputs."""
    found = [*named] or [p for p in model.priors.values() if not p.parameters]
    fitting = [p for p in found if p.domain.same_members(operator.inputs) and not p.parameters]
    return fitting[0] if fitting and (named or len(fitting) == 1) else None


def _baskets(
    source: Path,
    target: Path,
    *,
    plan: Path,
    items: Path | None,
    column: str | None,
    longer: Any,
    shorter: Any,
    outside: Outside,
    timeout: float,
    certificates: Path | None,
    **_: Any,
) -> tuple[Callable[..., Release], list[Review]]:
    """What will randomize transactions, and what the audit says of the plan's operators."""
    from ppdm_formal.certify import certify
    from ppdm_formal.itemsets.plan import operator_of
    from ppdm_formal.run.basket_files import BasketFile, Items
    from ppdm_formal.run.basket_release import Policy, release_baskets
    from ppdm_formal.run.release import Origin, ReleasedSize

    content = plan.read_bytes()
    read, claim = _plan(plan, content)
    known = Items.read(items) if items is not None else Items(_item_count(read, plan))
    if items is not None and read.get("items") not in (None, known.count):
        raise click.UsageError(
            f"{plan} is for {read['items']} items, and {items} lists {known.count}"
        )
    _check_files(target, [source, plan, *([items] if items else [])])
    reviews = []
    sizes = []
    with progress() as say:
        for size in sorted(entry["size"] for entry in read["sizes"]):
            say(f"size {size}: {claim}")
            try:
                operator = operator_of(read, size, known.count)
            except ValueError as wrong:
                raise click.UsageError(f"{plan}: size {size}: {wrong}") from None
            found = [certify(operator, claim, timeout=timeout)]
            reviews.append(_review(f"size {size}", operator, found, certificates))
            sizes.append(ReleasedSize(size, 0, operator, reviews[-1].claims))
    job = partial(
        release_baskets,
        BasketFile.named(source),
        BasketFile.named(target),
        known,
        Origin(plan.name, hashlib.sha256(content).hexdigest()),
        sizes,
        policy=Policy(outside, longer, shorter),
        column=column,
    )
    return job, reviews


def _plan(path: Path, content: bytes) -> tuple[dict[str, Any], Claim]:
    """A plan and the claim that it was designed for."""
    from ppdm_formal.claim import BreachClaim
    from ppdm_formal.itemsets.plan import read_plan
    from ppdm_formal.numbers.exact import parse_number

    try:
        plan = read_plan(content.decode())
        levels = [plan.get("rho1"), plan.get("rho2")]
        if not all(isinstance(level, str) for level in levels):
            raise ValueError("the plan lacks rho1 or rho2")
        sizes = [entry["size"] for entry in plan["sizes"]]
        if len(set(sizes)) < len(sizes):
            raise ValueError("the plan has a size twice")
        rho1, rho2 = (parse_number(str(level)) for level in levels)
        return plan, BreachClaim(rho1, rho2)
    except ValueError as wrong:
        raise click.UsageError(f"{path}: {wrong}") from None


def _item_count(plan: dict[str, Any], path: Path) -> int:
    count = plan.get("items")
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise click.UsageError(
            f"{path} does not say how many items there are: give --items FILE, or ppdm design "
            "--items N"
        )
    return count


def _review(
    where: str, operator: Operator, found: Sequence[Certificate], folder: Path | None
) -> Review:
    from ppdm_formal.clearance import clearance
    from ppdm_formal.run.release import DecidedClaim

    claims = []
    for position, certificate in enumerate(found, start=1):
        stem = f"{where}-{position}".replace(" ", "-")
        if folder is not None:
            certificate.write(folder, stem)
        known = certificate.verdict.value != "unknown"
        sha256 = certificate.to_json(stem)["sha256"] if known else None
        claims.append(
            DecidedClaim(
                str(certificate.claim), certificate.verdict.value, certificate.vacuous, sha256
            )
        )
    return Review(where, operator, tuple(found), clearance(found), tuple(claims))


def _check_files(target: Path, read: Sequence[Path]) -> None:
    from ppdm_formal.run.release import SUFFIX

    check_outputs((str(target), f"{target}{SUFFIX}"), read)


def _override(review: Review) -> Override:
    from ppdm_formal.run.release import Override

    return Override(OVERRIDE, review.where, review.clearance.why)


def _refuse(refused: Sequence[Review]) -> int:
    """Say why nothing was written."""
    from ppdm_formal.audit import worst_exit
    from ppdm_formal.report.words.visible import clean

    for review in refused:
        click.echo(
            f"{clean(review.where)}: refused: the audit of {clean(review.operator.name)} has "
            f"{review.clearance.why}",
            err=True,
        )
        for claim in review.claims:
            click.echo(f"  {claim.verdict}: {clean(claim.text, 200)}", err=True)
    click.echo(f"Nothing was written. {OVERRIDE} overrides, and the release says so.", err=True)
    return worst_exit([review.clearance.exit_code for review in refused])

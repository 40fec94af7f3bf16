"""How commands run a plan: its options, the groups that take part, and what will randomize."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ppdm_formal.commands._options import progress
from ppdm_formal.commands._param_type import ParamType
from ppdm_formal.commands._review import PlanFile, Review, write_reviewed

if TYPE_CHECKING:
    from ppdm_formal.declare.operators.randomization import Operator
    from ppdm_formal.design.planned import AnyGroup
    from ppdm_formal.run.compress.generator import Generator
    from ppdm_formal.run.plan_groups import PlanRun
    from ppdm_formal.run.release import Release, ReleasedSize
    from ppdm_formal.run.released_baskets import GroupBy
    from ppdm_formal.run.table_release import Outside

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

phase_option = click.option(
    "--phase", type=click.IntRange(1, 9), help="Which phase (or round) of a plan."
)


class GroupByType(ParamType[tuple[str, str | None]]):
    """coin, place, or column:NAME."""

    name = "coin|place|column:NAME"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, str | None]:
        """What clients are assigned to groups by, and the column that names them."""
        if isinstance(value, tuple):
            return value
        kind, sign, column = str(value).partition(":")
        if kind == "column" and column:
            return "identifier", column
        if kind not in ("coin", "place") or sign:
            self.fail(f"{value!r} is neither coin, place nor column:NAME", param, ctx)
        return kind, None


def plan_options(command: Decorated) -> Decorated:
    """The options of ppdm randomize that are for transactions."""
    options = [
        click.option("--plan", type=click.Path(path_type=Path), help="What ppdm design wrote."),
        click.option(
            "--items", type=click.Path(path_type=Path), help="Names of items, one a line."
        ),
        click.option("--column", metavar="COLUMN", help="The list column of a Parquet file."),
        click.option(
            "--longer",
            type=click.Choice(["drop", "sample"]),
            help="Transactions longer than the plan has: leave them out, or use a random part.",
        ),
        click.option(
            "--shorter", type=click.Choice(["drop"]), help="Transactions shorter than the plan has."
        ),
        click.option(
            "--group-by",
            type=GroupByType(),
            help="What decides a client's group: a coin (as a rule), its line or row, or a column "
            "of a Parquet file.",
        ),
        phase_option,
        click.option(
            "--compress", is_flag=True, help="Send seeds of a few hundred bits instead of items."
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def prepare_baskets(
    source: Path,
    target: Path,
    *,
    plan: Path,
    items: Path | None,
    column: str | None,
    longer: Any,
    shorter: Any,
    group_by: tuple[GroupBy, str | None] | None,
    phase: int | None,
    compress: bool,
    outside: Outside,
    timeout: float,
    certificates: Path | None,
    shuffle: bool,
    **_: Any,
) -> tuple[Callable[..., Release], list[Review], set[str]]:
    """What will randomize transactions, what the audit says, and the certificates written."""
    from ppdm_formal.run.basket_files import BasketFile, Items
    from ppdm_formal.run.basket_release import BasketJob, release_baskets
    from ppdm_formal.run.group_reports import Policy

    written = BasketFile.of_seeds(target) if compress else BasketFile.named(target)
    files = BasketFile.named(source), written
    read = PlanFile.read(plan)
    crowd = read.claim.crowd
    if crowd is not None and crowd.how == "shuffling" and not shuffle:
        raise click.UsageError(
            f"{plan} promises what it does among shuffled reports: add --shuffle, so that their "
            "order says nothing"
        )
    by, identifier = group_by or (None, None)
    chosen = run_of(read, phase, by)
    known = Items.read(items) if items is not None else Items(_item_count(read))
    if items is not None and read.plan.items not in (None, known.count):
        raise click.UsageError(
            f"{plan} is for {read.plan.items} items, and {items} lists {known.count}"
        )
    at_least = {group.name: group.among for group in chosen.active if group.among is not None}
    if at_least and not shuffle:
        raise click.UsageError(
            f"{plan} claims what holds of reports in a random order: randomize with --shuffle"
        )
    with progress() as say:
        reviews = read.review(known.count, timeout, say, chosen.active)
    job = BasketJob(
        known,
        read.origin,
        chosen.released(lambda group: _sizes(group, reviews, read if compress else None)),
        Policy(outside, longer, shorter),
        chosen.assignment,
        chosen.taking_part,
        chosen.phase,
        at_least,
    )
    work = partial(release_baskets, *files, job, column=column, identifier=identifier)
    found = list(reviews.values())
    return work, found, write_reviewed(found, read.model, certificates)


def run_of(read: PlanFile, phase: int | None, by: GroupBy | None) -> PlanRun:
    """The groups that take part; a wrong phase is a wrong call."""
    from ppdm_formal.run.plan_groups import PhaseError, plan_run

    try:
        return plan_run(read.plan, phase, by)
    except PhaseError as wrong:
        raise click.UsageError(f"{read.path}: {wrong}") from None


def _sizes(
    group: AnyGroup, reviews: dict[tuple[str, int], Review], compressed: PlanFile | None
) -> list[ReleasedSize]:
    """What is applied to each size; with the generators of a plan that is compressed."""
    from ppdm_formal.run.release import ReleasedSize

    found = []
    for part in group.sizes:
        review = reviews[group.name, part.size]
        generator = None
        if compressed is not None:
            generator = seed_generator(compressed, group, part.size, review.operator)
        found.append(ReleasedSize(part.size, 0, review.operator, review.claims, generator))
    return found


def seed_generator(read: PlanFile, group: AnyGroup, size: int, operator: Operator) -> Generator:
    """The generator of the seeds that baskets of one size of a group are sent as."""
    from ppdm_formal.run.compress.chooser import part_generator

    try:
        return part_generator(operator, 1 if group.lifted > 1 else read.plan.itemsets)
    except ValueError as wrong:
        whose = "" if len(read.plan.groups) == 1 else f"group {group.name}, "
        raise click.UsageError(f"{read.path}: {whose}size {size}: {wrong}") from None


def _item_count(read: PlanFile) -> int:
    if read.plan.items is None:
        raise click.UsageError(
            f"{read.path} does not say how many items there are: give --items FILE, or ppdm "
            "design --items N"
        )
    return read.plan.items

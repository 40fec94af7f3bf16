"""ppdm design: choose how transactions are randomized, for given privacy and data."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._certificates import say_certificates, write_certificates
from ppdm_formal.commands._options import (
    ItemsType,
    NumberType,
    SecondsType,
    limited,
    progress,
)
from ppdm_formal.commands._param_type import ParamType
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.declare.machine.files import text_writer

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.plan_audit import PlanAudit
    from ppdm_formal.design.at_hand import AtHand
    from ppdm_formal.design.plan import Plan
    from ppdm_formal.run.basket_files import Items

MAX_SIZE = 1000

FORMS = ("best", "paper", "lifted", "two-phase")
"""The forms of plans (design/planning.py), the default first."""

ROUNDS = "rounds"
"""Plans in rounds (design/rounds/): what --data and --find get, unless another form is named."""

OF_FORMS = ("hidden", "longest", "missed", "bits", "paper", "itemsets", "item_breach", "timeout")
"""Options that only plans of one of FORMS take."""


class SizesType(ParamType[list[int]]):
    """3..10, or 3,5,8."""

    name = "SIZES"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[int]:
        """All sizes that are listed."""
        sizes: list[int] = []
        for part in str(value).split(","):
            first, dots, last = part.strip().partition("..")
            ends = (first, last if dots else first)
            if not all(end.isascii() and end.isdigit() and len(end) < 7 for end in ends):
                self.fail(f"{value!r} is not a list of sizes such as 3..10 or 3,5,8", param, ctx)
            low, high = map(int, ends)
            if low > high or high > MAX_SIZE or low < 1:
                self.fail(f"{part}: sizes go from 1 up to {MAX_SIZE}", param, ctx)
            sizes += range(low, high + 1)
        return sorted(set(sizes))


class BoundsType(ParamType[tuple[Fraction, ...]]):
    """5%,1%,0.2%: bounds on the supports of items, pairs, triples and so on."""

    name = "BOUNDS"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[Fraction, ...]:
        """The numbers that are listed."""
        if isinstance(value, tuple):
            return value
        try:
            return tuple(parse_number(part) for part in str(value).split(","))
        except ValueError as wrong:
            self.fail(f"{wrong}; give bounds such as 5%,1%,0.2%", param, ctx)


SHOWN = Shown("collect", "Choose how to randomize transactions without a breach.", 1)


@click.command("design")
@click.option("--rho1", type=NumberType(), help="A property less likely before a report ...")
@click.option("--rho2", type=NumberType(), help="... never becomes as likely after it.")
@click.option(
    "--item-breach",
    type=NumberType(),
    metavar="LEVEL",
    help="Instead: no item that is seen becomes as likely, by the older notion of breaches, ...",
)
@click.option(
    "--support-bounds",
    type=BoundsType(),
    help="... if no item, pair, ... has more support than these: 5%,1%,0.2%.",
)
@click.option("--data", type=click.Path(path_type=Path), help="Baskets like those to come.")
@click.option("--column", metavar="COLUMN", help="The list column of a Parquet file.")
@click.option(
    "--histogram", type=click.Path(path_type=Path), help="Or only their sizes: size,count a line."
)
@click.option("--sizes", type=SizesType(), help="Or sizes alone, 3..10 or 3,5,8, with ...")
@click.option("--transactions", type=click.IntRange(min=1), help="... how many there are of each.")
@click.option("--items", type=ItemsType(), help="How many items there are, or a file of names.")
@click.option(
    "--itemsets",
    type=click.IntRange(1, 20),
    default=3,
    show_default=True,
    help="Largest itemset to find.",
)
@click.option(
    "--form",
    type=click.Choice((*FORMS, ROUNDS)),
    help="Which randomizations are searched: as a rule rounds with --data, else best.",
)
@click.option(
    "--find",
    type=click.Choice(["items", "pairs", "rules"]),
    help="In rounds: what is to be found (pairs) ...",
)
@click.option(
    "--top", type=click.IntRange(1, 100_000), help="... the so many most frequent (50), or ..."
)
@click.option("--min-support", type=NumberType(), help="... those from this support on.")
@click.option(
    "--trust",
    type=click.Choice(["local", "shuffler"]),
    default="local",
    show_default=True,
    help="In rounds: nobody, or a shuffler that gives the server reports in a random order.",
)
@click.option(
    "--except-with",
    type=NumberType(),
    default="1e-6",
    show_default=True,
    help="With a shuffler: how likely a breach may be.",
)
@click.option("--anyway", is_flag=True, help="Write the plan also where it can tell nothing.")
@click.option(
    "--hide-sizes",
    "hidden",
    type=click.Choice(["pad", "cut"]),
    help="Hide sizes: pad all baskets with dummy items, or also cut long ones.",
)
@click.option(
    "--longest",
    type=click.IntRange(1, MAX_SIZE),
    metavar="M",
    help="Longer baskets report a random part of M items.",
)
@click.option(
    "--missed",
    type=NumberType(),
    default="50%",
    show_default=True,
    help="Two phases: how likely an item at the LDS may be missed.",
)
@click.option("--bits", type=click.IntRange(1, 30), help="Bits of the insertion probability.")
@click.option("--paper", is_flag=True, help="Use gamma with equality, as the paper's figures do.")
@click.option(
    "--continue",
    "continued",
    type=(click.Path(path_type=Path), click.Path(path_type=Path)),
    metavar="PLAN RESULT",
    help="Fill in phase two of a plan with the items that phase one found.",
)
@click.option("-o", "plan_file", metavar="PLAN", help="Write the plan to this file.")
@click.option("--certificates", type=click.Path(path_type=Path), help="Write certificates there.")
@click.option(
    "--timeout",
    type=SecondsType(),
    default=600.0,
    show_default=True,
    help="Seconds for the search, and for each certificate.",
)
@writes_result
def command(
    plan_file: str | None,
    certificates: Path | None,
    timeout: float,
    out: Outputs,
    **given: Any,
) -> Answer:
    """Choose how to randomize transactions so that no rho1-to-rho2 breach is possible.

    \b
    ppdm design --data retail.dat --rho1 5% --rho2 50% --find pairs --top 50 -o plan.json
    ppdm design --histogram sizes.csv --items 16470 --rho1 5% --rho2 50% -o plan.json
    ppdm design --sizes 3..10 --transactions 5000000 --rho1 5% --rho2 50%
    ppdm design --data retail.dat --rho1 5% --rho2 50% --form two-phase -o plan.json
    ppdm design --continue plan.json found.json -o second.json
    ppdm design --continue rounds.json round1.dat -o second.json
    ppdm design --sizes 3..10 --transactions 5000000 \\
                --item-breach 50% --support-bounds 5%,1%,0.2%

    For each size of transactions, picks the insertion probability rho (a fraction a/2^b) and the
    probabilities of keeping j items so that the lowest discoverable support is smallest, and
    certifies the result. ppdm randomize and ppdm client run the plan, ppdm audit checks it.

    With --data, or --find, plans go in rounds: items first, then pairs guessed from them, then
    those in doubt. Where nothing could be told, no plan is written (exit 3), and what would do is
    said.
    """  # noqa: D301
    from ppdm_formal.certify.audit.plan_audit import Designed
    from ppdm_formal.design.plan_file import write_plan
    from ppdm_formal.design.planning import plan_for

    read = [given[key] for key in ("data", "histogram", "items") if isinstance(given[key], Path)]
    continued: tuple[Path, Path] | None = given.pop("continued")
    out.check([*read, *(continued or ())], plan_file)
    if _goes_in_rounds(given, continued):
        from ppdm_formal.commands._rounds import rounds_answer

        return rounds_answer(plan_file, certificates, timeout, out, continued, given)
    for key in ("find", "top", "min_support"):
        if given.pop(key) is not None:
            raise click.UsageError(f"--{key.replace('_', '-')} is for plans in rounds")
    trust, _ = given.pop("trust"), given.pop("except_with")
    if trust != "local":
        raise click.UsageError("--trust is for plans in rounds")
    if given.pop("anyway"):
        raise click.UsageError("--anyway is for plans in rounds")
    given["form"] = given["form"] or FORMS[0]
    with progress() as say:
        try:
            if continued is None:
                request = _request(say, timeout, **given)
                data = request.data
                plan = limited(timeout, "no plan was found", lambda: plan_for(request, say))
            else:
                plan, data = _continued(*continued, say, **given)
        except ValueError as problem:
            raise click.UsageError(str(problem)) from None
        file = next((name for name in (plan_file, out.json) if name not in (None, "-")), None)
        found, plan = _audited(plan, file, data, out.paged, timeout, say)
    text = write_plan(plan)
    files = write_certificates(found.result, certificates, text)
    result = Designed(replace(found, result=replace(found.result, files=files)), plan)
    return Answer(
        result,
        files=[(plan_file, text_writer(lambda: [text]))],
        after=lambda: say_certificates(certificates, files, err=out.aside),
    )


def _goes_in_rounds(given: dict[str, Any], continued: tuple[Path, Path] | None) -> bool:
    """Whether the plan goes in rounds: by its form, its goal, or as what is continued."""
    if continued is not None:
        from ppdm_formal.design.rounds.file import FORMAT

        return FORMAT in continued[0].read_text(encoding="utf-8", errors="replace")[:200]
    if given["form"] is not None:
        return bool(given["form"] == ROUNDS)
    if given["find"] is not None or given["top"] is not None or given["min_support"] is not None:
        return True
    return given["data"] is not None and not stated(OF_FORMS[:-1])


def stated(names: Sequence[str]) -> list[str]:
    """Which of these parameters were stated on the command line, as they are written there."""
    context = click.get_current_context()
    source = click.core.ParameterSource.COMMANDLINE
    return [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name in names and context.get_parameter_source(parameter.name) is source
    ]


def _audited(
    plan: Plan,
    file: str | None,
    data: AtHand | None,
    around: bool,
    timeout: float,
    say: Callable[[str], None],
) -> tuple[PlanAudit, Plan]:
    """Measure and decide all operators; the plan records the verdicts, and so gets its digest."""
    from ppdm_formal.certify.audit.plan_audit import audit_plan
    from ppdm_formal.certify.audit.plan_model import model_of
    from ppdm_formal.design.plan_facts import Certified
    from ppdm_formal.report.words.progress_words import progress_words

    found = audit_plan(
        plan,
        model_of(plan, file or "plan.json", _digest(plan)),
        data=data,
        around=around,
        timeout=timeout,
        progress=lambda event: say(progress_words(event)),
    )
    certified = {}
    for size in found.sizes:
        (decided,) = size.found.certificates
        certified[size.group.name, size.part.size] = Certified(
            str(decided.claim), decided.verdict.value, str(decided.trust or "")
        )
    plan = plan.with_certificates(certified)
    model = replace(found.result.model, sha256=_digest(plan))
    return replace(found, result=replace(found.result, model=model)), plan


def _digest(plan: Plan) -> str:
    """Of the plan as its file holds it."""
    from ppdm_formal.design.plan_file import write_plan

    return hashlib.sha256(write_plan(plan).encode()).hexdigest()


def _request(
    say: Callable[[str], None],
    timeout: float,
    *,
    data: Path | None,
    column: str | None,
    histogram: Path | None,
    sizes: list[int] | None,
    transactions: int | None,
    items: int | Path | None,
    rho1: Fraction | None,
    rho2: Fraction | None,
    item_breach: Fraction | None,
    support_bounds: tuple[Fraction, ...] | None,
    **rest: Any,
) -> Any:
    """What a plan is asked for; options that do not fit together are refused."""
    from ppdm_formal.declare.machine.deadline import Deadline
    from ppdm_formal.design.item_breach import ItemGoal
    from ppdm_formal.design.request import Request, read_histogram

    if (item_breach is None) != (support_bounds is None):
        raise click.UsageError("--item-breach and --support-bounds go together")
    goal = None
    if item_breach is not None and support_bounds is not None:
        if rho1 is not None or rho2 is not None:
            raise click.UsageError("--item-breach is instead of --rho1 and --rho2")
        if rest["form"] != FORMS[0]:
            raise click.UsageError("--form is for plans with --rho1 and --rho2")
        goal = ItemGoal(item_breach, support_bounds)
        rho1 = rho2 = item_breach
    if rho1 is None or rho2 is None:
        raise click.UsageError("give --rho1 and --rho2, or --item-breach and --support-bounds")
    if [data, histogram, sizes].count(None) != 2:
        raise click.UsageError("give one of --data, --histogram, and --sizes with --transactions")
    if (sizes is None) != (transactions is None):
        raise click.UsageError("--sizes and --transactions go together")
    if column is not None and data is None:
        raise click.UsageError("--column is for --data in Parquet")
    at_hand, count = None, None
    if data is not None:
        at_hand, every = _at_hand(data, items, column, say)
        count, counts = every.count, at_hand.histogram
    elif histogram is not None:
        count = _count(items)
        try:
            counts = read_histogram(histogram.read_text(encoding="utf-8"))
        except ValueError as wrong:
            raise click.UsageError(f"{histogram}: {wrong}") from None
    else:
        count = _count(items)
        counts = dict.fromkeys(sizes or [], transactions or 0)
    return Request(
        histogram=counts,
        items=count,
        alike=sizes is not None,
        data=at_hand,
        rho1=rho1,
        rho2=rho2,
        item=goal,
        deadline=Deadline.after(timeout),
        **rest,
    )


def _continued(
    plan: Path, result: Path, say: Callable[[str], None], **given: Any
) -> tuple[Plan, AtHand | None]:
    """A plan whose second phase is filled in; the plan has decided all but the items."""
    from ppdm_formal.design.plan_file import read_plan
    from ppdm_formal.design.planning import continue_for
    from ppdm_formal.run.basket_files import Items
    from ppdm_formal.run.found_items import read_found_items

    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        chosen = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if name in given and chosen and name not in ("data", "column", "items"):
            raise click.UsageError(f"{parameter.opts[0]} is decided by the plan that is continued")
    try:
        known = read_plan(plan.read_text(encoding="utf-8"))
    except ValueError as wrong:
        raise click.UsageError(f"{plan}: {wrong}") from None
    names, at_hand = given["items"], None
    if given["data"] is not None:
        at_hand, items = _at_hand(given["data"], names, given["column"], say, known.items)
    else:
        items = Items.read(names) if isinstance(names, Path) else Items(known.items or 1)
    if known.items is not None and items.count != known.items:
        raise click.UsageError(
            f"{names or given['data']}: {items.count} items; the plan is for {known.items}"
        )
    found = read_found_items(result, items)
    return continue_for(known, found.positions, found.supports, at_hand), at_hand


def _count(items: int | Path | None) -> int | None:
    from ppdm_formal.run.basket_files import Items

    return Items.read(items).count if isinstance(items, Path) else items


def _at_hand(
    data: Path,
    items: int | Path | None,
    column: str | None,
    say: Callable[[str], None],
    least: int | None = None,
) -> tuple[AtHand, Items]:
    """Baskets from a file, and all items; numbers may go further than those that occur."""
    from ppdm_formal.run.at_hand_file import read_at_hand
    from ppdm_formal.run.basket_files import Items

    known: Items | None = None
    if items is not None:
        known = Items.read(items) if isinstance(items, Path) else Items(items)
    found, every = read_at_hand(data, known, column, say)
    if known is None and least is not None and every.names is None and every.count < least:
        return replace(found, items=least), Items(least)
    return found, every

"""ppdm itemsets: draw itemsets that are likely to be frequent, privately and exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ppdm_formal.commands._options import (
    ItemsType,
    NumberType,
    ThresholdType,
    progress_steps,
)
from ppdm_formal.commands._result import Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.result import Result

SHOWN = Shown("tables", "Draw frequent itemsets privately.")


@click.command("itemsets")
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--epsilon", type=NumberType(), required=True, help="Of one itemset: 1, 0.1.")
@click.option(
    "--count",
    type=click.IntRange(1, 100_000),
    default=1,
    show_default=True,
    help="How many itemsets to draw; each costs as much again.",
)
@click.option(
    "--min-support",
    type=ThresholdType(),
    default="10%",
    show_default=True,
    help="Support from which on itemsets are drawn alike: a share, or a count.",
)
@click.option("--items", type=ItemsType(), help="All items there are: N for 0..N-1, or a file.")
@click.option(
    "--unprotected-domain",
    is_flag=True,
    help="Take the items from FILE: no epsilon covers them, and every statement says so.",
)
@click.option("--column", metavar="COLUMN", help="The list column of a Parquet file.")
@click.option(
    "--simulate", "seed", type=click.IntRange(0, 2**63 - 1), help="Seeded: protects nobody."
)
@writes_result
def command(
    source: Path,
    epsilon: Any,
    count: int,
    min_support: Any,
    items: Any,
    unprotected_domain: bool,
    column: str | None,
    seed: int | None,
    out: Outputs,
) -> Result:
    """Draw itemsets from the transactions of FILE by the exponential mechanism (Dor18 3.2).

    An itemset of support s is drawn with weight e^(epsilon/4 min(S, s)), among all itemsets, by
    exact rejection: nothing is enumerated, counted or rounded. Supports are not shown: they would
    not be private. What a row pays is said beside the itemsets. Which items there are is declared
    (--items): those of FILE itself would show what occurs in it.
    """
    from ppdm_formal.declare.operators.draw import Bits
    from ppdm_formal.infer.baskets.plain_data import PlainData
    from ppdm_formal.run.basket_files import Items
    from ppdm_formal.run.keystream import Keystream
    from ppdm_formal.run.simulation import Simulation
    from ppdm_formal.tables.generate.drawn_itemsets import draw_itemsets

    out.check([source, items if isinstance(items, Path) else None])
    known = (
        Items.read(items) if isinstance(items, Path) else None if items is None else Items(items)
    )
    bits: Bits = Keystream() if seed is None else Simulation(seed)
    with progress_steps() as (say, share):
        say(f"reading {source.name}")
        data = PlainData.read(source, column, share)
        say("drawing")
        try:
            return draw_itemsets(
                data,
                epsilon,
                min_support,
                count,
                bits,
                items=known,
                unprotected_domain=unprotected_domain,
                seed=seed,
            )
        except ValueError as problem:
            raise click.ClickException(str(problem)) from None

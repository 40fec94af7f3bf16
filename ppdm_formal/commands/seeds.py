"""ppdm seeds: how short compressed transactions can be, and with which generator."""

from __future__ import annotations

from typing import Any

import click

from ppdm_formal.commands._options import NumberType
from ppdm_formal.commands._result import Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.result import Result

MAX_SIZE = 10_000


SHOWN = Shown("collect", "Show how many bits a transaction takes as a seed.")


@click.command("seeds")
@click.option(
    "--items", type=click.IntRange(min=1), required=True, help="How many items there are."
)
@click.option(
    "--size",
    type=click.IntRange(1, MAX_SIZE),
    required=True,
    help="How many items a transaction has.",
)
@click.option(
    "--itemsets",
    type=click.IntRange(1, MAX_SIZE),
    required=True,
    help="Largest itemset to find.",
)
@click.option(
    "--insert",
    type=NumberType(),
    required=True,
    help="Insertion probability rho = a/2^b, b up to 16: 1/16, 131/256, 0.25.",
)
@writes_result
def command(items: int, size: int, itemsets: int, insert: Any, out: Outputs) -> Result:
    """Show how many bits a randomized transaction takes as a seed.

    A compressed transaction is the seed of a generator under which any q = SIZE + ITEMSETS items
    are independent (EGS03 section 5). All generators are compared with each other, with the
    paper's, with the least that is possible and with transactions sent as they are.
    """
    from ppdm_formal.run.compress.survey import survey

    try:
        return survey(items, size, itemsets, insert)
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None

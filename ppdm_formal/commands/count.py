"""ppdm count: count itemsets privately, or say where exact counts are safe to release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ppdm_formal.commands._options import NumberType, progress_steps
from ppdm_formal.commands._result import Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.result import Result

SHOWN = Shown("tables", "Count rows privately.")


@click.command("count")
@click.argument("source", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@click.option("--epsilon", type=NumberType(), required=True, help="Of each count: 1, 0.1.")
@click.option("--itemset", "itemsets", multiple=True, metavar="A,B", help="Count rows with these.")
@click.option("--column", metavar="COLUMN", help="The list column of a Parquet file.")
@click.option(
    "--simulate", "seed", type=click.IntRange(0, 2**63 - 1), help="Seeded: protects nobody."
)
@click.option("--exact", metavar="COUNTS", help="Exact counts to be released: 480,520.")
@click.option("--prior", metavar="SHARES", help="What is believed of a row: 1/2,1/2.")
@click.option(
    "--priors",
    "priors_file",
    type=click.Path(path_type=Path),
    help="Or of each row, where rows differ: P[value 1], one a line.",
)
@writes_result
def command(
    source: Path | None,
    epsilon: Any,
    itemsets: tuple[str, ...],
    column: str | None,
    seed: int | None,
    exact: str | None,
    prior: str | None,
    priors_file: Path | None,
    out: Outputs,
) -> Result:
    """Count rows that hold itemsets, privately; or ask where exact counts are safe (Dor18 3).

    With FILE and --itemset (repeatable), each row answers by randomized response with coins of
    exactly the right bias, and the share is estimated with error bars. With --exact, the exact
    region of priors is shown under which releasing these counts is epsilon-dependent on any row;
    with --prior also whether that prior is in it (exit code 1 where it is not).
    """
    if (source is None) == (exact is None):
        raise click.UsageError("name either a FILE with --itemset, or --exact COUNTS")
    out.check([source, priors_file])
    if source is not None:
        if not itemsets or prior is not None or priors_file is not None:
            raise click.UsageError("FILE needs --itemset; --prior and --priors are for --exact")
        return _private(source, epsilon, itemsets, column, seed)
    if itemsets or column is not None or seed is not None:
        raise click.UsageError("--itemset, --column and --simulate are for a FILE")
    if priors_file is None:
        return _exact(_counts(str(exact)), epsilon, prior)
    if prior is not None:
        raise click.UsageError("--prior and --priors exclude each other")
    return _rows(_counts(str(exact)), epsilon, priors_file)


def _private(
    source: Path, epsilon: Any, itemsets: tuple[str, ...], column: str | None, seed: int | None
) -> Result:
    from ppdm_formal.declare.operators.draw import Bits
    from ppdm_formal.infer.baskets.plain_data import PlainData
    from ppdm_formal.run.keystream import Keystream
    from ppdm_formal.run.simulation import Simulation
    from ppdm_formal.tables.generate.private_count import PrivateCounts, private_count

    bits: Bits = Keystream() if seed is None else Simulation(seed)
    with progress_steps() as (say, share):
        say(f"reading {source.name}")
        data = PlainData.read(source, column, share)
    numbers = {label: number for number, label in enumerate(data.labels)}
    found = []
    for text in itemsets:
        names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
        if "" in names:
            raise click.UsageError(f"--itemset {text!r}: expected names such as milk,bread")
        # An item that nobody has gets a number that no row holds: the answer does not tell.
        items = [numbers.get(name, len(numbers)) for name in names]
        wanted = list(dict.fromkeys(items))
        if len(numbers) in wanted:
            wanted = [len(numbers)]
        try:
            found.append(private_count(data.rows, wanted, names, epsilon, bits))
        except ValueError as problem:
            raise click.UsageError(str(problem)) from None
    return PrivateCounts(tuple(found), seed)


def _counts(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 14 for part in parts):
        raise click.UsageError(f"--exact {text}: expected counts such as 480,520")
    return [int(part) for part in parts]


def _rows(counts: list[int], epsilon: Any, path: Path) -> Result:
    """Rows that differ: whether the release of the first count is safe for each of them."""
    from ppdm_formal.declare.arithmetic.exact import parse_number
    from ppdm_formal.run.errors import DataError
    from ppdm_formal.run.streams import compression_of, reading
    from ppdm_formal.tables.generate.exact_counts import RowCounts, rows_ratio

    priors = []
    with reading(path, compression_of(path)) as source:
        for line, text in enumerate(source.lines(), start=1):
            if text.strip():
                try:
                    priors.append(parse_number(text))
                except ValueError as problem:
                    raise DataError(f"{path}, line {line}: {problem}") from None
    if len(counts) != 2 or sum(counts) != len(priors):
        raise click.UsageError(
            f"--priors has {len(priors)} rows: --exact must be two counts of them"
        )
    if epsilon <= 0:
        raise click.UsageError("epsilon must be above 0")
    try:
        ratio, row = rows_ratio(priors, counts[0])
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None
    return RowCounts(tuple(counts), epsilon, ratio, row)


def _exact(parts: list[int], epsilon: Any, prior: str | None) -> Result:
    from ppdm_formal.declare.arithmetic.exact import parse_number
    from ppdm_formal.tables.generate.exact_counts import (
        MAX_LISTED,
        ExactCounts,
        safe_counts,
        safe_priors,
    )

    try:
        region = safe_priors(parts, epsilon)
        believed = None if prior is None else [parse_number(part) for part in prior.split(",")]
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None
    if believed is not None and (
        len(believed) != len(parts) or sum(believed) != 1 or min(believed) < 0
    ):
        raise click.UsageError("--prior has a share for each count, not below 0, 1 in all")
    safe = None
    if believed is not None and len(believed) == 2 and 0 < believed[0] < 1:
        safe = safe_counts(region.rows, believed[0], epsilon) if region.rows <= MAX_LISTED else None
    return ExactCounts(region, None if believed is None else tuple(believed), safe)

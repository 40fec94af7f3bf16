"""ppdm anonymity: k-anonymity, l-diversity and t-closeness of a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._options import (
    MatrixOptions,
    NumberType,
    ValuesType,
    chosen_operator,
    delimiter_option,
    exact_matrix_options,
)
from ppdm_formal.commands._result import Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.result import Result

if TYPE_CHECKING:
    from ppdm_formal.tables.anonymity.sampled import SampledAnonymity


SHOWN = Shown("tables", "Measure how anonymous the rows of a table are.")


@click.command("anonymity")
@click.argument("table", type=click.Path(path_type=Path))
@click.option("--quasi", required=True, metavar="A,B", help="Columns that others may know.")
@click.option("--sensitive", metavar="C,D", help="Columns that nobody should learn.")
@click.option("--ordered", metavar="C", help="Sensitive columns of numbers, in their order.")
@click.option(
    "--others-known",
    is_flag=True,
    help="Who wants to learn one sensitive column knows the other ones.",
)
@click.option("--k", "least_k", type=click.IntRange(min=1), help="Require k-anonymity.")
@click.option("--l", "least_l", type=click.IntRange(min=1), help="Require distinct l-diversity.")
@click.option("--t", "most_t", type=NumberType(), help="Require t-closeness.")
@click.option(
    "--sample",
    type=NumberType(),
    metavar="RATE",
    help="Say what a k-anonymous sample of this rate gives (with --epsilon).",
)
@click.option("--epsilon", type=NumberType(), help="Epsilon of the sample's privacy.")
@click.option("--model", type=click.Path(path_type=Path), help="Model of what values go through.")
@click.option("--operator", "operator_name", help="Operator that sensitive values go through.")
@click.option("--set", "values", type=ValuesType(), multiple=True, help="Value of a parameter.")
@delimiter_option
@exact_matrix_options
@writes_result
def command(
    table: Path,
    quasi: str,
    sensitive: str | None,
    ordered: str | None,
    others_known: bool,
    least_k: int | None,
    least_l: int | None,
    most_t: Any,
    sample: Any,
    epsilon: Any,
    model: Path | None,
    operator_name: str | None,
    values: tuple[tuple[str, Any], ...],
    delimiter: str,
    matrix: MatrixOptions,
    out: Outputs,
) -> Result:
    """Measure how anonymous the rows of a table are (Dor18 section 1.3).

    TABLE is a CSV or Parquet file. Rows that agree on the --quasi columns are a class; k is the
    size of the smallest, l says how varied the sensitive values of a class are, t how far they
    are from the whole table's. With --model, sensitive values go through a randomization first.
    Exit code 1 where --k, --l or --t is required and does not hold. No value of the table is shown.
    """
    from ppdm_formal.tables.anonymity.classes import CodedTable
    from ppdm_formal.tables.anonymity.finding import Required, anonymity

    known, secret = _names(quasi), _names(sensitive)
    in_order = _names(ordered)
    if twice := set(known) & set(secret):
        raise click.UsageError(f"{', '.join(sorted(twice))}: both --quasi and --sensitive")
    if extra := set(in_order) - set(secret):
        raise click.UsageError(f"--ordered {', '.join(sorted(extra))}: not among --sensitive")
    needs = {"--l": least_l, "--t": most_t, "--model": model}
    lacking = [option for option, given in needs.items() if given is not None and not secret]
    if lacking:
        raise click.UsageError(f"{', '.join(lacking)} needs --sensitive")
    if (model is None) and (operator_name or values or matrix.named):
        raise click.UsageError(f"{matrix.named or '--operator and --set'} need --model")
    out.check([table, model])
    operator = None
    if model is not None:
        operator = chosen_operator(model, dict(values), operator_name, matrix.reading())[1]
    read = CodedTable.read(table, [*known, *secret], delimiter)
    classes = read.classes(known)
    sampled = _sampled(least_k, int(classes.sizes.min()), sample, epsilon)
    return anonymity(
        read,
        known,
        secret,
        ordered=in_order,
        others_known=others_known,
        operator=operator,
        sampled=sampled,
        asked=Required(least_k, least_l, most_t),
    )


def _names(text: str | None) -> list[str]:
    names = [name.strip() for name in text.split(",")] if text is not None else []
    if "" in names or len(set(names)) < len(names):
        raise click.UsageError(f"{text!r}: expected different names of columns, such as age,sex")
    return names


def _sampled(asked: int | None, smallest: int, rate: Any, epsilon: Any) -> SampledAnonymity | None:
    """For the k that was required, else for the table's."""
    from ppdm_formal.tables.anonymity.sampled import LARGEST_K, sampled_anonymity

    if (rate is None) != (epsilon is None):
        raise click.UsageError("--sample and --epsilon belong together")
    if rate is None:
        return None
    try:
        return sampled_anonymity(asked or min(smallest, LARGEST_K), rate, epsilon)
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None

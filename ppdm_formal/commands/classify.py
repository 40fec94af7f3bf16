"""ppdm classify: how accurate decision trees are that are grown from perturbed records."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
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
    from ppdm_formal.infer.classify.experiment import Task

HIGHEST = 10
"""Largest privacy level: ten times the range."""


SHOWN = Shown("analyse", "Train decision trees on perturbed records.")


@click.command("classify")
@click.argument("table", type=click.Path(path_type=Path), required=False)
@click.option("--label", metavar="COLUMN", help="The table's column that holds the class.")
@click.option("--columns", metavar="A,B", help="The table's columns of numbers to learn from.")
@click.option(
    "--functions", default="F1,F2,F3,F4,F5", show_default=True, help="Of the synthetic benchmark."
)
@click.option("--noise", "kinds", default="uniform,normal", show_default=True, help="Kinds of it.")
@click.option("--privacy", default="25%,50%,100%", show_default=True, help="Levels, at 95%.")
@click.option(
    "--strategies",
    default="original,randomized,global,byclass,local",
    show_default=True,
    help="How trees are grown.",
)
@click.option("--train", type=click.IntRange(100, 10_000_000), default=20_000, show_default=True)
@click.option("--test", type=click.IntRange(10, 10_000_000), default=5_000, show_default=True)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True)
@delimiter_option
@writes_result
def command(
    table: Path | None,
    label: str | None,
    columns: str | None,
    functions: str,
    kinds: str,
    privacy: str,
    strategies: str,
    train: int,
    test: int,
    seed: int,
    delimiter: str,
    out: Outputs,
) -> Result:
    """Train decision trees on perturbed records, and print their accuracies.

    Without TABLE, on the synthetic benchmark with nine attributes and classes by the functions F1
    to F5. With a TABLE (.csv, .csv.gz, .csv.xz, .parquet), on its --columns, for the class in
    --label. A simulation: noise is drawn from a seeded generator, and test records are unperturbed.
    """
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise click.ClickException(
            "trees need scikit-learn: pip install 'ppdm_formal[numeric]'"
        ) from None
    from ppdm_formal.declare.noises.named import noise_laws
    from ppdm_formal.infer.classify.classifier import STRATEGIES
    from ppdm_formal.infer.classify.experiment import Accuracies, accuracies

    out.check([table])
    chosen = _among("--strategies", strategies, STRATEGIES)
    noises = _among("--noise", kinds, tuple(noise_laws()))
    levels = _levels(privacy)
    with progress() as say:
        say("making records")
        tasks = _tasks(table, label, columns, functions, train, test, seed, delimiter)
        try:
            found = tuple(accuracies(tasks, noises, levels, chosen, seed, say))
        except ValueError as problem:
            raise click.ClickException(str(problem)) from None
    return Accuracies(found, tuple(tasks), seed)


def _tasks(
    table: Path | None,
    label: str | None,
    columns: str | None,
    functions: str,
    train: int,
    test: int,
    seed: int,
    delimiter: str,
) -> list[Task]:
    from ppdm_formal.infer.classify.experiment import synthetic_task, table_task
    from ppdm_formal.infer.classify.synthetic import FUNCTIONS
    from ppdm_formal.run.errors import DataError
    from ppdm_formal.run.numeric_column import numeric_columns, text_column

    if table is None:
        if label is not None or columns is not None or delimiter != ",":
            raise click.UsageError("--label, --columns and --delimiter are for a TABLE")
        named = _among("--functions", functions, tuple(FUNCTIONS))
        return [synthetic_task(name, train, test, seed) for name in named]
    if label is None or columns is None:
        raise click.UsageError("a TABLE needs --label COLUMN and --columns A,B")
    names = [name.strip() for name in columns.split(",")]
    if len(set(names)) < len(names) or label in names:
        raise click.UsageError("--columns and --label name a column twice")
    try:
        features = numeric_columns(table, names, delimiter)
        classes = text_column(table, label, delimiter)
        return [table_task(table.name, features, classes, train, test, seed)]
    except DataError as problem:
        raise click.ClickException(str(problem)) from None
    except ValueError as problem:
        raise click.ClickException(f"{table}: {problem}") from None


def _among(option: str, text: str, known: Sequence[Any]) -> list[Any]:
    """The names in a list, all of them known."""
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            raise click.UsageError(f"{option}: no {name!r}; there are: {', '.join(known)}")
    return list(dict.fromkeys(names))


def _levels(text: str) -> list[Fraction]:
    from ppdm_formal.declare.arithmetic.exact import parse_number

    found = []
    for part in text.split(","):
        try:
            level = parse_number(part)
        except ValueError as problem:
            raise click.UsageError(f"--privacy: {problem}") from None
        if not isinstance(level, Fraction) or not 0 < level <= HIGHEST:
            raise click.UsageError(f"--privacy: {part.strip()} is not above 0 and up to 1000%")
        found.append(level)
    return list(dict.fromkeys(found))

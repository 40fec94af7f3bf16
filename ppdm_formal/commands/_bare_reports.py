"""Options of commands that read bare reports: the operator that gave them, from its model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._options import ValuesType, load_model

if TYPE_CHECKING:
    from ppdm_formal.declare.operators.randomization import Operator


def bare_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """--model, --operator, --set, --reports and --column."""
    for option in (
        click.option("--column", metavar="COLUMN", help="The column of bare reports."),
        click.option(
            "--reports",
            metavar="FILE",
            type=click.Path(path_type=Path),
            multiple=True,
            help="Bare reports of that operator: .csv, .parquet or .jsonl.",
        ),
        click.option(
            "--set", "values", type=ValuesType(), multiple=True, help="Give a parameter a value."
        ),
        click.option("--operator", metavar="NAME", help="The operator that gave bare reports."),
        click.option("--model", type=click.Path(path_type=Path), help="The model with it."),
    ):
        command = option(command)
    return command


def bare_operator(
    model: Path | None,
    name: str | None,
    values: Sequence[tuple[str, Any]],
    reports: Sequence[Path],
    column: str | None,
) -> Operator | None:
    """The operator of bare reports, its parameters given values; None where none is said."""
    if name is None:
        if reports or values or column is not None:
            raise click.UsageError("bare reports (--reports) need --model MODEL --operator NAME")
        return None
    if model is None:
        raise click.UsageError("--operator NAME needs --model MODEL")
    operators = load_model(model, dict(values)).operators
    if name not in operators:
        known = ", ".join(operators) or "none"
        raise click.ClickException(f"{model} has no operator {name} (there are: {known})")
    found = operators[name]
    if found.parameters:
        free = ", ".join(parameter.name for parameter in found.parameters)
        raise click.ClickException(
            f"{name}: give values to its parameters: {free} (--set NAME=VALUE)"
        )
    return found

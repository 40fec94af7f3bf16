"""ppdm compare: several operators side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._options import (
    MatrixOptions,
    chosen_model,
    load_model,
    matrix_options,
    model_files,
    progress,
    settings,
    sweep_option,
    timeout_option,
    unit_option,
)
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown

if TYPE_CHECKING:
    from ppdm_formal.declare.operators.outside import MatrixReading


SHOWN = Shown("audit", "Put operators side by side.", 4)


@click.command("compare")
@click.argument("models", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--example", "examples", metavar="NAME", multiple=True, help="A model of the package."
)
@sweep_option
@timeout_option
@click.option("--allow-vacuous", is_flag=True, help="Let claims pass that no case can test.")
@unit_option
@matrix_options
@writes_result
def command(
    models: Sequence[Path],
    examples: Sequence[str],
    values: Sequence[tuple[str, tuple[Any, ...]]],
    timeout: float,
    allow_vacuous: bool,
    unit: Any,
    matrix: MatrixOptions,
    out: Outputs,
) -> Answer:
    """Compare the audited operators of MODELS: amplification, frontier, information, claims.

    An operator with one free parameter is compared by its trade-off curve.
    """
    from ppdm_formal.certify.audit.audit import audit
    from ppdm_formal.certify.audit.comparison import Comparison
    from ppdm_formal.report.words.progress_words import progress_words

    paths = [*models, *(chosen_model(None, name) for name in examples)]
    if not paths:
        raise click.UsageError("name model files, or --example NAME")
    reading = matrix.reading()
    loaded = _with_values(paths, values, timeout, reading)
    read = [path for model in loaded for path in model_files(model)]
    out.check(read)
    with progress() as say:
        results = [
            audit(
                model,
                unit=unit,
                timeout=timeout,
                progress=lambda event: say(progress_words(event)),
            )
            for model in loaded
        ]
    continuous = [found.operator.name for result in results for found in result.continuous]
    if continuous:
        raise click.UsageError(
            f"{continuous[0]} has real outputs: operators on finite domains are compared (round it "
            "to a grid: clamped to 0..100 rounded to 1)"
        )
    found = Comparison(tuple(results))
    return Answer(found, found.exit_code_if(allow_vacuous=allow_vacuous))


def _with_values(
    paths: Sequence[Path],
    values: Sequence[tuple[str, tuple[Any, ...]]],
    timeout: float,
    reading: MatrixReading,
) -> list[Any]:
    """Every model, once for each combination of the values of those parameters that it declares.

    reading: how the bare matrices among them are read.
    """
    matrices = [path for path in paths if path.suffix.lower() == ".csv"]
    loaded = []
    used: set[str] = set()
    for path in paths:
        own = reading if path in matrices or not matrices else None
        model = load_model(path, {}, timeout, own)
        declared = {*model.parameters, *model.values}
        mine = [(name, given) for name, given in values if name in declared]
        used |= {name for name, _ in mine}
        each = settings(mine)
        loaded += [load_model(path, chosen, timeout) for chosen in each] if mine else [model]
    unknown = sorted({name for name, _ in values} - used)
    if unknown:
        raise click.UsageError(f"no model declares a parameter {unknown[0]}")
    return loaded

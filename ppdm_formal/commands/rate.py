"""ppdm rate: the least information disclosed at a given expected loss, and a mechanism for it."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ppdm_formal.commands._options import (
    NumberType,
    header_option,
    index_option,
)
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.machine.files import text_writer

SHOWN = Shown("audit", "Find the least information at a given loss.")


@click.command("rate")
@click.argument("loss", metavar="LOSS.csv", type=click.Path(path_type=Path))
@click.option("--max-loss", type=NumberType(), required=True, help="Largest expected loss.")
@click.option("--prior", metavar="SHARES", help="Probabilities of the inputs; else the uniform.")
@click.option("-o", "output", metavar="FILE.csv", help="Write the mechanism as a matrix.")
@header_option
@index_option
@writes_result
def command(
    loss: Path,
    max_loss: Any,
    prior: str | None,
    output: str | None,
    header: bool | None,
    index: bool | None,
    out: Outputs,
) -> Answer:
    """Find the least information at an expected loss, and a mechanism (Dor18 1.2.3).

    LOSS.csv has a row for each input and a column for each output (a first line or column without
    numbers holds labels): what it costs to be told the output instead of the input. The optimum
    (rate-distortion) is enclosed between proven bounds; the mechanism is rational, keeps within
    the loss exactly, and is a matrix for `ppdm audit FILE.csv`.
    """
    from ppdm_formal.declare.arithmetic.exact import parse_number
    from ppdm_formal.declare.arithmetic.spelling import number_text
    from ppdm_formal.declare.operators.randomization import Operator
    from ppdm_formal.derive.information.rate_distortion import Rate, rate_distortion
    from ppdm_formal.derive.measures.amplification import amplification
    from ppdm_formal.run.loss_file import read_loss

    out.check([loss], output)
    losses = read_loss(loss, index, header)
    try:
        shares = (
            [Fraction(1, len(losses))] * len(losses)
            if prior is None
            else [parse_number(part) for part in prior.split(",")]
        )
        found = rate_distortion(shares, losses, max_loss)
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None
    gain = amplification(Operator.from_matrix([list(row) for row in found.rows])).value
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([[number_text(cell) for cell in row] for row in found.rows])
    matrix = text_writer(lambda: [text.getvalue()])
    return Answer(Rate(found, max_loss, gain), files=[(output, matrix)])

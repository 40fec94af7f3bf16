"""ppdm leakage: what an operator's outputs tell, of the whole input and of each person in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ppdm_formal.commands._options import (
    MatrixOptions,
    ValuesType,
    chosen_operator,
    chosen_prior,
    exact_matrix_options,
)
from ppdm_formal.commands._result import Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.result import Result

SHOWN = Shown("audit", "Measure what outputs tell, by the definitions of Dor18.")


@click.command("leakage")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("--operator", "operator_name", help="Operator of the model, if it has several.")
@click.option("--prior", "prior_name", help="Prior of the model; the uniform one if not named.")
@click.option("--set", "values", type=ValuesType(), multiple=True, help="Value of a parameter.")
@exact_matrix_options
@writes_result
def command(
    model: Path,
    operator_name: str | None,
    prior_name: str | None,
    values: tuple[tuple[str, Any], ...],
    matrix: MatrixOptions,
    out: Outputs,
) -> Result:
    """Measure what an operator's outputs tell, by the definitions that Dor18 section 1.2 collects.

    Knowledge gain for three uncertainty functions (entropy, Bayes risk, variance where inputs are
    numbers); inputs that are tuples are databases, and for each person the event-based leakage
    under the prior and the epsilon of mutual-information differential privacy for all priors.
    """
    from ppdm_formal.declare.operators.prior import Prior
    from ppdm_formal.declare.operators.randomization import check_known_exactly
    from ppdm_formal.derive.information.knowledge import UNCERTAINTIES, Gain, knowledge_gain
    from ppdm_formal.derive.information.leakage import Leakage, leakages
    from ppdm_formal.derive.measures.local_dp import local_dp

    out.check([model])
    compiled, operator = chosen_operator(model, dict(values), operator_name, matrix.reading())
    named = chosen_prior(compiled, prior_name)
    gains: dict[str, Gain] = {}
    try:
        check_known_exactly(operator, but="measured so")
        prior = Prior.uniform(operator.inputs) if named is None else named
        numeric = all(isinstance(value, int) for value in operator.inputs)
        for name, uncertainty in UNCERTAINTIES.items():
            if name != "variance" or numeric:
                gains[name] = knowledge_gain(operator, prior, uncertainty)
        people = leakages(operator, prior)
    except ValueError as problem:
        raise click.UsageError(f"{operator.name}: {problem}") from None
    epsilon = local_dp(operator).epsilon
    return Leakage(operator.name, prior_name, gains, tuple(people), epsilon)

"""ppdm leakage: what an operator's outputs tell, of the whole input and of each person in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ppdm_formal.commands._options import (
    MatrixOptions,
    ValuesType,
    check_outputs,
    chosen_operator,
    chosen_prior,
    exact_matrix_options,
    say_written,
)
from ppdm_formal.commands._shown import Shown
from ppdm_formal.files import write_text

SHOWN = Shown("audit", "Measure what outputs tell, by the definitions of Dor18.")


@click.command("leakage")
@click.argument("model", type=click.Path(path_type=Path))
@click.option("--operator", "operator_name", help="Operator of the model, if it has several.")
@click.option("--prior", "prior_name", help="Prior of the model; the uniform one if not named.")
@click.option("--set", "values", type=ValuesType(), multiple=True, help="Value of a parameter.")
@click.option("--json", "json_file", metavar="FILE|-", help="Write the numbers as JSON.")
@exact_matrix_options
def command(
    model: Path,
    operator_name: str | None,
    prior_name: str | None,
    values: tuple[tuple[str, Any], ...],
    json_file: str | None,
    matrix: MatrixOptions,
) -> int:
    """Measure what an operator's outputs tell, by the definitions that Dor18 section 1.2 collects.

    Knowledge gain for three uncertainty functions (entropy, Bayes risk, variance where inputs are
    numbers); inputs that are tuples are databases, and for each person the event-based leakage
    under the prior and the epsilon of mutual-information differential privacy for all priors.
    """
    from ppdm_formal.information.knowledge import UNCERTAINTIES, Gain, knowledge_gain, shown
    from ppdm_formal.information.leakage import leakages
    from ppdm_formal.measures.local_dp import local_dp
    from ppdm_formal.numbers.value import value_json
    from ppdm_formal.operator.operator import check_known_exactly
    from ppdm_formal.operator.prior import Prior
    from ppdm_formal.report.formats.terminal import console, print_document
    from ppdm_formal.report.parts.information import leakage_document

    check_outputs([json_file], [model])
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
    if json_file is not None:
        value = {
            "format": "ppdm-leakage/1",
            "operator": operator.name,
            "prior": prior_name,
            "unit": "nat",
            "knowledge_gain": {
                name.replace(" ", "_"): {
                    "before": value_json(shown(gain.before)),
                    "after": value_json(shown(gain.after)),
                    "gain": value_json(gain.gain),
                }
                for name, gain in gains.items()
            },
            "people": [
                {
                    "person": one.person,
                    "event_based_leakage": value_json(one.under_prior),
                    "mutual_information_dp": None
                    if one.for_all is None
                    else value_json(one.for_all),
                }
                for one in people
            ],
            "free_lunch_epsilon": value_json(epsilon),
        }
        write_text(json_file, json.dumps(value, indent=1) + "\n")
    if json_file != "-":
        said = "the uniform prior" if prior_name is None else f"the prior {prior_name}"
        title = f"What outputs of {operator.name} tell, under {said}"
        print_document(leakage_document(title, gains, people, epsilon), console())
    say_written([json_file])
    return 0

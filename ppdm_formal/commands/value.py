"""ppdm value: divide what data providers earn together, by the Shapley value and the core."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._options import (
    MatrixOptions,
    NumberType,
    ValuesType,
    chosen_operator,
    chosen_prior,
    exact_matrix_options,
)
from ppdm_formal.commands._result import Outputs, writes_result
from ppdm_formal.commands._shown import Shown

if TYPE_CHECKING:
    from ppdm_formal.declare.operators.prior import Prior
    from ppdm_formal.declare.operators.randomization import Operator
    from ppdm_formal.tables.coalition.valuation import SampledValuation, Valuation

UNKNOWN = 3


SHOWN = Shown("analyse", "Divide what data providers earn together.")


@click.command("value")
@click.option("--game", type=click.Path(path_type=Path), help="CSV file of coalitions and payoffs.")
@click.option("--missing-zero", is_flag=True, help="Coalitions not in the file earn nothing.")
@click.option("--model", type=click.Path(path_type=Path), help="Model that answers go through.")
@click.option(
    "--operator", "operator_name", help="Operator of the model; needed if it has several."
)
@click.option("--prior", "prior_name", help="Prior of the model; the uniform one if not named.")
@click.option("--set", "values", type=ValuesType(), multiple=True, help="Value of a parameter.")
@click.option("--people", help="How many people each provider has: 1000,500,200.")
@click.option("--error", type=NumberType(), help="An estimate with this standard error is worth 1.")
@click.option("--worth", help="Worth by standard error, in steps: 1%:100,2%:40,5%:10.")
@click.option(
    "--orders",
    type=click.IntRange(2, 1_000_000),
    default=2_000,
    show_default=True,
    help="Orders of arrival that are sampled for more than 16 providers.",
)
@exact_matrix_options
@writes_result
def command(
    game: Path | None,
    missing_zero: bool,
    model: Path | None,
    operator_name: str | None,
    prior_name: str | None,
    values: tuple[tuple[str, Any], ...],
    people: str | None,
    error: Any,
    worth: str | None,
    orders: int,
    matrix: MatrixOptions,
    out: Outputs,
) -> Valuation | SampledValuation:
    """Divide what data providers earn together: Shapley value and core (Evf02 section 5).

    Payoffs come from a file (first line "coalition,payoff", then lines such as A+B,10), or from a
    model: what an estimate from a coalition's answers is worth, by its standard error. Exact for
    up to 16 players; an empty core is shown with the balanced collection that refutes it.
    """
    if (game is None) == (model is None):
        raise click.UsageError("name either --game FILE.csv or --model MODEL with --people")
    out.check([game, model])
    if game is not None:
        named = operator_name or prior_name or values or matrix.named
        if people or worth or error is not None or named:
            raise click.UsageError("a --game has its payoffs: the other options are for --model")
        return _of_file(game, missing_zero)
    if people is None or (error is None) == (worth is None):
        raise click.UsageError("--model needs --people, and either --error or --worth")
    assert model is not None
    compiled, operator = chosen_operator(model, dict(values), operator_name, matrix.reading())
    prior = chosen_prior(compiled, prior_name)
    steps = [(error, Fraction(1))] if worth is None else _steps(worth)
    return _of_model(operator, prior, _people(people), steps, orders)


def _of_file(path: Path, missing_zero: bool) -> Valuation:
    from ppdm_formal.tables.coalition.game_file import read_game
    from ppdm_formal.tables.coalition.valuation import Valuation

    return Valuation.of(read_game(path, missing_zero))


def _of_model(
    operator: Operator,
    prior: Prior | None,
    people: list[int],
    steps: list[tuple[Fraction, Fraction]],
    orders: int,
) -> Valuation | SampledValuation:
    from ppdm_formal.run.keystream import Keystream
    from ppdm_formal.tables.coalition import answers
    from ppdm_formal.tables.coalition.shapley import sampled_shapley
    from ppdm_formal.tables.coalition.valuation import SampledValuation, Valuation

    try:
        answers.check_people(people)
        worth = answers.Worth.of(answers.answer_variance(operator, prior), steps)
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None
    if answers.few(people):
        return Valuation.of(answers.answers_game(people, worth), worth)
    names = tuple(str(place) for place in range(1, len(people) + 1))
    shares = sampled_shapley(len(people), worth.payoffs(people), orders, Keystream())
    point = answers.proportional(people, worth)
    apart = answers.apart(people, worth) if point is None else None
    parted = [worth.payoff(sum(people[i] for i in members)) for members in apart or ()]
    everything, aside = worth.payoff(sum(people)), sum(parted, Fraction(0))
    return SampledValuation(names, everything, shares, point, apart, aside, worth)


def _people(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 12 for part in parts):
        raise click.UsageError(f"--people {text}: expected counts such as 1000,500,200")
    return [int(part) for part in parts]


def _steps(text: str) -> list[tuple[Fraction, Fraction]]:
    from ppdm_formal.declare.arithmetic.exact import parse_number

    steps = []
    for part in text.split(","):
        error, sign, worth = part.partition(":")
        try:
            if not sign:
                raise ValueError(f"{part!r} is not of the form ERROR:WORTH, such as 1%:100")
            steps.append((parse_number(error), parse_number(worth)))
        except ValueError as problem:
            raise click.UsageError(f"--worth: {problem}") from None
    return steps

"""ppdm audit: measure the operators of a model and decide its claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._certificates import say_certificates, write_certificates
from ppdm_formal.commands._claims import forbid_options
from ppdm_formal.commands._options import (
    STEP_SECONDS,
    MatrixOptions,
    SecondsType,
    chosen_model,
    limited,
    load_model,
    matrix_options,
    model_files,
    progress,
    settings,
    sweep_option,
    unit_option,
)
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.audited import AuditResult
    from ppdm_formal.declare.claim import Claim
    from ppdm_formal.declare.language.model import Model
    from ppdm_formal.declare.machine.deadline import Deadline


SHOWN = Shown("audit", "Measure operators exactly, and decide what is claimed of them.", 2)


@click.command("audit")
@click.argument("model", required=False, type=click.Path(path_type=Path))
@click.option("--example", metavar="NAME", help="Audit a model that comes with the package.")
@sweep_option
@forbid_options("Also claim: no breach from R1 to R2, for any prior and property.")
@click.option("--full", is_flag=True, help="Fold nothing in the report: all details, on paper too.")
@click.option("--title", help="Title of the report; this and the next three also stand in a model.")
@click.option("--owner", help="Who answers for the randomization.")
@click.option("--purpose", help="What the data are for.")
@click.option("--date", metavar="YYYY-MM-DD", help="Date of the report.")
@click.option("--certificates", type=click.Path(path_type=Path), help="Write certificates there.")
@click.option(
    "--timeout",
    type=SecondsType(),
    help="Seconds for all of it, shared among its steps.  [default: 60 for each step]",
)
@click.option("--cross-check", is_flag=True, help="Ask z3 and cvc5 as well; they must agree.")
@click.option(
    "--solver/--no-solver",
    default=True,
    help="Put verdicts that were decided exactly to z3 as well (the default), or do not.",
)
@click.option("--allow-vacuous", is_flag=True, help="Let claims pass that no case can test.")
@unit_option
@click.option(
    "--digits",
    type=click.IntRange(1, 10_000),
    default=15,
    show_default=True,
    help="Correct digits of logarithms.",
)
@click.option("--data", type=click.Path(path_type=Path), help="For a plan: baskets at hand.")
@matrix_options
@writes_result
def command(
    model: Path | None,
    example: str | None,
    values: Sequence[tuple[str, tuple[Any, ...]]],
    forbid: Sequence[Claim],
    full: bool,
    title: str | None,
    owner: str | None,
    purpose: str | None,
    date: str | None,
    certificates: Path | None,
    timeout: float | None,
    cross_check: bool,
    solver: bool,
    allow_vacuous: bool,
    unit: Any,
    digits: int,
    data: Path | None,
    matrix: MatrixOptions,
    out: Outputs,
) -> Answer:
    """Audit the operators of MODEL: a model (.ppdm), a matrix of numbers (.csv) or a plan (.json).

    Prints amplification, posteriors, information and the verdict of every claim. A plan for
    transactions (ppdm design) has an operator for each group and size, and the claim that it was
    designed for; --data shows what it would find in the baskets at hand.
    """
    from ppdm_formal.certify.audit.audit import audit
    from ppdm_formal.certify.audit.comparison import Sweep
    from ppdm_formal.declare.machine.deadline import NEVER, Deadline
    from ppdm_formal.report.words.progress_words import progress_words

    step = STEP_SECONDS if timeout is None else timeout
    whole = NEVER if timeout is None else Deadline.after(timeout)
    if is_plan(model) and matrix.named:
        raise click.UsageError(f"{matrix.named}: for matrices (.csv), not for plans")
    if data is not None and not is_plan(model):
        raise click.UsageError("--data is for plans (.json)")
    if model is not None and example is None and is_plan(model):
        return _plan(
            model,
            values,
            forbid,
            data,
            out,
            certificates,
            step,
            whole,
            cross_check,
            solver,
            allow_vacuous,
            {"title": title, "owner": owner, "purpose": purpose, "date": date},
        )
    if solver:
        start_solver()
    reading = matrix.reading()
    given = settings(values)
    if len(given) > 1 and certificates is not None:
        raise click.UsageError("--certificates needs one value for each parameter")
    results = []
    for position, chosen in enumerate(given):
        own = whole.part(1 / (len(given) - position))
        loaded = load_model(chosen_model(model, example), chosen, step, reading)
        loaded = headed(loaded, title=title, owner=owner, purpose=purpose, date=date)
        out.check(model_files(loaded))
        with progress() as say:
            results.append(
                audit(
                    loaded,
                    forbid,
                    unit=unit,
                    digits=digits,
                    timeout=step,
                    cross_check=cross_check,
                    confirm=solver,
                    whole=own,
                    progress=lambda event, say=say: say(progress_words(event)),  # type: ignore[misc]
                )
            )
        warn_of_disagreements(results[-1])
    if len(results) > 1:
        swept = Sweep(tuple(results))
        return Answer(swept, swept.exit_code_if(allow_vacuous=allow_vacuous))
    (result,) = results
    files = write_certificates(result, certificates)
    return Answer(
        replace(result, files=files),
        result.exit_code_if(allow_vacuous=allow_vacuous),
        how={"full": full},
        after=lambda: say_certificates(certificates, files, err=out.aside),
    )


def headed(model: Model, **given: str | None) -> Model:
    """The model with a report's title, owner, purpose and date as options say."""
    said = {name: text for name, text in given.items() if text is not None}
    try:
        return replace(model, head=replace(model.head, **said)) if said else model
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None


def start_solver() -> None:
    """Begin to load z3 in its own process, while this one compiles the model."""
    from ppdm_formal.certify.solver import solver

    if solver.installed("z3"):
        solver.solver("z3").start()


def warn_of_disagreements(result: AuditResult) -> None:
    """Say loudly where a solver contradicts what was decided exactly."""
    from ppdm_formal.report.words.visible import clean

    for found in result.operators:
        for certificate in found.certificates:
            if certificate.confirmation is not None and certificate.confirmation.disagrees:
                whose = f"{clean(found.operator.name)}: {clean(str(certificate.claim), 200)}"
                click.echo(f"{whose}: {certificate.reason}", err=True)


def is_plan(model: Path | None) -> bool:
    """Whether a file is a plan, by its name."""
    return model is not None and model.suffix.lower() == ".json"


def _plan(
    path: Path,
    values: Sequence[tuple[str, Any]],
    forbid: Sequence[Claim],
    data: Path | None,
    out: Outputs,
    certificates: Path | None,
    step: float,
    whole: Deadline,
    cross_check: bool,
    solver: bool,
    allow_vacuous: bool,
    head: Mapping[str, str | None],
) -> Answer:
    """Audit a plan."""
    from ppdm_formal.certify.audit.plan_audit import audit_plan
    from ppdm_formal.certify.audit.plan_model import load_plan
    from ppdm_formal.design.rounds.plan import RoundsPlan
    from ppdm_formal.report.words.progress_words import progress_words
    from ppdm_formal.run.at_hand_file import read_at_hand
    from ppdm_formal.run.basket_files import Items

    if values:
        raise click.UsageError("a plan has no parameters to --set")
    out.check([path, data])
    plan, model = limited(step, f"{path}: not read", lambda: load_plan(path))
    model = headed(model, **head)
    with progress() as say:
        baskets = None
        if data is not None:
            items = None if plan.items is None else Items(plan.items)
            baskets = read_at_hand(data, items, None, say)[0]
        if isinstance(plan, RoundsPlan):
            return _in_rounds(
                model, forbid, certificates, step, whole, cross_check, solver, allow_vacuous, out
            )
        found = audit_plan(
            plan,
            model,
            forbid,
            data=baskets,
            around=out.paged,
            timeout=step,
            cross_check=cross_check,
            confirm=solver,
            whole=whole,
            progress=lambda event: say(progress_words(event)),
        )
    warn_of_disagreements(found.result)
    files = write_certificates(found.result, certificates)
    return Answer(
        replace(found, result=replace(found.result, files=files)),
        found.result.exit_code_if(allow_vacuous=allow_vacuous),
        after=lambda: say_certificates(certificates, files, err=out.aside),
    )


def _in_rounds(
    model: Model,
    forbid: Sequence[Claim],
    certificates: Path | None,
    step: float,
    whole: Deadline,
    cross_check: bool,
    solver: bool,
    allow_vacuous: bool,
    out: Outputs,
) -> Answer:
    """Audit a plan in rounds, as the model that it amounts to."""
    from ppdm_formal.certify.audit.audit import audit

    found = audit(
        model,
        forbid,
        timeout=step,
        cross_check=cross_check,
        confirm=solver,
        whole=whole,
    )
    warn_of_disagreements(found)
    files = write_certificates(found, certificates)
    return Answer(
        replace(found, files=files),
        found.exit_code_if(allow_vacuous=allow_vacuous),
        after=lambda: say_certificates(certificates, files, err=out.aside),
    )

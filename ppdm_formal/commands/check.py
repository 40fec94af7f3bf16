"""ppdm check: verify certificates again, independently of what made them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ppdm_formal.check import CheckResult

HOLDS, BAD_INPUT, SOLVER_TRUSTED, REJECTED = 0, 2, 3, 4


@click.command("check")
@click.argument("certificates", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    help="Derive the views anew from this model file and compare.",
)
@click.option(
    "--allow-solver-trusted",
    is_flag=True,
    help="Accept certificates that rest on a solver's word.",
)
def command(certificates: Sequence[Path], model: Path | None, allow_solver_trusted: bool) -> int:
    """Verify CERTIFICATES again with the standard library alone.

    Every number of a certificate is derived anew in exact arithmetic. Without --model that
    shows that the claim is true of the operator which the certificate describes; with it,
    that this is the operator of the model, whose file must be the very one (by its digest).
    """
    from ppdm_formal.audit import worst_exit

    codes = [_check(path, model, allow_solver_trusted) for path in certificates]
    return worst_exit(codes)


def _check(path: Path, model: Path | None, allow_solver_trusted: bool) -> int:
    from ppdm_formal.check import check_certificate
    from ppdm_formal.report.words.decimals import clean

    try:
        data = path.read_bytes()
    except OSError as problem:
        click.echo(f"{path}: cannot be read: {problem.strerror}", err=True)
        return BAD_INPUT
    derived: dict[str, Any] = {}
    refused = ""
    if model is not None:
        derived, refused = _derived(data, model)
    result: CheckResult = check_certificate(
        data, directory=path.parent, allow_solver_trusted=allow_solver_trusted, **derived
    )
    if result.status == "accepted" and refused:
        click.echo(f"{path}: rejected: {refused}")
        return REJECTED
    if result.status == "accepted":
        what = "the claim holds" if result.verdict == "certified" else "the claim is broken"
        whose = clean(str(json.loads(data)["operator"]["name"]))
        said = clean(result.claim, 200)
        click.echo(f"{path}: accepted: {whose}: {said}: {what} ({result.reason})")
        return HOLDS
    if result.status == "solver-trusted":
        click.echo(
            f"{path}: not verified: {clean(result.claim, 200)}: {result.reason};"
            " --allow-solver-trusted accepts the solver's word"
        )
        return SOLVER_TRUSTED
    click.echo(f"{path}: {result.status}: {clean(result.reason, 400)}")
    return REJECTED


def _derived(data: bytes, path: Path) -> tuple[dict[str, Any], str]:
    """What the model says of the certificate's operator, or why it does not say anything.

    A certificate whose own form is wrong is left to the checker, which says so.
    """
    from ppdm_formal.audit import provenance
    from ppdm_formal.certify.canonical import claim_views, operator_json
    from ppdm_formal.certify.rebuild import NotInModel, rebuilt_claim
    from ppdm_formal.commands.options import load_model
    from ppdm_formal.language.errors import ModelError

    try:
        document = json.loads(data)
        values = {str(n): str(v) for n, v in ((document["model"] or {}).get("set") or {}).items()}
        name, stated = document["operator"]["name"], document["claim"]
    except (ValueError, TypeError, KeyError, AttributeError):
        return {}, "the certificate is malformed"
    try:
        model = load_model(path, values)
    except ModelError:
        load_model(path, {})  # a model that is wrong in itself is bad input, not a rejection
        return {}, "the model does not take the certificate's parameter values"
    if name not in model.operators:
        return {}, f"the model declares no operator {name!r}"
    try:
        claim = rebuilt_claim(stated, model.priors, model.properties, model.operators)
    except NotInModel as problem:
        return {}, str(problem)
    except (ValueError, TypeError, KeyError, IndexError):
        return {}, "the certificate's claim is malformed"
    operator = model.operators[name]
    views = operator_json(operator, claim, claim_views(operator, claim))
    return {"views": views, "model": provenance(model)}, ""

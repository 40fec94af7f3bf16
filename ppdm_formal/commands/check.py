"""ppdm check: verify certificates again, independently of what made them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.checker import CheckResult, FromModel, Rejected, Worker, check_file, remarks
from ppdm_formal.checker.canonical import parse
from ppdm_formal.commands._options import timeout_option
from ppdm_formal.commands._shown import Shown

if TYPE_CHECKING:
    from ppdm_formal.language.model import Model

EXITS = {
    "accepted": 0,
    "unreadable": 2,
    "solver-trusted": 3,
    "unknown": 3,
    "rejected": 4,
    "internal": 5,
}


SAID = {
    "certified": "the claim holds",
    "breached": "the claim is broken",
    "partly": "the claim holds for a part of what is declared",
}

SHOWN = Shown("audit", "Verify certificates again, independently of what made them.", 3)


@click.command("check")
@click.argument("certificates", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    help="Derive claim, views and questions anew from this model file and compare.",
)
@click.option(
    "--allow-solver-trusted",
    is_flag=True,
    help="Accept certificates that rest on a solver's word.",
)
@click.option("--allow-vacuous", is_flag=True, help="Accept claims that no case can test.")
@timeout_option
def command(
    certificates: Sequence[Path],
    model: Path | None,
    allow_solver_trusted: bool,
    allow_vacuous: bool,
    timeout: float,
) -> int:
    """Verify CERTIFICATES (files, or folders of them) again with the standard library alone.

    Every number of a certificate is derived anew in exact arithmetic. Without --model that
    shows that the claim is true of the operator which the certificate describes; with it,
    that claim and operator are those of the model, whose file must be the very one (by its
    digest). What takes longer than --timeout is ended and is not verified.
    """
    from ppdm_formal.audited import worst_exit

    worker, codes = Worker(examine), []
    for path in _files(certificates):
        result = worker.ask(timeout, path, allow_solver_trusted, model, timeout)
        codes.append(EXITS[result.status])
        if result.vacuous is not False and not allow_vacuous:
            codes.append(EXITS["unknown"])
        _say(path, result)
    worker.close()
    return worst_exit(codes)


def _in_order(path: Path) -> list[tuple[int, str]]:
    """By name, numbers in it by their size: R-2 before R-10."""
    parts = re.split(r"(\d+)", path.name)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]


def _files(named: Sequence[Path]) -> list[Path]:
    """The certificates that are named, or lie in a folder that is; what is none is explained."""
    found: list[Path] = []
    for path in named:
        if path.is_dir():
            inside = sorted(path.glob("*.json"), key=_in_order)
            if not inside:
                raise click.UsageError(f"{path}: a folder without certificates (*.json)")
            found += inside
        elif path.suffix.lower() in _OTHERS:
            what = _OTHERS[path.suffix.lower()]
            raise click.UsageError(
                f"{path} is {what}, not a certificate. ppdm audit MODEL --certificates DIR writes "
                "certificates, one a claim, and ppdm check DIR verifies them."
            )
        else:
            found.append(path)
    return found


_OTHERS = {
    ".html": "a report for people",
    ".md": "a report for people",
    ".pdf": "a report for people",
    ".ppdm": "a model",
    ".csv": "a table of numbers",
    ".smt2": "a question that was put to a solver",
    ".py": "a program",
    ".txt": "a text",
}


def examine(
    path: Path, allow_solver_trusted: bool, model: Path | None, seconds: float
) -> CheckResult:
    """Check one certificate, in the worker's process; whatever happens is a result."""
    from ppdm_formal.language.errors import ModelError
    from ppdm_formal.theorem import library_of

    try:
        derive = None if model is None else partial(_derived, path=model)
        result = check_file(path, allow_solver_trusted, derive, seconds)
        if not result.accepted:
            return result
        return result._replace(theorem=library_of(parse(path.read_bytes())))
    except ModelError as problem:
        return CheckResult("unreadable", str(problem))
    except OSError as problem:
        return CheckResult("unreadable", f"{problem.filename}: {problem.strerror or problem}")
    except MemoryError:
        return CheckResult("unknown", "not verified: it takes too much memory")
    except Exception as problem:
        return CheckResult("internal", f"internal error: {type(problem).__name__}: {problem}")


def _say(path: Path, result: CheckResult) -> None:
    """One line about a certificate; what is not its fault goes to standard error."""
    from ppdm_formal.report.words.visible import clean

    claim, extra = clean(result.claim, 200), clean(remarks(result), 600)
    if result.status == "accepted":
        what = SAID[result.verdict]
        if result.vacuous is None:
            what = "the claim holds, or says nothing"
        elif result.vacuous:
            what = "the claim says nothing"
        whose = clean(result.operator)
        click.echo(f"{path}: accepted: {whose}: {claim}: {what} ({result.reason}){extra}")
    elif result.status == "solver-trusted":
        click.echo(
            f"{path}: not verified: {claim}: {result.reason}{extra};"
            " --allow-solver-trusted accepts the solver's word"
        )
    elif result.status == "rejected":
        click.echo(f"{path}: rejected: {clean(result.reason, 400)}")
    else:
        click.echo(f"{path}: {result.reason}", err=True)


@lru_cache(maxsize=4)
def _loaded(path: Path, values: tuple[tuple[str, str], ...], reading: Any = None) -> Model:
    from ppdm_formal.commands._options import load_model

    return load_model(path, dict(values), reading=reading)


def _derived(document: Mapping[str, Any], path: Path) -> FromModel:
    """What the model says of a certificate that is right in itself."""
    from ppdm_formal.audit import provenance
    from ppdm_formal.certify.rebuild import rebuilt
    from ppdm_formal.certify.violations import TooManyAlternatives
    from ppdm_formal.language.errors import ModelError

    origin = document["model"] or {}
    values = origin.get("set", {})
    reading = _reading(origin.get("read"))
    try:
        pairs = tuple((str(name), str(value)) for name, value in values.items())
        model = _loaded(path, pairs, reading)
    except (ModelError, click.UsageError):
        _loaded(path, ())  # a model that is wrong in itself is bad input, not a rejection
        raise Rejected("the model does not take the certificate's parameter values") from None
    try:
        if document["format"] == "ppdm-continuous/1":
            return _derived_continuous(document, model)
        if document["format"] == "ppdm-parts/1":
            return _derived_parts(document, model)
        priors, properties = model.names_for(document["operator"]["name"])
        found = rebuilt(document, priors, properties, model.operators, model.exponentials)
    except (ValueError, TooManyAlternatives) as problem:  # such as a prior on another domain
        raise Rejected(f"not of this model: {problem}") from None
    return FromModel(
        found.operator, found.claim, dict(provenance(model)), found.questions, found.region
    )


def _derived_continuous(document: Mapping[str, Any], model: Model) -> FromModel:
    """The same of a continuous operator."""
    from ppdm_formal.audit import provenance
    from ppdm_formal.certify.continuous_certificate import rebuilt_continuous

    real = model.real
    operator, claim = rebuilt_continuous(document, real.densities, real.properties, real.operators)
    return FromModel(operator, claim, dict(provenance(model)))


def _derived_parts(document: Mapping[str, Any], model: Model) -> FromModel:
    """The same of a record in parts."""
    from ppdm_formal.audit import provenance
    from ppdm_formal.certify.parts_certificate import rebuilt_parts

    record, claim = rebuilt_parts(document, model.parts)
    return FromModel(record, claim, dict(provenance(model)))


def _reading(raw: Any) -> Any:
    """How the certificate says that a bare matrix was read; None where it says nothing."""
    from ppdm_formal.operator.outside import Reading

    if raw is None:
        return None
    way, digits, index, header = raw["way"], raw["digits"], raw["index"], raw.get("header")
    known = way in ("exact", "normalize", "rounded") and type(digits) in (int, type(None))
    if not known or not {type(index), type(header)} <= {bool, type(None)}:
        raise Rejected("no such way to read a matrix")
    try:
        return Reading(way, digits, index, header)
    except ValueError as problem:
        raise Rejected(str(problem)) from None

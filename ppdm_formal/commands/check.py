"""ppdm check: verify certificates again, independently of what made them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.checker import (
    CheckResult,
    FromModel,
    Permits,
    Rejected,
    Survey,
    Worker,
    check_file,
    need_origin,
    remarks,
    survey,
)
from ppdm_formal.checker.canonical import parse
from ppdm_formal.checker.clock import OutOfTime, within
from ppdm_formal.checker.manifest import MANIFEST
from ppdm_formal.commands._claims import forbid_options
from ppdm_formal.commands._options import (
    MatrixOptions,
    ValuesType,
    load_model,
    matrix_options,
    timeout_option,
)
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown

if TYPE_CHECKING:
    from ppdm_formal.declare.claim import Claim
    from ppdm_formal.declare.language.model import Model
    from ppdm_formal.declare.operators.outside import MatrixReading


@dataclass(frozen=True)
class AsStated:
    """A model as the caller states it: its file, values of parameters, how a matrix is read."""

    path: Path
    values: tuple[tuple[str, Any], ...] = ()
    reading: MatrixReading | None = None

    def load(self, seconds: float) -> Model:
        """The model."""
        return load_model(self.path, dict(self.values), seconds, self.reading)


SHOWN = Shown("audit", "Verify certificates again, independently of what made them.", 3)


@click.command("check")
@click.argument("certificates", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--model",
    type=click.Path(path_type=Path),
    help="Derive claims, views and questions anew from this model file and compare.",
)
@click.option(
    "--set",
    "values",
    type=ValuesType(),
    multiple=True,
    help="Give a parameter of the model a value; else it has the model's.",
)
@forbid_options("With --model: of a folder also expect this claim of every audited operator.")
@click.option(
    "--operator",
    "operators",
    multiple=True,
    metavar="NAME",
    help="With --model: of a folder expect the claims about this operator only (may be repeated).",
)
@click.option(
    "--allow-solver-trusted",
    is_flag=True,
    help="Accept certificates that rest on a solver's word.",
)
@click.option("--allow-vacuous", is_flag=True, help="Accept claims that no case can test.")
@click.option("--allow-breached", is_flag=True, help="Accept verified breaches: exit code 0.")
@timeout_option
@matrix_options
@writes_result
def command(
    certificates: Sequence[Path],
    model: Path | None,
    values: Sequence[tuple[str, Any]],
    forbid: Sequence[Claim],
    operators: Sequence[str],
    allow_solver_trusted: bool,
    allow_vacuous: bool,
    allow_breached: bool,
    timeout: float,
    matrix: MatrixOptions,
    out: Outputs,
) -> Answer:
    """Verify CERTIFICATES (files, or folders of them) again with the standard library alone.

    Everything that a certificate concludes is derived anew in exact arithmetic from the numbers
    of its operator. Without --model these are taken from the file. With it, claim and operator
    must be those of the model, at the values and by the reading that --set, --normalize,
    --rounded, --index and --header state here (otherwise the model's own), and of a folder every
    claim of the model's audit must have its certificate. What takes longer than --timeout is
    ended and is not verified.
    """
    from ppdm_formal.certify.audit.checked import Check

    _refuse_others(certificates)
    out.check([*certificates, model])
    asked, loaded = None, None
    if model is not None:
        asked = AsStated(model, tuple(dict(values).items()), matrix.reading())
        loaded = asked.load(timeout)
    elif values or matrix.named or forbid or operators:
        raise click.UsageError("values, readings, claims and operators are a model's: give --model")
    worker = Worker(examine)
    found = survey(
        certificates,
        lambda path: worker.ask(timeout, path, allow_solver_trusted, asked, timeout),
        partial(_say, out=out),
        None if loaded is None else _stated(loaded, forbid, operators),
    )
    worker.close()
    _conclude(found, certificates, model, out)
    return Answer(Check(found, loaded, Permits(allow_vacuous, allow_breached)), said=True)


def _stated(
    model: Model, further: Sequence[Claim], operators: Sequence[str]
) -> list[tuple[str, str]]:
    """The claims of the model's audit, or of the operators that were named."""
    from ppdm_formal.certify.audit.stated import stated_claims

    known = {*model.operators, *model.real.operators, *model.parts}
    for name in operators:
        if name not in known:
            there = ", ".join(sorted(known))
            raise click.UsageError(f"the model has no operator {name} (it has {there})")
    found = stated_claims(model, further, set(operators) or None)
    return [(one.operator, one.text) for one in found]


def _refuse_others(named: Sequence[Path]) -> None:
    """Explain what is no certificate, and no folder of them."""
    for path in named:
        if path.is_dir():
            if not (path / MANIFEST).exists() and next(path.glob("*.json"), None) is None:
                raise click.UsageError(f"{path}: a folder without certificates (*.json)")
        elif path.suffix.lower() in _OTHERS:
            what = _OTHERS[path.suffix.lower()]
            raise click.UsageError(
                f"{path} is {what}, not a certificate. ppdm audit MODEL --certificates DIR writes "
                "certificates, one a claim, and ppdm check DIR verifies them."
            )


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


THEOREM_SECONDS = 10.0
"""At most, for the theorem that covers a certificate."""


def examine(
    path: Path, allow_solver_trusted: bool, model: AsStated | None, seconds: float
) -> CheckResult:
    """Check one certificate, in the worker's process; whatever happens is a result."""
    from ppdm_formal.certify.theorem import library_of
    from ppdm_formal.declare.language.errors import ModelError

    try:
        derive = None if model is None else partial(_derived, asked=model)
        begun = time.monotonic()
        result = check_file(path, allow_solver_trusted, derive, seconds)
        if not result.accepted:
            return result
        # Which theorem covers it is a remark: a long search for it costs no certificate its word.
        left = seconds - (time.monotonic() - begun)
        try:
            with within(min(THEOREM_SECONDS, left / 2)):
                return result._replace(theorem=library_of(parse(path.read_bytes())))
        except OutOfTime:
            return result
    except ModelError as problem:
        return CheckResult("unreadable", str(problem))
    except OSError as problem:
        return CheckResult("unreadable", f"{problem.filename}: {problem.strerror or problem}")
    except MemoryError:
        return CheckResult("unknown", "not verified: it takes too much memory")
    except Exception as problem:
        return CheckResult("internal", f"internal error: {type(problem).__name__}: {problem}")


def _say(path: Path, result: CheckResult, out: Outputs) -> None:
    """One line about a certificate; what is not its fault goes to standard error."""
    from ppdm_formal.report.parts.checked import finding
    from ppdm_formal.report.words.visible import clean

    claim, extra = clean(result.claim, 200), clean(remarks(result), 900)
    if result.status == "accepted":
        what = finding(result)
        said = f"accepted: {clean(result.operator)}: {claim}: {what} ({result.reason}){extra}"
    elif result.status == "solver-trusted":
        said = f"not verified: {claim}: {result.reason}{extra};"
        said += " --allow-solver-trusted accepts the solver's word"
    elif result.status == "rejected":
        said = f"rejected: {clean(result.reason, 400)}"
    else:
        click.echo(f"{path}: {result.reason}", err=True)
        return
    out.say(f"{path}: {said}")


def _conclude(found: Survey, named: Sequence[Path], model: Path | None, out: Outputs) -> None:
    """What was found of whole folders: how many claims hold, and which lack a certificate."""
    from ppdm_formal.report.words.visible import clean

    for line in (*found.faults, *(one.words for one in found.lacking)):
        out.say(clean(line, 600))
    if found.whole:
        out.say(found.words)
    for note in dict.fromkeys(found.notes):
        out.say(clean(note, 600))
    folders = [path.resolve() for path in named if path.is_dir()]
    if model is not None and any(model.resolve().is_relative_to(folder) for folder in folders):
        out.say("Compared with the model in the folder, which came with the certificates.")


@lru_cache(maxsize=1)
def _loaded(asked: AsStated) -> Model:
    return load_model(asked.path, dict(asked.values), reading=asked.reading)


def _derived(document: Mapping[str, Any], asked: AsStated) -> FromModel:
    """What the model as it is stated says of a certificate that is right in itself."""
    from ppdm_formal.certify.audit.audit import provenance
    from ppdm_formal.certify.subject import rebuilt
    from ppdm_formal.certify.violations import TooManyAlternatives

    model = _loaded(asked)
    origin = dict(provenance(model) or {})
    need_origin(document["model"], origin)
    try:
        found = rebuilt(document, model)
    except (ValueError, TooManyAlternatives) as problem:  # such as a prior on another domain
        raise Rejected(f"not of this model: {problem}") from None
    return FromModel(found.operator, found.claim, origin, found.questions, found.region)

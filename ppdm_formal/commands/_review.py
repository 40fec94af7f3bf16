"""What the audit says of the operators that a command is about to use, and whether they may run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.clearance import Clearance
    from ppdm_formal.certify.certificate import Certificate
    from ppdm_formal.commands._certificates import Numbered
    from ppdm_formal.declare.claim import Claim
    from ppdm_formal.declare.language.model import Model
    from ppdm_formal.declare.operators.randomization import Operator
    from ppdm_formal.design.planned import AnyGroup, AnyPlan
    from ppdm_formal.run.release import DecidedClaim, Origin

OVERRIDE = "--although-breached"

override_option = click.option(
    OVERRIDE, "although", is_flag=True, help="Go on with what the audit does not clear."
)


@dataclass(frozen=True)
class Review:
    """What the audit says of one operator, by the column or transaction size it is meant for."""

    where: str
    operator: Operator
    numbered: tuple[Numbered, ...]
    """The decided claims, by their numbers in the report of an audit."""
    clearance: Clearance
    claims: tuple[DecidedClaim, ...]


def review_operator(
    model: Model,
    name: str,
    further: Sequence[Claim],
    timeout: float,
    say: Callable[[str], None],
) -> Review:
    """Decide the model's claims about an operator, and further ones."""
    from ppdm_formal.certify.audit.audit import asked_of, decide, gathered
    from ppdm_formal.certify.audit.stated import stated_claims

    operator = runnable(model, name)
    asked = {request.operator.name: request for request in gathered(model)}
    decided = []
    stated = asked[name].claims if name in asked else ()
    for claim in (*stated, *asked_of(model, name, further)):
        say(f"{name}: {claim}")
        decided.append(decide(operator, claim, model, timeout, False))
    numbers = [one.number for one in stated_claims(model, further, [name])]
    return _review(name, operator, decided, numbers)


def runnable(model: Model, name: str) -> Operator:
    """An operator of the model that can run: without free parameters."""
    if name in model.real.operators:
        raise click.UsageError(
            f"{name} has real outputs, which no one can send: declare the grid that they are "
            "rounded to, such as clamped to 0..100 rounded to 1/100"
        )
    if name not in model.operators:
        known = ", ".join(model.operators) or "none"
        raise click.UsageError(f"the model has no operator {name} (it has {known})")
    operator = model.operators[name]
    if operator.parameters:
        free = ", ".join(parameter.told.name for parameter in operator.parameters)
        raise click.UsageError(f"{name} depends on {free}: give values with --set")
    if operator.within is not None:
        raise click.UsageError(
            f"{name} is known within rounding only, so that nothing can be drawn from it: read "
            "its file with normalize: yes"
        )
    return operator


def model_origin(model: Model) -> Origin:
    """The model's file, its digest, its parameters' values and the CSV files that it reads."""
    from ppdm_formal.declare.arithmetic.spelling import number_text
    from ppdm_formal.run.release import Origin

    values = {name: number_text(value) for name, value in model.values.items()}
    return Origin(Path(model.file).name, model.sha256, values, model.csv_files)


@dataclass(frozen=True)
class PlanFile:
    """A plan that was read from a file: the claim it was designed for, and where it comes from."""

    path: Path
    plan: AnyPlan
    claim: Claim
    origin: Origin

    @classmethod
    def read(cls, path: Path) -> PlanFile:
        """The plan in a file, checked."""
        from ppdm_formal.certify.audit.plan_model import promise_of
        from ppdm_formal.design.planned import read_planned
        from ppdm_formal.run.release import Origin

        raw = path.read_bytes()
        try:
            plan = read_planned(raw.decode())
            claim = promise_of(plan)
        except ValueError as wrong:
            raise click.UsageError(f"{path}: {wrong}") from None
        return cls(path, plan, claim, Origin(path.name, hashlib.sha256(raw).hexdigest()))

    @cached_property
    def model(self) -> Model:
        """The model that the plan amounts to."""
        from ppdm_formal.certify.audit.plan_model import model_of

        return model_of(self.plan, str(self.path), self.origin.sha256)

    def review(
        self,
        items: int,
        timeout: float,
        say: Callable[[str], None],
        groups: Sequence[AnyGroup] | None = None,
    ) -> dict[tuple[str, int], Review]:
        """Decide the plan's claim for each transaction size of its groups, on so many items."""
        from ppdm_formal.certify.audit.audit import decide
        from ppdm_formal.certify.audit.stated import stated_claims

        model, reviews = self.model, {}
        numbers = {one.operator: one.number for one in stated_claims(model)}
        claims = {audit.operator.name: audit.claims for audit in model.audits}
        for group in self.plan.groups if groups is None else groups:
            for part in group.sizes:
                label = group.label(part.size)
                [claim] = claims[label]
                say(f"{label}: {claim}")
                operator = self._operator(group, part.size, items)
                # As an audit decides it: on the plan's items, or on as many as show the same.
                decided = decide(model.operators[label], claim, model, timeout, False)
                found = _review(label, operator, [decided], [numbers[label]])
                reviews[group.name, part.size] = found
        return reviews

    def _operator(self, group: AnyGroup, size: int, items: int) -> Operator:
        """The operator of a group's baskets of one size."""
        try:
            return group.operator(size, items)
        except ValueError as wrong:
            raise click.UsageError(f"{self.path}: {group.label(size)}: {wrong}") from None


def _review(
    where: str, operator: Operator, found: Sequence[Certificate], numbers: Sequence[int]
) -> Review:
    from ppdm_formal.certify.audit.clearance import clearance
    from ppdm_formal.certify.written import file_stem
    from ppdm_formal.commands._certificates import Numbered
    from ppdm_formal.run.release import DecidedClaim

    numbered = tuple(Numbered(*one) for one in zip(numbers, found, strict=True))
    claims = []
    for entry, certificate in zip(numbered, found, strict=True):
        known = certificate.verdict.value != "unknown"
        sha256 = certificate.to_json(file_stem(entry.stem))["sha256"] if known else None
        claims.append(
            DecidedClaim(
                str(certificate.claim), certificate.verdict.value, certificate.vacuous, sha256
            )
        )
    return Review(where, operator, numbered, clearance(found), tuple(claims))


def write_reviewed(reviews: Sequence[Review], model: Model, folder: Path | None) -> set[str]:
    """The folder of certificates, as an audit writes it, of what was reviewed; their files."""
    from ppdm_formal.certify.audit.stated import stated_claims
    from ppdm_formal.commands._certificates import write_folder

    if folder is None:
        return set()
    entries = {entry.number: entry for review in reviews for entry in review.numbered}
    used = dict.fromkeys(entry.operator for entry in entries.values())
    every = {one.operator for one in stated_claims(model)}
    operators = None if every <= set(used) else list(used)
    ordered = [entries[number] for number in sorted(entries)]
    return set(write_folder(folder, model, ordered, operators).values())


def refuse(refused: Sequence[Review], nothing: str) -> int:
    """Say why `nothing`, such as "No data were", was written."""
    from ppdm_formal.certify.audit.audited import worst_exit
    from ppdm_formal.report.words.visible import clean

    for review in refused:
        click.echo(
            f"{clean(review.where)}: refused: the audit of {clean(review.operator.name)} has "
            f"{review.clearance.why}",
            err=True,
        )
        say_claims(review, err=True)
    click.echo(f"{nothing} written. {OVERRIDE} overrides, and what is written says so.", err=True)
    return worst_exit([review.clearance.exit_code for review in refused])


def say_claims(review: Review, *, err: bool) -> None:
    """Each claim with its verdict, a line each."""
    from ppdm_formal.report.words.visible import clean

    for claim in review.claims:
        vacuous = " (says nothing)" if claim.vacuous else ""
        click.echo(f"  {claim.verdict}{vacuous}: {clean(claim.text, 200)}", err=err)


def say_certificates(written: set[str], folder: Path | None, *, err: bool) -> None:
    """How many certificates were written: also those of what is refused, for they show why."""
    from ppdm_formal.commands._certificates import say_folder

    if folder is not None:
        say_folder(folder, written, err=err)

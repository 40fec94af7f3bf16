"""What the audit says of the operators that a command is about to use, and whether they may run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ppdm_formal.report.words.counted import counted

if TYPE_CHECKING:
    from ppdm_formal.certify.certificate import Certificate
    from ppdm_formal.claim import Claim
    from ppdm_formal.clearance import Clearance
    from ppdm_formal.itemsets.plan import Group, Plan
    from ppdm_formal.language.model import Model
    from ppdm_formal.operator.operator import Operator
    from ppdm_formal.run.release import DecidedClaim, Origin

OVERRIDE = "--although-breached"

MAX_CERTIFIED_ITEMS = 1_000_000
"""On more items than these a certificate is on as many as show the same (Group.witness)."""

override_option = click.option(
    OVERRIDE, "although", is_flag=True, help="Go on with what the audit does not clear."
)


@dataclass(frozen=True)
class Review:
    """What the audit says of one operator, by the column or transaction size it is meant for."""

    where: str
    operator: Operator
    certificates: tuple[Certificate, ...]
    clearance: Clearance
    claims: tuple[DecidedClaim, ...]
    files: tuple[str, ...] = ()
    """The certificates that were written."""


def review_operator(
    model: Model,
    name: str,
    further: Sequence[Claim],
    timeout: float,
    folder: Path | None,
    say: Callable[[str], None],
) -> Review:
    """Decide the model's claims about an operator, and further ones."""
    from ppdm_formal.audit import decide, gathered

    operator = runnable(model, name)
    asked = {request.operator.name: request for request in gathered(model)}
    decided = []
    for claim in (*(asked[name].claims if name in asked else ()), *further):
        say(f"{name}: {claim}")
        decided.append(decide(operator, claim, model, timeout, False))
    return _review(name, operator, decided, folder)


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
    from ppdm_formal.numbers.spelling import number_text
    from ppdm_formal.run.release import Origin

    values = {name: number_text(value) for name, value in model.values.items()}
    return Origin(Path(model.file).name, model.sha256, values, model.csv_files)


@dataclass(frozen=True)
class PlanFile:
    """A plan that was read from a file: the claim it was designed for, and where it comes from."""

    path: Path
    plan: Plan
    claim: Claim
    origin: Origin

    @classmethod
    def read(cls, path: Path) -> PlanFile:
        """The plan in a file, checked."""
        from ppdm_formal.claim import BreachClaim
        from ppdm_formal.itemsets.plan import read_plan
        from ppdm_formal.run.release import Origin

        raw = path.read_bytes()
        try:
            plan = read_plan(raw.decode())
            claim = BreachClaim(plan.rho1, plan.rho2)
        except ValueError as wrong:
            raise click.UsageError(f"{path}: {wrong}") from None
        return cls(path, plan, claim, Origin(path.name, hashlib.sha256(raw).hexdigest()))

    def review(
        self,
        items: int,
        timeout: float,
        folder: Path | None,
        say: Callable[[str], None],
        groups: Sequence[Group] | None = None,
    ) -> dict[tuple[str, int], Review]:
        """Decide the plan's claim for each transaction size of its groups, on so many items."""
        reviews = {}
        for group in self.plan.groups if groups is None else groups:
            for part in group.sizes:
                label = group.label(part.size)
                say(f"{label}: {self.claim}")
                found = self._decided(group, part.size, items, timeout)
                reviews[group.name, part.size] = _review(label, *found, folder)
        return reviews

    def _decided(
        self, group: Group, size: int, items: int, timeout: float
    ) -> tuple[Operator, list[Certificate]]:
        """The operator of a group's baskets of one size, with its certificate."""
        from ppdm_formal.certify import certify
        from ppdm_formal.recheck import rechecked

        try:
            operator = group.operator(size, items)
        except ValueError as wrong:
            raise click.UsageError(f"{self.path}: {group.label(size)}: {wrong}") from None
        many = group.universe(items) > MAX_CERTIFIED_ITEMS
        decided = group.witness(size) if many else operator
        return operator, [rechecked(certify(decided, self.claim, timeout=timeout), timeout)]


def _review(
    where: str, operator: Operator, found: Sequence[Certificate], folder: Path | None
) -> Review:
    from ppdm_formal.clearance import clearance
    from ppdm_formal.run.release import DecidedClaim

    claims, files = [], []
    for position, certificate in enumerate(found, start=1):
        stem = f"{where}-{position}".replace(" ", "-")
        written = None if folder is None else certificate.write(folder, stem)
        files += [] if written is None else [str(written)]
        known = certificate.verdict.value != "unknown"
        sha256 = certificate.to_json(stem)["sha256"] if known else None
        claims.append(
            DecidedClaim(
                str(certificate.claim), certificate.verdict.value, certificate.vacuous, sha256
            )
        )
    return Review(where, operator, tuple(found), clearance(found), tuple(claims), tuple(files))


def refuse(refused: Sequence[Review], nothing: str) -> int:
    """Say why `nothing`, such as "No data were", was written."""
    from ppdm_formal.audited import worst_exit
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


def say_certificates(reviews: Sequence[Review], folder: Path | None, *, err: bool) -> None:
    """How many certificates were written: also those of what is refused, for they show why."""
    if folder is not None:
        files = {file for review in reviews for file in review.files}
        click.echo(f"Wrote {counted(len(files), 'certificate')} to {folder}", err=err)

"""Theorem: data, computations that must answer true, a statement and its proof; and what all share.

The statement speaks of every operator that the certificate's views describe.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.certify.theorem.term import App, Given, Name, in_coq, rational, whole
from ppdm_formal.checker.claim import BoundClaim, BreachClaim
from ppdm_formal.checker.view import InputClass, View

OPERATOR = "forall (X Y : Type) (inputs : list X) (p k : X -> Y -> Q)"
WEIGHTS = "inputs (fun x => prior x * k x y) (fun x => p x y)"


@dataclass(frozen=True)
class Theorem:
    """What is written, and which file of proofs/coq proves it.

    `checks` all compute to true; `proof` (tactics) may speak of that as `accepted`. `real`: it is
    about real numbers.
    """

    library: str
    data: tuple[Given, ...]
    checks: tuple[App, ...]
    statement: str
    proof: str
    real: bool = False


def class_term(part: InputClass, claim: BoundClaim | BreachClaim) -> App:
    """A class of a view: likelihood, inputs, knowledge, prior, properties."""
    prior = part.prior if claim.prior is not None else Fraction(0)
    likelihood, knowledge, mass = map(rational, (part.likelihood, part.knowledge, prior))
    return App("Cls", (likelihood, whole(part.count), knowledge, mass, part.member))


def view_term(view: View, claim: BoundClaim | BreachClaim) -> tuple[App, ...]:
    """A view: its classes."""
    return tuple(class_term(part, claim) for part in view.classes)


def views_given(views: Iterable[View], claim: BoundClaim | BreachClaim) -> Given:
    """The definition of the views."""
    return Given("views", "list view", tuple(view_term(view, claim) for view in views))


def direction(claim: BreachClaim) -> Name:
    """Which breaches a claim forbids."""
    return Name("Both" if len(claim.directions) > 1 else claim.directions[0].capitalize())


def thresholds(claim: BreachClaim) -> tuple[Fraction, Fraction]:
    """rho1 and rho2."""
    return rational(claim.rho1), rational(claim.rho2)


def spelled(arguments: Sequence[object]) -> str:
    """Arguments for Coq, with blanks between them."""
    return " ".join(in_coq(argument) for argument in arguments)


def by_soundness(
    check: str, sound: str, arguments: tuple[object, ...], further: tuple[object, ...] = ()
) -> tuple[App, str]:
    """A computation, and the proof from the theorem that it is sound."""
    said = " ".join([sound, spelled(arguments), "accepted", *map(in_coq, further)])
    return App(check, arguments), f"exact ({said})"

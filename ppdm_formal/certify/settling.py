"""What a solver says of a claim without free parameters: broken, kept, or why it cannot tell.

Rational questions have one answer each. Numbers with e^q are rounded to help a breach, and to
hinder it (one_sided.py); where that settles nothing they are polynomials (smt_powers.py); then the
same with more digits. Only what is certain for the true numbers counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from ppdm_formal.certify.finding import BoundWitness, BreachWitness
from ppdm_formal.certify.one_sided import DIGITS, NotAsked, Rounding
from ppdm_formal.certify.smt import places, question
from ppdm_formal.certify.smt_bounds import BoundQuestion, bound_questions
from ppdm_formal.certify.smt_case import case_denied
from ppdm_formal.claim import BoundClaim, BreachClaim
from ppdm_formal.numbers.exponential import ExpNumber
from ppdm_formal.operator.view import View, has_exponentials

Ask: TypeAlias = Callable[[str], bool]
"""Whether a question is sat; NoAnswer where the solver does not say."""

Settled: TypeAlias = "bool | NotAsked"
"""Whether there is a breach, or why that is open."""


class NoAnswer(Exception):
    """Why a solver had no answer to a question."""


def is_breached(
    views: Sequence[View],
    claim: BreachClaim,
    ask: Ask,
    expected: bool,
    case: BreachWitness | None = None,
) -> bool:
    """Whether a breach exists; NotAsked where that stays open.

    expected: what was found, which is asked first. case: the breach that was, on the only view.
    """
    return _some(
        _breach(views, claim, place, ask, expected, case) for place in places(views, claim)
    )


def is_broken(
    views: Sequence[View],
    claim: BoundClaim,
    ask: Ask,
    expected: bool,
    case: BoundWitness | None = None,
) -> bool:
    """Whether a bound is broken; NotAsked where that stays open."""
    questions = bound_questions(views, claim, case)
    return _some(_bound(question, ask, expected) for question in questions)


def _some(found: Iterable[Settled]) -> bool:
    """Whether one is true; what is open counts where none is."""
    still_open: NotAsked | None = None
    for one in found:
        if one is True:
            return True
        if one is not False:
            still_open = still_open or one
    if still_open is not None:
        raise still_open
    return False


def _breach(
    views: Sequence[View],
    claim: BreachClaim,
    place: tuple[int, str],
    ask: Ask,
    expected: bool,
    case: BreachWitness | None,
) -> Settled:
    """Whether there is a breach on one view, in one direction."""
    view = views[place[0]]
    if not (has_exponentials([view]) or _exponential((claim.rho1, claim.rho2))):
        return ask(question(views, claim, *place).text)
    why = _left_open()
    for digits in DIGITS:
        for helps in (not expected, expected):
            if ask(question(views, claim, *place, Rounding(helps, digits)).text) != helps:
                return not helps
        try:
            if case is not None and not ask(case_denied(view, claim, case, digits)):
                return True
        except NotAsked as reason:
            why = reason
    return why


def _bound(asked: BoundQuestion, ask: Ask, expected: bool) -> Settled:
    """Whether the conditions of one question can hold together."""
    if asked.rational:
        return ask(asked.text())
    why = _left_open()
    for digits in DIGITS:
        for broken in (expected, not expected):
            try:
                if broken:
                    shown = any(ask(text) == sat for text, sat in asked.breaking(digits))
                else:
                    shown = any(not any(map(ask, texts)) for texts in asked.keeping(digits))
            except NotAsked as reason:
                why = reason
            else:
                if shown:
                    return broken
    return why


def _exponential(numbers: Iterable[object]) -> bool:
    return any(isinstance(number, ExpNumber) for number in numbers)


def _left_open() -> NotAsked:
    return NotAsked(f"{DIGITS[-1]} digits of its numbers e^q leave it open")

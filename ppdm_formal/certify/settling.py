"""What a solver says of a claim without free parameters: broken, kept, or why it cannot tell.

Rational questions have one answer each. Numbers with e^q are rounded to help a breach, and to
hinder it (one_sided.py); where that settles nothing they are polynomials (smt_powers.py); then the
same with more digits. Only what is certain for the true numbers counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from ppdm_formal.certify.finding import BoundWitness, BreachWitness
from ppdm_formal.certify.one_sided import AS_THEY_ARE, DIGITS, NotAsked, Rounding
from ppdm_formal.certify.solver.smt import places, question
from ppdm_formal.certify.solver.smt_bounds import BoundQuestion, bound_questions
from ppdm_formal.certify.solver.smt_case import case_denied
from ppdm_formal.certify.solver.smt_text import SmtQuestion, joined
from ppdm_formal.declare.arithmetic.exponential import ExpNumber
from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.view import View, has_exponentials

Ask: TypeAlias = Callable[[str], bool]
"""Whether a question is sat; NoAnswer where the solver does not say."""

Item = TypeVar("Item")

TOGETHER = 1 << 14
"""Short questions that should all be unsat are put at once, up to so many characters."""

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

    def helped(place: tuple[int, str]) -> list[SmtQuestion]:
        return [question(views, claim, *place, AS_THEY_ARE).block]

    asked: Iterable[tuple[int, str]] = places(views, claim)
    if not expected and isinstance(claim.under, Prior):  # linear questions take longer together
        asked = _left(asked, helped, ask)
    return _some(_breach(views, claim, place, ask, expected, case) for place in asked)


def is_broken(
    views: Sequence[View],
    claim: BoundClaim,
    ask: Ask,
    expected: bool,
    case: BoundWitness | None = None,
) -> bool:
    """Whether a bound is broken; NotAsked where that stays open."""

    def helped(asked: BoundQuestion) -> list[SmtQuestion]:
        return [asked.block()] if asked.rational else next(asked.keeping(DIGITS[0]))

    questions: Iterable[BoundQuestion] = bound_questions(views, claim, case)
    questions = questions if expected else _left(questions, helped, ask)
    return _some(_bound(asked, ask, expected) for asked in questions)


def _left(
    items: Iterable[Item], helped: Callable[[Item], list[SmtQuestion]], ask: Ask
) -> Iterator[Item]:
    """What several questions at once, each rounded to help a breach, do not rule out."""
    some: list[Item] = []
    blocks: list[SmtQuestion] = []
    for item in items:
        try:
            blocks += helped(item)
        except NotAsked:  # by itself it is told why
            yield item
            continue
        some.append(item)
        if sum(block.size for block in blocks) > TOGETHER:
            if ask(joined(blocks)):
                yield from some
            some, blocks = [], []
    if blocks and ask(joined(blocks)):
        yield from some


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
        return ask(asked.block().text)
    why = _left_open()
    for digits in DIGITS:
        for broken in (expected, not expected):
            try:
                if broken:
                    shown = any(ask(b.text) == sat for b, sat in asked.breaking(digits))
                else:
                    shown = any(not _any(blocks, ask) for blocks in asked.keeping(digits))
            except NotAsked as reason:
                why = reason
            else:
                if shown:
                    return broken
    return why


def _any(blocks: Sequence[SmtQuestion], ask: Ask) -> bool:
    return any(ask(block.text) for block in blocks)


def _exponential(numbers: Iterable[object]) -> bool:
    return any(isinstance(number, ExpNumber) for number in numbers)


def _left_open() -> NotAsked:
    return NotAsked(f"{DIGITS[-1]} digits of its numbers e^q leave it open")

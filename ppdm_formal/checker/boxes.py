"""Evidence "boxes": several parameters, exactly.

What would break the claim is shown to fail on boxes, by coefficients (coefficients.py).
"""

from __future__ import annotations

from itertools import product
from typing import Any

from .certificate import Certificate, Evidence
from .claim import BreachClaim, Claim
from .closed_form import Terms
from .coefficients import Table, Wrong, refuted, table
from .conditions import (
    FormClass,
    broken_if,
    by_polynomials,
    probabilities,
    read_forms,
    shifts_of_prior,
    sides,
    value_at,
    with_symbols,
)
from .decision import Decision
from .interval import outer
from .limits import MAX_DEPTH
from .reading import Fields, read_list, read_position
from .result import need
from .solver_word import breached_at


def replay_boxes(
    tree: Any, wrongs: list[Wrong], box: tuple[tuple[bool, bool], ...], depth: int = 0
) -> None:
    """Nothing is wrong on the box: it shows at once, or on both halves."""
    need(depth <= MAX_DEPTH, "boxes split too often")
    left = [wrong for wrong in wrongs if not refuted(wrong, box)]
    if tree is None:
        need(not left, "the coefficients on a box do not show the claim")
        return
    fields = Fields(tree, "boxes", "axis below above")
    axis = fields.position("axis", len(box))
    low, high = box[axis]
    for key, upper, ends in (("below", False, (low, True)), ("above", True, (True, high))):
        half = [[(part.halved(axis, upper), strict) for part, strict in wrong] for wrong in left]
        replay_boxes(tree[key], half, (*box[:axis], ends, *box[axis + 1 :]), depth + 1)


def verify_boxes(certificate: Certificate) -> None:
    """The claim holds for all parameters."""
    claim, described = certificate.claim, certificate.subject.described
    fields = Fields(certificate.evidence, "evidence", "kind above below boxes")
    need(not claim.by_counts, "several reports under a prior are not checked on boxes")
    box = [outer(interval) for interval in described.parameters.values()]
    names = list(described.parameters)
    point = {n: (i.low.low + i.high.low) / 2 for n, i in zip(names, box, strict=True)}
    good = breached_at(certificate.subject.at(point), claim.given(point)) is False
    need(good, "the claim fails in the middle of the ranges")
    forms = read_forms(described, claim)
    claim = with_symbols(claim, described)
    numbers = list(probabilities(forms, described.relative))
    above, below = (read_covers(fields.list(key), forms, claim) for key in ("above", "below"))
    cases = [[(-number, True)] for number in numbers]  # a probability below 0
    if isinstance(claim, BreachClaim) and claim.prior is not None:
        cases += [case for form in forms for case in shifts_of_prior(form, claim)]
    else:
        for form, over, under in zip(forms, above, below, strict=True):
            cases += [
                [(low.likelihood - form[place].likelihood, True)]
                for low, place in zip(form, over, strict=True)
            ]
            cases += [
                [(form[place].likelihood - high.likelihood, True)]
                for high, place in zip(form, under, strict=True)
            ]
            for inside, outside in sides(form, claim):
                pairs = product({over[i] for i in inside}, {under[i] for i in outside})
                cases += [broken_if(form[i], form[j], claim) for i, j in pairs]

    tables: dict[Any, Table] = {}

    def signed(polynomial: Terms, sign: int) -> Table:
        turned = {powers: sign * c for powers, c in polynomial.items()}
        key = frozenset(turned.items())
        if key not in tables:
            tables[key] = table(turned, box)
        return tables[key]

    wrongs: dict[Any, Wrong] = {}
    bottoms = {frozenset(form.bottom.items()): form.bottom for case in cases for form, _ in case}
    for bottom in bottoms.values():
        if len(bottom) > 1 or any(max(bottom)):  # not 1: a bottom that is 0 somewhere
            wrong = [(signed(bottom, -1 if value_at(bottom, point) > 0 else 1), False)]
            wrongs[tuple((id(part), strict) for part, strict in wrong)] = wrong
    for case in cases:
        if any(strict and not form.top for form, strict in case):
            continue  # 0 is not above 0
        wrong = [
            (signed(form.top, 1 if value_at(form.bottom, point) > 0 else -1), strict)
            for form, strict in case
        ]
        wrongs[tuple((id(part), strict) for part, strict in wrong)] = wrong
    ends = tuple((interval.low_in, interval.high_in) for interval in box)
    replay_boxes(certificate.evidence["boxes"], list(wrongs.values()), ends)


def read_covers(rows: list[Any], forms: list[list[FormClass]], claim: Claim) -> list[list[int]]:
    """For each class of each view the one that is as likely (or as unlikely), on its side."""
    if isinstance(claim, BreachClaim) and claim.prior is not None:
        need(not rows, "under one prior no class stands for another")
        return []
    found = []
    for row, view in zip(read_list(rows, len(forms)), forms, strict=True):
        places = [read_position(place, len(view)) for place in read_list(row, len(view))]
        for part, place in zip(view, places, strict=True):
            other = view[place]
            about = claim.about if isinstance(claim, BreachClaim) else None
            same = about is None or part.member[about] == other.member[about]
            known = bool(other.knowledge.top) or part is other
            need(same and known, "a class stands for one that it cannot stand for")
        found.append(places)
    return found


class ByBoxes(Evidence):
    """Boxes, and classes that stand for others."""

    kind, of = "boxes", ("finite",)

    def suits(self, subject: Any, claim: Claim) -> bool:
        """Several free parameters."""
        return subject.free > 1 and by_polynomials(claim, subject.free)

    def decide(self, certificate: Certificate) -> Decision:
        """That it holds everywhere."""
        verify_boxes(certificate)
        return Decision(False)

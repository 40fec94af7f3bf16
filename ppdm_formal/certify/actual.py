"""Actual change: what the outputs make of one property under one prior, whatever was claimed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.one_property import before_and_after
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.view import View


@dataclass(frozen=True)
class Change:
    """P[Q | z] before and P[Q | y, z] after what a view shows."""

    view: View
    before: Fraction
    after: Fraction


@dataclass(frozen=True)
class Changes:
    """The change to the highest belief, and the one to the lowest."""

    highest: Change
    lowest: Change


def actual_changes(certificate: Certificate) -> Changes | None:
    """The worst changes of a claim that names its prior and its property; None for others.

    Also None with free parameters, and for a matrix that is known up to rounding only.
    """
    claim, operator = certificate.claim, certificate.operator
    named = isinstance(claim, BreachClaim) and isinstance(claim.under, Prior)
    if not named or not isinstance(claim, BreachClaim) or claim.about is None:
        return None
    if claim.parameters(operator) or operator.within is not None or not certificate.views:
        return None
    return _changes(certificate.views)


def _changes(views: Sequence[View]) -> Changes | None:
    found = [
        Change(view, *change) for view in views if (change := before_and_after(view)) is not None
    ]
    if not found:
        return None
    return Changes(max(found, key=lambda one: one.after), min(found, key=lambda one: one.after))

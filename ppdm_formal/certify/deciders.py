"""The deciders, by the claim that each decides: one table, one signature.

A decider takes views without free parameters, a claim and a deadline, and returns a finding:
unknown where the search would be too long. Where several stand for one claim the first that is
not unknown is taken, and tests require that all of them agree. They are imported when used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from ppdm_formal.certify.finding import Finding, Verdict
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed
from ppdm_formal.declare.operators.prior import Prior, PriorFamily
from ppdm_formal.declare.operators.view import View


@dataclass(frozen=True)
class Decider:
    """A function of a module of this room, and which claims it decides."""

    module: str
    function: str
    decides: Callable[[Claim], bool]

    def __call__(self, views: Sequence[View], claim: Claim, deadline: Deadline) -> Finding:
        """What it finds."""
        decide: Any = getattr(import_module(f"ppdm_formal.certify.{self.module}"), self.function)
        found: Finding = decide(views, claim, deadline)
        return found


def _all_priors(claim: Claim) -> bool:
    return isinstance(claim, BreachClaim) and claim.under is None


def _one_property(claim: Claim) -> bool:
    known = isinstance(claim, BreachClaim) and isinstance(claim.under, Prior)
    return known and isinstance(claim, BreachClaim) and claim.about is not None


def _every_property(claim: Claim) -> bool:
    known = isinstance(claim, BreachClaim) and isinstance(claim.under, Prior)
    return known and isinstance(claim, BreachClaim) and claim.about is None


def _family(claim: Claim) -> bool:
    return isinstance(claim, BreachClaim) and isinstance(claim.under, PriorFamily)


def _searched(claim: Claim) -> bool:
    return _every_property(claim) or _family(claim)


DECIDERS = (
    Decider("all_priors", "decide_all_priors", _all_priors),
    Decider("one_property", "decide_one_property", _one_property),
    Decider("known_prior", "decide_every_property", _every_property),
    Decider("family", "decide_family", _family),
    Decider("solver.by_solver", "decide_by_solver", _searched),
    Decider("bound", "decide_bound", lambda claim: isinstance(claim, BoundClaim)),
)
"""In the order in which they are asked."""


def decide_numbers(views: Sequence[View], claim: Claim, deadline: Deadline) -> Finding:
    """Decide a claim on views without free parameters, by the first decider that can."""
    suited = [decider for decider in DECIDERS if decider.decides(claim)]
    if views and views[0].chosen is not None:  # chosen views: solvers are not trusted with them
        suited = [decider for decider in suited if decider.module != "solver.by_solver"]
    reasons: list[str] = []
    for position, decider in enumerate(suited):
        last = position == len(suited) - 1
        try:
            found = decider(views, claim, deadline if last else deadline.part(0.5))
        except DeadlinePassed as late:
            found = Finding(Verdict.UNKNOWN, str(late))
        if found.verdict is not Verdict.UNKNOWN:
            return found
        reasons.append(found.reason)
    return replace(found, reason="; ".join(reasons))

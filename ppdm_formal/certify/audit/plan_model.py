"""Plans as models: each group and size of a plan an operator, with the plan's breach claim."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.language.model import Audit, Model
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.design.plan import Group, Plan, SizePlan
from ppdm_formal.design.planned import AnyGroup, AnyPlan, read_planned
from ppdm_formal.design.rounds.plan import RoundGroup, RoundsPlan

SUFFIX = ".json"
"""How the names of plan files end."""

MAX_CERTIFIED_ITEMS = 1_000_000
"""On more items than these, an operator is audited on as many as show the same (Group.witness)."""


def load_plan(path: Path) -> tuple[AnyPlan, Model]:
    """A plan file, checked, and the model that it amounts to."""
    raw = path.read_bytes()
    try:
        plan = read_planned(raw.decode())
        return plan, model_of(plan, str(path), hashlib.sha256(raw).hexdigest())
    except ValueError as wrong:
        raise ModelError(str(wrong)).in_file(str(path)) from None


def model_of(plan: AnyPlan, file: str, sha256: str) -> Model:
    """The model with an operator for each group and size."""
    groups = {
        group.label(part.size): (group, part) for group in plan.groups for part in group.sizes
    }
    operators = {
        name: audited_operator(group, part.size, plan.items)
        for name, (group, part) in groups.items()
    }
    shares = {
        name: (
            share_of_clients(plan, group, part)
            if isinstance(plan, Plan) and isinstance(group, Group) and isinstance(part, SizePlan)
            else group.share
        )
        for name, (group, part) in groups.items()
    }
    told_apart = {name: share for name, share in shares.items() if share != 1}
    audits = tuple(
        Audit(operator, claims=(promised(plan, groups[name][0], name, shares[name]),))
        for name, operator in operators.items()
    )
    return Model(file, sha256, operators, audits=audits, told_apart=told_apart)


def promise_of(plan: AnyPlan) -> BreachClaim:
    """What it promises every client, of each report or of all that hide it."""
    if isinstance(plan, RoundsPlan):
        return BreachClaim(plan.rho1, plan.rho2)  # among whom, each group says: claim_of
    return BreachClaim(plan.rho1, plan.rho2, crowd=plan.among, exception=plan.exception)


def promised(plan: AnyPlan, group: AnyGroup, name: str, share: Fraction | None) -> BreachClaim:
    """The plan's promise of one operator: a report is hidden among those that look like it."""
    if isinstance(plan, RoundsPlan) and isinstance(group, RoundGroup):
        return plan.claim_of(group)
    promise = promise_of(plan)
    if promise.crowd is None:
        return promise
    if share is None:
        raise ValueError(
            f"{name}: the plan promises among a crowd, and does not say how many clients send "
            "reports that look like these"
        )
    return promise if share == 1 else replace(promise, crowd=promise.crowd.part(share))


def share_of_clients(plan: Plan, group: Group, part: SizePlan) -> Fraction | None:
    """Of all clients, those whose reports look like those of this group and size."""
    if group.hidden is not None:
        return group.share
    if plan.histogram:
        everybody = sum(plan.histogram.values())
        return group.share * Fraction(plan.histogram.get(part.size, 0), everybody)
    if len(group.sizes) == 1:
        return group.share
    if part.baskets is None or not plan.clients:
        return None
    return group.share * min(Fraction(1), Fraction(part.baskets, plan.clients))


def audited_operator(group: AnyGroup, size: int, items: int | None) -> Operator:
    """The operator of one size, on the plan's items, or on fewer that show all the same ratios."""
    if items is None or group.pending or group.universe(items) > MAX_CERTIFIED_ITEMS:
        return group.witness(size)
    return group.operator(size, items)

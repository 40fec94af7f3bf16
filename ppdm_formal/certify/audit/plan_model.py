"""Plans as models: each group and size of a plan an operator, with the plan's breach claim."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.language.model import Audit, Model
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.design.plan import Group, Plan
from ppdm_formal.design.plan_file import read_plan

SUFFIX = ".json"
"""How the names of plan files end."""

MAX_CERTIFIED_ITEMS = 1_000_000
"""On more items than these, an operator is audited on as many as show the same (Group.witness)."""


def load_plan(path: Path) -> tuple[Plan, Model]:
    """A plan file, checked, and the model that it amounts to."""
    raw = path.read_bytes()
    try:
        plan = read_plan(raw.decode())
        return plan, model_of(plan, str(path), hashlib.sha256(raw).hexdigest())
    except ValueError as wrong:
        raise ModelError(str(wrong)).in_file(str(path)) from None


def model_of(plan: Plan, file: str, sha256: str) -> Model:
    """The model with an operator for each group and size."""
    claim = BreachClaim(plan.rho1, plan.rho2)
    operators = {
        group.label(part.size): audited_operator(group, part.size, plan.items)
        for group in plan.groups
        for part in group.sizes
    }
    audits = tuple(Audit(operator, claims=(claim,)) for operator in operators.values())
    return Model(file, sha256, operators, audits=audits)


def audited_operator(group: Group, size: int, items: int | None) -> Operator:
    """The operator of one size, on the plan's items, or on fewer that show all the same ratios."""
    if items is None or group.pending or group.universe(items) > MAX_CERTIFIED_ITEMS:
        return group.witness(size)
    return group.operator(size, items)

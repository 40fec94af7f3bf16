"""Plans of either kind, and the reader that tells from a file which kind it holds."""

from __future__ import annotations

import json
from typing import TypeAlias

from ppdm_formal.design.plan import Group, Plan, PlanError
from ppdm_formal.design.plan_file import plan_of, write_plan
from ppdm_formal.design.rounds.file import FORMAT, rounds_of, write_rounds
from ppdm_formal.design.rounds.plan import RoundGroup, RoundsPlan

AnyPlan: TypeAlias = Plan | RoundsPlan
AnyGroup: TypeAlias = Group | RoundGroup


def read_planned(source: str) -> AnyPlan:
    """The plan in a JSON text, checked."""
    try:
        content = json.loads(source)
    except json.JSONDecodeError as wrong:
        where = f"line {wrong.lineno}, column {wrong.colno}"
        raise PlanError(f"the plan is not JSON from {where} on") from None
    except RecursionError:
        raise PlanError("the plan is nested too deeply") from None
    if isinstance(content, dict) and content.get("format") == FORMAT:
        return rounds_of(content)
    return plan_of(content)


def write_planned(plan: AnyPlan) -> str:
    """The plan as JSON text."""
    return write_rounds(plan) if isinstance(plan, RoundsPlan) else write_plan(plan)

"""Plans of either kind, and the reader that tells from a file which kind it holds."""

from __future__ import annotations

from typing import TypeAlias

from ppdm_formal.design.plan import Group, Plan
from ppdm_formal.design.plan_file import plan_of, read_json, write_plan
from ppdm_formal.design.rounds.file import FORMAT, rounds_of, write_rounds
from ppdm_formal.design.rounds.plan import RoundGroup, RoundsPlan

AnyPlan: TypeAlias = Plan | RoundsPlan
AnyGroup: TypeAlias = Group | RoundGroup


def read_planned(source: str) -> AnyPlan:
    """The plan in a JSON text, checked."""
    content = read_json(source)
    if isinstance(content, dict) and content.get("format") == FORMAT:
        return rounds_of(content)
    return plan_of(content)


def write_planned(plan: AnyPlan) -> str:
    """The plan as JSON text."""
    return write_rounds(plan) if isinstance(plan, RoundsPlan) else write_plan(plan)

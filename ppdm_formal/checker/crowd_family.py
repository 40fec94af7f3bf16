"""Others whose values are drawn from a family of priors: how likely each output is at least.

For every prior u of the family (sum of u = 1, a.u - b >= 0 for each constraint, <= 0 or == 0) and
multipliers k of the constraints' signs

    sum_r u_r p_r >= sum_r u_r (p_r - sum_i k_i (a_ir - b_i))
                  >= min_r (p_r - sum_i k_i (a_ir - b_i))

so that any multipliers prove something, and good ones the least chance itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .claim import Constraint
from .limits import RELATIONS, ZERO
from .reading import Fields, read_list, read_number
from .result import need

Member = tuple[bool, ...]


def read_member(raw: Any, members: Sequence[Member], family: Sequence[Constraint]) -> list[Any]:
    """A prior of the family, by the masses of rows."""
    masses = [read_number(mass) for mass in read_list(raw, len(members))]
    need(all(mass >= 0 for mass in masses), "family: a negative probability")
    need(sum(masses, ZERO) == 1, "family: a prior that does not sum to 1")
    for row in family:
        value = sum((u * row.factor(m) for u, m in zip(masses, members, strict=True)), ZERO)
        need(RELATIONS[row.relation](value, row.bound), "family: a prior that is not in it")
    return masses


def read_least(
    raw: Any,
    members: Sequence[Member],
    family: Sequence[Constraint],
    columns: Sequence[Sequence[Any]],
) -> tuple[Any, ...]:
    """What the others send of each output at least; a prior shows that there is one at all."""
    fields = Fields(raw, "family", "prior multipliers")
    read_member(fields.raw["prior"], members, family)
    gaps = [[row.factor(member) - row.bound for row in family] for member in members]
    found = []
    for column, entry in zip(columns, fields.list("multipliers", len(columns)), strict=True):
        told = [read_number(number) for number in read_list(entry, len(family))]
        for row, number in zip(family, told, strict=True):
            down, up = row.relation in ("<", "<="), row.relation in (">", ">=")
            good = (number <= 0 or not down) and (number >= 0 or not up)
            need(good, "family: a multiplier of the wrong sign")
        least = min(
            chance - sum((k * gap for k, gap in zip(told, row, strict=True)), ZERO)
            for chance, row in zip(column, gaps, strict=True)
        )
        found.append(max(ZERO, least))
    return tuple(found)

"""The groups of a plan that take part in a run, and how clients are assigned to them.

A plan of two phases is run twice. Each client takes part in one of the runs: its identifier
decides which, and its hash must fall alike in both. So the hash is keyed by what `ppdm design
--continue` does not change, the first phase, whose groups come first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.operators.canonical import digest
from ppdm_formal.design.planned import AnyGroup, AnyPlan
from ppdm_formal.design.rounds.plan import RoundsPlan
from ppdm_formal.run.assignment import Assignment
from ppdm_formal.run.released_baskets import GroupBy, ReleasedGroup, ReleasedSize


class PhaseError(ValueError):
    """Why a phase of a plan, or its groups, cannot be run like this."""


@dataclass(frozen=True)
class PlanRun:
    """A run of a plan: all groups in the order of shares, and the phase, of a plan with two."""

    groups: tuple[AnyGroup, ...]
    phase: int | None
    assignment: Assignment | None

    @property
    def active(self) -> tuple[AnyGroup, ...]:
        """The groups that report in this run."""
        return tuple(g for g in self.groups if self.phase is None or g.phase == self.phase)

    @property
    def taking_part(self) -> tuple[int | None, ...]:
        """For each group its place among the active ones, None where it reports in another run."""
        places = {group.name: place for place, group in enumerate(self.active)}
        return tuple(places.get(group.name) for group in self.groups)

    def released(
        self, sizes: Callable[[AnyGroup], Sequence[ReleasedSize]]
    ) -> tuple[ReleasedGroup, ...]:
        """The active groups as a release describes them, with the operators of their sizes."""
        return tuple(
            ReleasedGroup(g.name, tuple(sizes(g)), g.share, g.lifted, g.chosen, g.hidden, g.asked)
            for g in self.active
        )


def plan_run(plan: AnyPlan, phase: int | None, by: GroupBy | None) -> PlanRun:
    """The run of a plan's phase (None: it has one), clients assigned as `by` says."""
    every: Sequence[AnyGroup] = plan.groups
    groups = tuple(sorted(every, key=lambda group: group.phase))
    phases = sorted({group.phase for group in groups})
    active = [group for group in groups if phase in (None, group.phase)]
    if len(phases) == 1:
        if phase not in (None, *phases):
            raise PhaseError(f"the plan has no phase {phase}")
        if any(group.pending for group in groups):
            raise PhaseError(PENDING)
        return PlanRun(groups, None, _one_phase(groups, plan, by))
    many = COUNTS.get(len(phases), str(len(phases)))
    if phase is None:
        which = " or ".join(map(str, phases))
        raise PhaseError(f"the plan has {many} phases: say which with --phase {which}")
    if phase not in phases:
        raise PhaseError(f"the plan has no phase {phase}")
    if any(group.pending for group in active):
        raise PhaseError(_pending(phase) if isinstance(plan, RoundsPlan) else PENDING)
    if by in (None, "coin"):
        raise PhaseError(
            f"a client takes part in one of the {many} phases, in which its identifier decides: "
            "state --group-by place (its line or row) or --group-by column:NAME, alike in both runs"
        )
    return PlanRun(groups, phase, _assignment(groups, plan, by or "place"))


COUNTS = {2: "two", 3: "three"}


def _pending(phase: int) -> str:
    before = phase - 1
    return (
        f"round {phase} of the plan is pending: run round {before} with --phase {before}, and fill "
        "in what it tells with ppdm design --continue PLAN RELEASE"
    )


PENDING = (
    "the second phase of the plan is pending: run the first with --phase 1, find its frequent "
    "items, and fill them in with ppdm design --continue PLAN RESULT"
)


def _one_phase(groups: Sequence[AnyGroup], plan: AnyPlan, by: GroupBy | None) -> Assignment | None:
    if len(groups) > 1:
        return _assignment(groups, plan, by or "coin")
    if by is not None:
        raise PhaseError("all clients of the plan are in one group: --group-by is not for it")
    return None


def _assignment(groups: Sequence[AnyGroup], plan: AnyPlan, by: GroupBy) -> Assignment:
    shares = tuple(group.share for group in groups)
    return Assignment(shares, by, "" if by == "coin" else assignment_key(plan))


def assignment_key(plan: AnyPlan) -> str:
    """A digest of what both runs of a plan have in common: levels, items and the first phase.

    A plan without a first phase has all of it in the digest.
    """
    first = [group for group in plan.groups if group.phase == 1] or plan.groups
    return digest(
        {
            "rho1": number_text(plan.rho1),
            "rho2": number_text(plan.rho2),
            "items": plan.items,
            "groups": [group.law_content() for group in first],
        }
    )

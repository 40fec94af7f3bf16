"""PlanAudit: a plan's operators measured and decided, and what the plan costs and sees.

Everything is derived from the groups, sizes and probabilities of the plan; what its file says of
lowest supports or verdicts is not used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.certify.audit.audited import AuditResult, Event, OperatorAudit
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import Claim
from ppdm_formal.declare.families.select_a_size import balance
from ppdm_formal.declare.language.model import Model
from ppdm_formal.declare.machine.deadline import NEVER, Deadline
from ppdm_formal.declare.result import Result
from ppdm_formal.design.at_hand import AtHand
from ppdm_formal.design.cut import Remains, remaining
from ppdm_formal.design.forecast import Pool, SeenItemsets, estimated, noise_of, pools, seen_in
from ppdm_formal.design.hidden_sizes import paper_noise
from ppdm_formal.design.levels import PrivacyLevel, ReportCost, levels, report_cost, typical_size
from ppdm_formal.design.plan import Group, Plan, SizePlan
from ppdm_formal.design.plan_facts import Way
from ppdm_formal.design.plan_file import plan_content, write_plan
from ppdm_formal.design.seed_size import compressed_bits
from ppdm_formal.design.shares import PooledNoise

MAX_COMPARED = 20
"""Up to this size a plan is compared with the paper's form."""

MAX_SEED_ITEMS = 1 << 64
"""Sets are numbered in 64 bits, or reports have no seeds."""


@dataclass(frozen=True)
class PlannedSize:
    """What baskets of one size of a group get: what was found of its operator, and its cost.

    lds: by k, for `clients` baskets of this size; None where nothing is discoverable. clients: all
    of the group; or those of this size, where a plan was made for so many baskets of each size.
    cutoff: j*, where the form is Statement 2's; complement: where it is that one's complement.
    """

    group: Group
    part: SizePlan
    found: OperatorAudit
    clients: int | None
    lds: dict[int, float | None]
    cost: ReportCost | None

    @cached_property
    def _high(self) -> list[bool] | None:
        """Which b[j] are the larger of two values."""
        law = self.part.randomization
        b = balance(law.keep, law.insert)
        top = max(b)
        return [x == top for x in b] if len(set(b)) == 2 else None

    @property
    def cutoff(self) -> int | None:
        """j*: b[j] is gamma times larger for j > j*."""
        return _step(self._high)

    @property
    def complement(self) -> int | None:
        """j* of the form whose complement is sent."""
        return _step(None if self._high is None else self._high[::-1])

    @property
    def verdict(self) -> str:
        """What was found of its claims."""
        return ", ".join(c.verdict.value for c in self.found.certificates)

    @property
    def breached(self) -> bool:
        """Whether a claim does not hold, or is not decided."""
        return any(c.verdict.value != "certified" for c in self.found.certificates)


def _step(high: Sequence[bool] | None) -> int | None:
    if high is None:
        return None
    first = list(high).index(True)
    return first - 1 if first and all(high[first:]) else None


@dataclass(frozen=True)
class PlanAudit(Result):
    """All that was found of a plan; seen: of the baskets at hand, where there are any."""

    shown_in: ClassVar[str] = "plan"

    plan: Plan
    result: AuditResult
    sizes: tuple[PlannedSize, ...]
    pools: tuple[Pool, ...]
    seen: tuple[SeenItemsets, ...] = ()
    levels: tuple[PrivacyLevel, ...] = ()
    level_size: int | None = None
    paper_form: tuple[tuple[int, float], ...] = ()
    """The LDS of the largest itemsets in the paper's form, by size, where the plan's is another."""

    @property
    def gamma(self) -> Fraction:
        """The amplification at which breaches become possible."""
        return self.plan.gamma

    @property
    def exit_code(self) -> int:
        """0: every claim holds; 1: a breach; 3: a claim is undecided, or says nothing."""
        return self.result.exit_code

    def remains(self, pool: Pool) -> Remains | None:
        """What remains of supports where longer baskets are cut; None where none are."""
        histogram, longest = self.plan.histogram, pool.group.sizes[-1].size
        if histogram is None or pool.group.phase == 2 or max(histogram) <= longest:
            return None
        return remaining(histogram, longest, pool.itemset)

    @property
    def ways(self) -> tuple[Way, ...]:
        """What public, padded and cut sizes see, as the plan's file says."""
        return self.plan.hiding or ()

    @property
    def each_alone(self) -> bool:
        """Whether the LDS of a size is about the baskets of that size, not about all clients."""
        return any(s.clients != _all_clients(self.plan, s.group) for s in self.sizes)

    def sizes_told(self, group: Group) -> bool:
        """Whether baskets of different sizes are told apart for certain: gamma is infinite."""
        return self.plan.sizes_told(group)

    def to_json(self) -> dict[str, Any]:
        """That of the operators (ppdm-audit/1) with a further key, plan; decimals are text."""
        plan = self.plan
        return self.result.to_json() | {
            "plan": {
                "rho1": number_text(plan.rho1),
                "rho2": number_text(plan.rho2),
                "gamma": number_text(self.gamma),
                "items": plan.items,
                "clients": plan.clients,
                "itemsets": plan.itemsets,
                "groups": [
                    {
                        "name": group.name,
                        "share": number_text(group.share),
                        "lifted": group.lifted,
                        "phase": group.phase,
                        "sizes": group.hidden or "public",
                        "amplification_over_all_sizes": (
                            "infinity" if self.sizes_told(group) else _largest(self, group.name)
                        ),
                    }
                    for group in plan.groups
                ],
                "sizes": [_size(size) for size in self.sizes],
                "pooled": [
                    {
                        "group": pool.group.name,
                        "itemset": pool.itemset,
                        "clients": number_text(pool.clients),
                        "deviation": repr(pool.deviation),
                        "lds": pool.lowest.decimal() if pool.discoverable else None,
                    }
                    for pool in self.pools
                ],
                "seen": [_seen(part) for part in self.seen],
            }
        }


@dataclass(frozen=True)
class Designed(Result):
    """A plan that was designed, as its file holds it, and its audit."""

    shown_in: ClassVar[str] = "plan"
    audit: PlanAudit
    plan: Plan

    @property
    def exit_code(self) -> int:
        """That of the audit; a plan in the form of the paper may fail its claim."""
        return 0 if self.plan.paper else self.audit.exit_code

    def to_json(self) -> dict[str, Any]:
        """The plan."""
        return plan_content(self.plan)

    def json_text(self) -> Iterator[str]:
        """As its file holds it: the digest in certificates is of this text."""
        yield write_plan(self.plan)


def audit_plan(
    plan: Plan,
    model: Model,
    claims: Sequence[Claim] = (),
    *,
    data: AtHand | None = None,
    around: bool = False,
    timeout: float = 60,
    cross_check: bool = False,
    confirm: bool = True,
    whole: Deadline = NEVER,
    progress: Callable[[Event], None] = lambda _: None,
) -> PlanAudit:
    """Measure and decide each operator of a plan; around: also what other levels would cost."""
    result = audit(
        model,
        claims,
        timeout=timeout,
        cross_check=cross_check,
        confirm=confirm,
        whole=whole,
        progress=progress,
    )
    found = {operator.operator.name: operator for operator in result.operators}
    sizes = tuple(
        _planned(plan, group, part, found[group.label(part.size)])
        for group in plan.groups
        for part in group.sizes
    )
    pooled = pools(plan)
    size = typical_size(pooled) if around and pooled else None
    near: tuple[PrivacyLevel, ...] = ()
    if size is not None and plan.clients is not None:
        near = levels(size, plan.clients, min(plan.itemsets, size), plan.items, plan.gamma)
    seen = () if data is None else seen_in(plan, data)
    paper = _paper_form(plan, sizes) if around else ()
    return PlanAudit(plan, result, sizes, pooled, seen, near, size, paper)


def _planned(plan: Plan, group: Group, part: SizePlan, found: OperatorAudit) -> PlannedSize:
    clients = _clients(plan, group, part)
    lds = _lds(plan, group, part, clients)
    return PlannedSize(group, part, found, clients, lds, _cost(plan, group, part))


def _paper_form(plan: Plan, sizes: Sequence[PlannedSize]) -> tuple[tuple[int, float], ...]:
    if plan.clients is None or all(s.cutoff is not None or s.complement is not None for s in sizes):
        return ()
    alone = {s.part.size: s.clients for s in sizes} if len(plan.groups) == 1 else {}
    mined = sorted({s.part.size for s in sizes if plan.itemsets <= s.part.size <= MAX_COMPARED})
    found = []
    for size in mined:
        clients = alone.get(size) or plan.clients
        absent, held = paper_noise(size, plan.gamma, plan.itemsets, clients)[plan.itemsets]
        lds = PooledNoise(absent, held, Fraction(1)).lds(Fraction(clients))
        if lds.discoverable:
            found.append((size, float(lds)))
    return tuple(found)


def _all_clients(plan: Plan, group: Group) -> int | None:
    return None if plan.clients is None else max(1, round(plan.clients * group.share))


def _clients(plan: Plan, group: Group, part: SizePlan) -> int | None:
    """All of the group's, or those of one size where the plan says that each is for itself."""
    everybody = _all_clients(plan, group)
    if everybody is None or part.baskets is None or not plan.alike:
        return everybody
    alone = part.transactions == part.baskets
    return part.baskets if alone and 0 < part.baskets <= everybody else everybody


def _lds(plan: Plan, group: Group, part: SizePlan, clients: int | None) -> dict[int, float | None]:
    if clients is None:
        return {}
    found: dict[int, float | None] = {}
    for k in estimated(plan, group):
        if k <= part.size:
            noise = noise_of(group, part, k)
            lds = noise and PooledNoise(*noise[:2], Fraction(1)).lds(Fraction(clients))
            found[k] = float(lds) if lds and lds.discoverable else None
    return found


def _cost(plan: Plan, group: Group, part: SizePlan) -> ReportCost | None:
    if plan.items is None or group.pending:
        return None
    universe = group.universe(plan.items)
    law = part.randomization
    seed = None
    if law.insert.denominator == 1 << part.bits and universe < MAX_SEED_ITEMS:
        mined = 1 if group.lifted > 1 else min(plan.itemsets, part.size)
        seed = compressed_bits(universe, part.bits, law.size, mined)
    return report_cost(law, universe, seed)


def _largest(found: PlanAudit, name: str) -> str | None:
    """The amplification of a group whose baskets all have one size."""
    gains = [size.found.amplification for size in found.sizes if size.group.name == name]
    return gains[0].text if gains[0] is not None else None


def _size(size: PlannedSize) -> dict[str, Any]:
    cost = size.cost
    return {
        "operator": size.found.operator.name,
        "group": size.group.name,
        "size": size.part.size,
        "baskets": size.part.baskets,
        "insert": number_text(size.part.randomization.insert),
        "cutoff": size.cutoff,
        "complement_of_cutoff": size.complement,
        "clients": size.clients,
        "lds": {str(k): None if s is None else repr(s) for k, s in size.lds.items()},
        "mean_size": None if cost is None else repr(float(cost.mean_size)),
        "plain_bits": None if cost is None else repr(float(cost.plain)),
        "seed_bits": None if cost is None else cost.seed,
    }


def _seen(part: SeenItemsets) -> dict[str, Any]:
    return {
        "itemset": part.itemset,
        "largest_support": repr(part.supports[0]) if part.supports else None,
        "above_lds": part.likely,
        "found": repr(part.found),
        "false": None if part.alarms is None else repr(part.alarms),
    }

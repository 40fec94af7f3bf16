"""The JSON of a plan's audit: that of its operators (ppdm-audit/1), and what the plan sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppdm_formal.itemsets.forecast import SeenItemsets
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.plan_audit import PlanAudit, PlannedSize
from ppdm_formal.report.formats.json import audit_json


def plan_json(found: PlanAudit, files: Mapping[tuple[str, int], str] | None = None) -> Any:
    """The audit of the operators with a further key, plan; decimals are text."""
    plan = found.plan
    return audit_json(found.result, files) | {
        "plan": {
            "rho1": number_text(plan.rho1),
            "rho2": number_text(plan.rho2),
            "gamma": number_text(found.gamma),
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
                        "infinity" if found.sizes_told(group) else _largest(found, group.name)
                    ),
                }
                for group in plan.groups
            ],
            "sizes": [_size(size) for size in found.sizes],
            "pooled": [
                {
                    "group": pool.group.name,
                    "itemset": pool.itemset,
                    "clients": number_text(pool.clients),
                    "deviation": repr(pool.deviation),
                    "lds": pool.lowest.decimal() if pool.discoverable else None,
                }
                for pool in found.pools
            ],
            "seen": [_seen(part) for part in found.seen],
        }
    }


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

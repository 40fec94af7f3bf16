"""Plans as files, format ppdm-plan/1: the one reader and writer (docs/plans.md).

A plan comes from a file, so every number that runs is checked again before it is used. What the
file says besides is read where it is as we write it, and else taken as not said.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from ppdm_formal.declare.arithmetic.exact import Exact, parse_number
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families.select_a_size import Randomization, by_runs
from ppdm_formal.declare.operators.crowd import Crowd
from ppdm_formal.design.item_breach import ItemGoal
from ppdm_formal.design.lds import DEVIATIONS
from ppdm_formal.design.plan import ALL, MAX_SETS, MAX_SIZE, Group, Plan, PlanError, SizePlan
from ppdm_formal.design.plan_facts import FormFacts, ItemFacts, SizeFacts
from ppdm_formal.design.plan_parts import (
    BEST_FACTS,
    CERTIFIED,
    COMPARED,
    COUNTS,
    EXACT,
    FACTS,
    FORM_FACTS,
    FORM_ORDER,
    GROUP_ORDER,
    HISTOGRAM,
    ITEM_FACTS,
    ITEM_GOAL,
    ITEM_ORDER,
    MIRRORED_ORDER,
    POOLED,
    TEXT,
    TWO_PHASE,
    WAYS,
    WHOLE,
    PlanPart,
    many,
    one_of,
    record,
)

FORMAT = "ppdm-plan/1"

MAX_LIFTED = 20
MAX_GROUPS = 1000
MAX_NAME = 60

ALONE = "s_k = s, s_0 = 1 - s; all transactions of one size"
SPREAD = "s_k = s, s_0 = 1 - s; the support is spread evenly over all baskets that can hold it"
"""What is assumed of supports, by sizes alone and in groups."""

AT_HAND = "not protected"
STATED = "public"
"""Whether what a plan shows of baskets is of some that were at hand."""


def write_plan(plan: Plan) -> str:
    """The plan as JSON text."""
    return json.dumps(plan_content(plan), indent=2) + "\n"


def plan_content(plan: Plan) -> dict[str, Any]:
    """The plan as a JSON value."""
    groups = [_group_content(group) for group in plan.groups]
    alone = {"sizes": groups[0]["sizes"]}
    hidden = plan.groups[0].hidden
    return {
        "format": FORMAT,
        **_if_said(form=plan.form),
        "rho1": number_text(plan.rho1),
        "rho2": number_text(plan.rho2),
        "gamma": number_text(plan.gamma),
        **_if_said(among=_among_content(plan)),
        **_if_said(gamma_used=plan.gamma_used and number_text(plan.gamma_used)),
        "paper": plan.paper,
        **_if_said(item_breach=plan.item_breach and ITEM_GOAL.write(plan.item_breach)),
        **_if_said(transactions=plan.transactions),
        "items": plan.items,
        "itemsets": plan.itemsets,
        "deviations": DEVIATIONS,
        "assumption": ALONE if plan.alike else SPREAD,
        **(alone if plan.alike else {"groups": groups}),
        "notes": list(plan.notes),
        **_if_said(two_phase=plan.two_phase and TWO_PHASE.write(plan.two_phase)),
        **_if_said(hidden=hidden if plan.alike else None),
        **_if_said(clients=plan.clients),
        **_if_said(histogram=plan.histogram and COUNTS.write(plan.histogram)),
        **_if_said(pooled=None if plan.pooled is None else POOLED.write(plan.pooled)),
        "over_all_sizes": [_over_all_sizes(plan, group) for group in plan.groups],
        "hiding": None if plan.hiding is None else WAYS.write(plan.hiding),
        **_if_said(compared=None if plan.compared is None else COMPARED.write(plan.compared)),
        **_if_said(shown=None if plan.at_hand is None else _shown(plan.at_hand)),
    }


def _among_content(plan: Plan) -> dict[str, Any] | None:
    """The crowd that hides each report, and how likely a breach may be in it."""
    if plan.among is None or plan.exception is None:
        return None
    counts = {key: getattr(plan.among, key) for key in ("clients", "colluding", "missing")}
    return {"how": plan.among.how, **counts, "except": number_text(plan.exception)}


def _among(content: Mapping[str, Any]) -> tuple[Crowd | None, Fraction | None]:
    """The same read: what is promised must be as we write it."""
    said = content.get("among")
    if said is None:
        return None, None
    keys = {"how", "clients", "colluding", "missing", "except"}
    if not isinstance(said, dict) or not {"how", "clients", "except"} <= set(said) <= keys:
        raise PlanError("among of the plan says how, clients and except; colluding and missing too")
    if said["how"] not in ("shuffling", "summing"):
        raise PlanError("among of the plan: how is shuffling or summing")
    try:
        crowd = Crowd(
            said["clients"], said["how"], said.get("colluding", 0), said.get("missing", 0)
        )
        return crowd, parse_number(str(said["except"]))
    except ValueError as wrong:
        raise PlanError(f"among of the plan: {wrong}") from None


def _if_said(**said: Any) -> dict[str, Any]:
    return {key: value for key, value in said.items() if value is not None}


def _shown(at_hand: bool) -> list[dict[str, str]]:
    """What a plan shows of baskets at hand: no breach level covers it, and it says so."""
    if not at_hand:
        return [{"what": "the number of baskets and their sizes", "status": STATED}]
    what = ("the number of baskets and their sizes", "figures from baskets at hand")
    return [{"what": one, "status": AT_HAND} for one in what]


def _over_all_sizes(plan: Plan, group: Group) -> dict[str, str]:
    """The amplification over all baskets of a group: infinite where several sizes are public."""
    part = group.sizes[0]
    if plan.sizes_told(group) or not all(part.randomization.keep):
        found = "infinity"
    else:
        found = number_text(part.facts.amplification if part.facts else part.amplification)
    sizes = "public" if group.hidden is None else group.hidden
    return {"group": group.name, "sizes": sizes, "amplification": found}


def _group_content(group: Group) -> dict[str, Any]:
    return {
        "name": group.name,
        "share": number_text(group.share),
        "lifted": group.lifted,
        "phase": group.phase,
        "chosen": None if group.chosen is None else list(group.chosen),
        "hidden": group.hidden,
        "sizes": [_size_content(part) for part in group.sizes],
    }


def _size_content(part: SizePlan) -> dict[str, Any]:
    law = part.randomization
    keep = {"keep": [number_text(p) for p in law.keep]}
    said: dict[str, Any] = {
        "size": part.size,
        **_if_said(baskets=part.baskets, transactions=part.transactions),
        "insert": number_text(law.insert),
        "bits": part.bits,
        **(keep if part.ratios is None else {"balance": balance_json(part.ratios)}),
        **_if_said(certificate=part.certificate and CERTIFIED.write(part.certificate)),
    }
    order = GROUP_ORDER
    if part.facts is not None:
        said |= FACTS.write(part.facts)
        searched = part.facts.searched
        if isinstance(searched, ItemFacts):
            order = ITEM_ORDER
            said |= {**ITEM_FACTS.write(searched), "cheaper": []}
        elif searched is not None:
            order = FORM_ORDER if searched.complement_of is None else MIRRORED_ORDER
            said |= FORM_FACTS.write(searched)
            said |= {} if searched.best is None else BEST_FACTS.write(searched.best)
    return {key: said[key] for key in order if key in said}


def balance_json(ratios: Sequence[Exact]) -> list[list[Any]]:
    """b[0], ..., b[m] up to a factor, as [value, how many in a row]: short however large m is.

    >>> balance_json([Fraction(1), Fraction(19), Fraction(19)])
    [['1', 1], ['19', 2]]
    """
    return [[number_text(b), count] for b, count in by_runs(ratios)]


def read_plan(source: str) -> Plan:
    """The plan in a JSON text, checked."""
    return plan_of(read_json(source))


def read_json(source: str) -> object:
    """What the text of a plan file holds."""
    try:
        content: object = json.loads(source)
    except json.JSONDecodeError as wrong:
        where = f"line {wrong.lineno}, column {wrong.colno}"
        raise PlanError(f"the plan is not JSON from {where} on") from None
    except RecursionError:
        raise PlanError("the plan is nested too deeply") from None
    return content


def plan_of(content: object) -> Plan:
    """The plan that a JSON value holds, checked."""
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise PlanError(f"this is not a plan of format {FORMAT}")
    groups = tuple(map(_group, _group_entries(content)))
    rho1, rho2 = (_level(content, key) for key in ("rho1", "rho2"))
    counts = {}
    for key, what in (("items", "the number of items"), ("clients", "the number of clients")):
        found = content.get(key)
        counts[key] = None if found is None else _whole(found, what)
    shown = _said(content, "shown", many(record(dict, status=one_of(AT_HAND, STATED))))
    return Plan(
        rho1,
        rho2,
        counts["items"],
        _itemsets(content, groups),
        groups,
        counts["clients"],
        _said(content, "histogram", HISTOGRAM) or None,
        _said(content, "form", TEXT),
        _said(content, "gamma_used", EXACT),
        content.get("paper") is True,
        _item_breach(content),
        _said(content, "transactions", WHOLE),
        _said(content, "pooled", POOLED),
        _said(content, "hiding", WAYS),
        _said(content, "compared", COMPARED),
        any(one["status"] == AT_HAND for one in shown) if shown else None,
        _said(content, "two_phase", TWO_PHASE),
        _said(content, "notes", many(TEXT)) or (),
        *_among(content),
    )


def _said(content: Mapping[str, Any], key: str, part: PlanPart) -> Any:
    """What a file says beside what runs, where it is as we write it."""
    try:
        return part.read(content.get(key))
    except ValueError:
        return None


def _item_breach(content: Mapping[str, Any]) -> ItemGoal | None:
    """What else it promises would be a wrong reading: this must be as we write it."""
    if "item_breach" not in content:
        return None
    found = _said(content, "item_breach", ITEM_GOAL)
    if found is None:
        raise PlanError("item_breach of the plan is not a level with bounds on supports")
    goal: ItemGoal = found
    return goal


def _size_facts(entry: Mapping[str, Any]) -> SizeFacts | None:
    """What was found for a size, where the file says it as we write it."""
    try:
        searched: FormFacts | ItemFacts | None = None
        if "cut_and_paste" in entry:
            searched = ITEM_FACTS.read(entry)
        elif "form" in entry:
            best = BEST_FACTS.read(entry) if "evidence" in entry else None
            searched = FormFacts(best=best, **FORM_FACTS.read(entry))
        return SizeFacts(searched=searched, **FACTS.read(entry))
    except ValueError:
        return None


def _group_entries(content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The groups as the file has them; a plan without groups is one group of all clients."""
    if "groups" not in content:
        one = {"name": ALL, "share": "1", "lifted": 1, "phase": 1, "chosen": None}
        return [{**one, "hidden": content.get("hidden"), "sizes": content.get("sizes")}]
    if "sizes" in content or "hidden" in content:
        raise PlanError("the plan has groups, and sizes beside them")
    found = content["groups"]
    if not isinstance(found, list) or not 1 <= len(found) <= MAX_GROUPS:
        raise PlanError(f"the plan does not have a list of 1 to {MAX_GROUPS} groups")
    if not all(isinstance(entry, dict) for entry in found):
        raise PlanError("a group of the plan is not an object")
    return found


def _group(entry: Mapping[str, Any]) -> Group:
    name = entry.get("name")
    if not isinstance(name, str) or not 1 <= len(name) <= MAX_NAME or not name.isprintable():
        raise PlanError(f"a group of the plan has no name of 1 to {MAX_NAME} printable characters")
    where = f"group {name} of the plan"
    share = _number(entry.get("share"), f"the share of {where}")
    if not 0 < share <= 1:
        raise PlanError(f"the share of {where} is not between 0 and 1")
    lifted = _whole(entry.get("lifted"), f"lifted of {where}", MAX_LIFTED)
    phase = _whole(entry.get("phase"), f"the phase of {where}", 2)
    chosen = _chosen(entry.get("chosen"), where)
    if chosen is not None and phase == 1:
        raise PlanError(f"{where} is of the first phase, and has chosen items")
    hidden = entry.get("hidden")
    if hidden not in (None, "pad", "cut"):
        raise PlanError(f"hidden of {where} is neither null, pad nor cut")
    sizes = entry.get("sizes")
    if not isinstance(sizes, list) or not sizes:
        raise PlanError("the plan has no transaction sizes")
    parts = tuple(sorted((_size(part, lifted) for part in sizes), key=lambda part: part.size))
    if len({part.size for part in parts}) < len(parts):
        raise PlanError("the plan has a size twice")
    if hidden is not None and len(parts) > 1:
        raise PlanError(f"{where} hides sizes, and has more than one")
    return Group(name, share, lifted, phase, chosen, hidden, parts)


def _chosen(found: object, where: str) -> tuple[int, ...] | None:
    if found is None:
        return None
    if not isinstance(found, list) or not found:
        raise PlanError(f"the chosen items of {where} are not a list of items")
    items = tuple(_whole(item, f"a chosen item of {where}", least=0) for item in found)
    if any(a >= b for a, b in pairwise(items)):
        raise PlanError(f"the chosen items of {where} do not rise")
    return items


def _size(entry: object, lifted: int) -> SizePlan:
    if not isinstance(entry, dict) or "size" not in entry:
        raise PlanError("an entry of the plan has no transaction size")
    size = _whole(entry["size"], "a transaction size of the plan", MAX_SIZE)
    where = f"size {size} of the plan"
    if size < lifted:
        raise PlanError(f"{where} has no sets of {lifted} items")
    sets = math.comb(size, lifted)
    if sets > MAX_SETS:
        raise PlanError(f"{where} has {sets} sets of {lifted} items; at most {MAX_SETS} are read")
    insert = entry.get("insert")
    if not isinstance(insert, str) or ("keep" in entry) == ("balance" in entry):
        raise PlanError(f"{where} lacks insert, or one of keep and balance")
    rho = _number(insert, f"insert of {where}")
    if not 0 < rho < 1:
        raise PlanError(f"insert = {insert} in the plan is not strictly between 0 and 1")
    ratios = _balance(entry["balance"], sets, where) if "balance" in entry else None
    keep = None if ratios is not None else _keep(entry["keep"], where)
    baskets = entry.get("baskets")
    if baskets is not None:
        baskets = _whole(baskets, f"the baskets of {where}", least=0)
    try:
        if keep is not None:
            part = SizePlan(size, Randomization(sets, rho, keep))
        else:
            part = SizePlan.by_ratios(size, rho, ratios or ())
    except ValueError as wrong:
        raise PlanError(f"{where}: {wrong}") from None
    return replace(
        part,
        baskets=baskets,
        transactions=_said(entry, "transactions", WHOLE),
        facts=_size_facts(entry),
        certificate=_said(entry, "certificate", CERTIFIED),
    )


def _keep(found: object, where: str) -> tuple[Fraction, ...]:
    if not isinstance(found, list) or not all(isinstance(p, str) for p in found):
        raise PlanError(f"{where}: keep holds numbers as text")
    return tuple(_number(p, f"keep of {where}") for p in found)


def _balance(found: object, sets: int, where: str) -> list[Fraction]:
    ratios: list[Fraction] = []
    for run in found if isinstance(found, list) else [None]:
        if not isinstance(run, list) or len(run) != 2:
            raise PlanError(f"{where}: balance is not a list of [value, count]")
        b = _number(run[0], f"balance of {where}")
        count = _whole(run[1], f"a count in the balance of {where}", sets + 1)
        if b <= 0 or len(ratios) + count > sets + 1:
            raise PlanError(f"{where}: balance does not have {sets + 1} values above 0")
        ratios += [b] * count
    if len(ratios) != sets + 1:
        raise PlanError(f"{where}: balance does not have {sets + 1} values above 0")
    return ratios


def _itemsets(content: Mapping[str, Any], groups: Sequence[Group]) -> int:
    """The largest itemset mined; a plan that does not say is for single items, or those lifted."""
    if content.get("itemsets") is None:
        return max(group.lifted for group in groups)
    return _whole(content["itemsets"], "itemsets of the plan")


def _level(content: Mapping[str, Any], key: str) -> Fraction:
    found = content.get(key)
    if not isinstance(found, str):
        raise PlanError(f"the plan lacks {key}")
    level = _number(found, key)
    if not 0 < level < 1:
        raise PlanError(f"{key} = {found} in the plan is not strictly between 0 and 1")
    return level


def _number(found: object, what: str) -> Fraction:
    if not isinstance(found, str):
        raise PlanError(f"{what} is not a number as text")
    try:
        return parse_number(found)
    except ValueError as wrong:
        raise PlanError(f"{what}: {wrong}") from None


def _whole(found: object, what: str, most: int | None = None, least: int = 1) -> int:
    if not isinstance(found, int) or isinstance(found, bool):
        raise PlanError(f"{what} is not a whole number")
    if found < least or (most is not None and found > most):
        bound = f"from {least} to {most}" if most is not None else f"at least {least}"
        raise PlanError(f"{what} is {found}, not {bound}")
    return found

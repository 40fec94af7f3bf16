"""Plans with groups, written by hand, and what their groups make of a basket, by definition."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from fractions import Fraction
from itertools import combinations

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families.select_a_size import optimal_keep

GAMMA = Fraction(18)


def entry(size, lifted=1, insert="1/4", cutoff=0, gamma=GAMMA):
    """A size of a group, in Statement 2's form over its C(m, k) sets."""
    sets = math.comb(size, lifted)
    rho = Fraction(insert)
    keep = optimal_keep(sets, rho, min(cutoff, sets - 1), Fraction(gamma))
    return {"size": size, "insert": insert, "keep": [number_text(p) for p in keep]}


def group(name, share="1", sizes=(1, 2, 3), lifted=1, phase=1, chosen=None, hidden=None, **law):
    return {
        "name": name,
        "share": share,
        "lifted": lifted,
        "phase": phase,
        "chosen": chosen,
        "hidden": hidden,
        "sizes": [entry(size, lifted, **law) for size in sizes],
    }


def plan(*groups, items=6, **more):
    return {
        "format": "ppdm-plan/1",
        "rho1": "5%",
        "rho2": "50%",
        "items": items,
        "itemsets": 2,
        "groups": list(groups),
        **more,
    }


def write(folder, content, name="plan.json"):
    path = folder / name
    path.write_text(json.dumps(content))
    return path


def members(made, basket, items):
    """The sets that a client of a group holds, as numbers of its universe; no cutting."""
    own = sorted(basket) if made.chosen is None else [made.chosen.index(a) for a in sorted(basket)]
    if made.hidden:
        real = items if made.chosen is None else len(made.chosen)
        own += [real + d for d in range(made.sizes[0].size - len(own))]
    universe = list(combinations(range(made.items(items)), made.lifted))
    universe.sort(key=lambda some: some[::-1])
    return [universe.index(some) for some in universe if set(some) <= set(own)]


def law(made, size, held, items):
    """P[report] for a client that holds these numbers, from Definition 4."""
    part = made.at(size).randomization
    universe = made.universe(items)
    found = defaultdict(Fraction)
    for bits in range(1 << universe):
        report = tuple(a for a in range(universe) if bits >> a & 1)
        kept = len(set(report) & set(held))
        inserted = len(report) - kept
        coins = part.insert**inserted * (1 - part.insert) ** (universe - len(held) - inserted)
        found[report] += part.keep[kept] / math.comb(len(held), kept) * coins
    return {report: mass for report, mass in found.items() if mass}

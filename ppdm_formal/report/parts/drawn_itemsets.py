"""Itemsets drawn by the exponential mechanism as blocks: the sets, and what they cost a row."""

from __future__ import annotations

from collections import Counter

from ppdm_formal.declare.arithmetic.people import brief
from ppdm_formal.report.parts.blocks import Document, Facts, Section, Table, Text
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.visible import visible
from ppdm_formal.run.shown import covered
from ppdm_formal.tables.generate.drawn_itemsets import ASSUMPTIONS, DrawnItemsets

_SHOWN = 200


def document(found: DrawnItemsets, **_: object) -> Document:
    """What `ppdm itemsets` shows: the most often drawn first, no support among it."""
    often = Counter(found.itemsets).most_common()
    rows = [[visible("{" + ", ".join(one) + "}"), str(times)] for one, times in often[:_SHOWN]]
    more = [] if len(often) <= _SHOWN else [Text(f"... and {len(often) - _SHOWN:,} more (--json).")]
    epsilon = found.epsilon
    how = "drawn exactly" if found.seed is None else f"simulated (seed {found.seed}: no protection)"
    facts = Facts(
        [
            (
                "law",
                f"P[I] ~ e^({brief(epsilon / 4)} * min({found.theta:,}, support of I)), over all "
                f"subsets of {found.items:,} items, {how}",
            ),
            (
                "cost of a row",
                f"epsilon {brief(epsilon / 2)} an itemset, {brief(found.cost)} in all, where a row "
                "is replaced (half of that where one is added or left out; Dor18 Theorem 7 claims "
                f"{brief(epsilon)} an itemset){covered(found.shown)}",
            ),
            ("assumed", list(ASSUMPTIONS)),
        ]
    )
    drawn = counted(len(found.itemsets), "itemset")
    title = f"{drawn} drawn from {counted(found.transactions, 'transaction')}"
    table = Table(["itemset", "times"], rows, numbers=(1,))
    return Document(title, "", "", "", [Section("", [table, *more, facts])], "")

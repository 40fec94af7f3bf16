"""A code table as blocks: its sizes in bits, and the itemsets that are used most."""

from __future__ import annotations

from ppdm_formal.report.parts.blocks import Document, Section, Table
from ppdm_formal.report.parts.mined import spelled
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.visible import clean
from ppdm_formal.tables.generate.code_table import code_lengths
from ppdm_formal.tables.generate.krimp import Compressed

MOST = 20
"""Itemsets that are shown."""


def document(found: Compressed, **_: object) -> Document:
    """The brief report: sizes, and what is used most."""
    table = found.table
    least = "candidates in " + counted(found.least, "transaction")
    how = f"{found.algorithm.upper()} ({least} or more{', pruned' if found.prune else ''})"
    whole, standard = table.bits(), table.standard_bits()
    lead = (
        f"{counted(table.transactions, 'transaction')} of {counted(len(table.labels), 'item')}, "
        f"compressed by {how} to {percent(table.ratio())} of their size with single items alone. "
        f"{counted(len(table.chosen()), 'itemset')} of two or more items."
    )
    sizes = Table(
        ["size", "bits"],
        [
            ["transactions, L(D | CT)", bits(table.data_bits())],
            ["code table, L(CT | D)", bits(table.table_bits())],
            ["together, L(D, CT)", bits(whole)],
            ["with single items alone, L(D, ST)", bits(standard)],
        ],
        numbers=(1,),
    )
    lengths = code_lengths(table.usages).tolist()
    pairs = [pair for pair in zip(table.elements, lengths, strict=True) if pair[0].usage]
    pairs.sort(key=lambda pair: -pair[0].usage)
    rows = [
        [
            spelled([table.labels[item] for item in one.items]),
            f"{one.usage:,}",
            f"{one.support:,}",
            f"{length:.2f}",
        ]
        for one, length in pairs[:MOST]
    ]
    caption = "" if len(rows) == len(pairs) else f"{len(rows)} of {len(pairs):,}; --json has all."
    used = Table(["most used", "usage", "support", "bits of its code"], rows, caption, (1, 2, 3))
    sections = [Section("Sizes", [sizes]), Section("Code table", [used])]
    title = f"Code table: {clean(found.source, 200)}"
    return Document(title, lead, "", "", sections, "", contents=False)


def percent(share: float) -> str:
    """A share in percent, with one decimal.

    >>> percent(0.4481)
    '44.8%'
    """
    return f"{100 * share:.1f}%"


def bits(many: float) -> str:
    """Bits, in whole numbers."""
    return f"{many:,.0f}"

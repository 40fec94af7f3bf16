"""KRIMP (Vreeken, van Leeuwen, Siebes 2011): itemsets that compress a database, by their order.

Candidates are all itemsets of at least some support, in standard candidate order: by support,
then the longer first, then lexicographically. Each stays in the code table if L(D, CT) becomes
smaller with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

import ppdm_formal
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.with_error import sampled
from ppdm_formal.declare.result import Result
from ppdm_formal.infer.baskets.frequent import MAX_ITEMSETS, Say, frequent
from ppdm_formal.infer.baskets.kernels import Counts, Words
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.infer.baskets.rows import Rows
from ppdm_formal.infer.baskets.threshold import Threshold
from ppdm_formal.run.errors import DataError
from ppdm_formal.tables.generate.bit_rows import bits_of_sets
from ppdm_formal.tables.generate.code_search import Search
from ppdm_formal.tables.generate.code_table import CodeTable, code_lengths
from ppdm_formal.tables.generate.krimp_kernels import Floats

Algorithm = Literal["krimp", "slim"]
_SHARES = (50, 20, 10, 5, 2, 1)
"""Least supports, in percent, that are tried where candidates are too many."""


@dataclass(frozen=True)
class CodeCandidates:
    """Itemsets of two or more items, in standard candidate order."""

    words: Words
    sizes: Counts
    supports: Counts
    standard: Floats
    """Bits of their items in the standard code table."""

    def __len__(self) -> int:
        return len(self.sizes)


def compress(
    data: PlainData,
    min_support: str | int | Threshold = 1,
    algorithm: Algorithm = "krimp",
    *,
    prune: bool = False,
    say: Say = str,
    share: Callable[[float], object] = float,
) -> CodeTable:
    """The code table of a database, by KRIMP or by SLIM (which always prunes).

    >>> data = PlainData.of([["a", "b", "c"]] * 8 + [["a", "b"]] * 2 + [["c"]])
    >>> found = compress(data)
    >>> [(one.items, one.usage) for one in found.elements]
    [((0, 1), 10), ((0,), 0), ((1,), 0), ((2,), 9)]
    """
    from ppdm_formal.tables.generate.slim import slim

    search = Search(data)
    least = Threshold.of(min_support).least(len(data.rows))
    if algorithm == "slim":
        slim(search, least, say)
    else:
        say("frequent itemsets")
        krimp(search, candidates_of(data, least, search.lengths, say), share, prune=prune)
    return search.table()


@dataclass(frozen=True)
class Compressed(Result):
    """The code table of a file, and how it was found."""

    shown_in: ClassVar[str] = "code_table"
    table: CodeTable
    source: str
    algorithm: Algorithm
    min_support: Threshold
    prune: bool

    @property
    def least(self) -> int:
        """In how many transactions candidates are, at least."""
        return self.min_support.least(self.table.transactions)

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-krimp/1: elements in cover order; decimals as text, in bits, floating."""
        table = self.table
        lengths = code_lengths(table.usages).tolist()
        return {
            "format": "ppdm-krimp/1",
            "tool": {"name": "ppdm", "version": ppdm_formal.__version__},
            "source": {"file": self.source},
            "algorithm": self.algorithm,
            "prune": self.prune,
            "min_support": number_text(self.min_support.share(table.transactions)),
            "min_count": self.least,
            "transactions": table.transactions,
            "items": len(table.labels),
            "bits": {
                "data": sampled(table.data_bits()),
                "table": sampled(table.table_bits()),
                "total": sampled(table.bits()),
                "standard": sampled(table.standard_bits()),
            },
            "ratio": sampled(table.ratio()),
            "elements": [
                {
                    "items": [table.labels[item] for item in one.items],
                    "support": one.support,
                    "usage": one.usage,
                    "bits": sampled(length) if one.usage else None,
                }
                for one, length in zip(table.elements, lengths, strict=True)
            ],
        }


def krimp(
    search: Search,
    candidates: CodeCandidates,
    share: Callable[[float], object] = float,
    *,
    prune: bool = False,
) -> None:
    """Try every candidate in order."""
    given = candidates.words, candidates.sizes, candidates.supports, candidates.standard
    at = 0
    while True:
        at, touched = search.next_gain(*given, at)
        if at == len(candidates):
            return
        less = search.accept(search.spot(), touched, adding=True)
        if prune:
            search.prune(less)
        at += 1
        share(at / len(candidates))


def _too_many(data: PlainData, least: int, say: Say) -> str:
    """That candidates are too many, from which support on they are not, and what needs no list."""
    fewer = ""
    for percent in _SHARES:
        higher = -(-len(data.rows) * percent // 100)
        if higher <= least:
            break
        say(f"{percent}% instead")
        try:
            many = len(frequent(data.rows, higher)[0].counts) - 1  # the empty set is no candidate
        except DataError:
            break
        fewer = f" (there are {many:,} at --min-support {percent}%)"
    return (
        f"more than {MAX_ITEMSETS:,} itemsets are in {least:,} of the {len(data.rows):,} "
        f"transactions or more, and KRIMP tries them all: raise the least support{fewer}, "
        "or take SLIM, which needs no list (--algorithm slim)"
    )


def candidates_of(data: PlainData, least: int, lengths: Floats, say: Say = str) -> CodeCandidates:
    """All itemsets of two or more items that at least so many transactions hold."""
    try:
        counted, items = frequent(data.rows, least, say=say)
    except DataError:
        raise DataError(_too_many(data, least, say)) from None
    trie = counted.trie
    words, sizes, supports, standard, ranks = [], [], [], [], []
    for size in range(2, trie.size + 1):
        members = items[trie.members(size)]
        offsets = np.arange(len(members) + 1, dtype=np.int64) * size
        flat = members.reshape(-1).astype(np.int32)
        words.append(bits_of_sets(Rows(flat, offsets, data.rows.count)))
        sizes.append(np.full(len(members), size, dtype=np.int64))
        supports.append(counted.counts[trie.starts[size] : trie.starts[size + 1]])
        standard.append(lengths[members].sum(axis=1))
        ranks.append(np.arange(len(members)))  # a trie's sets of one size are in order
    if not sizes:
        none = np.zeros(0, dtype=np.int64)
        width = max(1, -(-data.rows.count // 64))
        return CodeCandidates(np.zeros((0, width), dtype=np.uint64), none, none, np.zeros(0))
    long, often = np.concatenate(sizes), np.concatenate(supports)
    order = np.lexsort([np.concatenate(ranks), -long, -often])
    return CodeCandidates(
        np.concatenate(words)[order], long[order], often[order], np.concatenate(standard)[order]
    )

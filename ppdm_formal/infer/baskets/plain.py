"""Mining plain transactions: exact supports of all frequent itemsets, and rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.infer.baskets.frequent import Say, frequent
from ppdm_formal.infer.baskets.mined import Mined
from ppdm_formal.infer.baskets.packed import MEMORY
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.infer.baskets.rules import rules_of
from ppdm_formal.infer.baskets.threshold import Threshold


def mine_plain(
    transactions: PlainData | str | os.PathLike[str] | Iterable[Iterable[str | int]],
    min_support: str | int | Fraction | Threshold,
    min_confidence: str | int | Fraction | None = None,
    max_size: int | None = None,
    *,
    column: str | None = None,
    memory: int = MEMORY,
    say: Say = str,
    share: Callable[[float], object] = float,
) -> Mined:
    """All itemsets of at least that support, and the rules of at least that confidence.

    transactions: a file's name, or lists of items. min_support: a share as text ("0.5%") or a
    Fraction, or a count as an integer. memory: bytes for columns of bits. share: is told how
    much of what was said last has been done.

    >>> found = mine_plain([["a", "b"], ["a", "b"], ["a"]], "50%", "50%")
    >>> [(one.items, one.count) for one in found.itemsets()]
    [(('a',), 3), (('b',), 2), (('a', 'b'), 2)]
    >>> [(*r.antecedent.items, *r.consequent.items, r.confidence) for r in found.rules()]
    [('b', 'a', Fraction(1, 1)), ('a', 'b', Fraction(2, 3))]
    """
    least = Threshold.of(min_support)
    sure = None if min_confidence is None else confidence_of(min_confidence)
    if max_size is not None and max_size < 1:
        raise ValueError("itemsets have at least one item")
    if isinstance(transactions, str | os.PathLike):
        say(f"reading {transactions}")
        transactions = PlainData.read(Path(transactions), column, share)
    data = transactions if isinstance(transactions, PlainData) else PlainData.of(transactions)
    number = len(data.rows)
    counted, items = frequent(data.rows, least.least(number), max_size, memory, say, share)
    labels = tuple(data.labels[item] for item in items.tolist())
    rules = None
    if sure is not None:
        say(f"rules of {len(counted.trie) - 1:,} itemsets")
        rules = rules_of(counted, sure)
    return Mined(number, labels, counted, least, max_size, sure, rules)


def confidence_of(given: str | int | Fraction) -> Fraction:
    """A least confidence, from text or a Fraction."""
    if isinstance(given, str):
        given = parse_number(given)
    if not isinstance(given, int | Fraction):
        raise TypeError(f"a least confidence is text such as '60%', or a Fraction, not {given!r}")
    if not 0 <= given <= 1:
        raise ValueError(f"a least confidence is a share between 0 and 1, not {given}")
    return Fraction(given)

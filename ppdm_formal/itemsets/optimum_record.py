"""Evidence of an optimum as JSON, format ppdm-optimum/1: to be stored, and checked again by anyone.

    {"format": "ppdm-optimum/1", "size": m, "gamma": "19", "itemsets": [1, 2, 3],
     "transactions": N, "support": "577/250000", "least": "1/128",
     "nodes": [["cut", 0, "3/16"], ["small", 1], ["weights", [[y at x0, y at x1], ...], u, v], ...]}

It claims: no select-a-size of m items with this amplification has, for all of these itemset sizes
among N transactions, a lowest discoverable support of `support` or less.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ppdm_formal.itemsets.optimum_evidence import (
    Cut,
    Evidence,
    Goal,
    Leaf,
    Pair,
    Refuted,
    TooSmall,
    Weights,
)
from ppdm_formal.numbers.spelling import number_text

FORMAT = "ppdm-optimum/1"

MAX_NODES = 1_000_000

MAX_SIZE = 1000
"""The largest transaction that is checked."""

_RATIONAL = re.compile(r"-?[0-9]{1,400}(/[0-9]{1,400})?", re.ASCII)


def evidence_json(evidence: Evidence) -> dict[str, Any]:
    """The evidence as JSON content."""
    goal = evidence.goal
    return {
        "format": FORMAT,
        "size": goal.size,
        "gamma": number_text(goal.gamma),
        "itemsets": list(goal.itemsets),
        "transactions": goal.transactions,
        "support": number_text(goal.support),
        "least": number_text(evidence.least),
        "nodes": [_node_json(node) for node in evidence.nodes],
    }


def _node_json(node: Cut | Leaf) -> list[Any]:
    if isinstance(node, Cut):
        return ["cut", node.axis, number_text(node.at)]
    if isinstance(node, TooSmall):
        return ["small", node.itemset]
    parts = (node.chords, node.uppers, node.lowers)
    return ["weights", *([list(pair) for pair in part] for part in parts)]


def evidence_of(content: object) -> Evidence:
    """The evidence of JSON content; Refuted where it is none (that it holds: `recheck`)."""
    if not isinstance(content, Mapping) or content.get("format") != FORMAT:
        raise Refuted(f"this is not evidence of an optimum: the format must be {FORMAT}")
    itemsets = _list(content.get("itemsets"), "itemsets", MAX_SIZE)
    size = _integer(content.get("size"), "size")
    if size > MAX_SIZE:
        raise Refuted(f"transactions of {size} items: sizes go up to {MAX_SIZE}")
    goal = Goal(
        size,
        _rational(content.get("gamma"), "gamma"),
        tuple(_integer(k, "itemsets") for k in itemsets),
        _integer(content.get("transactions"), "transactions"),
        _rational(content.get("support"), "support"),
    )
    nodes = tuple(_node(node) for node in _list(content.get("nodes"), "nodes", MAX_NODES))
    return Evidence(goal, _rational(content.get("least"), "least"), nodes)


def _node(content: object) -> Cut | Leaf:
    match content:
        case ["cut", axis, at]:
            return Cut(_integer(axis, "axis"), _rational(at, "cut"))
        case ["small", itemset]:
            return TooSmall(_integer(itemset, "itemset"))
        case ["weights", chords, uppers, lowers]:
            return Weights(_pairs(chords), _pairs(uppers), _pairs(lowers))
    raise Refuted('a node is a "cut", "small" or "weights"')


def _pairs(content: object) -> tuple[Pair, ...]:
    found: list[Pair] = []
    for pair in _list(content, "weights", MAX_SIZE):
        match pair:
            case [first, last]:
                found.append((_integer(first, "a weight"), _integer(last, "a weight")))
            case _:
                raise Refuted("weights come in pairs, one for each end of the range of x")
    return tuple(found)


def _list(content: object, what: str, most: int) -> list[Any]:
    if not isinstance(content, list) or len(content) > most:
        raise Refuted(f"{what} must be a list of at most {most}")
    return content


def _integer(content: object, what: str) -> int:
    if not isinstance(content, int) or isinstance(content, bool) or not 0 <= content < 2**63:
        raise Refuted(f"{what} must be an integer from 0 to 2^63 - 1")
    return content


def _rational(content: object, what: str) -> Fraction:
    if not isinstance(content, str) or not _RATIONAL.fullmatch(content):
        raise Refuted(f"{what} must be a rational in text, such as 3/16")
    top, _, bottom = content.partition("/")
    if bottom and int(bottom) == 0:
        raise Refuted(f"{what} divides by 0")
    return Fraction(int(top), int(bottom or 1))

"""Several reports of one input: all sequences of outputs, from the rows of one report."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction as F
from typing import Any

from definition_oracle import valued


def kind_of(row: dict[str, Any]) -> Any:
    """What an input is by itself."""
    numbers = [valued(row[key]) if key in row else None for key in ("prior", "knowledge")]
    return (*numbers, tuple(row.get("member", ())))


def shown(rows: list[Any], counts: tuple[int, ...]) -> Counter[Any]:
    """How many inputs of each kind see these outputs so often with which likelihood."""
    found: Counter[Any] = Counter()
    for row in rows:
        chances = [valued(text) for text in row["likelihoods"]]
        seen = math.prod((p**k for p, k in zip(chances, counts, strict=True)), start=F(1))
        found[kind_of(row), seen] += int(row["count"])
    return found


def views_are_sequences(certificate: dict[str, Any]) -> bool:
    """Whether the views are those of all sequences, told apart by how often each output came."""
    claim, described = certificate["claim"], certificate["operator"]
    reports, laws = claim["reports"], set()
    entries = described["one_report"]
    groups = {repr(entry.get("known")) for entry in entries}
    known = {repr(view.get("known")) for view in described["views"]}
    if len(groups) != len(entries) or groups != known:
        return False
    for entry in entries:
        columns, rows = entry["columns"], entry["rows"]
        law: Counter[Any] = Counter()
        for row in rows:
            chances = [valued(text) for text in row["likelihoods"]]
            whole = sum(int(c["outputs"]) * p for c, p in zip(columns, chances, strict=True))
            if whole != 1 or min(chances) < 0:
                return False
            member, prior = tuple(row.get("member", ())), row.get("prior")
            law[member, prior, tuple(chances)] += int(row["count"])
        # what comes out does not depend on what the server knows besides
        laws.add((repr(columns), frozenset(law.items())))
        expected: Counter[Any] = Counter()
        by_output = {}
        for sequence in itertools.product(range(len(columns)), repeat=reports):
            counts = tuple(sequence.count(y) for y in range(len(columns)))
            many = math.prod(int(columns[y]["outputs"]) for y in sequence)
            what = frozenset(shown(rows, counts).items())
            expected[what] += many
            written = [{"tuple": [columns[y]["output"], k]} for y, k in enumerate(counts) if k]
            by_output[repr({"tuple": written})] = what
        stated: Counter[Any] = Counter()
        for view in described["views"]:
            if repr(view.get("known")) != repr(entry.get("known")):
                continue
            what = Counter[Any]()
            for part in view["classes"]:
                what[kind_of(part), valued(part["likelihood"])] += int(part["count"])
            frozen = frozenset(what.items())
            if by_output.get(repr(view["output"])) != frozen:
                return False
            stated[frozen] += int(view["outputs"])
        if stated != expected:
            return False
    return len(laws) == 1

"""Canonical JSON of values: one spelling each, hence digests.

The forms are those of docs/certificate.md.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from ppdm_formal.declare.arithmetic.spelling import LARGEST_PLAIN, integer_text
from ppdm_formal.declare.operators.domain import Value, runs_of

LONG = 1000
"""Sets of more integers are written by runs."""


def value_json(value: Value) -> Any:
    """An input or output, unambiguously: 5, "5", {"tuple": [...]} and {"set": [...]} differ.

    >>> value_json(frozenset({2, 10})), value_json(frozenset(range(10**6)) - {7})
    ({'set': [10, 2]}, {'runs': [[0, 6], [8, 999999]]})
    """
    if isinstance(value, tuple):
        return {"tuple": [value_json(part) for part in value]}
    if isinstance(value, frozenset):
        if len(value) > LONG and all(type(part) is int for part in value):
            runs = runs_of(value)
            if 2 * len(runs) < len(value):
                return {"runs": [[value_json(first), value_json(last)] for first, last in runs]}
        if all(type(part) is int and abs(part) <= LARGEST_PLAIN for part in value):
            return {"set": sorted(value, key=str)}  # the same order, sooner
        return {"set": sorted((value_json(part) for part in value), key=canonical)}
    if isinstance(value, int):
        return value if abs(value) <= LARGEST_PLAIN else {"int": integer_text(value)}
    return str(value)


def canonical(document: Any) -> str:
    """The one text of a JSON document: sorted keys, no white space, UTF-8."""
    return json.dumps(
        document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def digest(document: Any) -> str:
    """SHA-256 of the canonical text."""
    return hashlib.sha256(canonical(document).encode()).hexdigest()

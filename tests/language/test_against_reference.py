"""Compiled operators equal what a naive interpreter finds, on thousands of random programs."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from ppdm_formal.language.compiler import compile_text
from ppdm_formal.language.errors import ModelError

sys.path.insert(0, str(Path(__file__).parent))
from programs import HEADER, programs, rules  # noqa: E402
from reference import Refused, interpret  # noqa: E402

SETTINGS = {
    "derandomize": True,
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "database": None,
}
outcomes: Counter[str] = Counter()


HEADER_SCOPE = interpret(HEADER)


def check(text):
    try:
        expected = interpret(text, HEADER_SCOPE)["operators"]["R"]
    except Refused as reason:
        outcomes["refused"] += 1
        with pytest.raises(ModelError):
            compile_text(HEADER + text)
            pytest.fail(f"not refused, although: {reason}")
        return
    outcomes["compared"] += 1
    operator = compile_text(HEADER + text).operators["R"]
    assert list(operator.inputs) == list(expected)
    assert list(operator.outputs) == expected.outputs
    for x, row in expected.items():
        for y, p in row.items():
            assert operator.probability(x, y) == p, (x, y)


@settings(max_examples=1500, **SETTINGS)
@given(programs())
def test_programs(text):
    check(text)


@settings(max_examples=500, **SETTINGS)
@given(rules())
def test_rules(text):
    check(text)


def test_most_random_programs_mean_something():
    assert outcomes["compared"] > outcomes["refused"] > 50

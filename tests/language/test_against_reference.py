"""Compiled operators equal what a naive interpreter finds, on thousands of random programs."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from programs import HEADER, programs, rules
from reference import Refused, interpret

from ppdm_formal.language.compiler import compile_text
from ppdm_formal.language.errors import ModelError

SETTINGS = settings(
    derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
HEADER_SCOPE = interpret(HEADER)
outcomes: Counter[str] = Counter()


def law_of(operator):
    """What the reference finds; a Refused where the operator has no meaning."""
    try:
        return interpret(operator, HEADER_SCOPE)["operators"]["R"]
    except Refused as reason:
        return reason


def is_refused(text):
    try:
        compile_text(text)
    except ModelError:
        return True
    return False


def check(operators):
    """Several operators in one model, to read its header once; those refused, one by one."""
    laws = {}
    text = HEADER
    for number, operator in enumerate(operators):
        law = law_of(operator)
        if isinstance(law, Refused):
            outcomes["refused"] += 1
            assert is_refused(HEADER + operator), f"not refused, although: {law}"
        else:
            outcomes["compared"] += 1
            laws[f"R{number}"] = law
            text += operator.replace("operator R(", f"operator R{number}(")
    compiled = compile_text(text).operators
    for name, law in laws.items():
        assert list(compiled[name].inputs) == list(law)
        assert list(compiled[name].outputs) == law.outputs
        for x, row in law.items():
            for y, p in row.items():
                assert compiled[name].probability(x, y) == p, (name, x, y)


@settings(SETTINGS, max_examples=300)
@given(st.lists(programs, min_size=5, max_size=5))
def test_programs(operators):
    check(operators)


@settings(SETTINGS, max_examples=100)
@given(st.lists(rules, min_size=5, max_size=5))
def test_rules(operators):
    check(operators)


def test_most_random_programs_mean_something():
    assert outcomes["compared"] > 1000
    assert outcomes["refused"] > 100

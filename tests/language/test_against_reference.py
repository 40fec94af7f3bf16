"""Compiled operators equal what a naive interpreter finds, on thousands of random programs."""

from __future__ import annotations

from collections import Counter

from how_many import cases
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from programs import HEADER, programs, rules
from reference import Refused, interpret

from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.language.errors import ModelError

SETTINGS = settings(
    derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
HEADER_SCOPE = interpret(HEADER)


def law_of(operator, scope):
    """What the reference finds; a Refused where the operator has no meaning."""
    try:
        return interpret(operator, scope)["operators"]["R"]
    except Refused as reason:
        return reason


def compiled(text):
    """The operators of a model, None where it is refused."""
    try:
        return compile_text(text).operators
    except ModelError:
        return None


def assert_same(operator, law):
    assert list(operator.inputs) == list(law)
    assert list(operator.outputs) == law.outputs
    for x, row in law.items():
        for y, p in row.items():
            assert operator.probability(x, y) == p, (operator.name, x, y)


def check(operators, outcomes):
    """Several operators in one model, to read its header once; those refused, one by one."""
    laws = {}
    text = HEADER
    for number, operator in enumerate(operators):
        law = law_of(operator, HEADER_SCOPE)
        if isinstance(law, Refused):
            outcomes["refused"] += 1
            assert compiled(HEADER + operator) is None, f"not refused, although: {law}"
        else:
            outcomes["compared"] += 1
            laws[f"R{number}"] = law
            text += operator.replace("operator R(", f"operator R{number}(")
    found = compile_text(text).operators
    for name, law in laws.items():
        assert_same(found[name], law)


def run(strategy, examples):
    outcomes = Counter()

    @settings(SETTINGS, max_examples=examples)
    @given(st.lists(strategy, min_size=5, max_size=5))
    def compare(operators):
        check(operators, outcomes)

    compare()
    # Both must occur: which of the two is more frequent is the draw's, not the compiler's.
    assert min(outcomes["compared"], outcomes["refused"]) > 0.15 * examples


def test_programs():
    run(programs, cases(40, 200))


def test_rules():
    run(rules, cases(40, 100))


def test_a_free_parameter_gives_the_law_for_each_of_its_values():
    free = HEADER.replace("= 2/5", "")
    compared = 0

    @settings(SETTINGS, max_examples=60)
    @given(programs, st.fractions(0, 1, max_denominator=9))
    def compare(operator, value):
        nonlocal compared
        law = law_of(operator, interpret(HEADER, values={"q": value}))
        found = compiled(free + operator)
        if found is None:  # a probability, perhaps, that is one only for some values of q
            return
        compared += 1
        symbolic = found["R"]
        used = {"q": value} if symbolic.parameters else {}
        assert_same(symbolic.substitute(used), law)

    compare()
    assert compared > 15

"""Mechanisms of today in models/: every entry by brute force, and the published epsilon, exactly.

The laws are compared where e^eps = 16, so that e^(eps/2) and e^(eps/4) are rational too: the
oracles here are Fractions, and know nothing of exponentials.
"""

import re
from fractions import Fraction as F

import pytest
from mechanisms import HALF_F, MECHANISMS, T, reported

from ppdm_formal import load
from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.machine.files import example_path
from ppdm_formal.derive.measures.amplification import amplification

ROOT = {"exp(eps)": 16, "exp(eps/2)": 4, "exp(eps/4)": 2, "exp(-eps)": F(1, 16)}


def at_sixteen(name):
    """The model's operators with e^eps = 16."""
    source = re.sub(r"\naudit .*", "", example_path(name).read_text(), flags=re.DOTALL)
    for exponential, number in ROOT.items():
        source = source.replace(exponential, f"({number})")
    assert "exp(" not in source
    return compile_text(source).operators


@pytest.mark.parametrize(("name", "operator"), MECHANISMS)
def test_every_entry_and_the_amplification_by_brute_force(name, operator):
    law, multiple = MECHANISMS[name, operator]
    found = at_sixteen(name)[operator]
    rows = {x: law(x) for x in found.inputs}
    for x, row in rows.items():
        assert sum(row.values()) == 1
        assert set(row) == set(found.outputs)
        assert all(found.probability(x, y) == p for y, p in row.items())
    largest = max(
        max(row[y] for row in rows.values()) / min(row[y] for row in rows.values())
        for y in found.outputs
    )
    assert amplification(found).value == largest
    if multiple is not None:
        assert largest == T**multiple


PUBLISHED = [key for key, (_, multiple) in MECHANISMS.items() if multiple is not None]


@pytest.mark.parametrize(("name", "operator"), PUBLISHED)
@pytest.mark.parametrize("eps", ["1/2", "9/10"])
def test_the_published_epsilon_is_derived_exactly(name, operator, eps):
    loaded = load(example_path(name), {"eps": eps})
    power = F(eps) * MECHANISMS[name, operator][1]
    assert amplification(loaded.operator(operator)).text == f"exp({power})"


FREE = {
    ("geometric", "Geometric"): "exp(10*eps)",
    ("rappor", "Once"): (
        "(1 + 2*exp(eps/4))^2*(2 + 3*exp(eps/4))^2/((2 + exp(eps/4))^2*(3 + 2*exp(eps/4))^2)"
    ),
}
"""The published form where it is not exp(eps)."""


@pytest.mark.parametrize(("name", "operator"), MECHANISMS)
def test_a_free_eps_gives_the_closed_form(name, operator):
    source = re.sub(r"\naudit .*", "", example_path(name).read_text(), flags=re.DOTALL)
    free = re.sub(r"(param eps in \(.*?\)) = \S+", r"\1", source)
    found = amplification(compile_text(free).operators[operator])
    assert found.text == FREE.get((name, operator), "exp(eps)")


def test_one_report_of_rappor_keeps_to_the_published_formula():
    """Epsilon is h ln(q*(1 - p*)/(p*(1 - q*))), with p* and q* from f, p and q."""
    q, p = reported(1 - HALF_F), reported(HALF_F)
    ratio = q * (1 - p) / (p * (1 - q))
    assert amplification(at_sixteen("rappor")["Once"]).value == ratio**2


def test_a_bit_of_duchi_has_the_mean_that_is_to_be_estimated():
    found = at_sixteen("duchi")["Sign"]
    for x in found.inputs:
        mean = found.probability(x, 1) - found.probability(x, -1)
        assert mean * (T + 1) / (T - 1) == F(x, 50)


@pytest.mark.parametrize("name", sorted({name for name, _ in MECHANISMS}))
def test_bodies_are_short_and_bounds_by_the_published_epsilon_are_certified(name):
    loaded = load(example_path(name))
    for operator in loaded.operators.values():
        assert len(operator.source.splitlines()) <= 10
    bounds = [
        certificate
        for found in audit(loaded).operators
        for certificate in found.certificates
        if "epsilon" in str(certificate.claim)
    ]
    assert bounds
    assert {str(certificate.verdict.value) for certificate in bounds} == {"certified"}

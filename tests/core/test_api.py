"""The Python API: names found when first used, and displays that trust no label."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from types import ModuleType

import pytest

import ppdm_formal
from ppdm_formal import Domain, Operator, Prior
from ppdm_formal.declare.families.randomized_response import randomized_response

HOSTILE = "<script>alert('x')</script>&\"\x1b[31m"


@pytest.mark.parametrize("name", [name for name in dir(ppdm_formal) if name != "__version__"])
def test_each_public_name_is_found_and_stays_what_it_is(name):
    """In a fresh interpreter: a module of the same name must not take its place."""
    code = f"import ppdm_formal as p; found = p.{name}; assert p.{name} is found; found.__call__"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_names():
    assert set(dir(ppdm_formal)) >= {
        "load",
        "Operator",
        "View",
        "Prior",
        "Property",
        "Domain",
        "Parameter",
    }
    assert dir(ppdm_formal) == sorted(dir(ppdm_formal))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        ppdm_formal.nothing  # noqa: B018
    assert not any(
        isinstance(vars(ppdm_formal).get(name), ModuleType) and name.istitle()
        for name in dir(ppdm_formal)
    )


def labels(size):
    return [f"{HOSTILE}{k}" for k in range(size)]


@pytest.mark.parametrize("size", [2, 40])
def test_notebook_displays_escape_every_label(size):
    domain = labels(size)
    operator = Operator.from_function(domain, domain, lambda x, y: int(x == y), name=HOSTILE)
    shown = operator._repr_html_()
    assert "&lt;script&gt;" in shown
    for raw in ("<script", "alert('x')", '&"', "\x1b"):
        assert raw not in shown
    assert shown.count("<table") == shown.count("</table>") >= 1


def test_displays_of_large_operators_are_short():
    shown = randomized_response(10**6, "1/2", name="G")._repr_html_()
    assert "1/1999998" in shown
    assert len(shown) < 50_000


def test_plain_representations():
    operator = randomized_response(3, "1/2", name="G")
    assert repr(operator) == "<Operator G: 3 inputs, 3 outputs>"
    assert (
        repr(Prior.uniform(Domain(range(3)), "U")) == "<Prior U on 0..2: 1 distinct probabilities>"
    )
    assert repr(Domain(range(3))) == "Domain(0..2)"


def test_claims_and_constraints_take_exact_numbers_only():
    half, most = "1/2", "9/10"
    assert ppdm_formal.BreachClaim(half, most).rho1 == Fraction(1, 2)
    assert ppdm_formal.BoundClaim("amplification", "<=", 6).bound == 6
    with pytest.raises(TypeError, match="not exact"):
        ppdm_formal.BreachClaim(0.1, 0.5)
    with pytest.raises(TypeError, match="not exact"):
        ppdm_formal.BoundClaim("amplification", "<=", 6.5)
    with pytest.raises(TypeError, match="exact numbers"):
        ppdm_formal.Constraint((), "<=", 0.5)

"""What is imported from ppdm_formal itself: callables, short reprs, arrays and frames."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

import ppdm_formal
from ppdm_formal import BreachClaim, Operator, compile_text
from ppdm_formal.certify import Verdict

MODEL = compile_text(
    "operator R(x: {a, b}) -> {a, b, c} { matrix { a : 1/2 1/3 1/6\n b : 1/6 1/3 1/2 } }\n"
    "prior P on {a, b} { a : 60%; b : 40% }\n"
    "audit R { forbid breach 1/10 -> 1/2\n forbid upward breach 1/10 -> 1/2 under P }\n"
)


@pytest.mark.parametrize(
    "before", ["", "import ppdm_formal.certify.audit.audit, ppdm_formal.certify.decide; "]
)
def test_functions_and_modules_of_one_name(before):
    """Whether or not the modules were imported before, and both ways of calling them."""
    script = (
        "from ppdm_formal import audit, certify, compare, utility, compile_text, BreachClaim\n"
        "import ppdm_formal.certify.audit.audit as module\n"
        "m = compile_text('operator R = randomized_response(values: 2, keep: 3/4)')\n"
        "assert repr(audit(m, confirm=False)) == repr(module.audit(m, confirm=False))\n"
        "assert certify(m.operator('R'), BreachClaim('1/10', '1/2')).verdict.value == 'certified'\n"
        "assert compare(m, confirm=False).results[0].model is m\n"
        "assert utility(m.operator('R')).best.people > 0\n"
    )
    found = subprocess.run([sys.executable, "-c", before + script], capture_output=True, text=True)
    assert (found.returncode, found.stderr) == (0, "")


def test_importing_costs_nothing():
    script = "import sys, ppdm_formal; print('numpy' in sys.modules, 'sympy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert found.stdout == "False False\n"


def test_short_reprs():
    result = ppdm_formal.audit(MODEL)
    certificates = result.operators[0].certificates
    assert repr(MODEL) == "<Model model: R; 2 claims>"
    assert repr(result) == "<Audit of model: 1 certified, 1 saying nothing>"
    assert repr(certificates[0]) == "<Certificate of R: forbid breach 1/10 -> 1/2: certified>"
    assert repr(certificates[1]).endswith("under P: says nothing>")
    assert repr(MODEL.operator("R").matrix()) == "<CodedMatrix 2 x 3: 3 distinct values>"
    assert repr(ppdm_formal.compare(MODEL)) == "<Comparison of R>"


def test_arrays_and_frames():
    pytest.importorskip("pandas")
    operator = MODEL.operator("R")
    found = operator.to_numpy()
    assert found.dtype == np.float64
    exact = [[Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]]
    assert found.tolist()[0] == [float(value) for value in exact[0]]
    frame = operator.to_pandas()
    assert (list(frame.index), list(frame.columns)) == (["a", "b"], ["a", "b", "c"])
    assert Operator.from_matrix(frame, normalize=True).inputs == operator.inputs
    claims = ppdm_formal.audit(MODEL).to_pandas()
    assert claims["vacuous"].tolist() == [False, True]
    assert ppdm_formal.compare(MODEL).to_pandas()["amplification"].tolist() == ["3"]
    pairs = compile_text("operator T(x: {0, 1} * {0, 1}) -> {0, 1} * {0, 1} { return x }").operator(
        "T"
    )
    assert pairs.to_pandas().shape == (4, 4)


def test_free_parameters_have_no_floats():
    free = compile_text(
        "param p in (0, 1)\n"
        "operator F(x: {a, b}) -> {a, b} { [x -> y] = p if y == x | 1 - p otherwise }"
    )
    with pytest.raises(ValueError, match="give them values first"):
        free.operator("F").to_numpy()


def test_nothing_to_compare():
    for given in ((), ([MODEL],), (ppdm_formal.audit(MODEL),)):
        with pytest.raises(TypeError, match="compare needs models"):
            ppdm_formal.compare(*given)


def test_a_utility_says_its_numbers_in_short():
    coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    # 3.841459 * 0.3 * 0.7 / (1/2)^2 / 0.01^2, rounded up
    said = "<Utility for 2 values, the only one: factor 4; 32269 people for one point>"
    assert repr(ppdm_formal.utility(coin)) == said


def test_a_certificate_of_a_claim_from_text():
    found = ppdm_formal.certify(MODEL.operator("R"), BreachClaim("1/10", "1/2"))
    assert found.verdict is Verdict.CERTIFIED


def test_a_displayed_audit_says_of_each_claim_whom_it_is_about_and_what_it_rests_on():
    shown = ppdm_formal.audit(MODEL)._repr_html_()
    claims = ppdm_formal.audit(MODEL).operators[0].certificates
    assert claims
    assert shown.count("Claim 1, R: ") == 1
    assert shown.count("Re-checked exactly: ") == len(claims)


def test_editors_know_the_names_and_their_signatures(tmp_path):
    """Type checkers see what `import ppdm_formal` offers: real signatures, none of them Any."""
    pytest.importorskip("mypy", reason="needs mypy")
    names = [name for name in ppdm_formal.__all__ if name != "__version__"]
    script = tmp_path / "user.py"
    script.write_text(
        f"import ppdm_formal\nfrom ppdm_formal import {', '.join(names)}\n"
        + "".join(f"reveal_type({name})\nreveal_type(ppdm_formal.{name})\n" for name in names)
        + "audit(load('m.ppdm'), 5)\n"
    )
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", str(script)]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    revealed = [line for line in found.stdout.splitlines() if "Revealed type" in line]
    assert len(revealed) == 2 * len(names), found.stdout + found.stderr
    assert not [line for line in revealed if line.endswith('"Any"')]
    assert 'Argument 2 to "audit" has incompatible type' in found.stdout


def test_an_operator_is_audited_without_a_model():
    coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    result = ppdm_formal.audit(coin, [BreachClaim("1/10", "1/2")], confirm=False)
    (found,) = result.operators
    assert (found.operator.name, coin.name) == ("R", "")
    assert [c.verdict for c in found.certificates] == [Verdict.CERTIFIED]
    assert found.certificates[0].to_json()["model"] is None
    assert repr(result) == "<Audit of R: 1 certified>"

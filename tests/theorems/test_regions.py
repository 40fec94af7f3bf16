"""Theorems over the reals: regions of one parameter, and numbers with exponentials."""

import copy
import json
import re
import subprocess
from collections import Counter
from fractions import Fraction as F

import pytest
from test_library import REALS
from together import together

from ppdm_formal.certify.theorem import NotCovered, library_of, theorem_of
from ppdm_formal.certify.theorem.forms import Piece, difference, value
from ppdm_formal.certify.theorem.text import plain_line, theorem_text
from ppdm_formal.cli import run

MODEL = """
param p in (1/2, 1)
param q in [1/10, 4/5]
param s in [0, 1]
operator Warner(x: 0..1) -> 0..1 { [x -> y] = p if y == x | 1 - p otherwise }
operator Three(x: 0..2) -> 0..2 { [x -> y] = q if y == x | (1 - q)/2 otherwise }
operator Square(x: 0..1) -> 0..1 { [x -> y] = (1 + s^2)/3 if y == x | (2 - s^2)/3 otherwise }
operator Exp(x: 0..3) -> 0..3 {
    [x -> y] = exp(1/2)/(3 + exp(1/2)) if y == x | 1/(3 + exp(1/2)) otherwise
}
operator Plain(x: 0..1) -> 0..1 { [x -> y] = 2/3 if y == x | 1/3 otherwise }
prior P on 0..3 { 0 : 1/4; 1 : 1/4; 2 : 1/4; 3 : 1/4 }
audit Warner { forbid breach 1/10 -> 1/2; require amplification <= 5 }
audit Three {
    forbid downward breach 9/10 -> 1/2
    require amplification < 10
}
audit Square { forbid breach 1/4 -> 3/8 }
audit Exp {
    forbid breach 1/4 -> 2/5; forbid breach 1/4 -> 1/3; require epsilon <= 1/2
    require epsilon < 1/2; forbid breach 1/4 -> 1/2 under P
}
audit Plain { require epsilon <= 1; require epsilon <= ln(2) }
"""
COVERED = ["Warner-1", "Three-1", "Three-2", "Exp-1", "Exp-2", "Exp-3", "Plain-1"]
NOT = {
    "Warner-2": "bounds that fail for some values",
    "Square-1": "irrational ends",
    "Exp-4": "bounds that fail",
    "Exp-5": "numbers with exponentials",
}


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    folder = tmp_path_factory.mktemp("regions")
    model = folder / "free.ppdm"
    model.write_text(MODEL, encoding="utf-8")
    assert run(["audit", str(model), "--certificates", str(folder)]) == 1
    numbered = sorted(folder.glob("*.json"), key=lambda path: int(path.stem.split("-")[1]))
    found, met = {}, Counter()
    for path in numbered:  # by the operator, and which of its claims it is
        document = json.loads(path.read_text(encoding="utf-8"))
        name = document["operator"]["name"]
        met[name] += 1
        found[f"{name}-{met[name]}"] = document
    assert {*COVERED, *NOT, "Plain-2"} == set(found)
    return found


def test_regions_and_exponentials_become_theorems(documents, coqc):
    found = coqc(together([theorem_text(documents[name]) for name in COVERED]))
    assert found.returncode == 0, found.stderr
    axioms = set(re.findall(r"^(\w+\.\w+)(?: :|$)", found.stdout, flags=re.M))
    assert axioms == REALS
    # ln(2) is a rational bound on ratios
    assert library_of(documents["Plain-2"]) == "AllPriors.v"


def test_the_statements_can_be_read(documents):
    text = theorem_text(documents["Warner-1"])
    assert "(1/2) < t < (9/10) -> safe_at t views (1/10) (1/2)" in text
    assert "(9/10) <= t < (1/1) -> broken_at t views (1/10) (1/2)" in text
    assert "Form [0; 1]%Z 1;\n   Form [1; (-1)]%Z 1" in text
    assert "safe_at (exp (1/2)) views (1/4) (2/5)" in theorem_text(documents["Exp-1"])
    assert "broken_at (exp (1/2)) views (1/4) (1/3)" in theorem_text(documents["Exp-2"])
    assert "bounded_at (exp (1/2)) views false ((1/1) * (exp (1/2)) ^ 1)" in theorem_text(
        documents["Exp-3"]
    )


@pytest.mark.parametrize("name", NOT)
def test_what_is_not_covered_is_said(documents, name):
    with pytest.raises(NotCovered, match=NOT[name]):
        theorem_of(documents[name])


@pytest.mark.parametrize("end", ["89/100", "91/100", "3/4"])
def test_another_region_is_not_shown(documents, end):
    document = copy.deepcopy(documents["Warner-1"])
    document["region"]["holds"][0]["to"] = end
    document["region"]["text"] = f"p < {end}"
    with pytest.raises(NotCovered, match="too many cuts"):
        theorem_of(document)


def test_the_end_of_a_region_belongs_where_it_belongs(documents, coqc):
    text = theorem_text(documents["Warner-1"])
    moved = text.replace("t < (9/10)", "t <= (9/10)").replace("false false 10%Z", "false true 10%Z")
    assert moved != text
    assert coqc(moved).returncode == 1  # 9/10 itself is not safe


def test_signs_by_coefficients_are_true():
    """On many polynomials: what the coefficients show is so at every sample."""
    shown = 0
    for a in range(-3, 4):
        for b in range(-3, 4):
            for c in range(-3, 4):
                for low, high in ((F(0), F(1)), (F(-1), F(1, 2)), (F(1, 3), F(2))):
                    piece = Piece(low, True, high, False)
                    at = [low + (high - low) * F(i, 20) for i in range(20)]
                    values = [value((a, b, c), t) for t in at]
                    if piece.positive((a, b, c)):
                        assert min(values) > 0
                        shown += 1
                    assert not piece.nonneg((a, b, c)) or min(values) >= 0
    assert shown > 100
    assert difference(2, (1, 1), 1, (3,)) == (-1, 2)


def test_a_part_that_exponentials_decide_is_enclosed(checker, documents):
    lines = "".join(plain_line(documents[name]) for name in COVERED)
    said = subprocess.run([checker], input=lines, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == ["true"] * len(COVERED)

"""Certificates as theorems: genuine ones compile; changed ones do not, or say something else."""

import copy
import json
from fractions import Fraction

import pytest
from together import together

from ppdm_formal.cli import run
from ppdm_formal.theorem.term import NotCovered, in_coq, rational
from ppdm_formal.theorem.text import comment, theorem_text

MODEL = """
operator R(x: 0..3) -> 0..3 { [x -> y] = 2/5 if y == x | 1/5 otherwise }
property low on 0..3 = x <= 1
property zero on 0..3 = x == 0
prior P on 0..3 { 0 : 1/10; 1 : 1/5; 2 : 3/10; 3 : 2/5 }
audit R {
    forbid breach 1/4 -> 1/2
    forbid upward breach 1/4 -> 1/2 for low
    forbid breach 1/4 -> 1/2 under P
    forbid downward breach 1/2 -> 1/4 under P for low
    forbid breach 1/4 -> 1/2 under { mass(low) <= 1/2; mass(zero) >= 1/10 }
    forbid breach 1/4 -> 1/2 under { mass(low) <= 1/2; mass(zero) >= 1/10 } for zero
    require amplification <= 2
    forbid breach 1/4 -> 1/3
    forbid breach 1/4 -> 1/3 under P
    forbid breach 1/4 -> 1/3 for low
    forbid breach 3/10 -> 2/5 under P for low
    forbid breach 1/4 -> 1/3 under { mass(low) <= 1/2 }
    require worst_case_information(P) < 1 bit
}
"""
CERTIFIED = ["ratio", "ratio", "knapsack", "arithmetic", "farkas", "farkas", "ratio"]
BREACHED = ["ratio", "knapsack", "ratio", "arithmetic"]
KINDS = [*CERTIFIED, *BREACHED]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    model = folder / "small.ppdm"
    model.write_text(MODEL, encoding="utf-8")
    assert run(["audit", str(model), "--certificates", str(folder)]) == 1
    return folder


@pytest.fixture(scope="module")
def documents(folder):
    paths = [folder / f"R-{i}.json" for i in range(1, 14)]
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths]


def test_every_covered_kind_becomes_a_theorem(documents, coqc):
    verdicts = [document["verdict"] for document in documents[:11]]
    assert verdicts == ["certified"] * 7 + ["breached"] * 4
    assert [document["evidence"]["kind"] for document in documents[:11]] == KINDS
    found = coqc(together([theorem_text(document) for document in documents[:11]]))
    assert found.returncode == 0, found.stderr
    assert found.stdout.split("\n") == ["Closed under the global context"] * 11 + [""]


def test_the_statement_can_be_read(documents):
    text = theorem_text(documents[0])
    assert "R: forbid breach 1/4 -> 1/2: the claim holds." in text
    assert "~ breach Both inputs" in text
    assert "(1#4) (1#2) S." in text
    assert "breach Upward inputs" in theorem_text(documents[1])
    assert "(props 0%nat)" in theorem_text(documents[1])
    assert "p x1 y / p x2 y <= 2." in theorem_text(documents[6])
    assert "the claim is broken" in theorem_text(documents[7])


def changed(document, change):
    copied = copy.deepcopy(document)
    change(copied)
    return copied


@pytest.mark.parametrize(
    ("place", "why"), [(11, "breaches under a family"), (12, "evidence of the kind enclosure")]
)
def test_what_is_not_covered_is_said(documents, place, why):
    with pytest.raises(NotCovered, match=why):
        theorem_text(documents[place])


def test_hostile_names_stay_in_the_comment(documents, coqc):
    def rename(document):
        document["operator"]["name"] = 'R *) Axiom bad : False. (* "'

    text = theorem_text(changed(documents[0], rename))
    assert text.count("(*") == text.count("*)") == 1
    assert coqc(text).returncode == 0
    assert comment("(*") == "( * "
    assert comment("mass(a)\n") == "mass(a)?"


def test_numbers():
    assert in_coq(Fraction(-1, 3)) == "(-1#3)"
    assert in_coq(Fraction(7)) == "7"
    with pytest.raises(NotCovered, match="digits"):
        rational(10**4000)


def test_the_command(folder, tmp_path, capsys):
    target = tmp_path / "one.v"
    assert run(["theorem", str(folder / "R-1.json"), "-o", str(target)]) == 0
    assert "Theorem certificate" in target.read_text(encoding="utf-8")
    assert run(["theorem", str(folder / "R-13.json"), "-o", str(target)]) == 3
    assert "not covered" in capsys.readouterr().err
    broken = tmp_path / "broken.json"
    broken.write_text((folder / "R-1.json").read_text().replace('"1/2"', '"3/7"'))
    assert run(["theorem", str(broken), "-o", str(target)]) == 4
    assert run(["theorem", str(tmp_path / "none.json"), "-o", str(target)]) == 2

"""Certificates as theorems: genuine ones compile; changed ones do not, or say something else."""

import copy
import json
from fractions import Fraction

import pytest
from together import together

from ppdm_formal.certify.theorem import library_of
from ppdm_formal.certify.theorem.term import NotCovered, in_coq, rational
from ppdm_formal.certify.theorem.text import comment, theorem_text
from ppdm_formal.cli import run

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
    forbid breach 1/4 -> 1/3 under { mass(low) <= 1/2; mass(zero) > 1/10 } for zero
    require amplification < 2
    forbid breach 1/4 -> 3/5 after 2 reports
    require epsilon <= ln(4) after 2 reports
    forbid breach 1/4 -> 1/2 after 3 reports
    require amplification <= 3 after 2 reports
    forbid upward breach 1/4 -> 7/10 under P after 2 reports
    require worst_case_information(P) < 1 bit
    forbid breach 1/4 -> 3/5 for low after 2 reports
}
"""
COVERED = {  # the verdict, and the file of the library
    **dict.fromkeys((1, 2), ("certified", "AllPriors.v")),
    3: ("certified", "KnownPrior.v"),
    4: ("certified", "OneProperty.v"),
    **dict.fromkeys((5, 6), ("certified", "Family.v")),
    7: ("certified", "AllPriors.v"),
    **dict.fromkeys((8, 9, 10, 11), ("breached", "Witness.v")),
    **dict.fromkeys((12, 13, 14), ("breached", "Broken.v")),
    **dict.fromkeys((15, 16), ("certified", "Reports.v")),
    17: ("breached", "Witness.v"),
    18: ("breached", "Broken.v"),
    19: ("certified", "KnownPrior.v"),
}
NOT = {20: "evidence of the kind enclosure", 21: "several reports for one property"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("certificates")
    model = folder / "small.ppdm"
    model.write_text(MODEL, encoding="utf-8")
    page = str(folder / "report.html")
    assert run(["audit", str(model), "--certificates", str(folder), "--html", page]) == 1
    return folder


@pytest.fixture(scope="module")
def documents(folder):
    paths = {i: folder / f"R-{i}.json" for i in range(1, 22)}
    return {i: json.loads(path.read_text(encoding="utf-8")) for i, path in paths.items()}


def test_every_covered_kind_becomes_a_theorem(documents, coqc):
    found = {i: (documents[i]["verdict"], library_of(documents[i])) for i in COVERED}
    assert found == COVERED
    compiled = coqc(together([theorem_text(documents[i]) for i in COVERED]))
    assert compiled.returncode == 0, compiled.stderr
    assert compiled.stdout == "Closed under the global context\n"


def test_the_statement_can_be_read(documents):
    text = theorem_text(documents[1])
    assert "R: forbid breach 1/4 -> 1/2: the claim holds." in text
    assert "~ breach Both inputs" in text
    assert "(1#4) (1#2) S." in text
    assert "breach Upward inputs" in theorem_text(documents[2])
    assert "(props 0%nat)" in theorem_text(documents[2])
    assert "p x1 y / p x2 y <= 2." in theorem_text(documents[7])
    assert "(ys : list Y) (z : Z), length ys = 2%nat" in theorem_text(documents[15])
    assert "the claim is broken" in theorem_text(documents[8])


def changed(document, change):
    copied = copy.deepcopy(document)
    change(copied)
    return copied


@pytest.mark.parametrize("place", NOT)
def test_what_is_not_covered_is_said(documents, place):
    assert library_of(documents[place]) == ""
    with pytest.raises(NotCovered, match=NOT[place]):
        theorem_text(documents[place])


def test_hostile_names_stay_in_the_comment(documents, coqc):
    def rename(document):
        document["operator"]["name"] = 'R *) Axiom bad : False. (* "'

    text = theorem_text(changed(documents[1], rename))
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
    assert run(["theorem", str(folder / "R-20.json"), "-o", str(target)]) == 3
    assert "not covered" in capsys.readouterr().err
    broken = tmp_path / "broken.json"
    broken.write_text((folder / "R-1.json").read_text().replace('"1/2"', '"3/7"'))
    assert run(["theorem", str(broken), "-o", str(target)]) == 4
    assert run(["theorem", str(tmp_path / "none.json"), "-o", str(target)]) == 2


def test_check_and_reports_say_what_is_covered(folder, capsys):
    assert run(["check", str(folder / "R-1.json"), str(folder / "R-20.json")]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert "the numbers of this operator are taken from the file" in first
    assert "a theorem leads from these numbers to the verdict (AllPriors.v)" in first
    assert "theorem" not in second
    model = str(folder / "small.ppdm")
    assert run(["check", str(folder / "R-1.json"), "--model", model]) == 0
    assert "a theorem covers it (AllPriors.v)" in capsys.readouterr().out
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "A theorem in Coq covers it (KnownPrior.v)." in page
    covered = ", ".join(map(str, COVERED))
    assert f"For claims {covered} ppdm theorem writes the certificate as a theorem" in page


def test_several_reports_without_a_greatest_ratio_are_not_covered(tmp_path):
    """A property true of all inputs is never breached, also where a likelihood is 0."""
    model = tmp_path / "m.ppdm"
    model.write_text(
        "operator R(x: 0..1) -> 0..1 { [x -> y] = y if x == 0 | 1/2 otherwise }\n"
        "property any on 0..1 = x >= 0\n"
        "audit R { forbid breach 1/4 -> 1/2 for any after 2 reports }\n",
        encoding="utf-8",
    )
    assert run(["audit", str(model), "--certificates", str(tmp_path)]) == 3  # it says nothing
    document = json.loads(next(tmp_path.glob("R*.json")).read_text(encoding="utf-8"))
    assert document["verdict"] == "certified"
    assert library_of(document) == ""

"""The library of theorems compiles, and rests on nothing that it does not say."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SOURCES = sorted((ROOT / "proofs" / "coq").glob("*.v"))
REALS = {
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "ClassicalDedekindReals.sig_not_dec",  # these two for exp alone
    "Classical_Prop.classic",
}
LOADED = {"Column": ["OverRationals", "OverReals"]}  # a text that these load


def without_comments(text):
    return re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)


def test_nothing_is_assumed_in_the_sources():
    words = r"\b(Axioms?|Parameters?|Conjecture|Admitted|admit|Unset|bypass_check|native_compute)\b"
    assert len(SOURCES) == 22
    for path in SOURCES:
        assert not re.findall(words, without_comments(path.read_text(encoding="utf-8"))), path.name


def test_every_theorem_is_asked_for_its_assumptions():
    asked = (ROOT / "proofs" / "coq" / "Assumptions.v").read_text(encoding="utf-8")
    for path in SOURCES:
        text = without_comments(path.read_text(encoding="utf-8"))
        modules = LOADED.get(path.stem, [path.stem])
        for name in re.findall(r"^ *(?:Theorem|Corollary) (\w+)", text, flags=re.M):
            for module in modules:
                assert f"Print Assumptions {module}.{name}." in asked, name


def test_over_the_rationals_there_are_no_axioms(library):
    asked = (ROOT / "proofs" / "coq" / "Assumptions.v").read_text(encoding="utf-8")
    exact, real = asked.split("(* Over the reals")
    said = (library / "assumptions.txt").read_text(encoding="utf-8")
    closed, _, axioms = said.partition("Axioms:")
    assert closed.splitlines() == ["Closed under the global context"] * exact.count("Print")
    assert exact.count("Print") >= 15
    assert real.count("Print") == axioms.count("Axioms:") + 1
    assert set(re.findall(r"^(\w+\.\w+)(?: :|$)", axioms, flags=re.M)) == REALS
    assert axioms.count("Classical_Prop.classic") == real.count("Exp") + real.count("Tilt")


def test_the_page_names_the_axioms_and_the_files():
    page = (ROOT / "docs" / "verified.md").read_text(encoding="utf-8")
    assert all(name in page for name in REALS)
    assert all(path.stem == "Assumptions" or f"| {path.name} |" in page for path in SOURCES)


def test_a_false_statement_does_not_compile(coqc):
    use = "From Coq Require Import QArith. From PPDM Require Import OverRationals Warner.\n"
    said = "Goal forall p, (1#2 <= p)%Q -> (p < 1)%Q -> (p {} 9#10)%Q -> forall prior, "
    rest = (
        "is_prior answers prior -> forall S y,"
        " ~ breach Both answers prior (fun x => warner p x y) (1#10) (1#2) S.\n"
    )
    prove = "Proof. intros p A B H. apply warner_region; auto. Qed.\n"
    assert coqc(use + said.format("<") + rest + prove).returncode == 0
    assert coqc(use + said.format("<=") + rest + prove).returncode == 1

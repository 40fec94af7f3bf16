"""Every statement in proofs/ holds as it says, and every false neighbour is refuted."""

from __future__ import annotations

import pytest

from ppdm_formal.statement import Lemma, decide, load_statements, prove_all

STATEMENTS = {statement.name: statement for statement in load_statements()}


def test_there_are_statements():
    assert {"egs03/statement_1", "egs03/statement_1_converse"} <= set(STATEMENTS)


@pytest.mark.parametrize("name", STATEMENTS)
def test_statement(name):
    statement = STATEMENTS[name]
    assert statement.neighbours, "a statement needs a false neighbour"
    decided = decide(statement, timeout=60)
    assert decided.outcome.kind in ("proved", "checked", "corrected"), decided.outcome
    for outcome in decided.neighbours:
        assert outcome.kind == "refuted", outcome
        assert outcome.counterexample
    assert decided.verdict == "holds"
    assert decided.to_json()["name"] == name


def test_a_false_lemma_is_refuted_with_a_counterexample():
    outcome = prove_all([Lemma("squares", "x", ("(>= x 0.0)",), "(>= (* x x) x)")], 30)
    assert outcome.kind == "refuted"
    assert "/" in outcome.counterexample["x"]


def test_a_lemma_that_is_not_decided_leaves_it_unknown():
    outcome = prove_all([Lemma("nonsense", "x", ("(this is not SMT-LIB)",), "true")], 30)
    assert outcome.kind == "unknown"


def test_statements_are_found_by_their_place(tmp_path):
    folder = tmp_path / "paper"
    folder.mkdir()
    for number in (10, 9):
        (folder / f"statement_{number}.py").write_text(f"STATEMENTS = ('statement {number}',)\n")
    assert load_statements(tmp_path) == ["statement 9", "statement 10"]

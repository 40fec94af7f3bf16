"""Every statement in proofs/ holds as it says, and every false neighbour is refuted."""

from __future__ import annotations

import pytest

from ppdm_formal.numbers.deadline import Deadline
from ppdm_formal.statement import (
    Neighbour,
    NotAStatementFile,
    Outcome,
    Statement,
    decide,
    load_statements,
)

STATEMENTS = {statement.name: statement for statement in load_statements()}


def test_there_are_statements():
    expected = {"egs03/statement_1", "egs03/statement_1_converse", "egs03/table_1", "egs03/table_2"}
    assert expected <= set(STATEMENTS)


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


def statement(decider, *neighbours):
    return Statement(
        "s", "paper", "title", "text", (), decider, tuple(Neighbour("n", n) for n in neighbours)
    )


def test_a_statement_and_its_neighbours_share_one_deadline():
    seen: list[Deadline] = []

    def note(deadline):
        seen.append(deadline)
        return Outcome("proved", "")

    decide(statement(note, note, note), timeout=30)
    assert len(seen) == 3
    assert seen[0] is seen[1] is seen[2]


def test_what_does_not_end_in_time_is_unknown_and_nothing_more_is_begun():
    begun = []

    def slow(deadline):
        begun.append("slow")
        while True:
            deadline.check()

    def never(deadline):
        begun.append("never")
        return Outcome("refuted", "")

    decided = decide(statement(slow, never), timeout=0.05)
    assert begun == ["slow"]
    assert decided.outcome.kind == decided.neighbours[0].kind == "unknown"
    assert "0.05 s" in decided.outcome.detail
    assert decided.verdict == "unknown"


@pytest.mark.parametrize("kind", ["proved", "unknown", "checked"])
def test_a_neighbour_that_is_not_refuted_leaves_the_statement_unknown(kind):
    decided = decide(
        statement(lambda _: Outcome("proved", ""), lambda _: Outcome(kind, "")), timeout=30
    )
    assert decided.verdict == "unknown"


def test_statements_are_found_by_their_place_in_the_order_of_their_numbers(tmp_path):
    folder = tmp_path / "paper"
    folder.mkdir()
    for number in (10, 9):
        (folder / f"statement_{number}.py").write_text(f"STATEMENTS = ('statement {number}',)\n")
    assert load_statements(tmp_path) == ["statement 9", "statement 10"]


def test_helpers_are_imported_by_statements_and_are_none(tmp_path):
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "_shared.py").write_text("WORD = 'shared'\n")
    (folder / "one.py").write_text("from ._shared import WORD\nSTATEMENTS = (WORD,)\n")
    assert load_statements(tmp_path) == ["shared"]


def test_two_folders_of_proofs_do_not_mix(tmp_path):
    for name in ("first", "second"):
        folder = tmp_path / name / "paper"
        folder.mkdir(parents=True)
        (folder / "one.py").write_text(f"STATEMENTS = ({name!r},)\n")
    assert load_statements(tmp_path / "first") == ["first"]
    assert load_statements(tmp_path / "second") == ["second"]


def test_a_file_that_forgot_its_statements_is_named(tmp_path):
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "forgot.py").write_text("STATEMENT = ()\n")
    with pytest.raises(NotAStatementFile, match=r"paper/forgot\.py"):
        load_statements(tmp_path)

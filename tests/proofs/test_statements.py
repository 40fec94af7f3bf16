"""Every statement in proofs/ holds as it says, and every false neighbour is refuted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ppdm_formal.certify.statement import (
    Definition,
    Neighbour,
    NotAStatementFile,
    Outcome,
    Statement,
    decide,
    load_definitions,
    load_statements,
)
from ppdm_formal.certify.statement.parallel import decide_all
from ppdm_formal.certify.statement.rests_on import RestsOn, UnknownUse
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.report.formats.findings import HEAD, findings_heading, findings_section

FINDINGS_PAGE = Path(__file__).parents[2] / "docs" / "findings.md"

STATEMENTS = {statement.name: statement for statement in load_statements()}


def _sections(page):
    """The page's sections by the statements' names."""
    assert page.startswith(HEAD)
    start = findings_heading("")
    parts = page.removeprefix(HEAD).split(f"\n{start}")[1:]
    return {part.partition("\n")[0]: f"{start}{part}".strip() for part in parts}


FINDINGS = _sections(FINDINGS_PAGE.read_text(encoding="utf-8"))


NUMBERED = {
    "egs03": "table_1 table_2 example_1 example_2 statement_1 statement_1_converse statement_2 "
    "statement_3 statement_4 statement_5 statement_6 statement_7 lemma_1 lemma_2 corollary_1 "
    "corollary_2 definition_5",
    "aa01": "example_1 theorem_4_1 theorem_4_2 proposition_4_1 theorem_4_3 theorem_4_4 "
    "observation_4_1",
    "dor18": "definition_1 theorem_1 theorem_2 theorem_3 theorem_4 theorem_5 theorem_6 theorem_7 "
    "theorem_8 theorem_9 corollary_1 corollary_2",
}


def test_every_numbered_statement_of_the_papers_is_there():
    expected = {f"{paper}/{name}" for paper, names in NUMBERED.items() for name in names.split()}
    assert expected <= set(STATEMENTS)


@pytest.mark.parametrize("name", STATEMENTS)
def test_statement(name):
    statement = STATEMENTS[name]
    assert statement.neighbours, "a statement needs a false neighbour"
    decided = decide(statement, timeout=60)
    assert decided.outcome.kind == statement.expected, decided.outcome
    for outcome in decided.neighbours:
        assert outcome.kind == "refuted", outcome
        assert outcome.counterexample
    assert decided.as_expected
    assert decided.exit_code == 0
    assert decided.outcome.scope
    assert decided.outcome.means
    assert decided.outcome.trust
    if statement.expected in ("corrected", "refuted"):
        assert decided.outcome.findings, "what is amiss is said as a finding"
    assert decided.to_json()["name"] == name
    written = FINDINGS.get(name, "")
    assert written == findings_section(statement, decided.outcome).strip(), (
        "docs/findings.md is old"
    )


def test_findings_are_of_statements_that_exist():
    assert set(FINDINGS) <= set(STATEMENTS)


def test_names_and_uses_are_known():
    everything = [*load_definitions(), *load_statements()]
    assert len({one.name for one in everything}) == len(everything)
    graph = RestsOn(everything).graph()
    assert set(graph) == {one.name for one in everything}
    for one in everything:
        assert one.section, one.name


def test_unknown_uses_and_circles_are_refused():
    def named(name, *uses):
        return Definition(name, "paper", "title", "text", uses=uses)

    with pytest.raises(UnknownUse, match="which is not there"):
        RestsOn([named("a", "b")]).graph()
    with pytest.raises(UnknownUse, match="circle"):
        RestsOn([named("a", "b"), named("b", "a")]).graph()
    chain = RestsOn([named("a"), named("b", "a"), named("c", "b", "a"), named("d")])
    assert chain.generations() == [["a", "d"], ["b"], ["c"]]
    assert chain.direct() == [("a", "b"), ("b", "c")]
    assert [one.name for one in chain.needed(["b"]).items] == ["a", "b"]


@pytest.mark.parametrize(
    ("expected", "kind", "neighbour", "code"),
    [
        ("proved", "proved", "refuted", 0),
        ("refuted", "refuted", "refuted", 0),
        ("corrected", "corrected", "refuted", 0),
        ("proved", "refuted", "refuted", 1),
        ("refuted", "proved", "refuted", 1),
        ("proved", "checked", "refuted", 1),
        ("proved", "unknown", "refuted", 3),
        ("proved", "proved", "proved", 1),
        ("proved", "proved", "unknown", 3),
    ],
)
def test_only_the_outcome_on_record_is_as_expected(expected, kind, neighbour, code):
    one = replace(
        statement(lambda _: Outcome(kind, ""), lambda _: Outcome(neighbour, "")), expected=expected
    )
    decided = decide(one, timeout=30)
    assert decided.exit_code == code
    assert decided.as_expected == (code == 0)


def test_a_check_that_breaks_decides_nothing():
    decided = decide(statement(lambda _: 1 / 0, lambda _: Outcome("refuted", "")), timeout=30)
    assert decided.outcome.kind == "unknown"
    assert "ZeroDivisionError" in decided.outcome.detail


def test_a_check_that_never_looks_at_the_clock_is_ended():
    def endless(_):
        while True:
            pass

    assert decide(statement(endless), timeout=0.05).outcome.kind == "unknown"


def test_processes_find_the_same_as_one_after_another():
    few = [STATEMENTS[name] for name in ("egs03/statement_1_converse", "egs03/table_1")]
    alone = {one.statement.name: one for one in decide_all(few, 60, jobs=1)}
    apart = {one.statement.name: one for one in decide_all(few, 60, jobs=2)}
    assert alone.keys() == apart.keys()
    for name, found in apart.items():
        assert found.outcome == alone[name].outcome
        assert found.statement is STATEMENTS[name]


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

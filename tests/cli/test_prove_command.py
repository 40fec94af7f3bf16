"""ppdm prove from the command line."""

import json
from xml.etree import ElementTree

from how_many import MANY

from ppdm_formal.cli import run

OWN = """
from ppdm_formal.certify.statement import Lemma, Neighbour, Statement, prove_all, reals, refute

(x,) = reals("x")
FALSE = Lemma("squares", (2 * x == 1,), x * x >= x)
STATEMENTS = (
    Statement(
        "mine/squares", "Mine", "Lemma 1", "Squares are larger.", (),
        lambda deadline: prove_all([FALSE], deadline),
        (Neighbour("the same", lambda deadline: refute(FALSE, deadline)),),
        section="1",
    ),
)
"""


SHORT = "dor18", "theorem_1", "all finite sets of"


def test_all_statements_of_a_paper_hold(capsys):
    """Of a short one at hand; tests/proofs decides every statement of all."""
    paper, one, scope = SHORT if not MANY else ("egs03", "statement_1", "every finite set")
    assert run(["prove", "--paper", paper]) == 0
    shown = capsys.readouterr().out
    assert f"{paper}/{one}" in shown
    assert scope in shown
    assert "as the proof files expect" in shown


def test_one_statement_is_shown_in_full(capsys):
    assert run(["prove", "egs03/statement_1"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "False neighbour: the same with condition (3) as >=" in shown
    assert "induction" in shown


def test_list_decides_nothing(capsys):
    assert run(["prove", "--list"]) == 0
    assert "EGS03, Statement 1" in capsys.readouterr().out
    assert run(["prove", "--list", "--paper", "nonsense"]) == 2
    assert "egs03" in capsys.readouterr().err


def test_pages_graphs_and_findings_are_written(tmp_path, capsys):
    page, graph, found = (tmp_path / name for name in ("p.html", "g.svg", "f.md"))
    names = ["egs03/statement_1", "egs03/table_1"]
    outputs = ["--html", str(page), "--graph", str(graph), "--findings", str(found)]
    assert run(["prove", *names, *outputs, "--jobs", "1"]) == 0
    capsys.readouterr()
    html = page.read_text()
    assert "<math" in html
    assert "71.6%" in html
    assert "<script" not in html
    drawn = ElementTree.fromstring(graph.read_text())
    words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"EGS03", "definition_1", "statement_1", "proved"} <= set(words)
    assert "statement_1_converse" not in words
    assert found.read_text().startswith("# Findings")


def test_proofs_of_your_own_and_an_unexpected_outcome(tmp_path, capsys):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "squares.py").write_text(OWN)
    assert run(["prove", "--proofs", str(tmp_path)]) == 1
    assert "x = 1/2" in capsys.readouterr().out
    (folder / "squares.py").write_text("broken")
    assert run(["prove", "--proofs", str(tmp_path / "nowhere")]) == 2


def test_a_helper_that_is_not_named_as_one_is_bad_input_and_no_crash(tmp_path, capsys):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "squares.py").write_text(OWN)
    (folder / "helper.py").write_text("X = 1\n")
    assert run(["prove", "--proofs", str(tmp_path), "--list"]) == 2
    assert "mine/helper.py has no STATEMENTS" in capsys.readouterr().err
    (folder / "helper.py").rename(folder / "_helper.py")
    assert run(["prove", "--proofs", str(tmp_path), "--list"]) == 0


def test_a_folder_without_proofs_is_bad_input(tmp_path, capsys):
    """Nothing was decided: exit code 0 would say that all of it holds."""
    folder = tmp_path / "all" / "mine"
    folder.mkdir(parents=True)
    empty = tmp_path / "empty"
    empty.mkdir()
    for options in ([], ["--list"], ["--json", "-"]):
        assert run(["prove", "--proofs", str(empty), *options]) == 2
        assert f"{empty}: no statements" in capsys.readouterr().err
    (folder / "squares.py").write_text(OWN)
    assert run(["prove", "--proofs", str(folder)]) == 2
    assert f"its parent may be meant, {folder.parent}\n" in capsys.readouterr().err
    assert run(["prove", "--proofs", str(tmp_path)]) == 2
    assert f"{folder.parent} may be meant" in capsys.readouterr().err
    (folder / "squares.py").write_text("DEFINITIONS = ()")
    assert run(["prove", "--proofs", str(folder.parent)]) == 2
    assert "only definitions" in capsys.readouterr().err


def test_json_says_what_was_proved_and_what_refuted(capsys):
    assert run(["prove", "egs03/statement_1", "--json", "-"]) == 0
    (statement,) = json.loads(capsys.readouterr().out)["statements"]
    assert statement["outcome"]["kind"] == "proved"
    assert [other["outcome"]["kind"] for other in statement["neighbours"]] == ["refuted"]


def test_an_unknown_name_says_where_the_known_ones_are_listed(capsys):
    assert run(["prove", "nonsense"]) == 2
    assert "ppdm prove --list lists them" in capsys.readouterr().err

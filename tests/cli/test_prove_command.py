"""ppdm prove from the command line."""

import json

from ppdm_formal.cli import run


def test_all_statements_hold(capsys):
    assert run(["prove"]) == 0
    shown = capsys.readouterr().out
    assert "holds    EGS03, Statement 1 (egs03/statement_1)" in shown
    assert "false neighbour" in shown


def test_json_says_what_was_proved_and_what_refuted(capsys):
    assert run(["prove", "egs03/statement_1", "--json", "-"]) == 0
    (statement,) = json.loads(capsys.readouterr().out)["statements"]
    assert statement["outcome"]["kind"] == "proved"
    assert [other["outcome"]["kind"] for other in statement["neighbours"]] == ["refuted"]


def test_an_unknown_name_lists_the_known_ones(capsys):
    assert run(["prove", "nonsense"]) == 2
    assert "egs03/statement_1" in capsys.readouterr().err

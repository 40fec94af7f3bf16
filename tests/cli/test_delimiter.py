"""Tables with other delimiters than commas, in every command that reads a table."""

from __future__ import annotations

import random

import pytest

from ppdm_formal.cli import run

ROWS = [["age", "sex", "note"]] + [
    [str(value % 5), "mf"[value % 2], "a,b" if value % 3 else "c;d"] for value in range(60)
]
COMMANDS = {
    "randomize": "IN -o OUT --model m.ppdm --operator R=age --keep note --simulate 1 "
    "--forbid 1/100:99/100",
    "anonymity": "IN --quasi age --sensitive sex --json OUT",
    "reconstruct": "IN --column age --noise uniform(-1,1) --cells 0:5:5 --json OUT",
    "generate": "IN -o OUT --epsilon 1 --method code-tree --seed 1 --unprotected-domain --header",
    "evaluate": "IN IN --json OUT",
    "classify": "IN --label sex --columns age --train 100 --test 10 --strategies original "
    "--json OUT",
}


def written(path, delimiter, rows=ROWS):
    lines = [delimiter.join(f'"{cell}"' for cell in row) for row in rows]
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "m.ppdm").write_text("operator R = randomized_response(values: 5, keep: 1/2)")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_a_table_with_semicolons_or_tabs_is_the_table_with_commas(name, folder, capsys):
    if name == "classify":
        pytest.importorskip("sklearn")
    command = [name, *COMMANDS[name].split()]
    rows = [*ROWS[:1], *random.Random(1).choices(ROWS[1:], k=120)]
    found = []
    spelled = ((",", ""), (";", ";"), ("\t", "tab"), ("\t", "\\t"), ("|", "|"))
    slow = name in ("evaluate", "generate", "classify")
    for delimiter, said in spelled[: 2 if slow else 5]:
        written(folder / "in.csv", delimiter, rows)
        named = [{"IN": "in.csv", "OUT": "out.csv"}.get(word, word) for word in command]
        assert run([*named, *(["--delimiter", said] if said else [])]) in (0, 3)
        text = (folder / "out.csv").read_text()
        if name == "generate":
            assert text.splitlines()[0] == delimiter.join(ROWS[0])
        else:
            found.append(text)
    assert all(text == found[0] for text in found)
    capsys.readouterr()


def test_another_delimiter_is_told(folder, capsys):
    written(folder / "in.csv", ";")
    assert run(["anonymity", "in.csv", "--quasi", "age"]) == 2
    assert "another delimiter is said with --delimiter" in capsys.readouterr().err
    (folder / "in.csv").write_text("age;sex\n1;m\n")
    assert run(["anonymity", "in.csv", "--quasi", "age"]) == 2
    assert "separated by commas; say --delimiter ';'" in capsys.readouterr().err
    for wrong in ("ab", "a", '"', "", "\n"):
        assert run(["anonymity", "in.csv", "--quasi", "age", "--delimiter", wrong]) == 2
        assert "delimiter" in capsys.readouterr().err
    assert run(["randomize", "b.dat", "-o", "o.dat", "--plan", "p.json", "--delimiter", ";"]) == 2
    assert "--delimiter is not for transactions" in capsys.readouterr().err

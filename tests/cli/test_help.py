"""ppdm --help: every command under a heading, few at first sight, and suggestions for slips."""

import re
from importlib import import_module
from pathlib import Path

import click
import pytest

from ppdm_formal.cli import cli, run
from ppdm_formal.commands._shown import TASKS

NAMES = cli.list_commands(click.Context(cli))


def test_every_command_is_under_one_heading(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["--help"]) == 0
    text = capsys.readouterr().out
    for task in TASKS:
        assert f"\n{task.capitalize()}:\n" in text
    assert "..." not in text[text.index("Audit:") :]
    words = text[text.index("Audit:") :].replace(",", " ").split()
    for name in NAMES:
        assert name in words


@pytest.mark.parametrize("name", NAMES)
def test_each_command_says_in_a_line_what_it_is_for(name):
    shown = import_module(f"ppdm_formal.commands.{name}").SHOWN
    assert shown.task in TASKS
    assert len(shown.line) <= 65
    assert shown.line.endswith(".")


def test_every_command_has_a_row_in_the_documents():
    text = (Path(__file__).parents[2] / "docs" / "commands.md").read_text()
    assert set(re.findall(r"^\| `ppdm (\w+)", text, re.MULTILINE)) == set(NAMES)


def test_at_most_twelve_at_first_sight():
    shown = {name: import_module(f"ppdm_formal.commands.{name}").SHOWN for name in NAMES}
    first = [one for one in shown.values() if one.place]
    assert 8 <= len(first) <= 12
    assert len({(one.task, one.place) for one in first}) == len(first)
    assert not set(TASKS) & set(NAMES) - {"audit", "collect"}  # headings are no other commands


@pytest.mark.parametrize(
    ("typed", "meant"), [("audti", "audit"), ("Mine", "mine"), ("randomise", "randomize")]
)
def test_a_mistyped_command_gets_a_suggestion(typed, meant, capsys):
    assert run([typed]) == 2
    assert f"Did you mean {meant}" in capsys.readouterr().err
    assert run(["qqqq"]) == 2
    assert "ppdm --help" in capsys.readouterr().err


def test_a_mistyped_statement_gets_a_suggestion(capsys):
    assert run(["prove", "egs03/statment_1"]) == 2
    message = capsys.readouterr().err
    assert "did you mean egs03/statement_1" in message
    assert len(message) < 400

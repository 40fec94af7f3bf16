"""The pages run.md, numeric.md and estimate.md: their programs run, commands give what is shown."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ppdm_formal.cli import run

PAGES = Path(__file__).parents[2] / "docs"
CHECK = doctest.OutputChecker()


def commands(block):
    """Each command of a block, with what is shown after it."""
    for part in block.removeprefix("$ ").split("\n$ "):
        command, _, shown = part.partition("\n")
        yield command, shown


@pytest.fixture
def fixed_width(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")


@pytest.mark.parametrize("page", ["run.md", "numeric.md", "estimate.md"])
def test_the_page_from_top_to_bottom(page, tmp_path, monkeypatch, capfd, fixed_width):
    text = (PAGES / page).read_text()
    blocks = re.findall(r"^```(\w+)(?: ([\w.]+))?\n(.*?)^```$", text, re.M | re.S)
    monkeypatch.chdir(tmp_path)
    ran = 0
    for kind, name, block in blocks:
        if kind == "ppdm":
            Path(name).write_text(block)
        elif kind == "python":
            subprocess.run([sys.executable, "-c", block], check=True)
            capfd.readouterr()
        else:
            assert kind == "console"
            for command, expected in commands(block):
                words = shlex.split(command)
                assert words[0] == "ppdm"
                code = run(words[1:])
                shown = "".join(capfd.readouterr())
                if code:
                    shown += f"exit code {code}\n"
                options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
                assert CHECK.check_output(expected, shown, options), f"{command}\n{shown}"
                ran += 1
    assert ran >= 2

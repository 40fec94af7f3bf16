"""The mutants that mutation testing draws: many, plausible, and the same every time."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from mistakes import MISTAKES
from mutants import mutants

ROOT = Path(__file__).parent.parent.parent
SOURCE = '''
LIMIT = 7

def f(a, b=True):
    """Not a == number: 5."""
    if a < 3 and not b:
        raise ValueError(f"{a - 1} is below 3")
    return min(a + 1, -2) if a in (0,) else a
'''


def found(tmp_path):
    file = tmp_path / "f.py"
    file.write_text(SOURCE)
    return [(m.kind, m.before, m.after, m.applied(SOURCE)) for m in mutants(file, tmp_path)]


def test_every_kind_of_mistake(tmp_path):
    seen = {(kind, before, after) for kind, before, after, _ in found(tmp_path)}
    assert seen == {
        ("comparison", "<", "<="),
        ("connective", "and", "or"),
        ("dropped condition", "a < 3", "True"),
        ("dropped condition", "not b", "True"),
        ("removed not", "not b", "(b)"),
        ("flag", "True", "False"),
        ("number", "3", "4"),
        ("number", "1", "2"),
        ("number", "2", "3"),
        ("number", "0", "1"),
        ("call", "min", "max"),
        ("arithmetic", "+", "-"),
        ("removed minus", "-2", "(2)"),
        ("comparison", "in", "not in"),
        ("never", "a in (0,)", "False"),
    }


def test_a_mistake_changes_one_place(tmp_path):
    for _, before, after, changed in found(tmp_path):
        assert changed != SOURCE
        ast.parse(changed)
        assert len(changed) == len(SOURCE) - len(before) + len(after)


def test_there_are_thousands_in_the_package():
    files = sorted((ROOT / "ppdm_formal/declare/arithmetic").glob("*.py"))
    drawn = [mutant for file in files for mutant in mutants(file, ROOT)]
    assert len(drawn) > 500
    assert len({mutant.name for mutant in drawn}) > 400
    assert drawn == [mutant for file in files for mutant in mutants(file, ROOT)]


def test_every_mistake_by_name_fits_its_file_and_changes_it():
    """What was renamed or mended since is noticed here: the mistake is then written anew."""
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)
    for mistake in MISTAKES:
        assert mistake.fits(ROOT), mistake.name
        source = (ROOT / mistake.file).read_text(encoding="utf-8")
        changed = mistake.applied(source)
        assert changed != source
        if mistake.file.endswith(".py"):
            ast.parse(changed)
        for test in mistake.tests.split():
            assert (ROOT / test.partition("::")[0]).is_file(), mistake.name

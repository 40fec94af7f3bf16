"""Names: a class of the package has one meaning, so that its name alone says what is spoken of."""

import ast
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "ppdm_formal"

APART = tuple(PACKAGE / place for place in ("checker", "run/client", "declare/language/syntax.py"))
"""The checker and clients share nothing with others; nodes of the grammar are spelled syntax.X."""


def public_classes(files):
    """Every public class by name, with the files that define one."""
    found = defaultdict(list)
    for file in files:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(file)
    return found


def test_every_public_class_has_a_name_of_its_own(tmp_path):
    files = [
        file for file in PACKAGE.rglob("*.py") if not any(file.is_relative_to(one) for one in APART)
    ]
    assert len(files) > 500
    twice = {name: where for name, where in public_classes(files).items() if len(where) > 1}
    assert not twice, f"these names stand for several things: {twice}"
    again = tmp_path / "again.py"
    again.write_text("class Operator: ...\n")
    assert len(public_classes([*files, again])["Operator"]) == 2

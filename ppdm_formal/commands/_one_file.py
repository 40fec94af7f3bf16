"""The checker as one file: the files of checker/ joined, each after those that it imports.

What lies beside certificates is to be read and run by people who have nothing else of this package.
"""

from __future__ import annotations

import ast

from ppdm_formal.check import FOLDER

HEAD = '''"""The independent checker of certificates of ppdm_formal, with the standard library only.

    python3 -I check.py [OPTIONS] CERTIFICATE|FOLDER...      (--help lists the options)

It shares no code with what made a certificate: it derives the verdict and the thresholds again from
the views and the evidence, in Fractions, and rejects whatever it cannot derive.
Without the model, the numbers of an operator are taken from the file.
Exit codes: 0 every claim holds, 1 a verified certificate says breached, or that its claim holds in
part only (0 with --allow-breached),
2 a file cannot be read, 3 not verified (undecided, says nothing, rests on a solver, out of time),
4 a certificate is rejected, altered or missing. Where several apply: 2, then 4, 1, 3.
"""

from __future__ import annotations

'''
FOOT = """

if __name__ == "__main__":
    sys.exit(main())
"""


def checker_in_one_file() -> str:
    """The text of the whole checker."""
    files = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py")}
    del files["__init__"]  # which only names what others may use
    imported: dict[str, set[str]] = {"sys": {""}}  # "" is the module itself
    joined = []
    for name in _in_order(files):
        outside, text = _parted(files[name])
        for module, names in outside:
            imported.setdefault(module, set()).update(names)
        joined.append(f"\n\n# === {name}.py\n{text}")
    return HEAD + "\n".join(_import_lines(imported)) + "\n" + "\n".join(joined) + FOOT


def _in_order(files: dict[str, str]) -> list[str]:
    """All files, each after those that it imports, and otherwise by name; main is the last."""
    order: list[str] = []

    def visit(name: str) -> None:
        if name not in order:
            for node in ast.parse(files[name]).body:
                if isinstance(node, ast.ImportFrom) and node.level:
                    visit(str(node.module))
            order.append(name)

    for name in sorted(files, key=lambda name: (name == "main", name)):
        visit(name)
    return order


def _parted(source: str) -> tuple[list[tuple[str, list[str]]], str]:
    """Imports from the standard library, and what follows them; the docstring as a comment."""
    tree, lines = ast.parse(source), source.splitlines()
    outside: list[tuple[str, list[str]]] = []
    end = tree.body[0].end_lineno
    for node in tree.body:
        if isinstance(node, ast.Import):
            outside += [(alias.name, [""]) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if not node.level and node.module != "__future__":
                outside.append((str(node.module), [alias.name for alias in node.names]))
        else:
            continue
        end = node.end_lineno
    words = (ast.get_docstring(tree) or "").splitlines()
    comment = "\n".join(f"# {line}".rstrip() for line in words)
    return outside, comment + "\n" + "\n".join(lines[end:]).rstrip()


def _import_lines(imported: dict[str, set[str]]) -> list[str]:
    """Whole modules first, as everywhere in this project."""
    whole = [f"import {module}" for module, names in sorted(imported.items()) if "" in names]
    parts = [
        f"from {module} import {', '.join(sorted(names - {''}))}"
        for module, names in sorted(imported.items())
        if names - {""}
    ]
    return whole + parts

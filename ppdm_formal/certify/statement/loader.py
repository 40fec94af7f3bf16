"""The statements and definitions of proofs/<paper>/*.py, found by their place.

Each file has a tuple STATEMENTS, or DEFINITIONS, or both. A file whose name starts with an
underscore is a helper: it is loaded only where a statement imports it
(`from ._masses import MASSES`). proofs/<paper>/figures.py has a record FIGURES, and is loaded
only where it is asked for.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from ppdm_formal.certify.statement.figures import Figures
from ppdm_formal.certify.statement.statement import Definition, Statement
from ppdm_formal.declare.machine.files import shipped

FIGURES = "figures"


class NotAStatementFile(ValueError):
    """A folder without proofs, or a file that has nothing to decide and is no helper by name."""


def load_statements(directory: Path | None = None) -> list[Statement]:
    """All statements of a folder of proofs, in the order of papers, files and numbers."""
    return [one for module in _modules(directory) for one in getattr(module, "STATEMENTS", ())]


def load_definitions(directory: Path | None = None) -> list[Definition]:
    """All definitions of a folder of proofs, in the same order."""
    return [one for module in _modules(directory) for one in getattr(module, "DEFINITIONS", ())]


def papers_with_figures(directory: Path | None = None) -> list[str]:
    """The papers of which figures can be drawn."""
    return sorted(path.parent.name for path in _root(directory).glob(f"*/{FIGURES}.py"))


def load_figures(paper: str, directory: Path | None = None) -> Figures:
    """What is drawn of a paper."""
    figures: Figures = load_module(paper, FIGURES, directory).FIGURES
    return figures


def load_module(paper: str, name: str, directory: Path | None = None) -> ModuleType:
    """One file of a paper's folder, helpers included."""
    return import_module(f"{_package(_root(directory))}.{paper}.{name}")


def _root(directory: Path | None) -> Path:
    return (directory or shipped("proofs")).resolve()


def _modules(directory: Path | None) -> Iterator[ModuleType]:
    files = [
        path
        for path in sorted(_root(directory).glob("*/*.py"), key=_natural)
        if not path.stem.startswith("_") and path.stem != FIGURES
    ]
    if not files:
        raise NotAStatementFile(_none_there(_root(directory)))
    for path in files:
        module = load_module(path.parent.name, path.stem, directory)
        if not hasattr(module, "STATEMENTS") and not hasattr(module, "DEFINITIONS"):
            raise NotAStatementFile(
                f"{path.parent.name}/{path.name} has no STATEMENTS; a helper's name starts with _"
            )
        yield module


def _none_there(root: Path) -> str:
    """What to say of a folder without proofs; often it is one level too deep or too high."""
    said = f"{root}: no statements; expected files PAPER/*.py in it"
    if any(not path.stem.startswith("_") for path in root.glob("*.py")):
        return f"{said}: it holds files itself, so its parent may be meant, {root.parent}"
    above = sorted({path.parent.parent for path in root.glob("*/*/*.py")})
    return f"{said}; {above[0]} may be meant" if above else said


def _package(root: Path) -> str:
    """A package of its own for each folder of proofs, so that its files import one another."""
    name = f"ppdm_proofs_{hashlib.sha256(str(root).encode()).hexdigest()[:12]}"
    if name not in sys.modules:
        package = ModuleType(name, "Proofs, loaded by their place.")
        package.__path__ = [str(root)]
        sys.modules[name] = package
    return name


def _natural(path: Path) -> list[Any]:
    """statement_10 after statement_9."""
    pieces = re.split(r"(\d+)", f"{path.parent.name}/{path.stem}")
    return [int(piece) if piece.isdigit() else piece for piece in pieces]

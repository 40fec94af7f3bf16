"""The statements and definitions of proofs/<paper>/*.py, found by their place.

Each file has a tuple STATEMENTS, or DEFINITIONS, or both. A file whose name starts with an
underscore is a helper: it is loaded only where a statement imports it
(`from ._masses import MASSES`).
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

from ppdm_formal.files import shipped
from ppdm_formal.statement.statement import Definition, Statement


class NotAStatementFile(ValueError):
    """A folder without proofs, or a file that has nothing to decide and is no helper by name."""


def load_statements(directory: Path | None = None) -> list[Statement]:
    """All statements of a folder of proofs, in the order of papers, files and numbers."""
    return [one for module in _modules(directory) for one in getattr(module, "STATEMENTS", ())]


def load_definitions(directory: Path | None = None) -> list[Definition]:
    """All definitions of a folder of proofs, in the same order."""
    return [one for module in _modules(directory) for one in getattr(module, "DEFINITIONS", ())]


def _modules(directory: Path | None) -> Iterator[ModuleType]:
    root = (directory or shipped("proofs")).resolve()
    package = _package(root)
    files = sorted(root.glob("*/*.py"), key=_natural)
    if not any(not path.stem.startswith("_") for path in files):
        raise NotAStatementFile(_none_there(root))
    for path in files:
        if path.stem.startswith("_"):
            continue
        module = import_module(f"{package}.{path.parent.name}.{path.stem}")
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

"""Written: the result of a command that writes files of its own, and what is to be said of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ppdm_formal.declare.result import Result


@dataclass(frozen=True)
class Written(Result):
    """Files that a command wrote; facts: as JSON, by key; lines: the same for people."""

    shown_in: ClassVar[str] = "written"
    command: str
    files: tuple[str, ...]
    lines: tuple[str, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-COMMAND/1: the files first, then the facts."""
        return {"format": f"ppdm-{self.command}/1", "files": list(self.files), **self.facts}

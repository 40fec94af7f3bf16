"""Shown: where `ppdm --help` shows a command, and the one line that says what it is for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Task = Literal["audit", "collect", "analyse", "tables", "papers"]
TASKS: tuple[Task, ...] = ("audit", "collect", "analyse", "tables", "papers")
"""Headings of the help, in their order."""


@dataclass(frozen=True)
class Shown:
    """Under which heading, with which line; place: its place at first sight, None for later."""

    task: Task
    line: str
    place: int | None = None

"""Figures: what ppdm figures draws of a paper, a record FIGURES in proofs/<paper>/figures.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Wanted:
    """How the figures are wanted; say: told what is being done."""

    repetitions: int
    data: Path | None
    databases: tuple[str, ...]
    say: Callable[[str], None]


@dataclass(frozen=True)
class Figures:
    """The files of a paper's figures, by name and text, as they get ready.

    repetitions: of each experiment as a rule, and at least; 1 where nothing
    is drawn at random. databases: the names of what is read from the folder --data, if anything.
    A ValueError of `draw` is bad input.
    """

    draw: Callable[[Wanted], Iterator[tuple[str, str]]]
    repetitions: int = 1
    least: int = 1
    databases: tuple[str, ...] = ()

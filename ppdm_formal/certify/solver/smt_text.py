"""The text of SMT-LIB 2 questions: symbols with their ranges, and conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Symbol:
    """A generated name, and the condition on its range, if any."""

    name: str
    range: str = ""
    sort: Literal["Real", "Int"] = "Real"


@dataclass(frozen=True)
class SmtQuestion:
    """The question whether all conditions can hold together."""

    logic: str
    symbols: tuple[Symbol, ...]
    conditions: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many characters its conditions have."""
        return sum(map(len, self.conditions))

    @property
    def text(self) -> str:
        """The question by itself."""
        lines = [f"(set-logic {self.logic})"]
        for symbol in self.symbols:
            lines.append(f"(declare-const {symbol.name} {symbol.sort})")
            if symbol.range:
                lines.append(f"(assert {symbol.range})")
        lines += [f"(assert {condition})" for condition in self.conditions]
        return "\n".join([*lines, "(check-sat)"]) + "\n"


def joined(blocks: Sequence[SmtQuestion]) -> str:
    """The question whether one of several questions is sat; they have a logic in common.

    >>> one, two = (SmtQuestion("QF_LRA", (Symbol("s0"),), (f"({sign} s0 0.0)",)) for sign in "<>")
    >>> print(joined([one, two]), end="")
    (set-logic QF_LRA)
    (declare-const s0 Real)
    (assert (or (and true (< s0 0.0)) (and true (> s0 0.0))))
    (check-sat)
    """
    declared = {
        symbol.name: Symbol(symbol.name, "", symbol.sort) for b in blocks for symbol in b.symbols
    }
    each = [
        " ".join(["true", *(s.range for s in block.symbols if s.range), *block.conditions])
        for block in blocks
    ]
    if len(each) == 1:
        return blocks[0].text
    some = " ".join(f"(and {conditions})" for conditions in each)
    return SmtQuestion(blocks[0].logic, tuple(declared.values()), (f"(or {some})",)).text

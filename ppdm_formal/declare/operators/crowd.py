"""Crowd: the reports among which a client's own is hidden, shuffled or added up."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from ppdm_formal.declare.arithmetic.people import show_count
from ppdm_formal.declare.operators.prior import Prior, PriorFamily

MAX_CLIENTS = 10**12

Hidden: TypeAlias = Literal["shuffling", "summing"]


@dataclass(frozen=True)
class Crowd:
    """So many clients send one report each; the server is not told which is whose.

    how: shuffling: it sees the histogram of all reports. summing: it sees their sums alone, of
    every column of one-hot or unary reports.
    colluding: clients that tell the server their reports, or send none of their own drawing.
    missing: at most so many reports are lost.
    others: the prior that the values of the others are drawn from, independently; a family: each
    of them from a prior of it; None: they are any, and the server knows them.
    told_apart_from: of how many clients these are those whose reports look alike.
    """

    clients: int
    how: Hidden = "shuffling"
    colluding: int = 0
    missing: int = 0
    others: Prior | PriorFamily | None = None
    told_apart_from: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        for name in ("clients", "colluding", "missing"):
            number = getattr(self, name)
            if isinstance(number, bool) or not isinstance(number, int):
                raise ValueError(f"{name} are counted in whole numbers")
            if number < 0:
                raise ValueError(f"{name}: {show_count(-number)} below 0")
        if not 1 <= self.clients <= MAX_CLIENTS:
            many = show_count(self.clients)
            raise ValueError(f"after {self.how} {many}: expected 1 to {MAX_CLIENTS:,} clients")
        if self.counted < 1:
            gone = " and ".join(
                f"{show_count(number)} {word}"
                for number, word in ((self.colluding, "colluding"), (self.missing, "missing"))
                if number
            )
            raise ValueError(
                f"of {show_count(self.clients)} clients {gone}: no report is left among which one "
                "could be hidden"
            )

    @property
    def counted(self) -> int:
        """How many reports hide one of them: those of honest clients that surely arrive."""
        return self.clients - self.colluding - self.missing

    def part(self, share: Fraction) -> Crowd:
        """The clients of one kind, where kinds are told apart and this share of all is of it.

        Who colludes or is missing may be all of that kind; a client itself is always there.
        """
        least = self.colluding + self.missing + 1
        found = max(least, self.clients * share.numerator // share.denominator)
        return replace(self, clients=found, told_apart_from=self.clients)

    def __str__(self) -> str:
        """As the end of a claim says it."""
        said = f"after {self.how} {self.clients}"
        said += f" colluding {self.colluding}" if self.colluding else ""
        said += f" at most {self.missing} missing" if self.missing else ""
        return said + (f" others under {self.others.name}" if self.others is not None else "")

    @property
    def assumption(self) -> str:
        """What must be trusted beside the arithmetic, in one sentence's words."""
        hides = "the shuffler hides" if self.how == "shuffling" else "the servers that add hide"
        said = f"it rests on this: {hides} who sent what, and what else was sent along; each of "
        said += f"{self.counted:,} clients draws one report as described, with its own coins"
        if self.others is None:
            return said + "; whatever values the others have"
        return said + f"; the others' values are independent draws{self.drawn}"

    @property
    def drawn(self) -> str:
        """From what the others' values are drawn, in words."""
        assert self.others is not None
        each = ", each from a prior with" if isinstance(self.others, PriorFamily) else " from"
        return f"{each} {self.others.name}"

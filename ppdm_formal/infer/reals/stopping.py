"""Stopping rules: when the iterations of a reconstruction end.

gain: the log-likelihood of all records rises by less than `value` nats in an iteration (0.5 unless
said: what is left to gain then is about what noise alone would gain). chi2: the statistic
N sum((new - old)^2 / old) falls below 1% of the 95% point of chi-square with K - 1 degrees of
freedom, as Agrawal and Srikant stop. iterations: after so many. optimum: no distribution on the
cells has a log-likelihood more than `value` above. cv (crossvalidation.py): after as many
iterations as fit held-out records best.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppdm_formal.infer.undoing.channel import Floats
from ppdm_formal.infer.undoing.chi_square import chi_square_point

Kind = Literal["gain", "chi2", "iterations", "optimum", "cv"]

MOST_ITERATIONS = 10_000
"""No rule runs longer, unless the number of iterations itself is asked for."""

MOST_FOLDS = 20

DEFAULTS = {"gain": 0.5, "chi2": 0.01, "iterations": 100, "optimum": 1e-3, "cv": 5}


@dataclass(frozen=True)
class Rule:
    """A kind of rule with its number: nats, share of the 95% point, iterations, nats, folds."""

    kind: Kind = "gain"
    value: float = 0.5

    def __post_init__(self) -> None:
        whole = self.kind in ("iterations", "cv")
        least = {"iterations": 0, "cv": 2}.get(self.kind)
        if not np.isfinite(self.value) or (whole and self.value != int(self.value)):
            raise ValueError(f"stop {self.kind}: {self.value} is not a number that it takes")
        if self.value < least if least is not None else self.value <= 0:
            raise ValueError(f"stop {self.kind}: {self.value:g} is too small")
        if whole and self.value > (MOST_FOLDS if self.kind == "cv" else 10 * MOST_ITERATIONS):
            raise ValueError(f"stop {self.kind}: {self.value:g} is too large")

    @classmethod
    def parse(cls, text: str) -> Rule:
        """KIND or KIND:NUMBER.

        >>> Rule.parse("gain"), Rule.parse("iterations:20").value
        (Rule(kind='gain', value=0.5), 20.0)
        """
        kind, sign, number = text.strip().partition(":")
        if kind not in DEFAULTS:
            raise ValueError(f"{kind!r} is no stopping rule; there are: {', '.join(DEFAULTS)}")
        try:
            return cls(kind, float(number) if sign else DEFAULTS[kind])  # type: ignore[arg-type]
        except ValueError as problem:
            raise ValueError(f"--stop {text}: {problem}") from None

    @property
    def most(self) -> int:
        """Iterations at most."""
        return int(self.value) if self.kind == "iterations" else MOST_ITERATIONS


def small_change(old: Floats, new: Floats, records: float, share: float) -> bool:
    """Whether chi-square between successive masses is below a share of its 95% point."""
    moved = old > 0
    statistic = records * float(((new - old)[moved] ** 2 / old[moved]).sum())
    return statistic < share * chi_square_point(0.95, max(1, len(old) - 1))

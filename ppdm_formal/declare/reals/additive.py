"""ContinuousOperator: z = x + noise for a real x, as it is, clamped or truncated to a window.

Its likelihood is a closed form on pieces. With the density f of the noise and its distribution F:

    as it is:    p(z|x) = f(z - x)
    clamped:     the same between lo and hi, P[lo|x] = F(lo - x), P[hi|x] = 1 - F(hi - x)
    truncated:   p(z|x) = f(z - x) / (F(hi - x) - F(lo - x)) between lo and hi
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.declare.reals.reals import Reals

MOST_NATS = 100_000
"""Logarithm of the greatest ratio of likelihoods with a window, where noise falls ever faster."""


@dataclass(frozen=True)
class Window:
    """What happens to outputs below lo and above hi: moved to the ends, or drawn again."""

    kind: Literal["clamped", "truncated"]
    lo: Fraction
    hi: Fraction

    def __post_init__(self) -> None:
        if not self.lo < self.hi:
            raise ValueError(f"{self}: the lower end comes first, below the other")

    def mirrored(self) -> Window:
        """For -z."""
        return Window(self.kind, -self.hi, -self.lo)

    def __str__(self) -> str:
        return f"{self.kind} to {number_text(self.lo)}..{number_text(self.hi)}"


@dataclass(frozen=True)
class ContinuousOperator:
    """z = x + noise for x in an interval; window: None where the output is as it is."""

    inputs: Reals
    noise: Noise
    window: Window | None = None
    name: str = ""
    source: str = ""
    subject: ClassVar[str] = "additive"
    """The file of certify/subjects that decides what is claimed of it."""

    def __post_init__(self) -> None:
        window = self.window
        if window is not None and self.noise.spread is not None:
            middle, half = (self.inputs.lo + self.inputs.hi) / 2, self.inputs.width / 2
            far = max(window.hi - middle, middle - window.lo)
            if self.noise.nats(far - half, far + half) > MOST_NATS:
                raise ValueError(
                    f"{self.noise} is too narrow for {window}: some outputs would be more than "
                    f"e^{MOST_NATS} times as likely from one x as from another"
                )
        if window is None or window.kind == "clamped":
            return
        least, most = self.noise.support
        for x in (self.inputs.lo, self.inputs.hi):
            above = least is not None and x + least >= window.hi
            below = most is not None and x + most <= window.lo
            if above or below:
                raise ValueError(
                    f"from x = {number_text(x)} no output lies in "
                    f"{number_text(window.lo)}..{number_text(window.hi)}: nothing is left of it"
                )

    def mirrored(self) -> ContinuousOperator:
        """The same of -x and -z."""
        window = None if self.window is None else self.window.mirrored()
        inputs = Reals(-self.inputs.hi, -self.inputs.lo)
        return replace(self, inputs=inputs, noise=self.noise.mirrored(), window=window)

    @property
    def outputs(self) -> tuple[Fraction | None, Fraction | None]:
        """The ends of the interval of outputs; None where it goes on without end."""
        least, most = self.noise.support
        lo = None if least is None else self.inputs.lo + least
        hi = None if most is None else self.inputs.hi + most
        if self.window is not None:
            lo = self.window.lo if lo is None else max(lo, self.window.lo)
            hi = self.window.hi if hi is None else min(hi, self.window.hi)
        return lo, hi

    @property
    def rule(self) -> str:
        """As models write it: x + laplace(10) clamped to 0..100."""
        return f"x + {self.noise}" + ("" if self.window is None else f" {self.window}")

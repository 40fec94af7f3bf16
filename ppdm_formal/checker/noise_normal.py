"""Normal noise, which is enclosed and never exact."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .noise import Noise, read_scale
from .result import Rejected
from .spans import Span, normal_span, phi_span


@dataclass(frozen=True)
class Normal(Noise):
    """Of a standard deviation."""

    kind, exact, surer = "normal", False, True
    deviation: Fraction

    @classmethod
    def read(cls, numbers: list[Fraction]) -> Normal:
        """Its standard deviation."""
        return cls(read_scale(numbers))

    def density(self, v: Fraction) -> Fraction:
        """It has no density in numbers."""
        raise Rejected("normal noise is not exact")

    def below(self, v: Fraction) -> Fraction:
        """It has no distribution in numbers."""
        raise Rejected("normal noise is not exact")

    def log_ratio(self, one: Fraction, other: Fraction) -> Fraction:
        """The logarithm of one density by another."""
        return (other**2 - one**2) / (2 * self.deviation**2)

    def height(self, v: Fraction, bits: int) -> Span:
        """The density."""
        low, high = phi_span(v / self.deviation, bits)
        return low / self.deviation, high / self.deviation

    def distribution(self, v: Fraction, bits: int) -> Span:
        """The distribution."""
        return normal_span(v / self.deviation, bits)

    def integral(self, v: Fraction, bits: int) -> Span:
        """The integral of the distribution up to v."""
        t = v / self.deviation
        share, height = normal_span(t, bits), phi_span(t, bits)
        ends = [t * end for end in share]
        least, most = min(ends) + height[0], max(ends) + height[1]
        return self.deviation * least, self.deviation * most

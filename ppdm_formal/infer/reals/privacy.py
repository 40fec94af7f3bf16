"""Privacy loss of noise on a distribution of cells: 1 - 2^-I(X; Z), in floating point.

I(X; Z) = h(Z) - h(Y) for Z = X + Y; both integrals are sums over narrow intervals. For numbers that
are proved, see the enclosures of numeric operators.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ppdm_formal.declare.noises.named import Noise
from ppdm_formal.infer.reals.bins import Bins
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.reals.design import design
from ppdm_formal.infer.reals.result import Sent
from ppdm_formal.infer.undoing.channel import Floats

_REACH = 12.0
"""Standard deviations after which unbounded noise is taken to end."""

_STEPS = 20_000

_BINS, _PER_SD = 8_000, 20
"""Bins that cells are divided into in all, and that a standard deviation is wide, at least."""

_ENTRIES = 1 << 16
"""Probabilities of an operator that are looked at together: they stay in the cache."""


@dataclass(frozen=True)
class PrivacyLoss:
    """h(X), Pi(X) = 2^h, I(X; Z) in bits, and the share of privacy that is lost."""

    entropy: float
    information: float

    @property
    def privacy(self) -> float:
        """The length of an interval on which a uniform x is as uncertain as this one."""
        return float(2.0**self.entropy)

    @property
    def remaining(self) -> float:
        """The same for x once z is known, on average: Pi(X|Z)."""
        return self.privacy * (1 - self.loss)

    @property
    def loss(self) -> float:
        """1 - 2^-I."""
        return float(-math.expm1(-self.information * math.log(2)))


def reach(noise: Noise) -> tuple[float, float]:
    """Where noise lies: its support, or many standard deviations where that has no end."""
    low, high = noise.support
    far = _REACH * noise.sd
    middle = float(noise.center)
    return (
        middle - far if low is None else float(low),
        middle + far if high is None else float(high),
    )


def noise_entropy(noise: Noise) -> float:
    """h(Y) in bits.

    >>> from ppdm_formal.declare.noises.named import parse_noise
    >>> round(noise_entropy(parse_noise("uniform(-2, 2)")), 6)
    2.0
    """
    low, high = reach(noise)
    step = (high - low) / _STEPS
    return _entropy(noise.pdf(low + (np.arange(_STEPS) + 0.5) * step), step)


def privacy_loss(masses: Floats, cells: Partition, noise: Noise) -> PrivacyLoss:
    """For X with these masses, uniform within each cell."""
    shares = masses / masses.sum()
    per = max(4, -(-_BINS // cells.count), math.ceil(_PER_SD * cells.width / noise.sd))
    width = cells.width / per
    low, high = reach(noise)
    first = math.floor(low / width)
    last = math.ceil(high / width) + cells.count * per
    if last - first > 1 << 18:
        raise ValueError(f"{noise} is out of all proportion to cells of width {cells.width:g}")
    bins = Bins(cells, per, first, np.zeros(last - first))
    density = np.maximum(design(bins, noise, "em").forward(shares), 0.0) / width
    information = max(0.0, _entropy(density, width) - noise_entropy(noise))
    return PrivacyLoss(_entropy(shares / cells.width, cells.width), information)


def privacy_loss_sent(masses: Floats, cells: Partition, sent: Sent) -> PrivacyLoss:
    """The same where x is sent through an operator: I(X; Y) is that of the input it is rounded to.

    I = sum over g of q[g] sum over y of p[g -> y] log2(p[g -> y] / (q P)[y]).
    """
    shares = masses / masses.sum()
    rounded = np.zeros(sent.inputs.size)
    for mass, inside in zip(shares, sent.inputs.shares(cells), strict=True):
        for place, share in inside:
            rounded[place] += mass * share
    some_rows = sent.operator.law.float_rows
    outputs, kept = np.zeros(sent.outputs.size), 0.0
    block = max(1, _ENTRIES // sent.outputs.size)
    for start in range(0, len(rounded), block):
        places = np.arange(start, min(start + block, len(rounded)))
        rows, q = some_rows(places), rounded[places]
        outputs += q @ rows
        kept += float(q @ (rows * np.log2(np.where(rows > 0, rows, 1.0))).sum(axis=1))
    return PrivacyLoss(
        _entropy(shares / cells.width, cells.width), max(0.0, kept + _entropy(outputs, 1.0))
    )


def _entropy(density: Floats, step: float) -> float:
    inside = density[density > 0]
    return float(-(inside * np.log2(inside)).sum() * step)

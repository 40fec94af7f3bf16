"""ItemForm: the best select-a-size for the support of one item, M of them being present.

For single items Statement 2's form (b[j] = 1 up to the cutoff j*, gamma above) is optimal for
every rho (docs/itemsets.md). With B' binomial for M - 1 items and B for M items, its gain

    lambda_1 = F - rho = (gamma - 1) rho (1 - rho) P[B' = j*] / (1 + (gamma - 1) P[B > j*])

(F: the chance that an item of t stays) makes (y - rho) / lambda_1 unbiased, with the noise

    v_0 = rho (1 - rho) / lambda_1^2        v_1 = F (1 - F) / lambda_1^2

of a transaction without the item, and of one with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.families.select_a_size import Randomization, optimal_keep

Floats: TypeAlias = npt.NDArray[np.float64]

MAX_BITS = 30
"""Most bits of rho = a/2^b."""

TOLERANCE = 2e-4
"""Bits are added until the variance is within this fraction of the best real rho's."""

_CUTOFFS = 8
_GRID = 301


@dataclass(frozen=True)
class ItemForm:
    """Statement 2's form for M present items: rho, j* and gamma.

    >>> form = ItemForm(10, Fraction(1, 256), 0, Fraction(19))
    >>> f"{float(form.noise_absent):.2f} {float(form.noise_held):.1f}"
    '2.43 26.2'
    """

    present: int
    insert: Fraction
    cutoff: int
    gamma: Fraction

    def __post_init__(self) -> None:
        if not 0 <= self.cutoff < self.present:
            raise ValueError(
                f"the cutoff j* must be one of 0..{self.present - 1}, not {self.cutoff}"
            )
        if not 0 < self.insert < 1:
            raise ValueError(f"rho = {self.insert} is not strictly between 0 and 1")
        if self.gamma <= 1:
            raise ValueError(f"an amplification of {self.gamma} leaves nothing to learn")

    @cached_property
    def gain(self) -> Fraction:
        """lambda_1 = F - rho, by which a present item is likelier in t' than an absent one."""
        rho, j, more = self.insert, self.cutoff, self.gamma - 1
        exactly = math.comb(self.present - 1, j) * rho**j * (1 - rho) ** (self.present - 1 - j)
        up_to = sum(
            math.comb(self.present, i) * rho**i * (1 - rho) ** (self.present - i)
            for i in range(j + 1)
        )
        return more * rho * (1 - rho) * exactly / (1 + more * (1 - up_to))

    @property
    def stay(self) -> Fraction:
        """F, the chance that an item of t stays."""
        return self.insert + self.gain

    @cached_property
    def noise_absent(self) -> Fraction:
        """v_0: the variance that a transaction without the item adds."""
        return self.insert * (1 - self.insert) / self.gain**2

    @cached_property
    def noise_held(self) -> Fraction:
        """v_1: the variance that a transaction with the item adds."""
        return self.stay * (1 - self.stay) / self.gain**2

    def randomization(self) -> Randomization:
        """The same as rho and p[0..M]."""
        keep = optimal_keep(self.present, self.insert, self.cutoff, self.gamma)
        return Randomization(self.present, self.insert, keep)


def noise_grid(present: int, insert: Floats, gamma: float) -> tuple[Floats, Floats]:
    """v_0 and v_1 in floating point: row j* of the array holds values of rho to try with it."""
    yes, no = np.log(insert), np.log1p(-insert)

    def chances(size: int, chosen: int, rows: slice) -> Floats:
        ways = _log_binomial(size, chosen)
        return np.asarray(np.exp(ways + chosen * yes[rows] + (size - chosen) * no[rows]))

    above, exactly = np.ones(insert.shape), np.empty(insert.shape)
    for j in range(len(insert)):
        above[j:] -= chances(present, j, slice(j, None))
        exactly[j] = chances(present - 1, j, slice(j, j + 1))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        gain = (gamma - 1) * insert * (1 - insert) * exactly
        gain /= 1 + (gamma - 1) * np.maximum(above, 0)
        stay = insert + gain
        absent, held = insert * (1 - insert) / gain**2, stay * (1 - stay) / gain**2
    return _finite(absent), _finite(held)


def _finite(noise: Floats) -> Floats:
    """Infinite where the gain is too small for floating point."""
    return np.where(np.isfinite(noise), noise, np.inf)


def _log_binomial(size: int, chosen: int) -> float:
    if chosen > size:
        return -math.inf
    return math.lgamma(size + 1) - math.lgamma(chosen + 1) - math.lgamma(size - chosen + 1)


@lru_cache(maxsize=4096)
def best_item_form(
    present: int, gamma: Fraction, support: float = 0.0, bits: int | None = None
) -> ItemForm:
    """The rho = a/2^b and j* with the least (1 - s) v_0 + s v_1 for a support s.

    For each rho the form is optimal; rho itself is scanned, and j* below 8. The fewest bits that
    lose next to nothing are taken.

    >>> best = best_item_form(10, Fraction(19))
    >>> str(best.insert), best.cutoff, f"{float(best.noise_absent):.3f}"
    ('5/1024', 0, '2.400')
    """
    if present < 1:
        raise ValueError(f"{present} present items: at least one is needed")
    if not 0 <= support <= 1:
        raise ValueError(f"a support of {support} is not in [0, 1]")
    if bits is not None and not 1 <= bits <= MAX_BITS:
        raise ValueError(f"rho = a/2^b needs 1 to {MAX_BITS} bits, not {bits}")
    if gamma <= 1:
        raise ValueError(f"an amplification of {gamma} leaves nothing to learn")
    cutoffs = min(present, _CUTOFFS)

    def cost(insert: Floats) -> Floats:
        absent, held = noise_grid(present, insert, float(gamma))
        with np.errstate(invalid="ignore"):
            return _finite((1 - support) * absent + support * held)

    best, least = _best_real(cost, present, cutoffs, float(gamma))
    chosen: tuple[float, Fraction, int] | None = None
    for count in range(1, MAX_BITS + 1) if bits is None else [bits]:
        whole = 1 << count
        near = np.floor(best * whole)[:, None] + np.array([0.0, 1.0])
        tops = np.clip(near, 1, whole - 1)
        values = cost(tops / whole)
        row, column = np.unravel_index(int(values.argmin()), values.shape)
        found = float(values[row, column])
        if chosen is None or found < chosen[0]:
            chosen = (found, Fraction(int(tops[row, column]), whole), int(row))
        if chosen[0] <= least * (1 + TOLERANCE):
            break
    assert chosen is not None
    return ItemForm(present, chosen[1], chosen[2], gamma)


def _best_real(
    cost: Callable[[Floats], Floats], present: int, cutoffs: int, gamma: float
) -> tuple[Floats, float]:
    """The best rho for each cutoff, and the least cost of all: a scan, then finer ones."""
    lowest = min(0.01, 0.05 / gamma) / present
    half = np.geomspace(lowest, 0.5, _GRID)
    rows = np.broadcast_to(np.concatenate([half, 1 - half[-2::-1]]), (cutoffs, 2 * _GRID - 1))
    values = cost(rows)
    for _ in range(4):
        at = values.argmin(axis=1)
        index = np.arange(cutoffs)
        low = rows[index, np.maximum(at - 1, 0)]
        high = rows[index, np.minimum(at + 1, rows.shape[1] - 1)]
        rows = np.linspace(low, high, 41, axis=1)
        values = cost(rows)
    at = values.argmin(axis=1)
    return rows[np.arange(cutoffs), at], float(values.min())

"""Beliefs about x under a density, after additive noise was seen: quadrature in floats."""

from __future__ import annotations

import itertools
from fractions import Fraction as F
from typing import Any

import numpy as np
from scipy.special import log_ndtr, ndtr

NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)
Parts = list[tuple[F, F]]


class Beliefs:
    """A density on an interval and noise; outputs by their number, or "lo" and "hi" for atoms."""

    def __init__(self, described: dict[str, Any]) -> None:
        self.lo, self.hi = (float(F(x)) for x in described["inputs"])
        self.law = described["noise"]["law"]
        self.numbers = [float(F(x)) for x in described["noise"]["parameters"]]
        window = described["window"]
        self.kind = None if window is None else window["kind"]
        self.ends = None if window is None else [float(F(x)) for x in window["ends"]]
        self.parts = [
            (row["law"], *(F(x) for x in row["parameters"]), F(row["weight"]))
            for row in described["density"]
        ]
        lo, hi = (F(x) for x in described["inputs"])
        self.possible = sum(row[3] for row in self.parts) == 1 and all(
            row[3] > 0 and (row[2] > 0 if row[0] == "normal" else lo <= row[1] < row[2] <= hi)
            for row in self.parts
        )

    # -- the noise

    def log_density(self, v: Any) -> Any:
        a, b = self.numbers[0], self.numbers[-1]
        if self.law == "normal":
            return -0.5 * (v / a) ** 2 - np.log(a)
        if self.law == "laplace":
            return -np.abs(v) / a
        inside = (v > a) & (v < b)
        half = (b - a) / 2
        if self.law == "uniform":
            return np.where(inside, 0.0, -np.inf)
        return np.where(inside, np.log(np.clip(half - np.abs(v - (a + b) / 2), 0, None)), -np.inf)

    def log_below(self, v: Any) -> Any:
        a, b = self.numbers[0], self.numbers[-1]
        if self.law == "normal":
            return log_ndtr(v / a)
        if self.law == "laplace":
            return np.where(v < 0, v / a - np.log(2), np.log1p(-np.exp(-np.abs(v) / a) / 2))
        t = np.clip((v - a) / (b - a), 0, 1)
        return np.log(t if self.law == "uniform" else np.where(t < 0.5, 2 * t * t, self._upper(t)))

    @staticmethod
    def _upper(t: Any) -> Any:
        return 1 - 2 * (1 - t) ** 2

    def mirrored(self, v: Any) -> Any:
        """Log P[noise > v]."""
        own = self.numbers
        if len(own) == 2:
            self.numbers = [-own[1], -own[0]]
        found = self.log_below(-v)
        self.numbers = own
        return found

    def log_share(self, x: Any) -> Any:
        """Of outputs in a window that are kept."""
        if self.kind != "truncated":
            return np.zeros_like(x)
        low, high = self.ends
        left, right = self.log_below(low - x), self.mirrored(high - x)
        return np.log1p(-np.exp(left) - np.exp(right))

    def log_seen(self, x: Any, z: Any) -> Any:
        if z == "lo":
            return self.log_below(self.ends[0] - x)
        if z == "hi":
            return self.mirrored(self.ends[1] - x)
        return self.log_density(z - x) - self.log_share(x)

    # -- the density

    def weights(self, x: Any) -> Any:
        found = np.zeros_like(x)
        for law, first, second, weight in self.parts:
            a, b = float(first), float(second)
            if law == "uniform":
                found += np.where((x > a) & (x < b), float(weight) / (b - a), 0.0)
            else:
                whole = ndtr((self.hi - a) / b) - ndtr((self.lo - a) / b)
                bell = np.exp(-0.5 * ((x - a) / b) ** 2) / (b * np.sqrt(2 * np.pi))
                found += float(weight) * bell / whole
        return found

    def exactly_before(self, parts: Parts) -> F | None:
        """P[Q] as a fraction; None where the density has a bell."""
        if any(row[0] == "normal" for row in self.parts):
            return None
        return sum(
            (
                weight * max(min(b, second) - max(a, first), F(0)) / (second - first)
                for _, first, second, weight in self.parts
                for a, b in parts
            ),
            F(0),
        )

    def points(self, parts: Parts, z: Any) -> tuple[Any, Any]:
        """Nodes and their weights on the pieces where everything is smooth."""
        cuts = {float(end) for part in parts for end in part}
        for law, first, second, _ in self.parts:
            a, b = float(first), float(second)
            cuts |= {a, b} if law == "uniform" else {a + k * b for k in (-6, -3, -1, 0, 1, 3, 6)}
        if isinstance(z, float):
            a, b = self.numbers[0], self.numbers[-1]
            centre = [0.0] if len(self.numbers) == 1 else [a, b, (a + b) / 2]
            cuts |= {z - c for c in centre}
            if len(self.numbers) == 1:
                cuts |= {z + k * a for k in (-6, -3, -1, 1, 3, 6)}
        ends = [] if self.ends is None else self.ends
        for end in ends:
            a, b = self.numbers[0], self.numbers[-1]
            cuts |= {end} if len(self.numbers) == 1 else {end - a, end - b, end - (a + b) / 2}
        nodes, shares = [], []
        for first, second in parts:
            a, b = float(first), float(second)
            own = sorted({a, b, *(c for c in cuts if a < c < b)})
            for left, right in itertools.pairwise(own):
                nodes.append((left + right) / 2 + (right - left) / 2 * NODES)
                shares.append((right - left) / 2 * WEIGHTS)
        return np.concatenate(nodes), np.concatenate(shares)

    def before(self, parts: Parts) -> float:
        x, share = self.points(parts, None)
        return float(np.sum(share * self.weights(x)))

    def after(self, parts: Parts, z: Any) -> float:
        """P[Q | z]; nan where z is never seen."""
        rest, at = [], F(self.lo)
        for a, b in [*parts, (F(self.hi), F(self.hi))]:
            if at < a:
                rest.append((at, a))
            at = max(at, b)
        x1, s1 = self.points(parts, z)
        w1, l1 = s1 * self.weights(x1), self.log_seen(x1, z)
        if not rest:
            return 1.0
        x2, s2 = self.points(rest, z)
        w2, l2 = s2 * self.weights(x2), self.log_seen(x2, z)
        top = max(np.max(l1[w1 > 0], initial=-np.inf), np.max(l2[w2 > 0], initial=-np.inf))
        if not np.isfinite(top):
            return float("nan")
        one = np.sum(w1 * np.exp(l1 - top))
        two = np.sum(w2 * np.exp(l2 - top))
        return float(one / (one + two))

    def outputs(self, parts: Parts) -> list[Any]:
        """Outputs at which beliefs are looked at."""
        cuts = {self.lo, self.hi, *(float(end) for part in parts for end in part)}
        cuts |= {float(end) for row in self.parts if row[0] == "uniform" for end in row[1:3]}
        if len(self.numbers) == 2:
            cuts |= {c + n for c in list(cuts) for n in self.numbers}
            reach = max(abs(n) for n in self.numbers)
        else:
            reach = 30 * self.numbers[0]
        ends = self.ends or [self.lo - reach, self.hi + reach]
        near = [self.lo - reach / 10, self.hi + reach / 10]
        found = np.concatenate([np.linspace(*ends, 80), np.linspace(*near, 80), sorted(cuts)])
        step = 1e-9 * (ends[1] - ends[0])
        found = np.concatenate([found, found - step, found + step])
        inside = [float(z) for z in found if ends[0] < z < ends[1]]
        return [*inside, *(["lo", "hi"] if self.kind == "clamped" else [])]

    def most(self, parts: Parts) -> float:
        """The greatest belief at these outputs."""
        return max((b for z in self.outputs(parts) if (b := self.after(parts, z)) == b), default=0)

    def best(self, start: float) -> float:
        """The most that any property of this probability gets to, by sorting many x."""
        cuts = np.linspace(self.lo, self.hi, 1201)
        x = (cuts[1:] + cuts[:-1]) / 2
        mass = self.weights(x)
        mass = mass / mass.sum()
        best = 0.0
        looked = self.outputs([])
        atoms = [z for z in looked if isinstance(z, str)]
        for z in [*looked[: len(looked) - len(atoms) : 3], *atoms]:
            seen = self.log_seen(x, z)
            top = np.max(seen[mass > 0], initial=-np.inf)
            if not np.isfinite(top):
                continue
            joint = mass * np.exp(seen - top)
            order = np.argsort(-seen)
            taken = np.clip(start - np.concatenate([[0], np.cumsum(mass[order])[:-1]]), 0, None)
            share = np.minimum(1, taken / np.where(mass[order] > 0, mass[order], 1))
            best = max(best, float(np.sum(share * joint[order]) / joint.sum()))
        return best

    def at_witness(self, parts: Parts, witness: dict[str, Any]) -> float | None:
        """The least belief at some of the outputs that a witness names; None: there are none."""
        if "limit" in witness:
            if self.law != "normal" or self.kind is not None:
                return None
            far = 400 * self.numbers[0] + 50 * (self.hi - self.lo)
            sign = {"top": 1, "bottom": -1}[witness["limit"]]
            end = self.hi if sign > 0 else self.lo
            return max(self.after(parts, end + sign * far * 10.0**k) for k in range(4))
        if witness["atom"] is not None:
            if self.kind != "clamped" or witness["atom"] not in ("lo", "hi"):
                return None
            found = self.after(parts, witness["atom"])
            return None if found != found else found
        low, high = float(F(witness["low"])), float(F(witness["high"]))
        if self.ends is not None:
            low, high = max(low, self.ends[0]), min(high, self.ends[1])
        if not low < high:
            return None
        looked = [self.after(parts, low + (high - low) * t) for t in (0.25, 0.5, 0.75)]
        real = [b for b in looked if b == b]
        return min(real) if real else None

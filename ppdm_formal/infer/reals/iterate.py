"""Iterations until a rule stops: pi[i] <- pi[i] (1/N) sum over s of n[s] p[i -> s] / (pi P)[s].

With EM's design this is the step of AA01 Theorem 4.2 on masses pi = |cell| theta, with AS's that of
Evf02 (1): one algorithm, two designs. Accelerated, an iteration is a cycle of SQUAREM.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ppdm_formal.infer.reals.stopping import Rule, small_change
from ppdm_formal.infer.undoing.channel import Channel, Floats
from ppdm_formal.infer.undoing.likelihood import LikelihoodSearch, extrapolated


@dataclass(frozen=True)
class Ended:
    """Where iterations ended: masses, the bins' masses m, and log-likelihoods on the way."""

    masses: Floats
    outputs: Floats
    climbed: tuple[float, ...]
    """The log-likelihood at the start and after each iteration."""
    gap: float
    """How far above the log-likelihood of any distribution on the cells can be, at most."""
    met: bool
    """Whether the rule was met, rather than the most iterations reached."""

    @property
    def iterations(self) -> int:
        """How many there were."""
        return len(self.climbed) - 1


def iterate(
    channel: Channel,
    counts: Floats,
    rule: Rule,
    *,
    accelerate: bool = False,
    most: int | None = None,
) -> Ended:
    """From equal masses on; `most` iterations, or as many as the rule allows."""
    search = LikelihoodSearch(channel, counts)
    size = math.prod(channel.inputs)
    masses = np.full(channel.inputs, 1.0 / size)
    value, gradient, outputs = search.at(masses)
    climbed = [value]
    met = _met_before(rule, search, gradient)
    while not met and len(climbed) <= (rule.most if most is None else most):
        if accelerate:
            new = extrapolated(search, masses, value, gradient)
        else:
            new = masses * gradient / search.rows
        new = new / new.sum()
        there, slope, reached = search.at(new)
        if not math.isfinite(there):  # rounding by FFT took a probability for 0: no further
            break
        value, gradient, outputs = there, slope, reached
        climbed.append(value)
        if rule.kind == "gain":
            met = climbed[-1] - climbed[-2] < rule.value
        elif rule.kind == "chi2":
            met = small_change(masses, new, search.rows, rule.value)
        else:
            met = _met_before(rule, search, gradient)
        masses = new
    met = met or rule.kind == "iterations"
    return Ended(masses, outputs, tuple(climbed), search.gap(gradient), met)


def _met_before(rule: Rule, search: LikelihoodSearch, gradient: Floats) -> bool:
    """Rules that look at one point alone."""
    return rule.kind == "optimum" and search.gap(gradient) <= rule.value

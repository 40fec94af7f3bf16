"""Texts found in Bloom filters: which of many candidates clients have, from counts of bits.

From t[c, b], how many of the N_c reports of cohort c have bit b, (t/N_c - p*)/(q* - p*) estimates
the share of people in the cohort whose filter has it, without bias. A candidate scores the sum of
these over its own bits in all cohorts, weighted by N_c. Hash functions put a text that nobody has
at h bits which are as random as any: so given all reports its score is a sum over cohorts of h
draws from the estimates of that cohort, and (Chernoff; Hoeffding 1963 for draws without repetition)

    P[score >= s] <= min over z of exp(-z s) prod over c of (mean over b of exp(z w_c e[c, b]))^h.

These p-values go through the step-up rule (discoveries.py). What is found is fitted by least
squares, taken out of the estimates, and the rest is looked at again, until nothing new is found:
without the frequent texts, whose bits others share, the rare ones are seen. Later rounds take what
the earlier ones found as given; simulations check the rate for all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ppdm_formal.infer.undoing.channel import Floats
from ppdm_formal.infer.undoing.counts import Integers
from ppdm_formal.infer.undoing.discoveries import taken

ROUNDS = 20
"""Most rounds."""

_SLOPES = np.geomspace(0.05, 60, 400)
"""Slopes z, in standard deviations, at which the bound is taken: each gives a valid one."""


@dataclass(frozen=True)
class FoundTexts:
    """Candidates by their places, with shares by least squares, their standard errors, p-values."""

    places: Integers
    shares: Floats
    errors: Floats
    p_values: Floats


def found_texts(
    filters: Integers,
    counts: Integers,
    sizes: Integers,
    own: float,
    other: float,
    level: Fraction,
) -> FoundTexts:
    """filters: of candidates (Cohorts.table); counts, sizes: by cohort; own, other: q* and p*."""
    shown = (counts / sizes[:, None] - other) / (own - other)
    weights = sizes / sizes.sum()
    places = np.zeros(0, dtype=np.int64)
    chances = np.zeros(0)
    left, fitted = shown - shown.mean(axis=1, keepdims=True), _Fitted(np.zeros(0), np.zeros(0))
    for _ in range(ROUNDS):
        p_values = _bounds(filters, left, weights)
        p_values[places] = 1.0
        new = taken(p_values, level)
        if not len(new):
            break
        places = np.concatenate([places, new])
        chances = np.concatenate([chances, p_values[new]])
        fitted, left = _least_squares(filters[places], shown, weights)
    order = np.argsort(-fitted.shares, kind="stable")
    return FoundTexts(places[order], fitted.shares[order], fitted.errors[order], chances[order])


def _bounds(filters: Integers, left: Floats, weights: Floats) -> Floats:
    """Bounds on the chances of such scores, for each candidate."""
    _, cohorts, hashes = filters.shape
    part = left * weights[:, None]
    scores = np.zeros(len(filters))
    for cohort in range(cohorts):
        scores += part[cohort][filters[:, cohort]].sum(axis=1)
    spread = np.sqrt(hashes * part.var(axis=1).sum())
    if spread == 0:
        return np.ones(len(filters))
    slopes = _SLOPES / spread
    moments = np.array([hashes * np.log(np.exp(z * part).mean(axis=1)).sum() for z in slopes])
    found = np.ones(len(filters))
    high = np.flatnonzero(scores > 0)
    for place in high:
        found[place] = min(1.0, float(np.exp((moments - slopes * scores[place]).min())))
    return found


@dataclass(frozen=True)
class _Fitted:
    shares: Floats
    errors: Floats


def _least_squares(filters: Integers, shown: Floats, weights: Floats) -> tuple[_Fitted, Floats]:
    """Shares of the texts found, all others being spread evenly; and what they leave."""
    cohorts, bits = shown.shape
    texts, _, hashes = filters.shape
    design = np.zeros((cohorts, bits, texts + 1))
    rows = np.repeat(np.arange(cohorts), hashes)
    for text in range(texts):
        design[rows, filters[text].ravel(), text] = 1.0
    design[:, :, texts] = 1.0
    scale = np.sqrt(weights * cohorts)[:, None]
    matrix = (design * scale[:, :, None]).reshape(-1, texts + 1)
    target = (shown * scale).ravel()
    inverse = np.linalg.pinv(matrix.T @ matrix)
    found = inverse @ (matrix.T @ target)
    rest = target - matrix @ found
    noise = float(rest @ rest) / max(1, len(rest) - texts - 1)
    errors = np.sqrt(np.maximum(np.diag(inverse) * noise, 0.0))[:texts]
    left = shown - design @ found
    return _Fitted(found[:texts], errors), left - left.mean(axis=1, keepdims=True)

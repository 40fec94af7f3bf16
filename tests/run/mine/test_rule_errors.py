"""Errors of rules by the delta method: gradients and covariances, written out."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from ppdm_formal.infer.baskets import estimated_rules


def test_covariances_count_with_their_signs(monkeypatch):
    """Confidence w/a and lift w/(a b): the variance is gradient . covariances . gradient."""
    w, a, b = 0.2, 0.5, 0.3
    spread = np.array(
        [[0.0004, 0.0003, 0.0002], [0.0003, 0.0009, 0.0001], [0.0002, 0.0001, 0.0016]]
    )
    sides = tuple(np.array([k]) for k in range(3))

    def covariance(levels, found, subsets, mask, pair, spread_of):
        return np.array([spread[int(pair[0][0]), int(pair[1][0])]])

    monkeypatch.setattr(estimated_rules, "covariance", covariance)
    supports = np.array([w, a, b])
    clients = np.sqrt(np.diag(spread))
    found = SimpleNamespace(support=supports, consistent=supports, clients=clients)
    errors, above = estimated_rules._errors(None, found, np.zeros((1, 4), dtype=np.int64), 1, sides)
    of_confidence = np.array([1 / a, -w / a**2, 0])
    of_lift = np.array([1 / (a * b), -w / (a**2 * b), -w / (a * b**2)])
    for error, gradient in zip(errors, (of_confidence, of_lift), strict=True):
        assert float(error[0]) == pytest.approx(
            float(np.sqrt(gradient @ spread @ gradient)), rel=1e-12
        )
    of_leverage = np.array([1, -b, -a])
    second = spread[1, 1] * spread[2, 2] + spread[1, 2] ** 2
    variance = of_leverage @ spread @ of_leverage + second
    assert float(above.leverage[0]) == pytest.approx(w - a * b + spread[1, 2], rel=1e-12)
    assert float(above.se[0]) == pytest.approx(float(np.sqrt(variance)), rel=1e-12)

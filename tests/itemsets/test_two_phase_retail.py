"""Two phases on real baskets: the pairs of retail, and one run of both phases in small steps."""

from __future__ import annotations

import math
import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ppdm_formal.design.at_hand import chances, expected_sizes
from ppdm_formal.design.two_phase import two_phase_design
from ppdm_formal.run.at_hand_file import read_at_hand

FOLDER = os.environ.get("PPDM_DATA")
pytestmark = pytest.mark.skipif(not FOLDER, reason="PPDM_DATA names no folder with real data")


def test_pairs_of_retail_are_seen_from_two_percent_on():
    file = Path(FOLDER or "") / "retail.dat.xz"
    if not file.exists():
        pytest.skip("retail.dat.xz is not in PPDM_DATA")
    data, _ = read_at_hand(file)
    gamma = Fraction(19) * (1 - Fraction(1, 10**6))
    found = two_phase_design(
        data.histogram,
        lambda chosen: expected_sizes(data, chances(data, chosen)),
        gamma,
        2,
        strictness=[2.5],
    )
    assert found.largest < 0.02
    # One collection with these shares and forms, each count drawn as the operators draw it.
    drawn = np.random.default_rng(8)
    first = drawn.random(len(data)) < float(found.shares[0])
    owners = np.repeat(np.arange(len(data)), data.sizes)
    estimates = np.zeros(data.items)
    for part in found.items.sizes:
        rows = first & (data.sizes == part.size)
        held = np.bincount(data.members[rows[owners]], minlength=data.items)
        estimates += _drawn(drawn, held, int(rows.sum()), part.form)
    chosen = np.flatnonzero(estimates / first.sum() >= found.screen.threshold)
    assert 100 < len(chosen) < 300  # predicted: 166
    small = data.projected(chosen.tolist())
    pair = sorted(np.searchsorted(chosen, [39, 48]).tolist())  # the most frequent one, 33%
    assert chosen[pair].tolist() == [39, 48]
    total, variance = 0.0, 0.0
    inside = np.zeros(len(data), dtype=int)
    np.add.at(inside, np.repeat(np.arange(len(data)), small.sizes), np.isin(small.members, pair))
    for part in found.groups[0].sizes:
        rows = ~first & (small.sizes == part.size)
        held = int((inside[rows] == 2).sum())
        total += float(_drawn(drawn, np.array(held), int(rows.sum()), part.form))
        variance += held * float(part.form.noise_held)
        variance += (int(rows.sum()) - held) * float(part.form.noise_absent)
    clients = int((~first).sum())
    covered = inside[~first & (small.sizes <= found.groups[0].sizes[-1].size)] == 2
    assert abs(total - covered.sum()) < 4 * math.sqrt(variance)
    assert math.sqrt(variance) / clients < 0.02


def _drawn(drawn, held, clients, form):
    """The sum of (y - rho) / gain over the clients, `held` of whom hold the set."""
    sent = drawn.binomial(held, float(form.stay)) + drawn.binomial(
        clients - held, float(form.insert)
    )
    return (sent - clients * float(form.insert)) / float(form.gain)

"""Plans at work: millions of synthetic transactions, and msnbc where the data are at hand."""

from __future__ import annotations

import itertools
import lzma
import math
import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from how_many import cases
from written_plans import written_design

from ppdm_formal.design.plan_file import plan_of
from ppdm_formal.design.recovery import Recovery, SizedPart, mixed_support, mixed_variance
from ppdm_formal.run.simulate import simulate

F = Fraction
N = cases(1_000_000, 5_000_000)


def test_itemsets_at_the_lds_are_separated_from_zero_on_millions_of_transactions():
    """Itemset {0, 1, 2} at its LDS, the rest of the transactions free of its items."""
    plan = written_design([5], N, "5%", "50%", 3)
    r = plan_of(plan).only.at(5).randomization
    items = 9
    draw = np.random.default_rng(11)
    lds = float(plan["sizes"][0]["lds"]["3"])
    carriers = math.ceil(lds * N)
    held = np.array([0, 1, 2, 3, 4])
    others = np.array([draw.permutation(np.arange(3, items))[:5] for _ in range(2000)])
    estimates = {}
    for name, count in (("present", carriers), ("absent", 0)):
        data = others[np.arange(N) % 2000]
        data[:count] = held
        counts = np.zeros(4, dtype=np.int64)
        for after in simulate(data, items, r, seed=7):
            counts += np.bincount(after[:, :3].sum(axis=1), minlength=4)
        recovery = Recovery.of(r, 3)
        support, deviation = recovery.supports_of(counts, N)
        estimates[name] = (float(support), float(deviation))
        truth = [F(N - count, N), F(0), F(0), F(count, N)]
        predicted = math.sqrt(recovery.variance(truth, N))
        assert float(deviation) == pytest.approx(predicted, rel=0.01)
        assert abs(float(support) - count / N) < 4 * predicted
    # LDS = 4 predicted deviations, so present and absent stand four deviations apart.
    assert lds == pytest.approx(4 * estimates["present"][1], rel=0.01)
    assert estimates["present"][0] > 2 * estimates["present"][1]
    assert abs(estimates["absent"][0]) < 4 * estimates["absent"][1]
    assert estimates["present"][0] > estimates["absent"][0] + 2 * estimates["absent"][1]


def msnbc():
    folder = os.environ.get("PPDM_DATA")
    path = Path(folder or ".") / "msnbc990928.seq.xz"
    if folder is None or not path.exists():
        pytest.skip("set PPDM_DATA to a folder with msnbc990928.seq.xz")
    sets = []
    with lzma.open(path, "rt") as lines:
        for line in lines:
            words = line.split()
            if words and all(word.isdigit() for word in words):
                sets.append(sorted({int(word) - 1 for word in words}))
    return sets


def pair_shares(single, both, count, a, b):
    pair = both[a, b]
    one = single[a] + single[b] - 2 * pair
    return tuple(F(int(x), count) for x in (count - one - pair, one, pair))


def test_msnbc_supports_are_recovered_within_their_predicted_errors():
    sets = msnbc()
    assert len(sets) == 989_818
    categories = 17
    by_size = {m: np.array([t for t in sets if len(t) == m], dtype=np.int64) for m in range(1, 7)}
    counts = {m: len(rows) for m, rows in by_size.items()}
    plan = written_design(by_size, counts, "5%", "50%", 2, items=categories)
    group = plan_of(plan).only
    truth, seen = {}, {}
    for m, rows in by_size.items():
        before = np.zeros((len(rows), categories), dtype=np.float32)
        before[np.arange(len(rows))[:, None], rows] = 1
        truth[m] = (before.T @ before).astype(np.int64)
        seen[m] = np.zeros((categories, categories), dtype=np.int64)
        for block in simulate(rows, categories, group.at(m).randomization, seed=m):
            after = block.astype(np.float32)
            seen[m] += np.rint(after.T @ after).astype(np.int64)
    itemsets = [(a,) for a in range(categories)]
    itemsets += list(itertools.combinations(range(categories), 2))
    recoveries = {
        (m, k): Recovery.of(plan_of(plan).only.at(m).randomization, k)
        for m in by_size
        for k in (1, 2)
        if k <= m
    }
    whole = sum(counts.values())
    scores = []
    for itemset in itemsets:
        k = len(itemset)
        parts, randomized, real = [], [], []
        for m, count in counts.items():
            parts.append(SizedPart(count, recoveries.get((m, k))))
            for target, table in ((randomized, seen[m]), (real, truth[m])):
                single = table.diagonal()
                if k == 1:
                    have = int(single[itemset[0]])
                    target.append((F(count - have, count), F(have, count)))
                else:
                    target.append(pair_shares(single, table, count, *itemset))
        support, variance = mixed_support(parts, randomized)
        predicted = mixed_variance(parts, real)
        wanted = F(sum(int(truth[m][itemset[0], itemset[-1]]) for m in counts), whole)
        scores.append(float(support - wanted) / math.sqrt(predicted))
        assert float(variance) == pytest.approx(float(predicted), rel=0.05)
    assert len(scores) == 17 + 136
    assert max(abs(z) for z in scores) < 4  # of 153 normal scores, one beyond 4 has odds of 1%
    assert 0.7 < np.sqrt(np.mean(np.square(scores))) < 1.3

"""Exact draws with cryptographic bits, against NumPy's doubles and against OpenDP."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.result import Result, median_seconds
from ppdm_formal import load
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.select_a_size import select_a_size, select_a_size_law
from ppdm_formal.run.keystream import Keystream

ROOT = Path(__file__).parent.parent
ROWS = 1_000_000
RECORDS = 20_000
"""How many records OpenDP is given, one at a time; its time is then scaled to ROWS."""


def measure() -> list[Result]:
    """Three questions, each in this process."""
    return [against_numpy(), against_opendp(), large_sets()]


def against_numpy() -> Result:
    """A million answers through R3: both group rows by input and search each group's cuts."""
    operator = load(ROOT / "models" / "example1.ppdm").operators["R3"]
    rows = np.random.default_rng(1).integers(0, 1001, ROWS)
    bits = Keystream()
    ours = median_seconds(lambda: operator.law.draw(rows, bits))
    coded = operator.matrix()
    floats = np.array([float(value) for value in coded.palette])
    cumulated = np.cumsum(floats[coded.codes], axis=1)
    generator = np.random.Generator(np.random.PCG64(1))

    def doubles() -> None:
        order = np.argsort(rows.astype(np.uint16), kind="stable")
        inputs, starts = np.unique(rows[order], return_index=True)
        drawn = generator.random(ROWS)
        found = np.empty(ROWS, dtype=np.int64)
        ends = [*starts[1:].tolist(), ROWS]
        for row, start, end in zip(inputs.tolist(), starts.tolist(), ends, strict=True):
            found[order[start:end]] = np.searchsorted(cumulated[row], drawn[start:end], "right")

    theirs = median_seconds(doubles)
    return Result(
        f"{ROWS:,} answers through R3 (1,001 values), against searchsorted on PCG64 doubles",
        f"{ours:.3f} s, {theirs:.3f} s: {ours / theirs:.2f} times",
        "at most 3 times",
        ours <= 3 * theirs,
    )


def against_opendp() -> Result:
    """k-ary randomized response on 20 values."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    values = np.random.default_rng(2).integers(0, 20, ROWS)
    law, bits = randomized_response(20, "1/2").law, Keystream()
    ours = median_seconds(lambda: law.draw(values, bits))
    response = dp.m.make_randomized_response(categories=list(range(20)), prob=0.5)
    records = values[:RECORDS].tolist()
    theirs = median_seconds(lambda: [response(value) for value in records], 3) * ROWS / RECORDS
    return Result(
        f"20-ary response on {ROWS:,} rows, against OpenDP a record at a time",
        f"{ours:.3f} s, {theirs:.1f} s: {theirs / ours:.0f} times faster",
        "at least 100 times",
        theirs >= 100 * ours,
    )


def large_sets() -> Result:
    """Select-a-size on 100,000 items, against a double for each item of each transaction."""
    items, size, count = 100_000, 10, 100
    law = select_a_size_law(select_a_size(items, size, "1/3", cutoff=9, gamma=19))
    assert law is not None
    generator = np.random.Generator(np.random.PCG64(3))
    chosen = np.concatenate([generator.choice(items, size, replace=False) for _ in range(count)])
    offsets, bits = np.arange(count + 1) * size, Keystream()
    ours = median_seconds(lambda: law.draw_sets(chosen, offsets, bits))
    theirs = median_seconds(lambda: np.nonzero(generator.random((count, items)) < 1 / 3))
    return Result(
        f"select-a-size on {items:,} items, {count} transactions, against coins of doubles alone",
        f"{ours:.3f} s, {theirs:.3f} s: {ours / theirs:.2f} times",
        "no slower",
        ours <= theirs,
    )

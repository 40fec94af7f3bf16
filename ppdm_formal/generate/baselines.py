"""Baselines: three trivial ways to make a database, beside which a generated one must stand.

shuffled: every column in an order of its own, which keeps each column and nothing between them;
uniform: every value as likely as any other; bootstrap: records of the original drawn again and
again, which keeps everything and protects nobody.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ppdm_formal.generate.records import Records

BASELINES = ("shuffled", "uniform", "bootstrap")


def baseline(name: str, original: Records, random: np.random.Generator) -> Records:
    """One of them, with as many records."""
    if name == "bootstrap":
        return original.take(random.integers(0, len(original), len(original)))
    if name == "shuffled":
        return replace(original, codes=random.permuted(original.codes, axis=0))
    if name == "uniform":
        sizes = [len(column.values) for column in original.columns]
        codes = random.integers(0, sizes, original.codes.shape)
        return replace(original, codes=codes.astype(np.int32))
    raise ValueError(f"no baseline {name}")

"""Generated databases at the epsilon of a record: NFD of code trees and marginals, with errors.

led7 and nursery, five repetitions each, beside shuffled columns. PPDM_DATA names the data.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.result import Result
from ppdm_formal.infer.baskets.threshold import Threshold
from ppdm_formal.tables.generate.evaluation import baseline
from ppdm_formal.tables.generate.generator import GenerationRequest, generate
from ppdm_formal.tables.generate.itemset_quality import frequent_counts, itemset_quality
from ppdm_formal.tables.generate.record_files import read_records
from ppdm_formal.tables.generate.records import Records

FILES = {"led7": "led7.D24.N3200.C10.num.xz", "nursery": "nursery.D32.N12960.C5.num.xz"}
EPSILONS = (Fraction(1), Fraction(8), Fraction(24))
REPETITIONS = 5
DELTA = Fraction(1, 10**6)
WAYS: dict[str, dict[str, object]] = {
    "code tree": {"method": "code-tree"},
    "marginals, local": {"method": "marginals"},
    "marginals, central": {"method": "marginals", "trust": "central"},
    "marginals, central, Gaussian": {"method": "marginals", "trust": "central", "delta": DELTA},
}


def measure() -> list[Result]:
    """A row for each database and epsilon."""
    folder = os.environ.get("PPDM_DATA")
    if folder is None:
        return [Result("generation", "PPDM_DATA names no folder with data", "", False)]
    return [
        _row(Path(folder, file), name, epsilon)
        for name, file in FILES.items()
        for epsilon in EPSILONS
    ]


def _row(path: Path, name: str, epsilon: Fraction) -> Result:
    original = read_records(path)
    rows, least = original.items().rows, Threshold.of("10%")
    known = frequent_counts(rows, least)

    def nfd(make: Callable[[int], Records]) -> tuple[float, float]:
        found = []
        for seed in range(REPETITIONS):
            made = make(seed).items().rows
            found.append(itemset_quality(rows, known, made, least).all_original.nfd)
        some = np.array(found, dtype=float)
        return float(some.mean()), float(some.std(ddof=1) / np.sqrt(REPETITIONS))

    def by(way: dict[str, object]) -> Callable[[int], Records]:
        def make(seed: int) -> Records:
            options: dict[str, Any] = {"unit": "row", "seed": seed, **way}
            request = GenerationRequest(epsilon=epsilon, unprotected_domain=True, **options)
            return generate(original, request).records

        return make

    measured = {way: nfd(by(options)) for way, options in WAYS.items()}
    measured["shuffled"] = nfd(
        lambda seed: baseline("shuffled", original, np.random.default_rng(seed))
    )
    tree, better = measured["code tree"], measured["marginals, local"]
    return Result(
        f"NFD on {name}, epsilon {epsilon} for a record",
        "; ".join(f"{way} {mean:.4f} +- {error:.4f}" for way, (mean, error) in measured.items()),
        "marginals below the code tree",
        better[0] < tree[0],
    )

"""The exponential itemset mechanism on public data: seconds for 100 itemsets, proposals taken.

Needs PPDM_DATA, the folder with led7, nursery, adult and msnbc.
"""

from __future__ import annotations

import lzma
import os
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from benchmarks.result import Result
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.run.keystream import Keystream
from ppdm_formal.tables.generate.itemset_mechanism import ItemsetMechanism

NAMES = ("led7.", "nursery.", "adult.D", "groceries", "msnbc")


def measure() -> list[Result]:
    """Each data set at epsilon 0.1 and 1, support 10% (1% for msnbc)."""
    folder = os.environ.get("PPDM_DATA")
    if folder is None:
        return [Result("itemset mechanism", "PPDM_DATA names no folder with data", "", False)]
    return [
        _drawn(name, data, epsilon)
        for name in NAMES
        for data in [_read(Path(folder), name)]
        for epsilon in (Fraction(1, 10), Fraction(1))
    ]


def _read(folder: Path, name: str) -> PlainData:
    path = next(file for file in folder.iterdir() if file.name.startswith(name))
    return PlainData.of(_sequences(path)) if name == "msnbc" else PlainData.read(path)


def _sequences(path: Path) -> Iterator[list[str]]:
    """The sequences of pages, after lines of comments and names of categories."""
    with lzma.open(path, "rt") as lines:
        for line in lines:
            if line[:1].isdigit():
                yield line.split()


def _drawn(name: str, data: PlainData, epsilon: Fraction) -> Result:
    theta = len(data.rows) // (100 if name == "msnbc" else 10)
    bits, start = Keystream(), time.perf_counter()
    mechanism = ItemsetMechanism.of(data.rows, epsilon, theta)
    mechanism.draw(100, bits)
    seconds = time.perf_counter() - start
    taken = len(mechanism.proposals(1024, bits)) / 1024
    return Result(
        f"100 itemsets of {name.rstrip('.D')}, epsilon {epsilon}",
        f"{seconds:.1f} s, {taken:.0%} of proposals taken",
        "10 s",
        seconds < 10,
    )

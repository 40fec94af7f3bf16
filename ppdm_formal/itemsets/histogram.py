"""Histograms of basket sizes from text: a size and a count a line, such as 3,1200."""

from __future__ import annotations

import re

MAX_SIZE = 1_000_000
"""Sizes above are taken for a mistake."""

MAX_COUNT = 10**12

_LINE = re.compile(r"\s*\"?([0-9]{1,7})\"?\s*(?:[,;:]|\s)\s*\"?([0-9]{1,13})\"?\s*")
_HEAD = re.compile(r"\s*\"?[A-Za-z_ ]+\"?\s*[,;:\t ]\s*\"?[A-Za-z_ ]+\"?\s*")


def read_histogram(source: str) -> dict[int, int]:
    """How many baskets there are of each size; sizes with none are left out.

    The first line may name the columns; empty lines and those that start with # say nothing.

    >>> read_histogram(chr(10).join(["size,count", "1,30", "2,12"]))
    {1: 30, 2: 12}
    """
    found: dict[int, int] = {}
    first = True
    for number, line in enumerate(source.lstrip("\ufeff").splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None and first and _HEAD.fullmatch(line):
            first = False
            continue
        first = False
        if match is None:
            raise ValueError(f"line {number}: not a size and a count, such as 3,1200")
        size, count = map(int, match.groups())
        if size > MAX_SIZE or count > MAX_COUNT:
            raise ValueError(
                f"line {number}: sizes go up to {MAX_SIZE:,} and counts up to {MAX_COUNT:,}"
            )
        if size in found:
            raise ValueError(f"line {number}: size {size} again")
        found[size] = count
    found = {size: count for size, count in sorted(found.items()) if count}
    if not found:
        raise ValueError("the histogram has no baskets")
    return found

"""A count with its noun, in the singular or the plural."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """One of something, or several.

    >>> counted(1, "row"), counted(3000, "row"), counted(0, "row")
    ('1 row', '3,000 rows', '0 rows')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"

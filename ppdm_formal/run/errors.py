"""DataError: what is wrong with data or a release, and where; never a value of the data."""

from __future__ import annotations


class DataError(ValueError):
    """Bad input data. The message names file, line and column, and never an original value."""


class ReleaseError(DataError):
    """A release description that is missing, damaged, or not about the data beside it."""

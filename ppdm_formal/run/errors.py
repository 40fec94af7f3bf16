"""DataError: what is wrong with data or a release, and where; never a value of the data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb


class DataError(ValueError):
    """Bad input data. The message names file, line and column, and never an original value."""


class ReleaseError(DataError):
    """A release description that is missing, damaged, or not about the data beside it."""


class WithheldError(RuntimeError):
    """Something unforeseen while data were at hand; its own message might have quoted them."""


@contextmanager
def nothing_quoted() -> Iterator[None]:
    """Whatever goes wrong inside says what and where in the program, and no value of the data."""
    try:
        yield
    except (DataError, OSError, MemoryError):
        raise
    except Exception as problem:
        *_, (frame, line) = walk_tb(problem.__traceback__)
        where = Path(frame.f_code.co_filename).name
        raise WithheldError(
            f"{type(problem).__name__} in {where}, line {line} "
            "(its message is withheld: it could quote data)"
        ) from None

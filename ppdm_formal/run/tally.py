"""Tally: how many rows came in and went out, and why the others did not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ppdm_formal.run.errors import DataError, ReleaseError
from ppdm_formal.run.json_parts import fields, list_of, whole_of

REASONS = ("outside", "empty", "nan", "longer", "shorter", "phase")
"""Why a row is dropped: a cell names no value of the domain, the plan lacks its size, or its
client belongs to the other phase of the plan."""


@dataclass
class Tally:
    """Counts of rows or transactions; `dropped` by column (or None) and reason.

    A row is dropped for the first column that asks for it, so that the counts add up.
    """

    rows_in: int = 0
    rows_out: int = 0
    sampled: int = 0
    """Transactions of which only a random part was randomized, because they were too long."""

    dropped: Counter[tuple[str | None, str]] = field(default_factory=Counter)

    def check_any(self, source: Path, what: str) -> None:
        """Refuse to release nothing: of `what`, rows or transactions."""
        if self.rows_out:
            return
        if not self.rows_in:
            raise DataError(f"{source}: there are no {what} to randomize")
        raise DataError(
            f"{source}: none of the {self.rows_in:,} {what} is left to release ({self.reasons()})"
        )

    def reasons(self, shown: Callable[[str], str] = str) -> str:
        """How many rows were dropped and why, columns as `shown` shows their names.

        That a client takes part in the other phase is no reason to miss it.
        """
        return ", ".join(
            f"{count:,} {why}" + (f" in {shown(column)}" if column is not None else "")
            for (column, why), count in sorted(self.dropped.items(), key=str)
            if count and why != "phase"
        )

    def to_json(self) -> dict[str, Any]:
        """The counts as a release description holds them."""
        dropped = [
            {"column": column, "why": why, "rows": rows}
            for (column, why), rows in sorted(self.dropped.items(), key=str)
            if rows
        ]
        return {
            "rows_in": self.rows_in,
            "rows_out": self.rows_out,
            "sampled": self.sampled,
            "dropped": dropped,
        }

    @classmethod
    def of(cls, written: object) -> Tally:
        """The counts that to_json wrote; they must add up."""
        found = fields(written, "counts", "rows_in", "rows_out", "sampled", "dropped")
        dropped: Counter[tuple[str | None, str]] = Counter()
        for part in list_of(found["dropped"], "the counts of dropped rows"):
            inside = fields(part, "dropped rows", "column", "why", "rows")
            column, why = inside["column"], inside["why"]
            if not isinstance(column, str | None) or why not in REASONS:
                raise ReleaseError("dropped rows are without column or reason")
            dropped[column, why] += whole_of(inside["rows"], "a count of dropped rows")
        keys = ("rows_in", "rows_out", "sampled")
        before, after, cut = (whole_of(found[key], "a count of rows") for key in keys)
        if before != after + dropped.total() or cut > after:
            raise ReleaseError("the counts of rows do not add up")
        return cls(before, after, cut, dropped)

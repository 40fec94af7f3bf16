"""Pooled: releases of one plan (and one phase of it) taken as one, their counts added up.

A collection may come in several files: one a day, or one a region. All of them were randomized
alike, so that the reports of a group and size are those of all files together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ppdm_formal.run.described import operator_json
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.release import Release
from ppdm_formal.run.released_baskets import ReleasedGroup, ReleasedSize, Transactions
from ppdm_formal.run.supports import check_phases
from ppdm_formal.run.tally import Tally


@dataclass(frozen=True)
class Pooled:
    """What several releases describe together, and the releases themselves."""

    transactions: Transactions
    tally: Tally
    files: tuple[Release, ...]


def pooled(releases: Sequence[Release]) -> list[Pooled]:
    """The releases of each phase as one; those of a plan of one phase are all one.

    ReleaseError where they are not of one plan, or one of them is there twice.
    """
    phases: dict[int | None, list[Release]] = {}
    digests: dict[str, Path | None] = {}
    for release in releases:
        found = release.transactions
        if found is None:
            raise ReleaseError("the release holds a table, not transactions: see ppdm estimate")
        phases.setdefault(found.phase, []).append(release)
        digest = release.data.sha256
        if digest is not None and digest in digests:
            raise ReleaseError(f"{release.path}: the data of {digests[digest]} again")
        digests[str(digest)] = release.path
    joined = [_joined(some) for _, some in sorted(phases.items(), key=str)]
    check_phases(joined)
    return joined


def _joined(releases: Sequence[Release]) -> Pooled:
    first = releases[0].transactions
    assert first is not None
    if len(releases) == 1:
        return Pooled(first, releases[0].tally, tuple(releases))
    tally = Tally()
    every: list[Transactions] = []
    for release in releases:
        found = release.transactions
        assert found is not None
        if _nature(found) != _nature(first) or found.plan.sha256 != first.plan.sha256:
            raise ReleaseError(
                f"{release.path} and {releases[0].path} were not randomized by one plan, alike: "
                "they are not one collection"
            )
        every.append(found)
        one = release.tally
        tally = Tally(
            tally.rows_in + one.rows_in,
            tally.rows_out + one.rows_out,
            tally.sampled + one.sampled,
            tally.dropped + one.dropped,
        )
    groups = tuple(
        _added([found.groups[place] for found in every]) for place in range(len(first.groups))
    )
    return Pooled(replace(first, groups=groups), tally, tuple(releases))


def _nature(found: Transactions) -> object:
    """What must be the same in all files: all but counts, and sizes that sent nothing."""
    return (
        replace(found, groups=(), plan=replace(found.plan, file="")),
        [replace(group, sizes=()) for group in found.groups],
        [
            (part.size, part.generator, operator_json(part.operator)["sha256"])
            for _, part in found.parts()
            if part.operator is not None
        ],
    )


def _added(groups: Sequence[ReleasedGroup]) -> ReleasedGroup:
    """One group's clients in all files."""
    rows: Counter[int] = Counter()
    known: dict[int, ReleasedSize] = {}
    for group in groups:
        for part in group.sizes:
            rows[part.size] += part.rows
            known.setdefault(part.size, part)
    sizes = tuple(replace(known[size], rows=rows[size]) for size in sorted(known))
    return replace(groups[0], sizes=sizes)

"""What a release holds, in plain words: what was done to each column, and what protects nobody."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.visible import clean
from ppdm_formal.run.release import DecidedClaim, Release

WIDTH = 120
"""Longest name or claim that is shown whole."""


def release_lines(release: Release) -> list[str]:
    """The summary that follows a run, one fact a line."""
    lines = [*_columns(release), *_transactions(release)]
    for name in release.kept:
        lines.append(f"{_clean(name)}: KEPT AS IT IS, unprotected")
    if len(release.columns) > 1:
        lines.append(
            "Claims are about one column each; whoever sees a person's whole row sees more."
        )
    lines += _dropped(release)
    for override in release.overrides:
        lines.append(
            f"{_clean(override.where)}: released ALTHOUGH its audit has {override.why} "
            f"({override.option})"
        )
    if release.simulated:
        lines.append(
            f"SIMULATED with seed {release.seed}: whoever knows the seed can undo it; "
            "these data protect nobody"
        )
    return lines


def _columns(release: Release) -> list[str]:
    return [
        f"{_clean(column.name)}: randomized by {_clean(column.operator.name)} of "
        f"{_clean(column.model.file)}; {_claims(column.claims)}"
        for column in release.columns
    ]


def _transactions(release: Release) -> list[str]:
    found = release.transactions
    if found is None:
        return []
    lines = [
        f"{counted(part.rows, 'transaction')} of {counted(part.size, 'item')}: "
        f"{_claims(part.claims)}"
        for part in found.sizes
        if part.rows
    ]
    lines.append("Sizes of transactions are public: they are not randomized.")
    return lines


def _claims(claims: Sequence[DecidedClaim]) -> str:
    if not claims:
        return "no claim"
    return "; ".join(
        f"{claim.verdict}{' (tests nothing)' if claim.vacuous else ''}: {_clean(claim.text)}"
        for claim in claims
    )


def _dropped(release: Release) -> list[str]:
    tally = release.tally
    what = "row" if release.transactions is None else "transaction"
    lines = []
    if tally.dropped.total():
        lines.append(
            f"Left out {tally.dropped.total():,} of {counted(tally.rows_in, what)}: "
            f"{tally.reasons(_clean)}. Estimates are about the others."
        )
    if tally.sampled:
        long = counted(tally.sampled, "long transaction")
        lines.append(f"Of {long} only a random part was used.")
    return lines


def _clean(text: str) -> str:
    return clean(text, WIDTH)

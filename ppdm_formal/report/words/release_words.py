"""What a release holds, in plain words: what was done to each column, and what protects nobody."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.visible import clean
from ppdm_formal.run.release import DecidedClaim, Release, ReleasedGroup, ReleasedSize

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
    lines += _shuffled(release)
    bare = [_clean(one.what) for one in release.shown if not one.public]
    lines.append(f"Claims cover randomized values alone; shown as they are: {', '.join(bare)}.")
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
    lines = []
    for group in found.groups:
        whose = "" if len(found.groups) == 1 else f"group {_clean(group.name)}: "
        lines += [whose + _sent(group, part) for part in group.sizes if part.rows]
    differ = len({group.hidden is None for group in found.groups}) > 1
    lines += [_sizes_shown(group, differ) for group in found.groups]
    return list(dict.fromkeys(lines))


def _sent(group: ReleasedGroup, part: ReleasedSize) -> str:
    """What was done to the transactions of one size."""
    kind = "chosen item" if group.chosen is not None else "item"
    upto = "up to " if group.hidden == "pad" else "any number of items, as " if group.hidden else ""
    sets = f", sent as sets of {group.lifted}" if group.lifted > 1 else ""
    transactions = f"{counted(part.rows, 'transaction')} of {upto}{counted(part.size, kind)}"
    if part.operator is None:
        return f"{transactions}: nothing sent but the size"
    seeds = "" if part.generator is None else f", as seeds of {part.generator.seed_bits} bits"
    return f"{transactions}{sets}{seeds}: {_claims(part.claims)}"


def _sizes_shown(group: ReleasedGroup, several: bool) -> str:
    """Whether the sizes of a group's transactions can be seen."""
    whose = f" in group {_clean(group.name)}" if several else ""
    if group.hidden is None:
        return f"Sizes of transactions are public{whose}: they are not randomized."
    return f"Sizes of transactions are hidden{whose} (padded with dummy items)."


def _claims(claims: Sequence[DecidedClaim]) -> str:
    if not claims:
        return "no claim"
    return "; ".join(
        f"{claim.verdict}{' (says nothing)' if claim.vacuous else ''}: {_clean(claim.text)}"
        for claim in claims
    )


def _dropped(release: Release) -> list[str]:
    tally = release.tally
    what = "row" if release.transactions is None else "transaction"
    lines = []
    later = tally.dropped[None, "phase"]
    if later:
        lines.append(f"{counted(later, 'transaction')} belong to the other phase of the plan.")
    if tally.dropped.total() > later:
        lines.append(
            f"Left out {tally.dropped.total() - later:,} of {counted(tally.rows_in, what)}: "
            f"{tally.reasons(_clean)}. Estimates are about the others."
        )
    if tally.sampled:
        long = counted(tally.sampled, "long transaction")
        lines.append(f"Of {long} only a random part was used.")
    return lines


def _shuffled(release: Release) -> list[str]:
    """How far the order was drawn, and what must be trusted for that to hide anyone."""
    if not release.shuffled:
        return []
    among = release.among
    if release.transactions is None:
        hidden = f"each of {counted(sum(among), 'report')} may be anyone's"
    else:
        least, most = (f"{count:,}" for count in (min(among), max(among)))
        span = least if least == most else f"{least} to {most}"
        hidden = (
            "within each group and size, which the data show: a report is one of "
            f"{span} ({counted(sum(among), 'report')} in all)"
        )
    lines = [f"Shuffled, every order being equally likely: {hidden}."]
    if len(release.columns) > 1:
        lines.append(
            "Rows stay whole: what is claimed of one column after shuffling is not about rows, in "
            "which another column may tell whose they are."
        )
    lines.append(
        "Still to be trusted: whoever shuffled, and saw who sent what; that nothing else tells it "
        "(times, addresses, the unshuffled reports); that everybody reports once; and that the "
        "other reports are honest and not known: each that is known is one less to hide among."
    )
    return lines


def _clean(text: str) -> str:
    return clean(text, WIDTH)

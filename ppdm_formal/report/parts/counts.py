"""Counts as blocks: private ones with error bars, and where exact ones are safe."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ppdm_formal.declare.arithmetic.enclosure import log_of
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.people import bound_percent, brief, percent
from ppdm_formal.declare.arithmetic.with_error import sampled
from ppdm_formal.report.parts.blocks import Block, Document, Points, Section, Table, Text
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.visible import visible
from ppdm_formal.run.shown import covered
from ppdm_formal.tables.generate.exact_counts import (
    MAX_LISTED,
    ExactCounts,
    RowCounts,
    SafeCounts,
    SafePriors,
)
from ppdm_formal.tables.generate.private_count import SHOWN, PrivateCount, PrivateCounts


def document(found: PrivateCounts | ExactCounts | RowCounts, **_: object) -> Document:
    """What `ppdm count` shows: of a file, or of counts that are to be released exactly."""
    if isinstance(found, PrivateCounts):
        return _private(found.counts, found.seed)
    return _exact(found) if isinstance(found, ExactCounts) else _differing(found)


def _private(found: Sequence[PrivateCount], seed: int | None) -> Document:
    rows = [
        [
            visible("{" + ", ".join(one.itemset) + "}"),
            sampled(one.share, one.error),
            sampled(one.error, one.error),
            " to ".join(sampled(end, one.error) for end in one.interval),
            _rows(one.share * one.rows),
        ]
        for one in found
    ]
    first = found[0]
    drawn = "drawn exactly" if seed is None else f"simulated (seed {seed}: no protection)"
    words = (
        f"Each row answers truthfully with probability ~{first.truth:.4f}, "
        f"e^epsilon/(1 + e^epsilon), {drawn}: a row pays epsilon {brief(first.epsilon)} for each "
        f"itemset, {brief(len(found) * first.epsilon)} for all{covered(SHOWN)}. Standard errors "
        "are over the coins; intervals are of 95%."
    )
    head = ["itemset", "share of rows", "standard error", "interval", "rows"]
    table = Table(head, rows, numbers=range(1, 5))
    title = f"{counted(len(found), 'itemset')} counted in {counted(first.rows, 'row')}"
    return Document(title, "", "", "", [Section("", [table, Text(words)])], "")


def _rows(count: float) -> str:
    """Rows, estimated; far beyond what can be, as a power of ten."""
    return f"{count:,.0f}" if abs(count) < 1e15 else f"{count:.3g}"


def _exact(found: ExactCounts) -> Document:
    region, prior, safe = found.region, found.prior, found.counts
    rows = []
    for place, (count, (low, high)) in enumerate(zip(region.counts, region.ends, strict=True)):
        ends = [bound_percent(low, up=True), bound_percent(high, up=False)]
        row = [str(place + 1), f"{count:,}", *ends] if count else [str(place + 1), "0", "0%", "0%"]
        rows.append([*row, "" if prior is None else brief(prior[place])])
    epsilon = brief(region.epsilon)
    blocks: list[Block] = [
        Table(["value", "count", "safe from", "up to", "prior"], rows, numbers=range(1, 5)),
        Text(
            f"The release of these counts is {epsilon}-dependent on each row exactly under the "
            "priors whose every probability lies between these ends (rounded inward; exact ends in "
            "--json), rows being independent and alike. A value that no row has is safe only "
            "where it was known to be impossible."
        ),
    ]
    if prior is not None:
        blocks.append(Points(_about_prior(region, prior, safe)))
    title = f"Exact counts of {counted(region.rows, 'row')}, epsilon {epsilon}"
    return Document(title, "", "", "", [Section("", blocks)], "")


def _differing(found: RowCounts) -> Document:
    counts, ratio = found.counts, found.ratio
    worst = str(log_of(ratio)) if is_number(ratio) else str(ratio)
    words = (
        f"The release of the count {counts[0]:,} is {'' if found.safe else 'NOT '}"
        f"{brief(found.epsilon)}-dependent on every row: its epsilon is {worst}, for row "
        f"{found.row + 1:,}. "
        "Rows are taken to be independent; those that are certain beforehand do not count."
    )
    title = f"An exact count of {counted(sum(counts), 'row')} that differ"
    return Document(title, "", "", "", [Section("", [Text(words)])], "")


def _about_prior(
    region: SafePriors, prior: Sequence[Fraction], safe: SafeCounts | None
) -> list[str]:
    known = region.known_rows(prior)
    if known is None:
        said = ["Under the prior given the release is NOT safe."]
    else:
        said = [
            "Under the prior given the release is safe, also to someone who knows up to "
            f"{counted(known, 'row')}, whichever they are, and no more."
        ]
    if len(prior) == 2 and region.rows <= MAX_LISTED and 0 < prior[0] < 1:
        said.append(
            "No count at all is safe under this prior."
            if safe is None
            else f"Counts of the first value from {safe.low:,} to {safe.high:,} are safe under "
            f"this prior; another one occurs with probability {percent(safe.outside)}, and to "
            "refuse it is a release as well."
        )
    return said

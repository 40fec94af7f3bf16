"""The anonymity of a table as blocks: each measure with the worst class, by the place of a row.

Values of the table are never shown: the smallest class is what nobody may see.
"""

from __future__ import annotations

from ppdm_formal.declare.arithmetic.people import brief, short
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.report.parts.blocks import Block, Document, Facts, Section, Table, Text
from ppdm_formal.report.words.visible import visible
from ppdm_formal.tables.anonymity.closeness import Farthest
from ppdm_formal.tables.anonymity.finding import Anonymity, Sensitive


def document(found: Anonymity, **_: object) -> Document:
    """What `ppdm anonymity` shows."""
    quasi = ", ".join(map(visible, found.quasi))
    title = f"{found.rows:,} rows in {found.classes:,} classes by {quasi}"
    pairs = [
        (
            "k-anonymity",
            f"k = {found.k:,}: every row is one of at least {found.k:,} that look alike "
            f"(smallest class: that of {found.place} {found.k_place:,})",
        )
    ]
    if found.sampled is not None:
        one = found.sampled
        pairs.append(
            (
                "of a sample",
                f"each row kept with probability {brief(one.beta)}, generalized independently of "
                f"the data, classes below {one.k:,} left out: ({brief(one.epsilon)}, delta)-"
                f"differentially private with delta = {one.delta} (at {one.alike:,} rows alike)",
            )
        )
    blocks: list[Block] = [Facts(pairs)]
    for column in found.sensitive:
        blocks.append(Section(f"Sensitive: {visible(column.name)}", _sensitive(found, column), 2))
    blocks += _verdict(found)
    return Document(title, "", "", "", [Section("", blocks)], "")


def _sensitive(found: Anonymity, column: Sensitive) -> list[Block]:
    varied = column.diversity

    def at(number: int) -> str:
        return f"{found.place} {column.places[number]:,}"

    rows = [
        ["distinct l-diversity", f"l = {varied.distinct}", at(varied.distinct_class)],
        [
            "entropy l-diversity",
            f"l = {varied.entropy_l} (entropy {varied.entropy} nat)",
            at(varied.entropy_class),
        ],
        *(
            [f"recursive (c, {ell})-diversity", f"c above {brief(ratio)}", at(number)]
            for ell, ratio, number in varied.ratios[:4]
        ),
        [
            f"t-closeness, {column.distance} distances",
            f"t = {_shown(column.closeness)}",
            at(column.closeness.at),
        ],
        ["largest ratio to the table", _shown(column.ratio), at(column.ratio.at)],
    ]
    if column.stochastic is not None and column.operator is not None:
        rows.append(
            [
                f"the same after {visible(column.operator.name)} (stochastic)",
                _shown(column.stochastic),
                at(column.stochastic.at),
            ]
        )
    return [Table([f"{column.values:,} values", "", "worst class: that of"], rows)]


def _verdict(found: Anonymity) -> list[Block]:
    asked = found.asked
    if asked.k is None and asked.ell is None and asked.t is None:
        return []
    if not found.failed:
        return [Text("Everything that was required holds.")]
    words = {"k": "k is too small", "l": "l is too small for", "t": "t is too large for"}
    failed = []
    for one in found.failed:
        kind, _, column = one.partition(":")
        failed.append(f"{words[kind]} {visible(column)}".strip())
    return [Text(f"Not as required: {', '.join(failed)}.")]


def _shown(found: Farthest) -> str:
    if isinstance(found.distance, Infinity):
        return "infinity"
    return short(found.distance)

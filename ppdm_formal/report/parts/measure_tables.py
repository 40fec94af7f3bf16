"""Measures of several operators side by side, in the spirit of EGS03's Tables 1 and 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_formal.certify.audit.audited import OperatorAudit, PosteriorRow, PriorMeasures
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.people import bound_percent, moved_share, share, show_count
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.value import Infinity, Measured
from ppdm_formal.declare.operators.domain import Value, show_value
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.report.parts.blocks import Table
from ppdm_formal.report.words.measure_words import attained, cell, columns, depends_on, head
from ppdm_formal.report.words.visible import clean


@dataclass(frozen=True)
class Entry:
    """An operator to compare, with the name that tells it apart from the others."""

    name: str
    found: OperatorAudit


def _count(number: int) -> str:
    return f"{number:,}" if number <= 10**15 else show_count(number)


def _value(value: Value) -> str:
    return clean(show_value(value), 30)


def operators_table(listed: Sequence[Entry], *, where: bool = True) -> Table:
    """Sizes and measures; where the first is attained, or which suspicions stay small."""
    measures = columns(entry.found.readings for entry in listed)
    first, *others = [head(measure, "") for measure in measures]
    heads = ["operator", "inputs", "outputs", "views", first]
    heads += ["attained at" if where else "suspicions that stay below 50%", *others]
    rows = []
    for entry in listed:
        found = entry.found
        known = {one.measure: one for one in found.readings}
        first, *others = [cell(known[measure]) for measure in measures]
        rows.append(
            [
                entry.name,
                _count(found.operator.inputs.size),
                _count(found.operator.outputs.size),
                "not listed" if found.views is None else str(found.views),
                first,
                attained(known[measures[0]]) if where else _small(found.gain),
                *others,
            ]
        )
    return Table(heads, rows, "Operators, for all priors", range(1, len(heads)))


def _small(gain: Measured | None) -> str:
    """Beliefs before, for which no report makes any property likelier than not."""
    if isinstance(gain, Infinity):
        return "none"
    return f"below {bound_percent(1 / (1 + gain), up=False)}" if is_number(gain) else ""


def posteriors_table(listed: Sequence[Entry], prior: Prior) -> Table | None:
    """A column a property: its probability beforehand, and after outputs given and worst."""
    rows = [
        (entry.name, row)
        for entry in listed
        for row in entry.found.posteriors
        if row.prior == prior
    ]
    missing = sum(entry.found.posteriors_missing for entry in listed)
    if not rows:
        return None
    properties = list(dict.fromkeys(row.property for _, row in rows))
    before = {row.property: row.before for _, row in rows}
    lines: dict[str, dict[str, str]] = {
        "nothing": {
            p.name: share(value) if is_number(value := before[p]) else number_text(value)
            for p in properties
        }
    }
    for name, row in sorted(rows, key=lambda pair: pair[1].worst is not None):
        lines.setdefault(_given(name, row), {})[row.property.name] = _after(row)
    cells = [
        [given, *(found.get(p.name, "") for p in properties)] for given, found in lines.items()
    ]
    heads = ["given", *(clean(p.name) for p in properties)]
    caption = f"Posteriors under {clean(prior.name)}"
    if missing:
        less = [entry.found for entry in listed if entry.found.posteriors_missing]
        why = " and ".join(dict.fromkeys(found.posteriors_limit for found in less))
        caption += f"; {missing} further ones were not computed ({why})"
    return Table(heads, cells, caption, range(1, len(heads)))


def _given(name: str, row: PosteriorRow) -> str:
    if row.worst:
        return f"{name}, {row.worst} over all outputs"
    return f"{name}({clean(row.prior.name)}) = {_value(row.given)}"


def _after(row: PosteriorRow) -> str:
    if row.after is None:
        return "cannot occur"
    if is_number(row.after) and is_number(row.before):
        shown = moved_share(row.before, row.after)
    else:
        shown = number_text(row.after)
    return f"{shown} given {_value(row.given)}" if row.worst else shown


def information_table(listed: Sequence[Entry], unit: str, prior: Prior | None = None) -> Table:
    """The measures under one prior, or under each that an operator is measured under."""
    parts = [(entry, part) for entry in listed for part in _under(entry, prior)]
    measures = columns(part.readings for _, part in parts)
    rows = []
    for entry, part in parts:
        known = {one.measure: one for one in part.readings}
        cells = [cell(known[measure]) for measure in measures]
        if is_free(entry, part.prior):  # closed forms are too long for a table
            free = (*entry.found.operator.parameters, *part.prior.parameters)
            cells = [depends_on([p.told.name for p in free]) if said else "" for said in cells]
        named = [entry.name] if prior else [entry.name, clean(part.prior.name, 30)]
        rows.append([*named, *cells])
    caption = f"Information under {clean(prior.name)}" if prior else ""
    names = ["operator"] if prior else ["operator", "prior"]
    heads = [*names, *(head(measure, unit) for measure in measures)]
    return Table(heads, rows, caption, range(len(names), len(heads)))


def _under(entry: Entry, prior: Prior | None) -> list[PriorMeasures]:
    return [part for part in entry.found.priors if prior is None or part.prior == prior]


def is_free(entry: Entry, prior: Prior) -> bool:
    """Whether the measures under the prior are closed forms."""
    return bool(entry.found.operator.parameters or prior.parameters)


def closed_forms(entry: Entry, unit: str, prior: Prior, width: int) -> list[str]:
    """The measures of an operator that has free parameters, a line each.

    width: forms with more characters are only named, and where they stand.
    """
    if not is_free(entry, prior):
        return []
    said = {
        head(one.measure, unit): words
        for part in _under(entry, prior)
        for one in part.readings
        if one.measure.column and (words := cell(one))
    }
    long = [name for name, words in said.items() if len(words) > width]
    lines = [f"{entry.name}, {name}: {said[name]}" for name in said if name not in long]
    if long:
        lines.append(f"{entry.name}, {', '.join(long)}: long closed forms (--json, --html)")
    return lines

"""What a measure found, in words: for the cells of tables, and for lists of facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ppdm_formal.certify.audit.audited import Found
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.people import at_most, percent, short
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.derive.measures.record import Measure, NotComputed, Reading
from ppdm_formal.report.words.visible import clean


def cell(found: Found) -> str:
    """The value as a table shows it; "" where the measure has none here."""
    if isinstance(found, NotComputed):
        return found.text if found.limited else ""
    if found.measure.probability and is_number(found.value):
        after = percent(found.value)
        return after if found.before is None else f"{percent(found.before)} to {after}"
    return short(found.value) if is_number(found.value) else found.text


def attained(found: Found) -> str:
    """Where the value is attained: the output, and the inputs that it tells apart."""
    if isinstance(found, NotComputed) or found.output is None:
        return ""
    inputs = " / ".join(clean(show_value(x), 30) for x in found.inputs)
    output = clean(show_value(found.output), 30)
    return f"{output} from {inputs}" if inputs else output


def fact(found: Reading | NotComputed) -> str:
    """The value with its unit, rounded up where it is enclosed, and where it is attained."""
    if isinstance(found, NotComputed):
        return found.text
    if found.measure.probability and is_number(found.value):
        after = percent(found.value)
        if found.before is None:
            return after
        return f"right with probability {percent(found.before)} before, {after} after (on average)"
    words = found.text
    if is_number(found.value):
        words = short(found.value)
    elif isinstance(found.value, Enclosure) and not found.value.is_exact:
        words = f"at most {at_most(found.value, 6)}"
    if found.unit is not None and not isinstance(found.value, Infinity):
        words += f" {found.unit}"
    if found.output is not None:
        words += f", at output {clean(show_value(found.output))}"
    if found.inputs:
        told = " against ".join(f"input {clean(show_value(x))}" for x in found.inputs)
        words += f" and {told}" if len(found.inputs) == 1 else f": {told}"
    return words


def head(measure: Measure, unit: str) -> str:
    """The head of its column: worst-case I_w (bit)."""
    said = unit if measure.unit == "asked" else measure.unit
    return f"{measure.head} ({said})" if said else measure.head


def columns(rows: Iterable[Sequence[Found]]) -> list[Measure]:
    """The measures that have a column: those with a value (or out of time) somewhere."""
    found = dict.fromkeys(
        one.measure
        for row in rows
        for one in row
        if one.measure.column and (isinstance(one, Reading) or one.limited)
    )
    return sorted(found, key=lambda measure: (measure.order, measure.name))


def depends_on(names: Sequence[str]) -> str:
    """What stands where closed forms would be too long."""
    return f"depends on {', '.join(dict.fromkeys(clean(name, 20) for name in names))}"

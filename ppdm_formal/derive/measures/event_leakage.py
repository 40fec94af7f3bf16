"""Event-based leakage: what a report tells of one person, of whom it tells most (Dor18 1.2.5).

max over people i of I(U_i; Y),  x = (u_1, ..., u_n) a database with one value a person

An input that is no tuple is one person's value; the leakage is then the mutual information.
"""

from __future__ import annotations

from ppdm_formal.derive.measures.formula import Formula
from ppdm_formal.derive.measures.formula_value import measured_by_tree
from ppdm_formal.derive.measures.mutual_information import MEASURE as MUTUAL
from ppdm_formal.derive.measures.record import Asked, Measure, Reading

assert MUTUAL.tree is not None


def _read(asked: Asked) -> Reading:
    if asked.operator.parameters or isinstance(asked.operator.inputs[0], tuple):
        return measured_by_tree(MEASURE, asked)
    found = MUTUAL.measure(asked).value  # one person: the operator's views are enough
    fields = {"unit": MEASURE.unit_of(asked), "value": found, "person": "1"}
    return MEASURE.reading(asked, found, {MEASURE.json_key: fields})


MEASURE = Measure(
    name="event_leakage",
    title="Event-based leakage",
    head="leakage",
    spoken="event-based leakage",
    meaning="How much one report tells on average of the person of whom it tells most, the others "
    "being unknown; inputs that are tuples are databases with one value a person.",
    formula="max over i of I(U_i; Y)",
    source="Dor18 section 1.2.5",
    prior=True,
    unit="asked",
    tree=Formula("sum", MUTUAL.tree.of, each="person"),
    compute=_read,
    column=False,
    order=32,
)

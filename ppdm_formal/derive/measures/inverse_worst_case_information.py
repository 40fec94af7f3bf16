"""Inverse worst-case information: how far the prior is from what an output leaves (EGS03 8).

J_w = max over y of KL(p_X || p_{X|Y=y})
"""

from __future__ import annotations

from ppdm_formal.declare.operators.sets import ValueSets
from ppdm_formal.derive.measures.formula import Formula
from ppdm_formal.derive.measures.information import WorstCase, of_asked
from ppdm_formal.derive.measures.record import Asked, InputOrOutput, Measure, Reading


def _read(asked: Asked) -> Reading:
    return _reading(asked, asked.once(of_asked).inverse_worst_case)


def _of_sets(asked: Asked, sets: ValueSets) -> Reading:
    from ppdm_formal.derive.measures.of_sets import inverse_divergence, peak

    return _reading(asked, peak(sets, inverse_divergence, asked.unit, asked.digits))


def _reading(asked: Asked, found: WorstCase) -> Reading:
    fields = {
        "inverse_worst_case": found.value,
        "inverse_worst_case_output": InputOrOutput(found.output),
    }
    return MEASURE.reading(asked, found.value, fields, output=found.output, result=found)


MEASURE = Measure(
    name="inverse_worst_case_information",
    title="Inverse worst-case J_w",
    head="inverse J_w",
    meaning=(
        "The largest KL(X || X given y) over outputs y; it bounds downward breaches (Statement 7)."
    ),
    formula="max over y of KL(X || X given y)",
    source="EGS03 Definition 8",
    prior=True,
    unit="asked",
    tree=Formula("max", ("sum", ("*", "prior", ("log", ("/", "evidence", "likelihood"))))),
    compute=_read,
    of_sets=_of_sets,
    certified="formula",
    key="inverse_worst_case",
    order=12,
)

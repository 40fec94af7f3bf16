"""Worst-case information: what the most telling output tells (EGS03 Definition 6).

I_w = max over y of KL(p_{X|Y=y} || p_X)
"""

from __future__ import annotations

from ppdm_formal.declare.operators.sets import ValueSets
from ppdm_formal.derive.measures.formula import Formula
from ppdm_formal.derive.measures.information import WorstCase, of_asked
from ppdm_formal.derive.measures.record import Asked, InputOrOutput, Measure, Reading


def _read(asked: Asked) -> Reading:
    return _reading(asked, asked.once(of_asked).worst_case)


def _of_sets(asked: Asked, sets: ValueSets) -> Reading:
    from ppdm_formal.derive.measures.of_sets import divergence, peak

    return _reading(asked, peak(sets, divergence, asked.unit, asked.digits))


def _reading(asked: Asked, found: WorstCase) -> Reading:
    fields = {"worst_case": found.value, "worst_case_output": InputOrOutput(found.output)}
    return MEASURE.reading(asked, found.value, fields, output=found.output, result=found)


_FACTOR = ("/", "likelihood", "evidence")

MEASURE = Measure(
    name="worst_case_information",
    title="Worst-case information I_w",
    head="worst-case I_w",
    meaning=(
        "The largest KL(X given y || X) over outputs y; it bounds upward breaches (Statement 6)."
    ),
    formula="max over y of KL(X given y || X)",
    asked=(
        "Under the prior {prior}, no single output may tell {how} {bound} {unit} about the true "
        "value."
    ),
    promised=(
        "under the prior {prior}, no single output tells {how} {bound} {unit} about the true value"
    ),
    source="EGS03 Definition 6",
    prior=True,
    unit="asked",
    tree=Formula("max", ("sum", ("*", "prior", _FACTOR, ("log", _FACTOR)))),
    compute=_read,
    of_sets=_of_sets,
    certified="enclosure",
    key="worst_case",
    order=11,
)

"""Mutual information: what an output tells about x on average (EGS03 section 6).

I = sum over y of P[Y = y] KL(p_{X|Y=y} || p_X)
"""

from __future__ import annotations

from ppdm_formal.declare.arithmetic.value import Measured
from ppdm_formal.declare.operators.sets import ValueSets
from ppdm_formal.derive.measures.formula import Formula
from ppdm_formal.derive.measures.information import of_asked
from ppdm_formal.derive.measures.record import Asked, Measure, Reading


def _read(asked: Asked) -> Reading:
    return _reading(asked, asked.once(of_asked).mutual)


def _of_sets(asked: Asked, sets: ValueSets) -> Reading:
    from ppdm_formal.derive.measures.of_sets import mutual_information

    return _reading(asked, mutual_information(sets, asked.unit, asked.digits))


def _reading(asked: Asked, found: Measured) -> Reading:
    return MEASURE.reading(asked, found, {"mutual": found}, result=found)


_FACTOR = ("/", "likelihood", "evidence")

MEASURE = Measure(
    name="mutual_information",
    title="Mutual information I",
    head="mutual I",
    meaning="The average over outputs of KL(X given y || X).",
    formula="sum over y of P[y] KL(X given y || X)",
    source="EGS03 section 6",
    prior=True,
    unit="asked",
    tree=Formula("sum", ("sum", ("*", "prior", "likelihood", ("log", _FACTOR)))),
    compute=_read,
    of_sets=_of_sets,
    certified="formula",
    key="mutual",
    order=10,
)

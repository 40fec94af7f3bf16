"""Knowledge gain for the variance: what a report takes away of the variance of x (Dor18 1.2.2).

gain = Var[X] - mean over y of Var[X | y] = sum over y of P[y] (E[X | y] - E[X])^2

Of inputs that are whole numbers, each told apart.
"""

from __future__ import annotations

from ppdm_formal.derive.measures.formula import Formula
from ppdm_formal.derive.measures.record import Measure

_MEAN = ("sum", ("*", "prior", "value"))
_MOVED = ("-", ("sum", ("*", "prior", "likelihood", "value")), ("*", "evidence", _MEAN))

MEASURE = Measure(
    name="variance_gain",
    title="Knowledge gain (variance)",
    head="variance gain",
    spoken="knowledge gain (variance)",
    meaning="By how much one report lowers the variance of x, on average; x is a number.",
    formula="sum over y of P[y] (E[X given y] - E[X])^2",
    source="Dor18 section 1.2.2",
    prior=True,
    tree=Formula("sum", ("/", ("*", _MOVED, _MOVED), "evidence"), each="input"),
    column=False,
    order=31,
)

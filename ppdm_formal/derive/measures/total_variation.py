"""Total variation: by how much one output can change the probability of any property at all.

max over y, Q of |P[Q(X) | Y = y] - P[Q(X)]| = max over y of 1/2 sum over x of |P[x | y] - P[x]|
"""

from __future__ import annotations

from fractions import Fraction

from ppdm_formal.declare.operators.sets import ValueSets
from ppdm_formal.derive.measures.formula import Formula
from ppdm_formal.derive.measures.record import Asked, InputOrOutput, Measure, Reading

_CHANGE = ("abs", ("-", ("/", "likelihood", "evidence"), 1))


def _of_sets(asked: Asked, sets: ValueSets) -> Reading:
    from ppdm_formal.derive.measures.of_sets import peak, variation

    found = peak(sets, variation, "nat", asked.digits)
    fields = {"value": found.value, "output": InputOrOutput(found.output)}
    return MEASURE.reading(asked, found.value, {MEASURE.json_key: fields}, output=found.output)


MEASURE = Measure(
    name="total_variation",
    title="Total variation",
    head="total variation",
    meaning=(
        "The largest |P[Q(X) given y] - P[Q(X)]| over outputs y and all properties Q: by how much "
        "one report can raise or lower any belief."
    ),
    formula="max over y of 1/2 sum over x of |P[x given y] - P[x]|",
    prior=True,
    tree=Formula("max", ("*", Fraction(1, 2), ("sum", ("*", "prior", _CHANGE)))),
    of_sets=_of_sets,
    order=20,
)

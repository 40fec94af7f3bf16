"""Min-entropy capacity: the largest leakage of any prior, log2(sum over y of max p[x -> y])."""

from __future__ import annotations

from ppdm_formal.derive.measures.record import Asked, Measure, Reading
from ppdm_formal.derive.measures.vulnerability import min_entropy_capacity


def _read(asked: Asked) -> Reading:
    found = min_entropy_capacity(asked.operator, asked.digits)
    fields = {"unit": "bit", "min_entropy": found.capacity}
    return MEASURE.reading(asked, found.capacity, {"capacity": fields}, result=found)


MEASURE = Measure(
    name="min_entropy_capacity",
    title="Min-entropy capacity",
    head="capacity",
    meaning="By how many bits one report can at most improve the best guess, over all priors.",
    formula="log2(sum over y of max over x of p[x -> y])",
    prior=False,
    unit="bit",
    compute=_read,
    key="capacity",
    column=False,
    order=2,
)

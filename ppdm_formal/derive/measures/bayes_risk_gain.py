"""Knowledge gain for the Bayes risk: how much less often the best guess is wrong (Dor18 1.2.2).

U(law) = 1 - max of law;  gain = U(prior) - mean of U(posterior)
       = sum over y of (max over x of P[x] p[x -> y]) - max over x of P[x]

The gains of other uncertainty functions: for the entropy it is the mutual information, for the
variance variance_gain.py, for any function derive/information/knowledge.py.
"""

from __future__ import annotations

from ppdm_formal.derive.measures.formula import Formula
from ppdm_formal.derive.measures.record import Measure

_GUESSED = ("max", ("*", "prior", "likelihood"))

MEASURE = Measure(
    name="bayes_risk_gain",
    title="Knowledge gain (Bayes risk)",
    head="Bayes gain",
    spoken="knowledge gain (Bayes risk)",
    meaning="By how much one report lowers the chance that the best guess of x is wrong.",
    formula="sum over y of (max over x of P[x] p[x -> y]) - max over x of P[x]",
    source="Dor18 section 1.2.2",
    prior=True,
    tree=Formula("sum", ("-", _GUESSED, ("*", "evidence", ("max", "prior")))),
    column=False,
    order=30,
)

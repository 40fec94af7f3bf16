"""What every measure means, by name: brute force on a dense matrix and a prior.

A measure in ppdm_formal/measures/ without an entry here fails test_every_measure.py. A definition
takes the rows and the prior (which it may not need) and gives a Fraction, a logarithm in nats (60
digits), or None for infinity. Nothing of the package is imported here.
"""

from __future__ import annotations

from fractions import Fraction

import measures_oracle as oracle
import mpmath


def _log(value):
    return None if value is None else mpmath.log(oracle.mp(value))


def _total_variation(rows, prior):
    """Over all properties, as sets of inputs."""
    best = Fraction(0)
    for y in oracle.possible_outputs(rows, prior):
        after = oracle.posterior(rows, prior, y)
        for mask in range(2 ** len(prior)):
            inside = [x for x in range(len(prior)) if mask >> x & 1]
            change = sum((after[x] - prior[x] for x in inside), Fraction(0))
            best = max(best, abs(change))
    return best


DEFINITIONS = {
    "amplification": lambda rows, prior: oracle.amplification(rows),
    "epsilon": lambda rows, prior: _log(oracle.amplification(rows)),
    "min_entropy_capacity": lambda rows, prior: _log(oracle.capacity_factor(rows)),
    "mutual_information": oracle.mutual_information,
    "worst_case_information": oracle.worst_case,
    "inverse_worst_case_information": oracle.inverse_worst_case,
    "dependence": lambda rows, prior: _log(oracle.dependence_ratio(rows, prior)),
    "vulnerability": lambda rows, prior: oracle.vulnerability(rows, prior)[1],
    "total_variation": _total_variation,
}

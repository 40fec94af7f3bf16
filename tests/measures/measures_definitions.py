"""What every measure means, by name: brute force on a dense matrix and a prior.

A measure in ppdm_formal/derive/measures/ without an entry here fails test_every_measure.py. A
definition takes the rows and the prior (which it may not need) and gives a Fraction, a logarithm in
nats (60 digits), two numbers of nats that it is between, or None for infinity. Inputs are 0, 1, 2,
and so on.
Nothing of the package is imported here.
"""

from __future__ import annotations

import math
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


def _solved(rows):
    """The reduced row echelon form of equations (the last column is the right side)."""
    rows = [list(row) for row in rows]
    done = 0
    for column in range(len(rows[0]) - 1):
        pivot = next((r for r in range(done, len(rows)) if rows[r][column]), None)
        if pivot is None:
            continue
        rows[done], rows[pivot] = rows[pivot], rows[done]
        rows[done] = [entry / rows[done][column] for entry in rows[done]]
        for r in range(len(rows)):
            if r != done and rows[r][column]:
                factor = rows[r][column]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[done], strict=True)]
        done += 1
    return rows


def least_square(rows, likely, goal):
    """The least sum of likely[y] d[y]^2 over all d with rows d = goal; None where there is no d.

    Lagrange: likely[y] d[y] = sum over x of c[x] rows[x][y]. Any solution of the equations has the
    same value, so free unknowns are set to 0.
    """
    inputs, outputs = len(rows), len(likely)
    zero = Fraction(0)
    equations = [
        [*(likely[y] if y == z else zero for z in range(outputs)), *(-r[y] for r in rows), zero]
        for y in range(outputs)
    ]
    equations += [[*row, *[zero] * inputs, goal[x]] for x, row in enumerate(rows)]
    reduced = _solved(equations)
    if any(not any(row[:-1]) and row[-1] for row in reduced):
        return None
    values = [zero] * (inputs + outputs)
    for row in reduced:
        place = next((k for k, entry in enumerate(row[:-1]) if entry), None)
        if place is not None:
            values[place] = row[-1]
    return sum((m * d * d for m, d in zip(likely, values, strict=False)), zero)


def utility(rows, prior):
    """Least total error of unbiased estimates under the prior, over that of plain answers."""
    inputs = range(len(rows))
    reached = [y for y in range(len(rows[0])) if any(row[y] for row in rows)]
    kept = [[row[y] for y in reached] for row in rows]
    law = prior
    if any(not sum(prior[x] * kept[x][y] for x in inputs) for y in range(len(reached))):
        law = [Fraction(1, len(rows))] * len(rows)  # what never occurs cannot be weighed
    likely = [sum(law[x] * kept[x][y] for x in inputs) for y in range(len(reached))]
    total = Fraction(0)
    for x in inputs:
        goal = [Fraction(x == other) for other in inputs]
        least = least_square(kept, likely, goal)
        if least is None:
            return None
        total += least if law is prior else _seen(kept, likely, goal, prior)
    total -= sum(p * p for p in prior)
    plain = 1 - sum(p * p for p in prior)
    if plain == 0:
        return Fraction(1) if total == 0 else None
    return total / plain


def _seen(rows, likely, goal, prior):
    """The second moment under the prior of the decoder that is best under another law."""
    inputs, outputs = len(rows), len(likely)
    zero = Fraction(0)
    inverse = [1 / m for m in likely]
    gram = [
        [sum(a * b * w for a, b, w in zip(r, s, inverse, strict=True)) for s in rows] for r in rows
    ]
    solved = _solved([[*row, goal[x]] for x, row in enumerate(gram)])
    weights = [zero] * inputs
    for row in solved:
        place = next((k for k, entry in enumerate(row[:-1]) if entry), None)
        if place is not None:
            weights[place] = row[-1]
    scores = [
        inverse[y] * sum(weights[x] * rows[x][y] for x in range(inputs)) for y in range(outputs)
    ]
    return sum(
        prior[x] * rows[x][y] * scores[y] ** 2 for x in range(inputs) for y in range(outputs)
    )


def _risk_gain(rows, prior):
    """1 - max of the prior, less the mean of 1 - max of the posteriors."""
    left = Fraction(0)
    for y in oracle.possible_outputs(rows, prior):
        seen = sum(p * row[y] for p, row in zip(prior, rows, strict=True))
        left += seen * (1 - max(oracle.posterior(rows, prior, y)))
    return 1 - max(prior) - left


def _variance(law):
    mean = sum(p * x for x, p in enumerate(law))
    return sum(p * x * x for x, p in enumerate(law)) - mean * mean


def _variance_gain(rows, prior):
    left = Fraction(0)
    for y in oracle.possible_outputs(rows, prior):
        seen = sum(p * row[y] for p, row in zip(prior, rows, strict=True))
        left += seen * _variance(oracle.posterior(rows, prior, y))
    return _variance(prior) - left


def _grid(parts, whole):
    """All ways to divide a whole."""
    if parts == 1:
        yield (whole,)
        return
    for first in range(whole + 1):
        for rest in _grid(parts - 1, whole - first):
            yield (first, *rest)


def capacity(rows):
    """Between the most that a prior of a grid tells, and how near all rows are to a law of it."""
    low, high = 0.0, float("inf")
    matrix = [[float(p) for p in row] for row in rows]
    for shares in _grid(len(rows), 8):
        law = [
            sum(s * row[y] for s, row in zip(shares, matrix, strict=True)) / 8
            for y in range(len(matrix[0]))
        ]
        apart = [_divergence(row, law) for row in matrix]
        low = max(low, sum(s * d for s, d in zip(shares, apart, strict=True) if s) / 8)
        high = min(high, max(apart))
    return low, high


def _divergence(row, law):
    if any(p and not q for p, q in zip(row, law, strict=True)):
        return float("inf")
    return sum(p * math.log(p / q) for p, q in zip(row, law, strict=True) if p)


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
    "bayes_risk_gain": _risk_gain,
    "variance_gain": _variance_gain,
    "event_leakage": oracle.mutual_information,
    "mutual_information_dp": lambda rows, prior: capacity(rows),
    "utility": lambda rows, prior: utility(rows, [Fraction(1, len(rows))] * len(rows)),
    "utility_under": utility,
}

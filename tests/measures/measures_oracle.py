"""Brute force on dense matrices: every measure by its definition, in Fractions or 60 digits.

Nothing of the package is imported here. None stands for infinity.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath

DPS = 60
SLACK = Fraction(1, 10**45)


def mp(value):
    return mpmath.mpf(value.numerator) / value.denominator


def as_fraction(value):
    sign, man, exponent, _ = value._mpf_
    return (-1) ** sign * Fraction(int(man)) * Fraction(2) ** exponent


def columns(rows):
    return [list(column) for column in zip(*rows, strict=True)]


def output_mass(rows, prior, y):
    return sum((prior[x] * rows[x][y] for x in range(len(rows))), Fraction(0))


def possible_outputs(rows, prior):
    return [y for y in range(len(rows[0])) if output_mass(rows, prior, y) > 0]


def posterior(rows, prior, y):
    mass = output_mass(rows, prior, y)
    return [prior[x] * rows[x][y] / mass for x in range(len(rows))]


def amplification(rows):
    best = Fraction(1)
    for column in columns(rows):
        for a in column:
            for b in column:
                if a > 0 and b == 0:
                    return None
                if a > 0:
                    best = max(best, a / b)
    return best


def dependence_ratio(rows, prior):
    best = Fraction(1)
    for y in possible_outputs(rows, prior):
        for x, p in enumerate(prior):
            if p > 0:
                joint, independent = p * rows[x][y], p * output_mass(rows, prior, y)
                if joint == 0:
                    return None
                best = max(best, joint / independent, independent / joint)
    return best


def kl(first, second):
    """In nats."""
    found = mpmath.mpf(0)
    for p, q in zip(first, second, strict=True):
        if p > 0:
            if q == 0:
                return None
            found += mp(p) * mpmath.log(mp(p / q))
    return found


def mutual_information(rows, prior):
    found = mpmath.mpf(0)
    for y in possible_outputs(rows, prior):
        mass = output_mass(rows, prior, y)
        for x, p in enumerate(prior):
            joint = p * rows[x][y]
            if joint > 0:
                found += mp(joint) * mpmath.log(mp(joint / (p * mass)))
    return found


def largest(values):
    return None if None in values else max(values)


def worst_case(rows, prior, divergence=kl):
    return largest(
        [divergence(posterior(rows, prior, y), prior) for y in possible_outputs(rows, prior)]
    )


def inverse_worst_case(rows, prior, divergence=kl):
    return largest(
        [divergence(prior, posterior(rows, prior, y)) for y in possible_outputs(rows, prior)]
    )


# name: (f, limit of t f(t) at 0, limit of f(t) at infinity); None stands for infinity.
FUNCTIONS = {
    "t-1": (lambda t: t - 1, Fraction(0), None),
    "-1/t": (lambda t: -1 / t, Fraction(-1), Fraction(0)),
    "t^2": (lambda t: t**2, Fraction(0), None),
    "t^-2": (lambda t: t**-2, None, Fraction(0)),
    "t^-1": (lambda t: 1 / t, Fraction(1), Fraction(0)),
    "t^0": (lambda t: Fraction(1), Fraction(0), Fraction(1)),
    "t^-3+2": (lambda t: t**-3 + 2, None, Fraction(2)),
    "-1/t+1/2": (lambda t: -1 / t + Fraction(1, 2), Fraction(-1), Fraction(1, 2)),
}
ROOTS = {
    "t^1/2": (lambda t: mpmath.sqrt(t), mpmath.mpf(0), None),
    "-t^-1/2": (lambda t: -1 / mpmath.sqrt(t), mpmath.mpf(0), mpmath.mpf(0)),
    "t^(-3/2)": (lambda t: 1 / (t * mpmath.sqrt(t)), None, mpmath.mpf(0)),
    "-t^-1/3+1": (lambda t: 1 - 1 / mpmath.cbrt(t), mpmath.mpf(0), mpmath.mpf(1)),
    "t^1/3-1": (lambda t: mpmath.cbrt(t) - 1, mpmath.mpf(0), None),
}


def kl_f(name):
    """KL^f(p1 || p2) = sum p1 f(p1/p2), zero probabilities with their limits."""
    f, at_zero, at_infinity = FUNCTIONS.get(name) or ROOTS[name]
    number = (lambda value: value) if name in FUNCTIONS else mp

    def divergence(first, second):
        found = number(Fraction(0))
        for p, q in zip(first, second, strict=True):
            if p == 0 and q == 0:
                continue
            if p > 0 and q > 0:
                found += number(p) * f(number(p / q))
                continue
            limit = at_zero if p == 0 else at_infinity
            if limit is None:
                return None
            found += number(p + q) * limit
        return found

    return divergence


def vulnerability(rows, prior):
    inputs = range(len(rows))
    after = sum(max(prior[x] * rows[x][y] for x in inputs) for y in range(len(rows[0])))
    return max(prior), after


def capacity_factor(rows):
    return sum(max(column) for column in columns(rows))


def encloses(enclosure, value, digits=15):
    """Whether an enclosure holds the (60 digit) value, and is as narrow as promised."""
    number = as_fraction(value) if isinstance(value, mpmath.mpf) else value
    inside = enclosure.lo - SLACK <= number <= enclosure.hi + SLACK
    return inside and enclosure.width <= max(abs(number), SLACK) * Fraction(1, 10**digits)

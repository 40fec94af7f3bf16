"""Frontiers and frequencies of breaches by going through every property and output."""

from fractions import Fraction
from itertools import product


def posteriors(rows, prior):
    """For each output that occurs: its column, its probability, and the posterior of each input."""
    for column in range(len(rows[0])):
        weights = [p * row[column] for p, row in zip(prior, rows, strict=True)]
        if sum(weights):
            yield column, sum(weights), [weight / sum(weights) for weight in weights]


def properties(size):
    return list(product((0, 1), repeat=size))


def mass(chosen, weights):
    return sum((w for inside, w in zip(chosen, weights, strict=True) if inside), Fraction(0))


def raised(rows, prior, most):
    """The largest posterior of a property whose prior is at most `most`."""
    return max(
        mass(chosen, after)
        for _, _, after in posteriors(rows, prior)
        for chosen in properties(len(prior))
        if mass(chosen, prior) <= most
    )


def lowered(rows, prior, most):
    """The largest prior of a property whose posterior is at most `most`."""
    return max(
        mass(chosen, prior)
        for _, _, after in posteriors(rows, prior)
        for chosen in properties(len(prior))
        if mass(chosen, after) <= most
    )


def breaching(rows, prior, rho1, rho2, only=None):
    """The outputs after which some property (or `only`) is breached, up or down."""
    found = set()
    for column, _, after in posteriors(rows, prior):
        for chosen in [only] if only else properties(len(prior)):
            p, q = mass(chosen, prior), mass(chosen, after)
            if (p <= rho1 and q >= rho2) or (p >= rho2 and q <= rho1):
                found.add(column)
    return found


def ratio_breaching(rows, rho1, rho2):
    """The outputs that breach for some prior on two inputs and some property."""
    found = set()
    for column in range(len(rows[0])):
        likelihoods = [row[column] for row in rows]
        for first, second in product(likelihoods, repeat=2):
            weight = rho1 * first + (1 - rho1) * second
            if first and weight and rho1 * first / weight >= rho2:
                found.add(column)
    return found


def shares(rows, prior, columns):
    """P[Y in columns], and the largest P[Y in columns | x] over x."""
    each = [sum((row[column] for column in columns), Fraction(0)) for row in rows]
    return sum(p * e for p, e in zip(prior, each, strict=True)), max(each)

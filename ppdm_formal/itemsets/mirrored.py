"""Mirrored randomizations: sending the complement of a report, where most items would be sent.

With y'_a = 1 - y_a for every item, y'_a - (1 - rho) = -(y_a - rho): the complement of a report of
(rho, b[j]) is a report of (1 - rho, b[m - j]), lambda_k changes its sign at most, and amplification
and noise stay as they are. Of the two the one with rho <= 1/2 sends fewer items.
"""

from __future__ import annotations

from fractions import Fraction

from ppdm_formal.families.select_a_size import Randomization


def mirrored(randomization: Randomization) -> Randomization:
    """What sends the complement.

    >>> third = Fraction(1, 3)
    >>> found = mirrored(Randomization(2, 2 * third, (Fraction(0), third, 2 * third)))
    >>> str(found.insert), [str(p) for p in found.keep]
    ('1/3', ['2/3', '1/3', '0'])
    """
    return Randomization(
        randomization.size, 1 - randomization.insert, tuple(reversed(randomization.keep))
    )


def sends_most(randomization: Randomization) -> bool:
    """Whether more than half of the items that a client does not hold are sent."""
    return bool(randomization.insert > Fraction(1, 2))

"""Sampled numbers as text: as many decimals as their standard error deserves, never exponents."""

from __future__ import annotations

import math

LEAST, MOST = 6, 18
"""Decimals that are always written, and never passed."""


def decimals(error: float) -> int:
    """How many decimals show four digits of a standard error, and at least six.

    >>> decimals(0.003), decimals(0.00000123), decimals(0.0)
    (6, 9, 6)
    """
    if not error > 0 or not math.isfinite(error):
        return LEAST
    return min(max(LEAST, 3 - math.floor(math.log10(error))), MOST)


def sampled(value: float, error: float = 0.0) -> str:
    """A number with as many decimals as its error deserves.

    >>> sampled(0.12345678), sampled(-0.0), sampled(0.00001234567, 0.00000123)
    ('0.123457', '0.000000', '0.000012346')
    """
    shown = f"{value:.{decimals(error)}f}"
    return shown.removeprefix("-") if float(shown) == 0 else shown


def brief(value: float, error: float = 0.0) -> str:
    """The same for people: two digits of the error, at most six decimals.

    >>> brief(0.12345678, 0.0032), brief(38.5819, 0.21)
    ('0.1235', '38.58')
    """
    places = 4 if not error > 0 else 1 - math.floor(math.log10(error))
    shown = f"{value:.{min(max(places, 0), 6)}f}"
    return shown.removeprefix("-") if float(shown) == 0 else shown


def share(value: float) -> str:
    """A p-value for programs: six decimals or more, and where those would be few digits, 1.234e-20.

    >>> share(0.0432), share(0.0000012345), share(1.23456e-20), share(0.0)
    ('0.043200', '1.234e-06', '1.235e-20', '0.000000')
    """
    return f"{value:.3e}" if 0 < value < 0.001 else f"{value:.6f}"


def tail(value: float) -> str:
    """A p-value for people.

    >>> tail(0.04321), tail(0.0)
    ('0.0432', '< 0.0001')
    """
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"

"""Limits of size and time on what is read, since certificates are hostile input; and constants."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

MAX_BYTES = 1 << 26  # of a certificate, and of a solver's question
MAX_NESTING = 450  # of lists and objects
MAX_DEPTH = 200  # of a branch tree
MAX_HEXADECIMAL = 2_000_000  # characters of an integer: families have counts such as 2^1000000
MAX_SIDE = 10_000  # characters on a side of a /: lowest terms take long to find
MAX_COMMON = 1_000_000  # bits of a common denominator of the views
MAX_FORM = 100_000  # characters of a closed form
MAX_EXPONENT = 100_000  # in a closed form
MAX_WORK = 10**8  # of a closed form: bits times bits, in words, over all its operations
MAX_DEGREE = 200  # of the polynomial of an irrational end,
MAX_COEFFICIENTS = 20_000  # and bits of all its coefficients together
MAX_INTERVALS = 100  # of a region
CLOSE = Fraction(1, 10**30)  # how close to an end a solver's region is tried
MAX_TABLE = 20_000  # coefficients of a polynomial in several parameters
MAX_DIGITS = 2000  # of an enclosure
MAX_SHAPES = 50_000  # ways of sets to hold none, one or several values of each kind
MAX_CHOICES = 4096  # properties of one view that are tried one by one
MAX_FORMULA = 500  # parts of a measure's formula
MAX_FORMULA_BITS = 4096  # of the enclosures of its logarithms
MAX_REPORTS = 1_000_000  # that a claim speaks of,
MAX_SEQUENCES = 20_000  # ways to see them, whatever their order,
MAX_POWER = 40_000  # and bits of a likelihood of all of them
MAX_CLIENTS = 10**12  # of a crowd
MAX_TERMS = 5000  # of a number with exponentials, above and below the line,
MAX_POWERS = 1_000_000  # powers of t = e^(1/d) in them,
MAX_EUCLID = 25_000_000  # steps of a product, or of a search for a common factor,
MAX_EXP = 5000  # and a power of e
MAX_EXP_BITS = 1 << 16  # of an enclosure of t
MAX_FREE_NAME = 200  # characters of an epsilon that is a parameter's
MAX_HALVINGS = 200  # of an interval, until coefficients show that it has no root
MAX_SECONDS = 60.0
MAX_MEMORY = 8 << 30  # of the process that checks
LARGEST_PLAIN, LEAST_HEXADECIMAL = 10**15, 10**3999
ZERO, ONE = Fraction(0), Fraction(1)
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}

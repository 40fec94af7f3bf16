"""Small fields and codes against the galois package, an independent implementation.

Only its field arithmetic is used: building its BCH codes takes longer than all tests here.
"""

import numpy as np
import pytest

from ppdm_formal.run.compress.bch import BCH, ExtendedBCH
from ppdm_formal.run.compress.field import Field, modulus
from ppdm_formal.run.compress.independence import as_integers

galois = pytest.importorskip("galois", reason="galois is the oracle of these tests")


def field_of(degree):
    return galois.GF(2, degree, irreducible_poly=modulus(degree), compile="python-calculate")


def test_the_least_primitive_polynomials():
    for degree in range(1, 11):
        assert int(galois.primitive_poly(2, degree, method="min")) == modulus(degree)


def test_products_and_powers():
    source = np.random.default_rng(1)
    for degree in (3, 8, 13):
        other = field_of(degree)
        left, right = source.integers(0, 1 << degree, (2, 20))
        field = Field(degree)
        ours = field.times(left.astype(np.uint64), right.astype(np.uint64))
        assert (ours == np.array(other(left) * other(right))).all()
        assert (field.power(left.astype(np.uint64), 11) == np.array(other(left) ** 11)).all()


def test_columns_are_the_odd_powers_of_powers_of_alpha():
    """Column i of the paper's parity check is alpha^i, alpha^(3 i), alpha^(5 i), ...."""
    other = field_of(5)
    points = other.primitive_element ** np.arange(31)
    blocks = [np.array(points**j, dtype=object) for j in (1, 3, 5)]
    expected = [sum(int(block[i]) << 5 * k for k, block in enumerate(blocks)) for i in range(31)]
    items = np.array(points, dtype=np.uint64) - np.uint64(1)
    assert as_integers(BCH(31, 6, 1, 1).functionals(items)) == expected
    extended = ExtendedBCH(32, 7, 1, 1).functionals(np.array(points, dtype=np.uint64))
    assert as_integers(extended) == [column << 1 | 1 for column in expected]

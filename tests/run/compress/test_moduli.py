"""Fields GF(2^r): moduli, and arithmetic on arrays against arithmetic on integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy import factorint, isprime

import ppdm_formal.run.compress.field as field_module
from ppdm_formal.run.compress.field import (
    MAX_DEGREE,
    Field,
    is_irreducible,
    is_primitive,
    modulus,
    power,
    product,
)


def divisors(f):
    """All polynomials of degree from 1 to that of f that divide it, by long division."""
    for g in range(2, f + 1):
        rest = f
        while rest.bit_length() >= g.bit_length():
            rest ^= g << (rest.bit_length() - g.bit_length())
        if rest == 0:
            yield g


def test_irreducible_means_no_divisor():
    for f in range(2, 600):
        assert is_irreducible(f) == (list(divisors(f)) == [f])


def test_primitive_means_that_x_has_the_full_order():
    for f in range(3, 600, 2):
        degree = f.bit_length() - 1
        x = 2 if degree > 1 else 1
        powers = [1]
        while (following := product(powers[-1], x, f)) != 1:
            powers.append(following)
        full = len(powers) == (1 << degree) - 1
        assert is_primitive(f, factorint((1 << degree) - 1)) == full


@pytest.mark.parametrize("degree", range(1, MAX_DEGREE + 1))
def test_every_modulus_is_the_least_primitive_polynomial(degree):
    primes = list(factorint((1 << degree) - 1))
    assert all(map(isprime, primes))
    rest = (1 << degree) - 1
    for prime in primes:
        while rest % prime == 0:
            rest //= prime
    assert rest == 1
    assert is_primitive(modulus(degree), primes)
    assert not any(is_primitive(f, primes) for f in range(1 << degree, modulus(degree)))


@pytest.mark.parametrize("degree", [0, 65, -1])
def test_other_degrees_are_refused(degree):
    with pytest.raises(ValueError, match="GF"):
        Field(degree)


@given(st.integers(1, 64), st.data())
def test_arrays_multiply_as_integers_do(degree, data):
    field = Field(degree)
    element = st.integers(0, (1 << degree) - 1)
    left, right = (data.draw(st.lists(element, min_size=4, max_size=4)) for _ in range(2))
    one, other = (np.array(part, dtype=np.uint64) for part in (left, right))
    expected = [product(a, b, field.modulus) for a, b in zip(left, right, strict=True)]
    assert field.times(one, other).tolist() == expected
    assert field.doubled(one).tolist() == [
        product(a, 2 if degree > 1 else 1, field.modulus) for a in left
    ]
    exponent = data.draw(st.integers(0, 40))
    assert field.power(one, exponent).tolist() == [power(a, exponent, field.modulus) for a in left]


def test_products_longer_than_a_chunk():
    field = Field(17)
    elements = np.arange(1 << 17, dtype=np.uint64)
    products = field.times(elements, np.uint64(12345))
    assert np.unique(products).size == elements.size
    assert products[70000] == product(70000, 12345, field.modulus)


@pytest.mark.parametrize("degree", [1, 2, 3, 4, 5, 8, 17, 31, 32, 33, 63, 64])
def test_compiled_products_are_the_same(degree, monkeypatch):
    """Plainly run, compiled (where numba is installed), and without numba."""
    source = np.random.default_rng(degree)
    count = field_module._COMPILED_FROM
    left, right = source.integers(0, 1 << degree, (2, count), dtype=np.uint64)
    left[:2], right[:2] = (1 << degree) - 1, [(1 << degree) - 1, 0]
    field = Field(degree)
    quick = field.times(left, right)
    plain = field_module.products(left[:200], right[:200], degree, field._overflows)
    assert (plain == quick[:200]).all()
    monkeypatch.setattr(field_module, "compiled", lambda function: None)
    assert (field.times(left, right) == quick).all()

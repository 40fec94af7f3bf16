"""The independent checker of certificates (docs/certificate.md), with the standard library only.

    python -I ppdm_formal/check.py [--allow-solver-trusted] [--timeout SECONDS] CERTIFICATE...

It shares no code with what made the certificate: it derives the verdict and the thresholds again
from the views and the evidence, in Fractions, and rejects whatever it cannot derive. Certificates
are hostile input: sizes are bounded, and a process that takes too long is ended.
Exit codes: 0 all accepted, 2 unreadable, 4 rejected, 3 solver-trusted without permission or out
of time. Read it beside docs/certificate.md, which has the same order: how things are written; the
claim; the views of the operator; what a claim says of them; each kind of evidence; witnesses; free
parameters. Then all is put together, and compared with a model.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import math
import multiprocessing
import operator
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from fractions import Fraction
from itertools import combinations, pairwise, product, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

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
MAX_CHOICES = 4096  # properties of one view that are tried one by one
MAX_FORMULA = 500  # parts of a measure's formula
MAX_FORMULA_BITS = 4096  # of the enclosures of its logarithms
MAX_REPORTS = 1_000_000  # that a claim speaks of,
MAX_SEQUENCES = 20_000  # ways to see them, whatever their order,
MAX_POWER = 40_000  # and bits of a likelihood of all of them
MAX_POWERS = 5000  # of t = e^(1/d) in a number
MAX_EXP_BITS = 1 << 16  # of an enclosure of t
MAX_SECONDS = 60.0
MAX_MEMORY = 8 << 30  # of the process that checks
LARGEST_PLAIN, LEAST_HEXADECIMAL = 10**15, 10**3999
ZERO, ONE = Fraction(0), Fraction(1)
EXACTLY = "re-checked exactly"
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}


class Rejected(Exception):
    """Why a certificate does not hold."""


class CheckResult(NamedTuple):
    """What came of a check.

    status: "accepted", "rejected", "solver-trusted" (without permission), "unreadable" (no such
    file) or "unknown" (out of time). vacuous: no case can test the claim. formula: what a measure
    is that the certificate defines. untied: a solver's questions were not compared with the claim.
    where: for which values of free parameters. theorem: the file of proofs/coq in which it is
    proved that such evidence suffices (ppdm check fills it in; alone this file does not know).
    """

    status: str
    reason: str
    claim: str = ""
    verdict: str = ""
    operator: str = ""
    vacuous: bool = False
    formula: str = ""
    untied: bool = False
    where: str = ""
    theorem: str = ""

    @property
    def accepted(self) -> bool:
        """Whether the certificate was verified."""
        return self.status == "accepted"

    def __bool__(self) -> bool:
        raise TypeError("a result has no truth value: ask for .accepted")


def need(holds: object, why: str) -> None:
    """Reject unless something holds."""
    if not holds:
        raise Rejected(why)


# === Writing numbers and values: canonical JSON, of which every key is known and every type right


def canonical(thing: object) -> bytes:
    """The canonical JSON of a thing."""
    text = json.dumps(
        thing, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()


def digest(data: bytes) -> str:
    """SHA-256."""
    return hashlib.sha256(data).hexdigest()


def parse(data: bytes) -> Any:
    """JSON in canonical form (hence no key twice), followed by one line feed."""

    def whole(text: str) -> int:
        need(re.fullmatch("-?[0-9]{1,16}", text), f"{text[:20]}: not exact, or to be a text")
        return int(text)

    need(len(data) <= MAX_BYTES, f"longer than {MAX_BYTES} bytes")
    need(data, "the file is empty")
    try:
        text = data.decode()
        thing = json.loads(text, parse_float=whole, parse_constant=whole, parse_int=whole)
    except UnicodeDecodeError:
        raise Rejected("not a certificate: not text in UTF-8") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Rejected(f"not a certificate: not JSON from {where} on") from None
    except RecursionError:
        raise Rejected(f"nested deeper than {MAX_NESTING}") from None
    need(nesting(thing) <= MAX_NESTING, f"nested deeper than {MAX_NESTING}")
    other = thing.get("format") if type(thing) is dict else None
    if type(other) is str and other.startswith("ppdm-"):
        told = f"not a certificate: its format is {ascii(other)[1:-1][:40]}"
        need(other.startswith(("ppdm-certificate/", "ppdm-continuous/")), told)
    need(canonical(thing) + b"\n" == data, "not in canonical form, ended by one line feed")
    return thing


def nesting(thing: Any) -> int:
    """How deep lists and objects lie in each other."""
    depth, level = 0, [thing]
    while level := [part for part in level if type(part) in (list, dict)]:
        depth += 1
        level = [
            inner for part in level for inner in (part.values() if type(part) is dict else part)
        ]
    return depth


def spell_integer(number: int) -> str:
    """Decimal digits; hexadecimal from 4000 on."""
    return str(number) if abs(number) < LEAST_HEXADECIMAL else hex(number)


# A number with exponentials is a rational function of t = e^step. e^q is transcendental for
# rational q other than 0, so that a polynomial in t that is not 0 does not vanish at t: equal
# numbers have one form, and a sign shows as soon as t is enclosed closely enough.

Polynomial = tuple[int, ...]  # the constant first, the last coefficient not 0


@dataclass(frozen=True)
class Exponential:
    """top(t)/bottom(t), t = e^step: in lowest terms, the greatest step, bottom(t) > 0."""

    top: Polynomial
    bottom: Polynomial
    step: Fraction

    def __add__(self, other: Any) -> Any:
        (a, b), (c, d), step = common_step(self, other)
        if b == d:
            return exponential(plus(a, c), b, step)
        return exponential(plus(by(a, d), by(c, b)), by(b, d), step)

    def __mul__(self, other: Any) -> Any:
        (a, b), (c, d), step = common_step(self, other)
        return exponential(by(a, c), by(b, d), step)

    def __truediv__(self, other: Any) -> Any:
        (a, b), (c, d), step = common_step(self, other)
        return exponential(by(a, d), by(b, c), step)

    def __rtruediv__(self, other: Any) -> Any:
        (a, b), (c, d), step = common_step(self, other)
        return exponential(by(c, b), by(d, a), step)

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __neg__(self) -> Exponential:
        return Exponential(tuple(-c for c in self.top), self.bottom, self.step)

    def __pow__(self, power: int) -> Any:
        result: Any = ONE
        for _ in range(abs(power)):
            result = self * result
        return result if power >= 0 else 1 / result

    def __abs__(self) -> Exponential:
        return self if self > 0 else -self

    def __bool__(self) -> bool:
        return True

    def __lt__(self, other: Any) -> bool:
        if type(other) is float:
            return bool(other > 0)  # infinity
        if self == other:
            return False
        bits = 128  # numbers that are not equal differ at some precision
        while bits <= MAX_EXP_BITS:
            low, high = self.ends(bits)
            least, most = other.ends(bits) if type(other) is Exponential else (other, other)
            if high < least or most < low:
                return bool(high < least)
            bits *= 2
        raise Rejected(f"a comparison that {MAX_EXP_BITS} bits do not decide")

    def ends(self, bits: int) -> tuple[Any, Any]:
        """Numbers around it, closer for more bits; infinities where these are not enough."""
        low, high = polynomial_bounds(self.top, self.step, bits)
        least, most = polynomial_bounds(self.bottom, self.step, bits)
        if least <= 0:
            return -math.inf, math.inf
        return (
            Fraction(low, most if low >= 0 else least),
            Fraction(high, least if high >= 0 else most),
        )

    def __gt__(self, other: Any) -> bool:
        return not self < other and self != other

    def __le__(self, other: Any) -> bool:
        return bool(self < other or self == other)

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def between(self, bits: int) -> tuple[Fraction, Fraction]:
        """Rationals around a positive number, close to each other: a 2^-bits part of it."""
        work = bits + 32
        while work <= MAX_EXP_BITS:
            top = polynomial_bounds(self.top, self.step, work)
            bottom = polynomial_bounds(self.bottom, self.step, work)
            if top[0] > 0 < bottom[0]:
                low, high = Fraction(top[0], bottom[1]), Fraction(top[1], bottom[0])
                if (high - low) * 2**bits <= low:
                    return low, high
            work *= 2
        raise Rejected("a number too close to 0 to be enclosed")

    __radd__, __rmul__ = __add__, __mul__


Number = Fraction | Exponential


def exponential(top: Polynomial, bottom: Polynomial, step: Fraction) -> Any:
    """In its one form; a Fraction where it is rational."""
    need(bottom, "a number divides by 0")
    size = max(len(top), len(bottom)) <= MAX_POWERS + 1
    need(size, f"more than {MAX_POWERS} powers of e^step")
    if not top:
        return ZERO
    # Powers of t that all terms share are divided out, and powers of a power of t made powers of t.
    low = min(next(i for i, c in enumerate(part) if c) for part in (top, bottom))
    top, bottom, step = thinned(top[low:], bottom[low:], step)
    top, bottom, step = thinned(*lowest(top, bottom), step)
    if len(top) == len(bottom) == 1:
        return Fraction(top[0], bottom[0])
    if polynomial_sign(bottom, step) < 0:
        top, bottom = tuple(-c for c in top), tuple(-c for c in bottom)
    return Exponential(top, bottom, step)


def thinned(
    top: Polynomial, bottom: Polynomial, step: Fraction
) -> tuple[Polynomial, Polynomial, Fraction]:
    """Polynomials in t^n as polynomials in t, with a step n times as great."""
    shared = math.gcd(*(i for part in (top, bottom) for i, c in enumerate(part) if c)) or 1
    return top[::shared], bottom[::shared], step * shared


def e_to(q: Fraction) -> Any:
    """e^q."""
    need(abs(q) <= MAX_POWERS, f"a power of e above {MAX_POWERS}")
    if q == 0:
        return ONE
    return Exponential((0, 1), (1,), q) if q > 0 else Exponential((1,), (0, 1), -q)


def common_step(one: Exponential, other: Any) -> Any:
    """Both numbers as polynomials in one t."""
    if type(other) is not Exponential:
        pair = (other.numerator,) if other.numerator else (), (other.denominator,)
        return (one.top, one.bottom), pair, one.step
    below = math.lcm(one.step.denominator, other.step.denominator)
    step = Fraction(math.gcd(int(one.step * below), int(other.step * below)), below)
    parts = [
        tuple(spread(part, int(number.step / step)) for part in (number.top, number.bottom))
        for number in (one, other)
    ]
    return (*parts, step)


def spread(polynomial: Polynomial, thick: int) -> Polynomial:
    """A polynomial in t^thick as one in t."""
    need(len(polynomial) * thick <= 2 * MAX_POWERS, f"more than {MAX_POWERS} powers of t")
    found = [0] * ((len(polynomial) - 1) * thick + 1)
    found[::thick] = polynomial
    return tuple(found)


def plus(a: Polynomial, b: Polynomial) -> Polynomial:
    """The sum."""
    found = [x + y for x, y in zip_longest(a, b, fillvalue=0)]
    while found and found[-1] == 0:
        found.pop()
    return tuple(found)


def by(a: Polynomial, b: Polynomial) -> Polynomial:
    """The product."""
    if not a or not b:
        return ()
    found = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                found[i + j] += x * y
    return tuple(found)


def lowest(top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Both without what they have in common: Euclid's algorithm over the integers."""
    a, b = primitive(top), primitive(bottom)
    while b:
        rest = list(a)
        while len(rest) >= len(b):
            lead, shift_by = rest[-1], len(rest) - len(b)
            rest = [c * b[-1] for c in rest]
            for i, c in enumerate(b):
                rest[shift_by + i] -= lead * c
            while rest and rest[-1] == 0:
                rest.pop()
        a, b = b, primitive(tuple(rest))
    divisor = math.gcd(*top, *bottom)
    return tuple(
        tuple(c // divisor for c in part) if len(a) == 1 else divided(part, a, divisor)
        for part in (top, bottom)
    )  # type: ignore[return-value]


def primitive(polynomial: Polynomial) -> Polynomial:
    """Without a common factor of its coefficients."""
    divisor = math.gcd(*polynomial) if polynomial else 1
    return tuple(c // divisor for c in polynomial)


def divided(polynomial: Polynomial, factor: Polynomial, divisor: int) -> Polynomial:
    """What is left of a polynomial without a primitive factor and an integer one."""
    rest, found = list(polynomial), []
    while len(rest) >= len(factor):
        quotient = rest[-1] // factor[-1]
        found.append(quotient // divisor)
        shift_by = len(rest) - len(factor)
        for i, c in enumerate(factor):
            rest[shift_by + i] -= quotient * c
        rest.pop()
    return tuple(reversed(found))


@functools.lru_cache(maxsize=256)
def exp_bounds(step: Fraction, bits: int) -> tuple[int, int]:
    """Integers around 2^bits e^step: the series of e^(step / 2^k), squared k times."""
    halvings = max(0, math.ceil(step)).bit_length()
    bits_now = bits + 2 * halvings + 2 * math.ceil(step) + 8  # e^step < 2^(2 step)
    x = step / 2**halvings  # at most 1
    low = term = 1 << bits_now
    n = 0
    while term:
        n += 1
        term = term * x.numerator // (n * x.denominator)
        low += term
    high = low + 2 * n + 2  # a division leaves less than 1 out, and the next ones half of that
    for _ in range(halvings):
        low, high = low * low >> bits_now, -(-high * high >> bits_now)
    return low >> bits_now - bits, -(-high >> bits_now - bits)


def polynomial_bounds(polynomial: Polynomial, step: Fraction, bits: int) -> tuple[int, int]:
    """Integers around 2^bits times the value at t, by Horner's rule on both sides."""
    below, above = exp_bounds(step, bits)
    low = high = 0
    for c in reversed(polynomial):
        low *= below if low > 0 else above
        high *= above if high > 0 else below
        low, high = (low >> bits) + (c << bits), -(-high >> bits) + (c << bits)
    return low, high


def polynomial_sign(polynomial: Polynomial, step: Fraction) -> int:
    """The sign at t, for a polynomial that is not 0."""
    if min(polynomial) >= 0 or max(polynomial) <= 0:
        return 1 if max(polynomial) > 0 else -1
    bits = 128
    while bits <= MAX_EXP_BITS:
        low, high = polynomial_bounds(polynomial, step, bits)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
        bits *= 2
    raise Rejected(f"a sign that {MAX_EXP_BITS} bits do not decide")


def spell_exponential(number: Exponential) -> str:
    """Numerator over denominator, in rising powers: (1 + 2*exp(1/2))/(9 + exp(1))."""
    shown = []
    for part in (number.top, number.bottom):
        said, terms = "", 0
        for i, c in enumerate(part):
            if c:
                power = f"exp({spell(i * number.step)})" if i else ""
                size = spell_integer(abs(c))
                word = power if power and size == "1" else "*".join(filter(None, (size, power)))
                said += ((" - " if c < 0 else " + ") if terms else "-" * (c < 0)) + word
                terms += 1
        shown.append((said, terms))
    (over, terms), (under, below) = shown
    if under == "1":
        return over
    single = below == 1 and "*" not in under
    return f"{over if terms == 1 else f'({over})'}/{under if single else f'({under})'}"


def spell(number: Any) -> str:
    """A number as it must be written."""
    if type(number) is Exponential:
        return spell_exponential(number)
    top = spell_integer(number.numerator)
    return top if number.denominator == 1 else f"{top}/{spell_integer(number.denominator)}"


def read_integer(text: str, longest: int) -> int:
    """An integer text; what is not canonical is found out when it is spelled again."""
    good = len(text) <= longest and re.fullmatch(r"-?(?:[0-9]{1,3999}|0x[0-9a-f]+)", text)
    need(good, f"{ascii(text)[:40]} is not a number in text")
    return int(text, 16 if "x" in text else 10)


def read_number(thing: Any) -> Any:
    """A number in its one spelling: a rational in lowest terms, or one with exponentials."""
    need(type(thing) is str, f"{ascii(thing)[:40]} is not a number in text")
    if "exp(" in thing:
        number = evaluate(thing, {})
        need(spell(number) == thing, f"{thing[:40]} is not in canonical form")
        return number
    top, slash, bottom = thing.partition("/")
    if slash:
        below = read_integer(bottom, MAX_SIDE)
        need(below > 0, f"{thing[:40]} is not a number in text")
        found = Fraction(read_integer(top, MAX_SIDE), below)
    else:
        found = Fraction(read_integer(top, MAX_HEXADECIMAL))
    need(spell(found) == thing, f"{thing[:40]} is not in canonical form")
    return found


def read_count(thing: Any) -> int:
    """How many: a JSON integer up to 10^15, text above."""
    if type(thing) is int:
        need(0 <= thing <= LARGEST_PLAIN, "not a count")
        return int(thing)
    found = read_number(thing)
    good = type(found) is Fraction and found.denominator == 1 and found > LARGEST_PLAIN
    need(good, "not a count")
    return int(found)


def read_text(thing: Any) -> str:
    """A printable string (no control characters, nothing that turns the text around)."""
    need(type(thing) is str and thing.isprintable(), "not a printable text")
    return str(thing)


def read_name(thing: Any) -> str:
    """A name that cannot make the claim's text say something else.

    After "under", "knowing" and "for" stands one name. Where that is one word, any word will do;
    where it is several, none of them may be one of these three, or "after".
    """
    name = read_text(thing)
    words = name.split(" ")
    one_word = len(words) == 1
    plain = not any(character in "{}();" for character in name)
    clear = one_word or not {"under", "for", "knowing", "after"} & set(words)
    need(plain and clear and name != "all priors", f"{ascii(name)[:80]} is not allowed here")
    return name


def read_digest(thing: Any) -> str:
    """64 hexadecimal digits."""
    need(type(thing) is str and re.fullmatch("[0-9a-f]{64}", thing), "not a digest")
    return str(thing)


def read_list(thing: Any, length: int | None = None) -> list[Any]:
    """A list, of a length if given."""
    good = type(thing) is list and length in (None, len(thing))
    need(good, "not a list" if length is None else f"not a list of {length} entries")
    return list(thing)


def read_position(thing: Any, length: int) -> int:
    """A position in a list of a length."""
    good = type(thing) is int and 0 <= thing < length
    need(good, f"{ascii(thing)[:40]} is not a position below {length}")
    return int(thing)


def read_flag(thing: Any) -> bool:
    """A truth value."""
    need(type(thing) is bool, "neither true nor false")
    return bool(thing)


class Fields:
    """An object with exactly the keys named (and some of the optional ones), read one by one."""

    def __init__(self, thing: Any, where: str, keys: str, optional: str = "") -> None:
        need(type(thing) is dict, f"{where} is not an object")
        wrong = set(keys.split()) - set(thing) | set(thing) - set(f"{keys} {optional}".split())
        need(not wrong, f"{where}: missing or unknown: {ascii(sorted(wrong))[:99]}")
        self.raw: dict[str, Any] = thing
        self.where = where

    def _read(self, key: str, reader: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return reader(self.raw[key], *arguments)
        except Rejected as error:
            raise Rejected(f"{self.where}.{key}: {error}") from None

    def number(self, key: str) -> Fraction:
        """A number in text."""
        found: Fraction = self._read(key, read_number)
        return found

    def count(self, key: str) -> int:
        """A count."""
        return int(self._read(key, read_count))

    def text(self, key: str) -> str:
        """A printable text."""
        return str(self._read(key, read_text))

    def name(self, key: str) -> str:
        """A name of a prior, a property or of background knowledge."""
        return str(self._read(key, read_name))

    def digest(self, key: str) -> str:
        """A digest."""
        return str(self._read(key, read_digest))

    def list(self, key: str, length: int | None = None) -> list[Any]:
        """A list."""
        found: list[Any] = self._read(key, read_list, length)
        return found

    def position(self, key: str, length: int) -> int:
        """A position in a list."""
        return int(self._read(key, read_position, length))

    def flag(self, key: str) -> bool:
        """A truth value."""
        return bool(self._read(key, read_flag))

    def value(self, key: str) -> bytes:
        """An input or an output, of which only equality matters."""
        return canonical(self.raw[key])


# === The claim


@dataclass(frozen=True)
class Constraint:
    """The sum of factor * mass(property) stands in the relation to the bound."""

    terms: tuple[tuple[Fraction, int], ...]
    relation: str
    bound: Fraction

    def factor(self, member: Sequence[bool]) -> Fraction:
        """What a unit of mass adds to the sum on inputs that have these properties."""
        return sum((factor for factor, place in self.terms if member[place]), ZERO)


@dataclass(frozen=True)
class BreachClaim:
    """No breach of these directions: under one prior, a family of priors, or all priors."""

    text: str
    directions: tuple[str, ...]
    rho1: Fraction
    rho2: Fraction
    prior: str | None
    family: tuple[Constraint, ...] | None
    properties: tuple[str, ...]
    about: int | None
    knowing: str | None
    reports: int = 1

    @property
    def by_counts(self) -> bool:
        """Whether several reports are told apart by how often each output was seen."""
        return self.reports > 1 and (self.prior is not None or self.family is not None)

    def breached(self, direction: str, before: Fraction, after: Fraction) -> bool:
        """EGS03 Definitions 1 and 2, with their non-strict inequalities."""
        if direction == "upward":
            return before <= self.rho1 and after >= self.rho2
        return before >= self.rho2 and after <= self.rho1


@dataclass(frozen=True)
class BoundClaim:
    """A measure stays within a bound; a formula says what a measure is that has no other rule."""

    text: str
    measure: str
    relation: str
    bound: Any
    prior: str | None
    unit: str | None
    formula: Any = None
    # A bound has no properties and no background knowledge; what is known of delta is the pair.
    properties: tuple[str, ...] = ()
    knowing: str | None = None
    reports: int = 1
    limit: Any = None  # on the ratio of likelihoods, for amplification and epsilon
    factor: Any = None  # e^epsilon, for delta

    @property
    def of_ratio(self) -> bool:
        """Whether it bounds the ratio of likelihoods."""
        return self.limit is not None

    @property
    def by_counts(self) -> bool:
        """Whether several reports are told apart by how often each output was seen."""
        return self.reports > 1 and not self.of_ratio and self.formula != LOG_RATIO

    def allows(self, value: Any, bound: Any) -> bool:
        """Whether a value keeps the bound."""
        return RELATIONS[self.relation](value, bound)


Claim = BreachClaim | BoundClaim


def read_claim(raw: Any) -> Claim:
    """The claim; its text must be the one that its other fields determine."""
    need(type(raw) is dict, "claim is not an object")
    claim = read_bound_claim(raw) if raw.get("kind") == "bound" else read_breach_claim(raw)
    need(raw["text"] == claim.text, f"the claim's text does not say {claim.text}")
    if isinstance(claim, BreachClaim):
        # Canonical: the claim's own property, then those of the constraints, as they first occur.
        used = [] if claim.about is None else [claim.about]
        used += [place for row in claim.family or () for _, place in row.terms]
        order = list(dict.fromkeys(used))
        need(order == list(range(len(claim.properties))), "the properties are not in their order")
    return claim


def read_breach_claim(raw: Any) -> BreachClaim:
    """A breach claim, with the text that it must have."""
    keys = "kind text direction rho1 rho2 under properties for knowing"
    fields = Fields(raw, "claim", keys, "reports")
    need(fields.text("kind") == "breach", "unknown sort of claim")
    direction = fields.text("direction")
    need(direction in ("both", "upward", "downward"), "unknown sort of claim: its direction")
    rho1, rho2 = fields.number("rho1"), fields.number("rho2")
    need(0 < rho1 < rho2 < 1, "not 0 < rho1 < rho2 < 1")
    names = tuple(read_name(name) for name in fields.list("properties"))
    need(len(set(names)) == len(names), "two properties of one name")
    said = "forbid " + ("" if direction == "both" else f"{direction} ") + "breach "
    if direction == "downward":
        said += f"{spell(rho2)} -> {spell(rho1)}"
    else:
        said += f"{spell(rho1)} -> {spell(rho2)}"
    prior, family, under = None, None, raw["under"]
    if type(under) is dict and "prior" in under:
        prior = Fields(under, "under", "prior").name("prior")
        said += f" under {prior}"
    elif under != "all priors":
        rows = Fields(under, "under", "constraints").list("constraints")
        family = tuple(read_constraint(row, len(names)) for row in rows)
        said += " under { " + "; ".join(constraint_text(row, names) for row in family) + " }"
    knowing = None if raw["knowing"] is None else fields.name("knowing")
    about = None if raw["for"] is None else fields.position("for", len(names))
    said += "" if knowing is None else f" knowing {knowing}"
    said += "" if about is None else f" for {names[about]}"
    directions = ("upward", "downward") if direction == "both" else (direction,)
    reports, after = read_reports(raw)
    said += after
    return BreachClaim(said, directions, rho1, rho2, prior, family, names, about, knowing, reports)


def read_reports(raw: Any) -> tuple[int, str]:
    """How many reports a claim speaks of (one, unless it says so), and how its text says it."""
    if "reports" not in raw:
        return 1, ""
    reports = read_count(raw["reports"])
    need(2 <= reports <= MAX_REPORTS, "claim.reports: not a number of several reports")
    return reports, f" after {reports} reports"


def read_constraint(raw: Any, properties: int) -> Constraint:
    """A linear constraint on the masses of properties."""
    fields = Fields(raw, "under", "terms relation bound")
    need(fields.text("relation") in RELATIONS, "unknown relation in a constraint")
    terms = []
    for entry in fields.list("terms"):
        factor, place = read_list(entry, 2)
        terms.append((read_number(factor), read_position(place, properties)))
    return Constraint(tuple(terms), raw["relation"], fields.number("bound"))


def constraint_text(row: Constraint, names: Sequence[str]) -> str:
    """A constraint as the claim's text spells it."""
    said = ""
    for factor, place in row.terms:
        if said:
            said += " - " if factor < 0 else " + "
        elif factor < 0:
            said = "-"
        size = "" if abs(factor) == 1 else f"{spell(abs(factor))} * "
        said += f"{size}mass({names[place]})"
    return f"{said or '0'} {row.relation} {spell(row.bound)}"


KNOWN_MEASURES: dict[str, tuple[str | None, ...]] = {  # and their units
    "amplification": (None,),
    "epsilon": (None,),
    "delta": (None,),
    "dependence": (None,),
    "worst_case_information": ("bit", "nat"),
}


# ln of the amplification, which the same outputs decide
LOG_RATIO = {"over": "max", "of": ["log", ["/", ["max", "likelihood"], ["min", "likelihood"]]]}


def read_bound_claim(raw: Any) -> BoundClaim:
    """A bound claim, with the text that it must have."""
    keys = "kind text measure relation bound prior unit properties"
    fields = Fields(raw, "claim", keys, "formula reports at")
    measure, unit = fields.text("measure"), raw["unit"]
    prior = None if raw["prior"] is None else fields.name("prior")
    relation = fields.text("relation")
    need(
        relation in ("<", "<=") and not fields.list("properties"), "unknown relation, or properties"
    )
    if "formula" in raw:
        need(measure not in KNOWN_MEASURES, "a measure known by name has no formula")
        need(re.fullmatch("[a-z][a-z0-9_]{0,79}", measure), "not the name of a measure")
        need(unit in (None, "bit", "nat"), "unknown unit")
        check_formula(raw["formula"], prior is not None)
    else:
        known = KNOWN_MEASURES.get(measure, ())
        need(type(unit) in (str, type(None)) and unit in known, "unknown measure, or not its unit")
        without = measure in ("amplification", "epsilon", "delta")
        need((prior is None) == without, "a prior too many or few")
    need(("at" in raw) == (measure == "delta"), "an epsilon too many or few")
    limit = factor = None
    if measure == "epsilon":
        limit, written = read_exponent(raw["bound"]), raw["bound"]
        bound: Any = limit
    else:
        bound = fields.number("bound")
        limit, written = (bound if measure == "amplification" else None), spell(bound)
    of = "" if prior is None else f"({prior})"
    if measure == "delta":
        factor, of = read_exponent(raw["at"]), f"({raw['at']})"
        need(factor >= 1 and "reports" not in raw, "delta: a negative epsilon, or several reports")
    in_unit = f" {unit}" if unit else ""
    reports, after = read_reports(raw)
    said = f"require {measure}{of} {relation} {written}{in_unit}{after}"
    formula, pair = raw.get("formula"), "pair" if measure == "delta" else None
    return BoundClaim(
        said, measure, relation, bound, prior, unit, formula, (), pair, reports, limit, factor
    )


def read_exponent(thing: Any) -> Any:
    """e^epsilon, of an epsilon in its one spelling: a rational, or ln(number)."""
    need(type(thing) is str, "not an epsilon in text")
    if not thing.startswith("ln("):
        epsilon = read_number(thing)
        need(type(epsilon) is Fraction, "an epsilon that is neither rational nor a logarithm")
        return e_to(epsilon)
    found = read_number(thing[3:-1])
    need(thing.endswith(")") and found > 0, "not a logarithm")
    power = type(found) is Exponential and {found.top, found.bottom} == {(1,), (0, 1)}
    need(found != 1 and not power, "a logarithm that is rational")
    return found


# === Views: what the outputs of an operator show


@dataclass(frozen=True)
class InputClass:
    """Inputs that a view does not tell apart; prior and knowledge are 1 where there is none."""

    likelihood: Fraction
    count: int
    member: tuple[bool, ...]
    prior: Fraction
    knowledge: Fraction
    example: bytes
    most: Fraction | None = None  # of a rounded matrix, of which `likelihood` is the least

    @property
    def kind(self) -> tuple[tuple[bool, ...], Fraction, Fraction]:
        """What the input is by itself, whatever the output."""
        return self.member, self.prior, self.knowledge

    @property
    def seen(self) -> Fraction:
        """The probability of the output and of what is known."""
        return self.likelihood * self.knowledge


@dataclass(frozen=True)
class View:
    """What an output shows (and what is known with it), by class; so many outputs show it."""

    classes: tuple[InputClass, ...]
    outputs: int
    output: bytes
    known: bytes

    def mass_of(self, weight: Callable[[InputClass], Fraction]) -> Fraction:
        """The sum over all inputs."""
        return sum((part.count * weight(part) for part in self.classes), ZERO)


Reader = Callable[[Any], Fraction]


def read_view(raw: Any, where: str, claim: Claim, form: Reader) -> View:
    """A view by itself; `form` reads its numbers."""
    keys = "classes outputs output" + (" known" if claim.knowing is not None else "")
    fields = Fields(raw, where, keys)
    outputs = fields.count("outputs")
    need(outputs >= 1, f"{where}: no output")
    known = fields.value("known") if claim.knowing is not None else b""
    classes = tuple(read_class(part, where, claim, form) for part in fields.list("classes"))
    need(len({part.example for part in classes}) == len(classes), f"{where}: an example twice")
    need(classes, f"{where}: no classes")
    return View(classes, outputs, fields.value("output"), known)


def read_class(raw: Any, where: str, claim: Claim, form: Reader) -> InputClass:
    """A class of a view."""
    keys = "likelihood count example"
    keys += " member" if claim.properties else ""
    keys += " prior" if claim.prior is not None else ""
    pair = isinstance(claim, BoundClaim)  # what is known of delta is which pair, not a chance
    keys += " knowledge" if claim.knowing is not None and not pair else ""
    fields = Fields(raw, where, keys)
    member = tuple(fields.list("member")) if claim.properties else ()
    flags = all(type(m) is bool for m in member) and len(member) == len(claim.properties)
    need(flags, f"{where}: bad membership")
    likelihood = form(raw["likelihood"])
    prior = form(raw["prior"]) if claim.prior is not None else ONE
    knowledge = form(raw["knowledge"]) if "knowledge" in raw else ONE
    count = fields.count("count")
    need(count >= 1, f"{where}: a class without inputs")
    need(likelihood >= 0, f"{where}: a likelihood below 0")
    need(0 <= prior <= 1 and 0 <= knowledge <= 1, f"{where}: a probability not in [0, 1]")
    return InputClass(likelihood, count, member, prior, knowledge, fields.value("example"))


@dataclass(frozen=True)
class Described:
    """The operator as the certificate describes it, its views not yet read."""

    name: str
    inputs: int
    outputs: int
    relative: bool
    parameters: dict[str, Interval]
    raw: dict[str, Any]
    extreme: bool = False


def read_described(raw: Any) -> Described:
    """The operator's frame and its free parameters; its views must have their digest."""
    keys = "name inputs outputs likelihoods parameters views views_sha256"
    fields = Fields(raw, "operator", keys, "one_report columns known rows")
    found = digest(canonical(fields.list("views")))
    need(fields.digest("views_sha256") == found, "views_sha256 is not the views' digest")
    sort = fields.text("likelihoods")
    rounded = any(key in raw for key in ("columns", "known", "rows"))
    need(sort in ("probabilities", "relative", "extreme", "within"), "unknown sort of likelihoods")
    need(rounded == (sort == "within"), "rows are those of a rounded matrix")
    parameters: dict[str, Interval] = {}
    for entry in fields.list("parameters"):
        row = Fields(entry, "parameters", "name interval")
        name = row.text("name")
        named = name.isidentifier() or re.fullmatch(EXP_NAME, name)
        good = named and name not in parameters
        need(good, "a parameter twice, or one without a name")
        parameters[name] = read_interval(row.text("interval"))
    inputs, outputs = fields.count("inputs"), fields.count("outputs")
    extreme = sort == "extreme"
    relative = extreme or sort == "relative"
    return Described(fields.text("name"), inputs, outputs, relative, parameters, raw, extreme)


def read_pairs(described: Described, claim: BoundClaim, form: Reader) -> list[View]:
    """The views of pairs of inputs: each input's likelihoods sum to 1 over all outputs."""
    rows = described.raw["views"]
    views = [read_view(raw, f"views[{i}]", claim, form) for i, raw in enumerate(rows)]
    need(not described.relative, "relative likelihoods of a pair")
    need(views or described.inputs == 1, "no pairs")
    bound_denominators(views)
    for shown in by_pair(views).values():
        pair = {tuple(part.example for part in view.classes) for view in shown}
        alike = len(pair) == 1 and all(len(v.classes) == 2 for v in shown)
        need(alike and len({v.output for v in shown}) == len(shown), "not the views of one pair")
        need(all(c.count == 1 for v in shown for c in v.classes), "an input of a pair twice")
        need(sum(v.outputs for v in shown) == described.outputs, "a pair misses outputs")
        for place in (0, 1):
            mass = sum(v.outputs * v.classes[place].likelihood for v in shown)
            need(mass == 1, "likelihoods of an input of a pair do not sum to 1")
    return views


def by_pair(views: list[View]) -> dict[bytes, list[View]]:
    """The views of each pair."""
    found: dict[bytes, list[View]] = {}
    for view in views:
        found.setdefault(view.known, []).append(view)
    return found


def read_views(described: Described, claim: Claim, form: Reader = read_number) -> list[View]:
    """The views, which must be able to belong to an operator."""
    if isinstance(claim, BoundClaim) and claim.factor is not None:
        return read_pairs(described, claim, form)
    # A relative view stands for outputs with other counts, too: only for what no count decides.
    by_count = claim.prior is not None or claim.knowing is not None or bool(claim.properties)
    if isinstance(claim, BreachClaim):
        by_count = by_count or claim.family is not None
    elif claim.formula is not None:
        by_count = by_count or not scale_free(claim.formula)
    need(not (described.relative and by_count), "relative likelihoods: all priors only")
    rows = described.raw["views"]
    if described.extreme:
        # What is said of all outputs follows from the greatest ratio, of two inputs.
        ratio = isinstance(claim, BreachClaim) or claim.of_ratio or claim.formula == LOG_RATIO
        need(ratio, "an extreme view: for the greatest ratio only")
        need(len(rows) == 1, "an extreme view is the only one")
    views = [read_view(raw, f"views[{i}]", claim, form) for i, raw in enumerate(rows)]
    need(views, "no views")
    places = {(view.output, view.known) for view in views}
    need(len(places) == len(views), "an output twice")
    bound_denominators(views)
    for i, view in enumerate(views):
        total = sum(part.count for part in view.classes)
        good = total == described.inputs
        if described.extreme:
            good = len(view.classes) <= 2 and total <= described.inputs
        need(good, f"views[{i}]: counts do not sum to the inputs")
        if claim.prior is not None:
            good = view.mass_of(lambda part: part.prior) == 1
            need(good, f"views[{i}]: the prior does not sum to 1")
        if not described.relative:
            good = all(part.likelihood <= 1 for part in view.classes)
            need(good, f"views[{i}]: a likelihood above 1")
    need(any(c.likelihood for view in views for c in view.classes), "no output is ever seen")
    by_known: dict[bytes, list[View]] = {}
    for view in views:
        by_known.setdefault(view.known, []).append(view)
    for group in by_known.values():
        need(
            sum(v.outputs for v in group) == described.outputs,
            "outputs do not sum to the operator's",
        )
        kinds = kinds_of(group[0])
        need(all(kinds_of(view) == kinds for view in group), "kinds of inputs not as elsewhere")
        # The likelihoods of each input sum to 1, so those of a kind's inputs sum to their number.
        mass: Counter[Any] = Counter()
        for view in [] if described.relative else group:
            for part in view.classes:
                mass[part.kind] += view.outputs * part.count * part.likelihood  # type: ignore[assignment]
        good = described.relative or mass == kinds
        need(good, "likelihoods do not sum to 1 for inputs of a kind")
    # So do, over all that may be known, the probabilities of knowing it.
    groups = [kinds_of(group[0]) for group in by_known.values()]
    known_mass: Counter[Any] = Counter()
    for kinds in groups:
        for (member, prior, knowledge), n in kinds.items():
            known_mass[member, prior] += n * knowledge
    for kinds in groups:
        numbers: Counter[Any] = Counter()
        for (member, prior, _), n in kinds.items():
            numbers[member, prior] += n
        need(numbers == known_mass, "probabilities of what is known do not sum to 1")
    need(("one_report" in described.raw) == claim.by_counts, "one_report is there or not by claim")
    if claim.by_counts:
        check_counted(described, claim, by_known, form)
        return views
    return views if claim.reports == 1 else [to_power(view, claim.reports) for view in views]


def kinds_of(view: View) -> Counter[Any]:
    """How many inputs there are of each kind."""
    found: Counter[Any] = Counter()
    for part in view.classes:
        found[part.kind] += part.count
    return found


def bound_denominators(views: list[View]) -> None:
    """Refuse numbers whose sums would grow without end."""
    common, met = 1, set()
    for part in (part for view in views for part in view.classes):
        for number in (part.likelihood, part.prior, part.knowledge):
            if type(number) is Fraction and number.denominator not in met:
                met.add(number.denominator)
                common = math.lcm(common, number.denominator)
                need(
                    common.bit_length() <= MAX_COMMON, "the views' common denominator is too large"
                )


# === Several reports


def to_power(view: View, reports: int) -> View:
    """The view of one output, seen in every report; no other sequence has greater ratios."""
    # Ratios are all that counts: whole numbers without a common divisor have the shortest powers.
    numbers: list[Any] = [part.likelihood for part in view.classes]
    if any(type(number) is Exponential for number in numbers):
        least = min((number for number in numbers if number), default=ONE)
        bits = max(bit_size(number / least) for number in numbers)
        need(bits * reports <= MAX_POWER, "likelihoods of so many reports are too long")
        powers = [(number / least) ** reports for number in numbers]
    else:
        common = math.lcm(*(number.denominator for number in numbers))
        whole = [int(number * common) for number in numbers]
        divisor = math.gcd(*whole) or 1
        bits = max(whole).bit_length() - divisor.bit_length()
        need(bits * reports <= MAX_POWER, "likelihoods of so many reports are too long")
        powers = [Fraction((number // divisor) ** reports) for number in whole]
    parts = zip(view.classes, powers, strict=True)
    return replace(view, classes=tuple(replace(part, likelihood=p) for part, p in parts))


@dataclass(frozen=True)
class OneReport:
    """Inputs alike in all (their classes have likelihood 1), with their rows; equal columns once.

    columns: the output as it is written, and how many outputs have that column.
    """

    kinds: tuple[InputClass, ...]
    rows: tuple[tuple[Fraction, ...], ...]
    columns: tuple[tuple[Any, int], ...]
    known: bytes


def read_one_report(raw: Any, claim: Claim, form: Reader) -> OneReport:
    """The rows of one report, which are distributions."""
    fields = Fields(
        raw, "one_report", "columns rows" + (" known" if claim.knowing is not None else "")
    )
    columns = []
    for entry in fields.list("columns"):
        column = Fields(entry, "one_report", "output outputs")
        columns.append((column.raw["output"], column.count("outputs")))
    need(len({canonical(y) for y, _ in columns}) == len(columns), "one_report: an output twice")
    kinds, rows = [], []
    for entry in fields.list("rows"):
        need(type(entry) is dict and "likelihoods" in entry, "one_report: no likelihoods")
        row = tuple(form(number) for number in read_list(entry["likelihoods"], len(columns)))
        rest = {key: entry[key] for key in entry if key != "likelihoods"}
        kinds.append(read_class({**rest, "likelihood": "1"}, "one_report", claim, form))
        mass = sum(n * p for (_, n), p in zip(columns, row, strict=True))
        need(mass == 1 and all(p >= 0 for p in row), "one_report: a row is no distribution")
        rows.append(row)
    known = fields.value("known") if claim.knowing is not None else b""
    return OneReport(tuple(kinds), tuple(rows), tuple(columns), known)


def check_counted(
    described: Described, claim: Claim, by_known: dict[bytes, list[View]], form: Reader
) -> None:
    """The views are those of so many reports, told apart by how often each output was seen."""
    entries = [read_one_report(e, claim, form) for e in read_list(described.raw["one_report"])]
    order = [entry.known for entry in entries]
    need(sorted(order) == sorted(by_known), "one_report: another knowledge than that of the views")
    laws = set()
    for one in entries:
        need(sum(n for _, n in one.columns) ** claim.reports == described.outputs, "other outputs")
        law: Counter[Any] = Counter()
        for kind, row in zip(one.kinds, one.rows, strict=True):
            law[kind.member, kind.prior, row] += kind.count
        laws.add((canonical(one.columns), frozenset(law.items())))
        shown: dict[frozenset[Any], int] = {}
        outputs: dict[bytes, frozenset[Any]] = {}
        for output, sequences, view in counted_views(one, claim.reports):
            outputs[output] = view
            shown[view] = shown.get(view, 0) + sequences
        stated: dict[frozenset[Any], int] = {}
        for listed in by_known[one.known]:
            view = what_is_shown((part, part.likelihood) for part in listed.classes)
            stated[view] = stated.get(view, 0) + listed.outputs
            need(outputs.get(listed.output) == view, "a view is not that of its output")
        need(shown == stated, "the views are not those of so many reports")
    need(len(laws) == 1, "one_report: rows that depend on what is known")


def counted_views(one: OneReport, reports: int) -> Iterator[tuple[bytes, int, frozenset[Any]]]:
    """For each way to see so many outputs: as it is written, in how many orders, what it shows."""
    width = len(one.columns)
    ways = math.comb(width + reports - 1, reports)
    need(width and ways <= MAX_SEQUENCES, "more ways to see so many reports than are checked")
    bits = max(bit_size(p) for row in one.rows for p in row) - 1
    need(bits * reports <= MAX_POWER, "likelihoods of so many reports are too long")
    numbers = {p for row in one.rows for p in row}
    powers = {p: [p**k for k in range(reports + 1)] for p in numbers}
    for bars in combinations(range(width + reports - 1), width - 1):  # counts lie between bars
        ends = (-1, *bars, width + reports - 1)
        counts = [b - a - 1 for a, b in pairwise(ends)]
        sequences, left, written = 1, reports, []
        for (output, n), k in zip(one.columns, counts, strict=True):
            sequences *= math.comb(left, k) * n**k
            left -= k
            written += [{"tuple": [output, k]}] if k else []
        chances = [
            math.prod((powers[p][k] for p, k in zip(row, counts, strict=True)), start=ONE)
            for row in one.rows
        ]
        shows = what_is_shown(zip(one.kinds, chances, strict=True))
        yield canonical({"tuple": written}), sequences, shows


def what_is_shown(classes: Iterable[tuple[InputClass, Fraction]]) -> frozenset[Any]:
    """How many inputs of each kind have which likelihood."""
    found: Counter[Any] = Counter()
    for part, likelihood in classes:
        found[part.kind, likelihood] += part.count
    return frozenset(found.items())


# === What the claim says: before and after, thresholds, and claims that no case can test


def shift(view: View, inside: Sequence[Fraction], everywhere: Sequence[Fraction]) -> Any:
    """(P[Q | z], P[Q | y, z]) from the masses by class of Q and of all; None if not reached."""
    sums = [ZERO, ZERO, ZERO, ZERO]
    for part, own, mass in zip(view.classes, inside, everywhere, strict=True):
        sums[0] += part.knowledge * own
        sums[1] += part.knowledge * mass
        sums[2] += part.seen * own
        sums[3] += part.seen * mass
    if sums[3] == 0:
        return None
    return sums[0] / sums[1], sums[2] / sums[3]


@dataclass(frozen=True)
class Limits:
    """Between which numbers the two thresholds lie, before they are clipped."""

    above_low: Fraction
    above_high: Fraction
    below_low: Fraction
    below_high: Fraction


@dataclass(frozen=True)
class Decision:
    """Whether the claim is broken, and its thresholds where they are decided."""

    breached: bool
    limits: Limits | None = None


def thresholds_json(limits: Limits | None, claim: Claim) -> Any:
    """The thresholds as they must be written, clipped to what rho1 and rho2 allow."""
    if limits is None or not isinstance(claim, BreachClaim):
        return None
    above = [min(max(end, claim.rho1), ONE) for end in (limits.above_low, limits.above_high)]
    below = [max(min(end, claim.rho2), ZERO) for end in (limits.below_low, limits.below_high)]
    return {
        "rho2_above": threshold_json(above[0], above[1], ONE),
        "rho1_below": threshold_json(below[0], below[1], ZERO),
    }


def threshold_json(low: Fraction, high: Fraction, nothing: Fraction) -> Any:
    """A number, an enclosure, or null where the claim holds for none."""
    if low < high:
        return {"lo": spell(low), "hi": spell(high)}
    return None if low == nothing else spell(low)


def is_vacuous(views: list[View], claim: Claim) -> bool:
    """Whether no case can test the claim.

    A case: an admitted prior, a known z and a property that the claim speaks of, with
    0 < P[Q | z] <= rho1 (upward), or with rho2 <= P[Q | z] < 1 (downward).
    """
    if not isinstance(claim, BreachClaim):
        return False
    one_view_each = {view.known: view for view in views}.values()
    testable = tests_prior if claim.prior is not None else tests_family
    return not any(testable(view, claim) for view in one_view_each)


def tests_prior(view: View, claim: BreachClaim) -> bool:
    """One prior: the mass of the claim's property, or (any property) the least of an input."""
    total = view.mass_of(lambda part: part.prior * part.knowledge)
    if total == 0:
        return False
    if claim.about is not None:
        own = view.mass_of(lambda part: part.prior * part.knowledge * part.member[claim.about or 0])
        upward, downward = own / total, 1 - own / total
    else:  # a property of small mass holds an input of small mass; downward its complement does
        masses = [part.prior * part.knowledge / total for part in view.classes]
        upward = downward = min(mass for mass in masses if mass)
    return ("upward" in claim.directions and 0 < upward <= claim.rho1) or (
        "downward" in claim.directions and 0 < downward <= 1 - claim.rho2
    )


def tests_family(view: View, claim: BreachClaim) -> bool:
    """A family of priors, or all: is there one with such a mass? Linear rows in masses by kind."""
    kinds = list(kinds_of(view).items())
    known = [kind[2] for kind, _ in kinds]
    rows: list[Row] = [Row([ONE] * len(kinds), True)]
    for constraint in claim.family or ():
        # The masses sum to 1, so the bound may be written as bound * (their sum).
        slack = [constraint.factor(kind[0]) - constraint.bound for kind, _ in kinds]
        if "<" not in constraint.relation:
            rows.append(Row(slack, constraint.relation == ">"))
        if ">" not in constraint.relation:
            rows.append(Row([-s for s in slack], constraint.relation == "<"))
    for direction in claim.directions:
        most = claim.rho1 if direction == "upward" else 1 - claim.rho2
        for small, splits in small_sets(claim, direction, kinds):
            mass = [k * inside for k, inside in zip(known, small, strict=True)]
            room = [most * k - m for k, m in zip(known, mass, strict=True)]
            # Among two inputs or more, mass on the kind can be moved away from one of them.
            limit = [] if splits else [Row(room, False)]
            if satisfiable([*rows, Row(mass, True), *limit]):
                return True
    return False


def small_sets(
    claim: BreachClaim, direction: str, kinds: list[Any]
) -> Iterator[tuple[list[bool], bool]]:
    """The sets whose mass must be small, by kind; and whether it can be made as small as liked."""
    if claim.about is not None:
        inside = direction == "upward"
        yield [kind[0][claim.about] == inside for kind, _ in kinds], False
        return
    for place, (_, count) in enumerate(kinds):
        yield [other == place for other in range(len(kinds))], count > 1


@dataclass(frozen=True)
class Row:
    """sum of coefficient * x is at least 0, or above 0 if strict."""

    coefficients: Sequence[Fraction]
    strict: bool


def satisfiable(rows: Sequence[Row]) -> bool:
    """Whether some x >= 0 satisfies all rows: the simplex method in Fractions, Bland's rule.

    Rows have no constants, so that x may be scaled: "above 0" may be read as "at least 1".
    A row is kept as: basic variable + sum of entries * (other variables) = right side >= 0.
    """
    width = len(rows[0].coefficients)
    free = width + len(rows)  # variables: x, then what each row exceeds its bound by
    table: list[list[Fraction]] = []
    basis: list[int] = []
    for place, row in enumerate(rows):
        sign = 1 if row.strict else -1
        entries = [sign * c for c in row.coefficients] + [ZERO] * len(rows)
        entries[width + place] = Fraction(-sign)
        table.append([*entries, Fraction(row.strict)])
        basis.append(free + place if row.strict else width + place)
    while True:  # drive the artificial variables (those from `free` on) to 0
        lacking = [line for line, variable in zip(table, basis, strict=True) if variable >= free]
        if sum(line[-1] for line in lacking) == 0:
            return True
        enter = next((j for j in range(free) if sum(line[j] for line in lacking) > 0), None)
        if enter is None:
            return False
        leave = min(
            (i for i in range(len(table)) if table[i][enter] > 0),
            key=lambda i: (table[i][-1] / table[i][enter], basis[i]),
        )
        scale = table[leave][enter]
        table[leave] = [entry / scale for entry in table[leave]]
        for i, line in enumerate(table):
            if i != leave and line[enter]:
                table[i] = [a - line[enter] * b for a, b in zip(line, table[leave], strict=True)]
        basis[leave] = enter


# === Evidence "ratio": all priors, and amplification


def ratio(views: list[View], claim: Claim) -> Decision:
    """Statement 1 of EGS03 and its converse on each view; and amplification."""
    if isinstance(claim, BoundClaim):
        return Decision(any(not keeps_amplification(view, claim) for view in views))
    above, below, breached = ZERO, ONE, False
    rho1, rho2 = claim.rho1, claim.rho2
    for view, direction in product(views, claim.directions):
        inside, outside = [], []
        for part in view.classes:
            if part.knowledge == 0:
                continue  # what is known excludes these inputs
            has = None if claim.about is None else part.member[claim.about]
            # Downward is upward for the complement.
            if has is None or has == (direction == "upward"):
                inside.append(part.likelihood)
            if has is None or has != (direction == "upward"):
                outside.append(part.likelihood)
        if not outside or not any(inside):
            continue
        # The worst prior has two points: the likeliest input inside Q, the least likely outside.
        most, least = max(inside), min(outside)
        breached = breached or rho1 * (1 - rho2) * most >= rho2 * (1 - rho1) * least
        above = max(above, rho1 * most / (rho1 * most + (1 - rho1) * least))
        below = min(below, rho2 * least / (rho2 * least + (1 - rho2) * most))
    return Decision(breached, Limits(above, above, below, below))


def keeps_amplification(view: View, claim: BoundClaim) -> bool:
    """Whether the likelihoods of a view keep the bound on their ratio; so does one never seen."""
    most = max(part.likelihood for part in view.classes)
    least = min(part.likelihood for part in view.classes)
    return most == 0 or (least > 0 and claim.allows(most / least, claim.limit))


# === Evidence "pairs": delta of (epsilon, delta)-local differential privacy


def excess(shown: list[View], likely: int, unlikely: int, factor: Any) -> Any:
    """The sum over outputs of max(0, p[x1 -> y] - e^epsilon p[x2 -> y]) of a pair."""
    total: Any = ZERO
    for view in shown:
        gap = view.classes[likely].likelihood - factor * view.classes[unlikely].likelihood
        if gap > 0:
            total += view.outputs * gap
    return total


def pairs(views: list[View], claim: BoundClaim) -> Decision:
    """Every pair of inputs, in both orders."""
    found = [
        excess(shown, likely, 1 - likely, claim.factor)
        for shown in by_pair(views).values()
        for likely in (0, 1)
    ]
    return Decision(not all(claim.allows(value, claim.bound) for value in found))


def replay_pair(fields: Fields, views: list[View], view: View, claim: BoundClaim) -> None:
    """The pair's delta breaks the claim."""
    likely, unlikely = fields.position("likely", 2), fields.position("unlikely", 2)
    need(likely != unlikely, "the witness is no pair")
    value = excess(by_pair(views)[view.known], likely, unlikely, claim.factor)
    need(fields.raw["value"] == spell(value), f"the witness's delta is {spell(value)}")
    need(not claim.allows(value, claim.bound), "the witness does not break the claim")


# === Evidence "arithmetic": one prior, one property


def arithmetic(views: list[View], claim: BreachClaim) -> Decision:
    """Compute before and after on each reached view."""
    above, below, breached = ZERO, ONE, False
    assert claim.about is not None
    for view in views:
        masses = [part.count * part.prior for part in view.classes]
        own = [m * c.member[claim.about] for m, c in zip(masses, view.classes, strict=True)]
        moved = shift(view, own, masses)
        if moved is None:
            continue
        for direction in claim.directions:
            low, high = moved if direction == "upward" else (moved[1], moved[0])
            if low <= claim.rho1:
                above = max(above, high)
            if high >= claim.rho2:
                below = min(below, low)
            breached = breached or claim.breached(direction, *moved)
    return Decision(breached, Limits(above, above, below, below))


# === Evidence "knapsack": one prior, every property


@dataclass(frozen=True)
class Shares:
    """What one input of each class adds to a probability, in whole units, and the units of 1.

    Numbers with exponentials have no common unit: theirs is 1, and nothing is rounded.
    """

    units: tuple[Any, ...]
    total: Any
    whole: bool = True


def whole_shares(view: View, weight: Callable[[InputClass], Fraction]) -> Shares:
    """Shares in the largest unit of which all are multiples."""
    parts: list[Any] = [weight(part) for part in view.classes]
    if any(type(part) is Exponential for part in parts):
        return Shares(tuple(parts), view.mass_of(weight), False)
    common = math.lcm(*(part.denominator for part in parts))
    scaled = [int(part * common) for part in parts]
    divisor = math.gcd(*scaled) or 1
    units = tuple(s // divisor for s in scaled)
    return Shares(units, sum(u * c.count for u, c in zip(units, view.classes, strict=True)))


@dataclass(frozen=True)
class Knapsack:
    """On one view: the most of sum(n values) / total, with sum(n weights) / total <= room."""

    view: View
    weights: Shares
    values: Shares

    def most_by_tree(
        self, tree: Any, low: tuple[int, ...], high: tuple[int, ...], room: Any, depth: int = 0
    ) -> Any:
        """What a branch tree proves to be the most, for low <= n <= high and so many units."""
        weights, values = self.weights.units, self.values.units
        if tree == "over":
            least = sum(n * w for n, w in zip(low, weights, strict=True))
            need(least > room, "a part is not over")
            return 0
        if type(tree) is str:
            # Lagrange: sum(n v) <= x room + sum(n (v - x w)) for x >= 0, at most where each n is at
            # the end that its sign wants; x = s/t in units of shares. Values are whole: round.
            need(read_number(tree) >= 0, "a negative multiplier")
            multiplier = read_number(tree) * self.values.total / self.weights.total
            whole = self.values.whole and self.weights.whole
            s, t = (multiplier.numerator, multiplier.denominator) if whole else (multiplier, 1)
            bound = s * room
            for v, w, lo, hi in zip(values, weights, low, high, strict=True):
                gain = t * v - s * w
                bound += gain * (hi if gain > 0 else lo)
            return bound // t if whole else bound
        branch = Fields(tree, "a branch", "class at below above")
        place, at = branch.position("class", len(low)), branch.count("at")
        need(low[place] <= at < high[place] and depth < MAX_DEPTH, "a bad branch")
        lower_high, upper_low = list(high), list(low)
        lower_high[place], upper_low[place] = at, at + 1
        return max(
            self.most_by_tree(tree["below"], low, tuple(lower_high), room, depth + 1),
            self.most_by_tree(tree["above"], tuple(upper_low), high, room, depth + 1),
        )


def enclosed_maximum(
    raw: Any, knapsacks: Sequence[Knapsack | None], room: Fraction
) -> tuple[Fraction, Fraction]:
    """Between which numbers the maximum over the views lies: attained below, by trees above."""
    fields = Fields(raw, "a bound", "at_least view inside at_most trees")
    least, most = fields.number("at_least"), fields.number("at_most")
    trees = fields.list("trees", len(knapsacks))
    for sack, tree in zip(knapsacks, trees, strict=True):
        need((tree is None) == (sack is None), "a tree is null iff its view is not reached")
        if sack is not None:
            none = (0,) * len(sack.view.classes)
            every = tuple(part.count for part in sack.view.classes)
            units = room * sack.weights.total
            if sack.weights.whole and type(room) is Fraction:
                units = math.floor(units)
            shown = sack.most_by_tree(tree, none, every, units)
            need(shown <= most * sack.values.total, "a tree does not show at_most")
    best = knapsacks[fields.position("view", len(knapsacks))]
    if best is None:
        raise Rejected("a bound's view is not reached")
    last, weight, value = -1, ZERO, ZERO
    for entry in fields.list("inside"):
        pair = read_list(entry, 2)
        place, n = read_position(pair[0], len(best.view.classes)), read_count(pair[1])
        need(place > last and n <= best.view.classes[place].count, "inside is not in order")
        weight += n * best.weights.units[place]
        value += n * best.values.units[place]
        last = place
    need(weight <= room * best.weights.total, "inside is not admitted")
    need(value == least * best.values.total, "inside does not attain at_least")
    return least, most


def knapsack(views: list[View], claim: BreachClaim, evidence: Any) -> Decision:
    """Enclosures of the greatest after (A) and of the greatest before (B), by branch trees."""
    fields = Fields(evidence, "evidence", "kind " + " ".join(claim.directions))
    after_most: list[Knapsack | None] = []
    before_most: list[Knapsack | None] = []
    for view in views:
        before = whole_shares(view, lambda part: part.prior * part.knowledge)
        after = whole_shares(view, lambda part: part.prior * part.seen)
        reached = after.total > 0
        after_most.append(Knapsack(view, before, after) if reached else None)
        before_most.append(Knapsack(view, after, before) if reached else None)
    above, below = [], []
    for direction in claim.directions:
        side = Fields(fields.raw[direction], direction, "rho2_above rho1_below").raw
        first, second = after_most, before_most
        if direction == "downward":
            first, second = before_most, after_most
        above.append(enclosed_maximum(side["rho2_above"], first, claim.rho1))
        below.append(enclosed_maximum(side["rho1_below"], second, 1 - claim.rho2))
    least, most = max(low for low, _ in above), max(high for _, high in above)
    need(most < claim.rho2 or least >= claim.rho2, "the bounds leave the claim open")
    below_high, below_low = 1 - max(low for low, _ in below), 1 - max(high for _, high in below)
    return Decision(least >= claim.rho2, Limits(least, most, below_low, below_high))


# === Evidence "farkas": a family of priors


def admitted(view: View, masses: Sequence[Fraction], claim: BreachClaim) -> bool:
    """Whether masses by class are a prior that the claim's family admits."""
    if min(masses) < 0 or sum(masses) != 1:
        return False
    for row in claim.family or ():
        total = sum(m * row.factor(c.member) for m, c in zip(masses, view.classes, strict=True))
        if not RELATIONS[row.relation](total, row.bound):
            return False
    return True


Variable = tuple[int, bool]  # mass of a class: inside Q (u), or outside (w); downward reversed


@dataclass(frozen=True)
class System:
    """Rows with a relation to 0 and a constant, and the coefficients of each variable, >= 0."""

    relations: tuple[str, ...]
    constants: tuple[Fraction, ...]
    columns: dict[Variable, tuple[Fraction, ...]]

    def without(self, variable: Variable) -> System:
        """The system in which a variable is 0."""
        left = {key: column for key, column in self.columns.items() if key != variable}
        return System(self.relations, self.constants, left)


def breach_system(view: View, claim: BreachClaim, direction: str) -> System:
    """The breaches on a view as a linear system (docs/certificate.md, farkas)."""
    upward = direction == "upward"  # downward is upward for the complement of Q
    low, high = claim.rho1, claim.rho2
    if not upward:
        low, high = 1 - claim.rho2, 1 - claim.rho1
    family = claim.family or ()
    turns = [-1 if "<" in row.relation else 1 for row in family]
    relations = ["==", ">=", ">=", ">"] + [row.relation.replace("<", ">") for row in family]
    constants = [Fraction(-1), ZERO, ZERO, ZERO]
    constants += [-turn * row.bound for turn, row in zip(turns, family, strict=True)]
    columns: dict[Variable, tuple[Fraction, ...]] = {}
    for place, part in enumerate(view.classes):
        for inside in (True, False):
            if claim.about is not None and (part.member[claim.about] == upward) != inside:
                continue
            tail = [t * row.factor(part.member) for t, row in zip(turns, family, strict=True)]
            before = part.knowledge * (low - inside)
            # Of a rounded matrix each input has the likelihood that makes the breach greatest.
            seen = part.seen if part.most is None or not inside else part.most * part.knowledge
            after = seen * (inside - high)
            columns[place, inside] = (ONE, before, after, seen, *tail)
    return System(tuple(relations), tuple(constants), columns)


def refute(tree: Any, view: View, system: System, depth: int = 0) -> None:
    """Show that a system has no solution."""
    need(depth < MAX_DEPTH, "a tree too deep")
    if type(tree) is dict:  # a single input is in Q or not: two cases, each without a variable
        branch = Fields(tree, "a branch", "class inside outside")
        place = branch.position("class", len(view.classes))
        both = (place, True) in system.columns and (place, False) in system.columns
        need(view.classes[place].count == 1 and both, "a class that cannot be split")
        refute(tree["inside"], view, system.without((place, False)), depth + 1)
        refute(tree["outside"], view, system.without((place, True)), depth + 1)
        return
    # At a solution the sum of multiplier * row is >= 0 (> 0 with a strict row that counts), but
    # no variable adds to it, for all are >= 0; so its constant must not be below that.
    multipliers = [read_number(m) for m in read_list(tree, len(system.relations))]
    strict = False
    for multiplier, relation in zip(multipliers, system.relations, strict=True):
        need(multiplier >= 0 or relation == "==", "a negative multiplier")
        strict = strict or (multiplier > 0 and relation == ">")
    for column in system.columns.values():
        total = sum(m * c for m, c in zip(multipliers, column, strict=True))
        need(total <= 0, "a positive coefficient")
    constant = sum(m * c for m, c in zip(multipliers, system.constants, strict=True))
    need(constant < 0 or (constant == 0 and strict), "no contradiction")


def farkas(views: list[View], claim: BreachClaim, evidence: Any) -> Decision:
    """The family is not empty, and multipliers show that no view's system has a solution."""
    fields = Fields(evidence, "evidence", "kind prior " + " ".join(claim.directions))
    prior = [read_number(m) for m in fields.list("prior", len(views[0].classes))]
    need(admitted(views[0], prior, claim), "evidence.prior is not of the family")
    for direction in claim.directions:
        trees = fields.list(direction, len(views))
        for view, tree in zip(views, trees, strict=True):
            refute(tree, view, breach_system(view, claim, direction))
    return Decision(False)


# === Evidence "enclosure": dependence and worst-case information


def log_bounds(x: Any, bits: int) -> tuple[int, int]:
    """Integers around 2^bits ln(x); Decimal.ln is documented to be correctly rounded."""
    if type(x) is Exponential:
        low, high = x.between(bits)
        return log_bounds(low, bits)[0], log_bounds(high, bits)[1]
    # 2^bits < 10^(bits/3) and ln(n) < 10^20 for any n that memory holds: errors far below 1.
    context = Context(prec=bits // 3 + 30)
    top = Fraction(Decimal(x.numerator).ln(context))
    bottom = Fraction(Decimal(x.denominator).ln(context))
    scaled = (top - bottom) * 2**bits
    return math.floor(scaled) - 1, math.ceil(scaled) + 1


def logs_cancel(terms: list[tuple[Fraction, Fraction]]) -> bool:
    """Whether sum of e ln(x) is 0: over pairwise coprime bases every exponent must vanish."""
    powers: dict[int, Fraction] = {}
    left = [(x.numerator, e) for e, x in terms] + [(x.denominator, -e) for e, x in terms]
    while left:
        base, e = left.pop()
        other = next((b for b in powers if math.gcd(b, base) > 1), None)
        if other is not None:  # base^e other^f = (base/g)^e (other/g)^f g^(e + f)
            f, g = powers.pop(other), math.gcd(base, other)
            left += [(base // g, e), (other // g, f), (g, e + f)]
        elif base > 1:
            powers[base] = e
    return not any(powers.values())


def side_of_bound(view: View, claim: BoundClaim, digits: int) -> int:
    """-1, 0, 1: below (or not reached), at or above the bound."""
    shown = view.mass_of(lambda part: part.prior * part.likelihood)
    if shown == 0:
        return -1
    likely = [part for part in view.classes if part.prior]
    terms: list[tuple[Fraction, Fraction]]  # (e, x): the sum of e ln(x), and `rest`, against 0
    if claim.measure == "dependence":
        if any(part.likelihood == 0 for part in likely):
            return 1  # infinite
        ratios = [part.likelihood / shown for part in likely]
        most: Any = max(max(f, 1 / f) for f in ratios)
        if type(most) is Exponential:
            limit = e_to(claim.bound)
            return int(most > limit) - int(most < limit)
        terms, rest = [(ONE, most)], -claim.bound
    else:
        terms, rest = [], ZERO
        for part in likely:
            f = part.likelihood / shown
            if f:
                terms.append((part.count * part.prior * f, f))
        if claim.unit == "bit":
            terms.append((-claim.bound, Fraction(2)))
        else:
            rest = -claim.bound
    bits = 4 * digits + 128
    low = high = rest * 2**bits
    for e, x in terms:
        log_low, log_high = log_bounds(x, bits)
        low += e * (log_low if e > 0 else log_high)
        high += e * (log_high if e > 0 else log_low)
    if low > 0 or high < 0:
        return 1 if low > 0 else -1
    # Such a sum of logarithms is never a rational other than 0 (Baker).
    rational = all(type(number) is Fraction for term in terms for number in term)
    zero = rational and rest == 0 and logs_cancel(terms)
    need(zero, f"{digits} digits do not decide")
    return 0


def enclosure(
    views: list[View], claim: BoundClaim, evidence: Any, witness: dict[str, Any] | None
) -> Decision:
    """Interval arithmetic decides each view, exact arithmetic those that meet the bound."""
    fields = Fields(evidence, "evidence", "kind digits equal")
    digits = fields.position("digits", 10**9)
    need(0 < digits <= MAX_DIGITS, f"digits are not from 1 to {MAX_DIGITS}")
    equal = [read_position(place, len(views)) for place in fields.list("equal")]
    # A breach needs one view, which the witness replays; its absence needs them all.
    if witness is None:
        looked = list(range(len(views)))
    else:
        looked = [read_position(witness.get("view"), len(views)), *equal]
    sides = {place: side_of_bound(views[place], claim, digits) for place in looked}
    meet = sorted(place for place, side in sides.items() if side == 0)
    need(equal == meet, "equal does not list the views that meet the bound")
    return Decision(not all(claim.allows(side, 0) for side in sides.values()))


# === Evidence "formula": a measure that the certificate defines itself

INFINITY = math.inf
Range = tuple[Any, Any]  # what a value lies between: Fractions, or -infinity and infinity
OVER_CLASSES = ("sum", "max", "min")
OPERANDS = {"sum": 1, "max": 1, "min": 1, "abs": 1, "log": 1, "-": 2, "/": 2}


def check_formula(formula: Any, has_prior: bool) -> None:
    """Reject what is not a formula."""
    fields = Fields(formula, "formula", "over of")
    need(fields.text("over") in ("max", "sum"), "formula.over is neither max nor sum")
    left: list[tuple[Any, bool]] = [(formula["of"], False)]
    parts = 0
    while left:
        part, of_class = left.pop()
        parts += 1
        need(parts <= MAX_FORMULA, f"a formula of more than {MAX_FORMULA} parts")
        if type(part) is str:
            if part in ("likelihood", "prior"):
                need(of_class, f"formula: {part} is of a class, not of a view")
            if part in ("prior", "evidence"):
                need(has_prior, f"formula: {part} without a prior")
            if part not in ("likelihood", "prior", "evidence"):
                read_number(part)
            continue
        entries = read_list(part)
        need(entries and type(entries[0]) is str, "formula: no operation")
        name, arguments = entries[0], entries[1:]
        good = len(arguments) == OPERANDS.get(name, len(arguments)) and arguments
        known = name in OPERANDS or name in ("+", "*")
        need(known and good, f"formula: {ascii(name)[:20]} with {len(arguments)} parts")
        over_classes = name in OVER_CLASSES
        need(not (over_classes and of_class), "formula: sums or maxima in each other")
        left += [(argument, of_class or over_classes) for argument in arguments]


def formula_text(part: Any) -> str:
    """A formula as people read it."""
    if type(part) is dict:
        over = {"max": "the greatest over outputs of", "sum": "the sum over outputs of"}
        return f"{over[part['over']]} {formula_text(part['of'])}"
    if type(part) is str:
        return part
    name, arguments = part[0], [formula_text(argument) for argument in part[1:]]
    if name in OVER_CLASSES:
        return f"{name} over inputs of ({arguments[0]})"
    if name in ("abs", "log"):
        return f"{name}({arguments[0]})"
    return "(" + f" {name} ".join(arguments) + ")"


def scale_free(formula: Any) -> bool:
    """Whether likelihoods up to a factor are enough: a maximum of degree 0 in them, no counts."""
    return formula["over"] == "max" and degree(formula["of"]) == 0


def degree(part: Any) -> int | None:
    """The power of a common factor of the likelihoods; None where there is none, or a sum."""
    if type(part) is str:
        return {"likelihood": 1, "evidence": None}.get(part, 0)
    name, degrees = part[0], [degree(argument) for argument in part[1:]]
    first = degrees[0]
    if name == "sum" or first is None or None in degrees:
        return None
    if name == "*":
        return sum(d for d in degrees if d is not None)
    if name == "/" and degrees[1] is not None:
        return first - degrees[1]
    alike = all(d == first for d in degrees) and (name != "log" or first == 0)
    return first if alike else None


class Formula:
    """The value of a formula on one view, enclosed with logarithms of so many bits."""

    def __init__(self, view: View, claim: BoundClaim, bits: int) -> None:
        self.bits, self.unit = bits, claim.unit
        # Inputs that the prior excludes count for nothing.
        self.classes = [c for c in view.classes if c.prior or claim.prior is None]
        self.evidence = view.mass_of(lambda part: part.prior * part.likelihood)

    def value(self, part: Any, at: InputClass | None = None) -> Range:
        """Between which numbers a part of the formula lies, for a class where it is inside one."""
        if part == "evidence":
            return self.evidence, self.evidence
        if part in ("likelihood", "prior") and at is not None:
            number = at.likelihood if part == "likelihood" else at.prior
            return number, number
        if type(part) is str:
            return read_number(part), read_number(part)
        name, arguments = part[0], part[1:]
        if name in OVER_CLASSES:
            return self.over_classes(name, arguments[0])
        found = [self.value(argument, at) for argument in arguments]
        if name == "+":
            return sum_of(found)
        if name == "*":
            return product_of(found)
        if name == "-":
            (low, high), (less, more) = found
            return sum_of([(low, high), (-more, -less)])
        if name == "/":
            return quotient(*found)
        low, high = found[0]
        if name == "abs":
            least = ZERO if low < 0 < high else min(abs(low), abs(high))
            return least, max(abs(low), abs(high))
        need(low >= 0, "formula: the logarithm of a negative number")
        return self.log_of(low)[0], self.log_of(high)[1]

    def over_classes(self, name: str, inner: Any) -> Range:
        """A sum over inputs, or a maximum or minimum over them."""
        found = [self.value(inner, part) for part in self.classes]
        if name == "sum":
            return sum_of(times(part.count, r) for part, r in zip(self.classes, found, strict=True))
        pick = max if name == "max" else min
        return pick(low for low, _ in found), pick(high for _, high in found)

    def log_of(self, x: Any) -> Range:
        """The logarithm, to base 2 in bits; exact where it is whole, -infinity at 0."""
        if x == 0 or x == INFINITY:
            return (-INFINITY, -INFINITY) if x == 0 else (INFINITY, INFINITY)
        if type(x) is Exponential:
            return self.in_unit(log_bounds(x, self.bits))
        whole = Fraction(bit_size(x) - 1 if x > 1 else 1 - bit_size(x))
        if x == 1 or (self.unit == "bit" and 2**whole == x):
            return whole, whole
        return self.in_unit(log_bounds(x, self.bits))

    def in_unit(self, bounds: tuple[int, int]) -> Range:
        """A logarithm that lies between these bounds, in the formula's unit."""
        low, high = (Fraction(end, 2**self.bits) for end in bounds)
        if self.unit != "bit":
            return low, high
        two = tuple(Fraction(end, 2**self.bits) for end in log_bounds(Fraction(2), self.bits))
        return quotient((low, high), (two[0], two[1]))


def sum_of(ranges: Iterable[Range]) -> Range:
    """A sum of ranges; the sum of both infinities means nothing. Fractions stay Fractions."""
    listed = list(ranges)
    endless = {end for pair in listed for end in pair if abs(end) == INFINITY}
    need(len(endless) < 2, "formula: infinity minus infinity")

    def total(ends: list[Any]) -> Any:
        return endless.copy().pop() if endless & set(ends) else sum(ends, ZERO)

    return total([low for low, _ in listed]), total([high for _, high in listed])


def times(count: int, value: Range) -> Range:
    """A range so many times."""
    return product_of([(Fraction(count), Fraction(count)), value])


def product_of(ranges: Iterable[Range]) -> Range:
    """A product of ranges; 0 times anything is 0, as in 0 log 0."""

    def multiplied(a: Any, b: Any) -> Any:
        if a == 0 or b == 0:
            return ZERO
        if INFINITY in (abs(a), abs(b)):
            return INFINITY if (a > 0) == (b > 0) else -INFINITY
        return a * b

    low, high = ONE, ONE
    for a, b in ranges:
        corners = [multiplied(x, y) for x in (low, high) for y in (a, b)]
        low, high = min(corners), max(corners)
    return low, high


def quotient(top: Range, bottom: Range) -> Range:
    """A quotient of ranges; a number divided by 0 is infinite, one divided by infinity is 0."""
    if bottom == (0, 0):
        need(top[0] > 0 or top[1] < 0, "formula: 0 divided by 0")
        return (INFINITY, INFINITY) if top[0] > 0 else (-INFINITY, -INFINITY)
    need(bottom[0] > 0 or bottom[1] < 0, "formula: a divisor that may be 0")
    finite = INFINITY not in map(abs, top) or INFINITY not in map(abs, bottom)
    need(finite, "formula: infinity divided by infinity")
    low, high = (ZERO if abs(end) == INFINITY else 1 / end for end in (bottom[1], bottom[0]))
    return product_of([top, (low, high)])


def formula(views: list[View], claim: BoundClaim, witness: dict[str, Any] | None) -> Decision:
    """Evaluate the formula, with ever more digits where it has logarithms."""
    looked = views
    if witness is not None and claim.formula["over"] == "max":
        looked = [views[read_position(witness.get("view"), len(views))]]
    bits = 128
    while bits <= MAX_FORMULA_BITS:
        low, high = formula_value(looked, claim, bits)
        if claim.allows(high, claim.bound) or not claim.allows(low, claim.bound):
            return Decision(not claim.allows(low, claim.bound))
        bits *= 2
    raise Rejected(f"{MAX_FORMULA_BITS} bits do not decide the formula")


def formula_value(views: list[View], claim: BoundClaim, bits: int) -> Range:
    """The measure over the views that are reached."""
    found = []
    for view in views:
        if view.mass_of(lambda part: part.prior * part.likelihood) > 0:
            value = Formula(view, claim, bits).value(claim.formula["of"])
            found.append((view.outputs, value))
    need(found, "no output is reached")
    if claim.formula["over"] == "max":
        return max(low for _, (low, _) in found), max(high for _, (_, high) in found)
    return sum_of(times(outputs, value) for outputs, value in found)


# === Witnesses


def replay(raw: Any, views: list[View], claim: Claim, evidence: Any, free: str = "") -> None:
    """Replay the witness of a breach in exact arithmetic; `free` names further keys."""
    keys = "view output" + (" known" if claim.knowing is not None else "") + free
    if isinstance(claim, BreachClaim):
        keys += " direction classes before after"
    elif claim.of_ratio or claim.factor is not None:
        keys += " likely unlikely value"
    fields = Fields(raw, "witness", keys)
    view = views[fields.position("view", len(views))]
    known = fields.value("known") if claim.knowing is not None else b""
    same = fields.value("output") == view.output and known == view.known
    need(same, "the witness is of another output than its view")
    if isinstance(claim, BreachClaim):
        replay_breach(fields, view, claim)
    elif claim.factor is not None:
        replay_pair(fields, views, view, claim)
    elif claim.of_ratio:
        likely = view.classes[fields.position("likely", len(view.classes))].likelihood
        unlikely = view.classes[fields.position("unlikely", len(view.classes))].likelihood
        need(likely > 0, "the witness's likely input cannot produce the output")
        shown = spell(likely / unlikely) if unlikely else "infinity"
        need(raw["value"] == shown, f"the witness's ratio is {shown}")
        broken = unlikely == 0 or not claim.allows(likely / unlikely, claim.limit)
        need(broken, "the witness does not break the claim")
    elif claim.formula is None:
        side = side_of_bound(view, claim, evidence["digits"])
        need(not claim.allows(side, 0), "the witness does not break the claim")
    # With a formula, the witness's view was what was evaluated, or all views together.


def replay_breach(fields: Fields, view: View, claim: BreachClaim) -> None:
    """A prior, a property and an output, against Definitions 1 and 2."""
    inside, everywhere = read_masses(fields.list("classes"), view, claim)
    moved = shift(view, inside, everywhere)
    need(moved is not None, "the witness's output is never seen")
    said = (fields.number("before"), fields.number("after"))
    need(said == moved, f"before and after are {spell(moved[0])} and {spell(moved[1])}")
    direction = fields.text("direction")
    need(direction in claim.directions, "a breach of a direction not claimed")
    need(claim.breached(direction, *moved), "the witness does not break the claim")


def read_masses(
    rows: list[Any], view: View, claim: BreachClaim
) -> tuple[list[Fraction], list[Fraction]]:
    """The masses of the witness's property, and of all inputs, by class."""
    keys = "class inside" + ("" if claim.prior is not None else " mass_inside mass_outside")
    listed: dict[int, Fields] = {}
    last = -1
    for row in rows:
        fields = Fields(row, "a class of the witness", keys)
        place = fields.position("class", len(view.classes))
        need(place > last, "the witness's classes are in disorder")
        listed[place], last = fields, place
    inside, everywhere = [], []
    for place, part in enumerate(view.classes):
        row = listed.get(place)
        n = 0 if row is None else row.count("inside")
        if claim.prior is not None:
            u, w = n * part.prior, (part.count - n) * part.prior
        elif row is None:
            u = w = ZERO
        else:
            u, w = row.number("mass_inside"), row.number("mass_outside")
        own = claim.about is None or n == (part.count if part.member[claim.about] else 0)
        good = n <= part.count and own
        need(good, "the witness's property is not the claim's, or too large")
        need(u >= 0 and w >= 0, "the witness has a negative mass")
        possible = (n > 0 or u == 0) and (n < part.count or w == 0)
        need(possible, "the witness has mass on no input")
        inside.append(u)
        everywhere.append(u + w)
    need(sum(everywhere) == 1, "the witness's prior does not sum to 1")
    need(admitted(view, everywhere, claim), "the witness's prior is not admitted")
    return inside, everywhere


# === Free parameters: closed forms

EXP_NAME = r"exp\((?:[0-9]{1,9}\*)?[^\W\d]\w*(?:/[0-9]{1,9})?\)"  # t = e^(step eps)
LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}


def evaluate(form: Any, point: Mapping[str, Any]) -> Any:
    """A closed form at a point, by climbing over the precedence of + - * / ^.

    The point gives each parameter a number, or a quotient of polynomials.
    """
    need(type(form) is str and len(form) <= MAX_FORM, "not a closed form, or too long")
    return ClosedForm(form, point).result()


class ClosedForm:
    """Reads a closed form from left to right, and computes as it goes."""

    def __init__(self, form: str, point: Mapping[str, Any]) -> None:
        self.form, self.point, self.work = form, point, 0
        exp = rf"exp\([0-9]{{1,40}}(?:/[0-9]{{1,40}})?\)|{EXP_NAME}"
        self.tokens = re.findall(rf"{exp}|0x[0-9a-f]+|[0-9]+|[^\W\d]\w*|\S", form)
        self.next = 0

    def result(self) -> Any:
        """The value; nothing may be left over."""
        found = self.climb(0, 0)
        need(self.next == len(self.tokens), f"{ascii(self.form)[:40]} is not a closed form")
        return found

    def peek(self) -> str:
        """The next token, "" at the end."""
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def take(self) -> str:
        """The next token, which is then behind us."""
        self.next += 1
        return self.tokens[self.next - 1] if self.next <= len(self.tokens) else ""

    def climb(self, level: int, depth: int) -> Any:
        """An operand and all operators after it that bind at least so strongly."""
        need(depth <= MAX_DEPTH, "a closed form nested too deep")
        token = self.take()
        if token == "-":
            left = -self.climb(3, depth + 1)
        elif token == "(":
            left = self.climb(0, depth + 1)
            need(self.take() == ")", "a parenthesis is missing")
        elif token[:1].isdigit():
            left = Fraction(read_integer(token, MAX_SIDE))
        elif token.startswith("exp(") and token not in self.point:
            need(token[4].isdigit(), f"{ascii(token)[:40]} is not a parameter")
            top, _, bottom = token[4:-1].partition("/")
            need(int(bottom or 1), "an exponent divides by 0")
            left = e_to(Fraction(int(top), int(bottom or 1)))
        else:
            need(token in self.point, f"{ascii(token)[:40]} is not a parameter")
            left = self.point[token]
        while LEVELS.get(self.peek(), -1) >= level:
            sign = self.take()
            # ^ groups from the right, the others from the left.
            right = self.climb(LEVELS[sign] + (sign != "^"), depth + 1)
            left = self.combine(left, sign, right)
        return left

    def combine(self, left: Any, sign: str, right: Any) -> Any:
        """One operation, if it is not too much work."""
        if sign == "^":
            good = type(right) is Fraction and right.denominator == 1
            need(good and abs(right) <= MAX_EXPONENT, f"not a whole exponent up to {MAX_EXPONENT}")
            if type(left) is Quotient:
                return self.power(left, int(right))
            size = bit_size(left) * int(abs(right))
            self.work += size * size // 4096
        else:
            self.work += (64 + bit_size(left)) * (64 + bit_size(right)) // 4096
        need(self.work <= MAX_WORK, "a closed form that takes too much work")
        if sign == "^":
            return left ** int(right)
        if sign == "*":
            return left * right
        if sign == "/":
            need(right, "a closed form divides by 0")
            return left / right
        return left + right if sign == "+" else left - right

    def power(self, base: Quotient, exponent: int) -> Any:
        """A power of polynomials, one factor at a time."""
        need(abs(exponent) <= MAX_DEGREE, f"a power of a parameter beyond {MAX_DEGREE}")
        found: Any = ONE
        for _ in range(abs(exponent)):
            found = self.combine(found, "*", base)
        return found if exponent >= 0 else self.combine(ONE, "/", found)


def bit_size(x: Any) -> int:
    """How many bits a number has, or the coefficients of a quotient together."""
    if type(x) is Exponential:
        return sum(c.bit_length() + 1 for c in (*x.top, *x.bottom))
    if type(x) is Quotient:
        return sum(64 + bit_size(c) for part in (x.top, x.bottom) for c in part.values())
    return int(max(x.numerator.bit_length(), x.denominator.bit_length()))


Terms = dict[tuple[int, ...], Fraction]  # coefficients, none of them 0, by the powers


def multiplied(one: Terms, two: Terms) -> Terms:
    """A product of polynomials."""
    found: Terms = {}
    for (p, c), (q, d) in product(one.items(), two.items()):
        powers = tuple(map(operator.add, p, q))
        found[powers] = found.get(powers, ZERO) + c * d
    return {powers: c for powers, c in found.items() if c}


def combined(x: Fraction | int, one: Terms, y: Fraction | int, two: Terms) -> Terms:
    """One polynomial x times, and another y times."""
    found = {powers: x * c for powers, c in one.items()}
    for powers, c in two.items():
        found[powers] = found.get(powers, ZERO) + y * c
    return {powers: c for powers, c in found.items() if c}


class Quotient:
    """top/bottom, of polynomials in the parameters; the bottom's leading coefficient is 1."""

    def __init__(self, top: Terms, bottom: Terms) -> None:
        need(bottom, "a closed form divides by 0")
        lead = bottom[max(bottom)]
        self.top = {powers: c / lead for powers, c in top.items()}
        self.bottom = {powers: c / lead for powers, c in bottom.items()}

    def lifted(self, other: Any) -> Quotient:
        """The other one as a quotient, if it is a number."""
        if type(other) is Quotient:
            return other
        need(type(other) in (int, Fraction), "exponentials beside free parameters")
        nothing = (0,) * len(next(iter(self.bottom)))
        return Quotient({nothing: Fraction(other)} if other else {}, {nothing: ONE})

    def combined(self, x: Fraction | int, other: Any, y: Fraction | int) -> Quotient:
        """This x times, and the other y times."""
        other = self.lifted(other)
        if self.bottom == other.bottom:
            return Quotient(combined(x, self.top, y, other.top), self.bottom)
        left, right = multiplied(self.top, other.bottom), multiplied(other.top, self.bottom)
        return Quotient(combined(x, left, y, right), multiplied(self.bottom, other.bottom))

    def __add__(self, other: Any) -> Quotient:
        return self.combined(1, other, 1)

    def __sub__(self, other: Any) -> Quotient:
        return self.combined(1, other, -1)

    def __rsub__(self, other: Any) -> Quotient:
        return self.combined(-1, other, 1)

    def __neg__(self) -> Quotient:
        return self.combined(-1, ZERO, 1)

    def __mul__(self, other: Any) -> Quotient:
        other = self.lifted(other)
        return Quotient(multiplied(self.top, other.top), multiplied(self.bottom, other.bottom))

    def __truediv__(self, other: Any) -> Quotient:
        other = self.lifted(other)
        return Quotient(multiplied(self.top, other.bottom), multiplied(self.bottom, other.top))

    def __rtruediv__(self, other: Any) -> Quotient:
        return self.lifted(other) / self

    __radd__, __rmul__ = __add__, __mul__


# === Free parameters: regions


@dataclass(frozen=True)
class End:
    """An end of an interval: a number, or the only root of a polynomial between two numbers."""

    low: Fraction
    high: Fraction
    polynomial: tuple[Fraction, ...] = ()

    def side(self, x: Fraction) -> int:
        """-1, 0, 1: x is below, at or above the end."""
        if not self.polynomial:
            return (x > self.low) - (x < self.low)
        if not self.low < x < self.high:
            return 1 if x >= self.high else -1
        value = polynomial_at(self.polynomial, x)
        same = (value > 0) == (polynomial_at(self.polynomial, self.low) > 0)
        return 0 if value == 0 else -1 if same else 1

    def narrowed(self) -> End:
        """The same end with its numbers closer together, if they are two."""
        low, high = self.low, self.high
        while self.polynomial and high - low > CLOSE:
            middle = Fraction(math.floor((low + high) * 2**127), 2**128)
            if not low < middle < high:
                break
            side = self.side(middle)
            if side == 0:
                return End(middle, middle)
            low, high = (middle, high) if side < 0 else (low, middle)
        return End(low, high, self.polynomial)


@dataclass(frozen=True)
class Interval:
    """From one end to another; the flags say whether the ends belong."""

    low: End
    low_in: bool
    high: End
    high_in: bool

    def holds(self, x: Fraction) -> bool:
        """Whether a number lies in it."""
        above, below = self.low.side(x), self.high.side(x)
        return (above > 0 or (above == 0 and self.low_in)) and (
            below < 0 or (below == 0 and self.high_in)
        )


def read_interval(said: str) -> Interval:
    """An interval as it is declared."""
    match = re.fullmatch(r"([(\[])([^,]+), ([^,]+)([)\]])", said)
    if match is None:
        raise Rejected(f"{said[:40]} is not an interval")
    left, first, second, right = match.groups()
    low, high = read_number(first), read_number(second)
    need(low < high, f"{said[:40]} is not an interval")
    return Interval(End(low, low), left == "[", End(high, high), right == "]")


def polynomial_at(coefficients: Sequence[Fraction], x: Fraction) -> Fraction:
    """Horner's rule; the constant comes first."""
    value = ZERO
    for coefficient in reversed(coefficients):
        value = value * x + coefficient
    return value


def read_end(raw: Any) -> End:
    """A number, or a polynomial with exactly one root between two numbers."""
    if type(raw) is not dict:
        number = read_number(raw)
        return End(number, number)
    fields = Fields(raw, "region", "polynomial between")
    low, high = (read_number(x) for x in fields.list("between", 2))
    coefficients = tuple(read_number(c) for c in fields.list("polynomial"))
    size = sum(map(bit_size, coefficients)) + bit_size(low) + bit_size(high)
    good = len(coefficients) <= MAX_DEGREE + 1 and size <= MAX_COEFFICIENTS
    need(good, "region: too large a polynomial")
    need(low < high, "region: no change of sign at an end")
    change = polynomial_at(coefficients, low) * polynomial_at(coefficients, high) < 0
    need(change, "region: no change of sign at an end")
    need(roots_between(coefficients, low, high) == 1, "region: several roots at an end")
    return End(low, high, coefficients)


def roots_between(coefficients: Sequence[Fraction], low: Fraction, high: Fraction) -> int:
    """How many different roots lie between two numbers that are none (Sturm's theorem)."""
    first = trimmed(coefficients)
    chain = [first, trimmed([i * c for i, c in enumerate(first)][1:])]
    while len(chain[-1]) > 1:
        rest, divisor = list(chain[-2]), chain[-1]
        while len(rest) >= len(divisor):
            factor, shift_by = rest[-1] / divisor[-1], len(rest) - len(divisor)
            for i, c in enumerate(divisor):
                rest[shift_by + i] -= factor * c
            rest.pop()
        scaled = trimmed(rest)
        if not scaled:
            break
        size = max(abs(c) for c in scaled)
        chain.append([-c / size for c in scaled])

    def changes(x: Fraction) -> int:
        signs = [value > 0 for value in (polynomial_at(p, x) for p in chain) if value]
        return sum(a != b for a, b in pairwise(signs))

    return changes(low) - changes(high)


def trimmed(coefficients: Sequence[Fraction]) -> list[Fraction]:
    """Without leading zeros."""
    found = list(coefficients)
    while found and found[-1] == 0:
        found.pop()
    return found


@dataclass(frozen=True)
class Region:
    """Where the claim is said to hold, in the declared interval of the parameter."""

    parameter: str
    declared: Interval
    holds: tuple[Interval, ...]

    def contains(self, x: Fraction) -> bool:
        """Whether the claim is said to hold there."""
        return any(interval.holds(x) for interval in self.holds)

    def contains_end(self, end: End) -> bool:
        """The same of an irrational end, which is that of an interval, or lies in one."""
        for part in self.holds:
            if end in (part.low, part.high):
                return part.low_in if end == part.low else part.high_in
        return self.contains(end.low)

    @property
    def complete(self) -> bool:
        """Whether it is all that is declared."""
        return self.holds == (self.declared,)

    def samples(self) -> list[Fraction]:
        """Points at every end, on both sides of it (close and farther away), and in between."""
        ends = [self.declared.low, self.declared.high]
        ends += [end for part in self.holds for end in (part.low, part.high)]
        sides = [(end.low, end.high) for end in map(End.narrowed, ends)]
        marks = sorted({x for pair in sides for x in pair})
        found = set(marks)
        for a, b in pairwise(marks):
            steps = [Fraction(i, 1000) for i in (1, 250, 500, 750, 999)]
            found |= {a + (b - a) * step for step in (CLOSE, *steps, 1 - CLOSE)}
        return [x for x in sorted(found) if self.declared.holds(x)]


ROOT = r"(-?[0-9]+\.[0-9]{6})\.\.\. \(a root of (?:[^()]|exp\([^()]*\))+\)"


def read_region(raw: Any, parameter: str, declared: Interval, interval: str) -> Region:
    """The region; its text must say what it holds."""
    fields = Fields(raw, "region", "parameter declared holds text")
    same = fields.text("parameter") == parameter and fields.text("declared") == interval
    need(same, "region of another parameter")
    rows = fields.list("holds")
    need(len(rows) <= MAX_INTERVALS, "region: too many intervals")
    holds = tuple(read_part(row, declared) for row in rows)
    for one, two in pairwise(holds):
        meet = one.high == two.low
        need(meet or one.high.high <= two.low.low, "region: intervals in disorder")
        need(not (meet and (one.high_in or two.low_in)), "region: intervals that touch")
    region, said = Region(parameter, declared, holds), fields.text("text")
    roots = (match.group(0) for match in re.finditer(ROOT, said))

    def spelled(end: End) -> str:
        if not end.polynomial:
            return spell(end.low)
        text = next(roots, "0")
        need(shows_root(end, text), "the region's text shows another root")
        return text

    if not holds or region.complete:
        expected = f"{'every' if holds else 'no'} {parameter} in {interval}"
    else:
        expected = " or ".join(part_text(part, parameter, declared, spelled) for part in holds)
    need(said == expected, "the region's text does not say what it holds")
    return region


def read_part(raw: Any, declared: Interval) -> Interval:
    """One interval of a region, within what is declared."""
    fields = Fields(raw, "region", "from from_included to to_included")
    low, high = read_end(raw["from"]), read_end(raw["to"])
    low_in, high_in = fields.flag("from_included"), fields.flag("to_included")
    point = low == high
    need(low.low < high.high or point, "region: an empty interval")
    need(not point or (low_in and high_in), "region: an empty interval")
    inside = declared.low.low <= low.low and high.high <= declared.high.high
    need(inside and (point or low.high <= high.low), "region: intervals in disorder")
    for end, belongs in ((low, low_in), (high, high_in)):
        good = not belongs or end.polynomial or declared.holds(end.low)
        need(good, "region: out of the declared range")
    return Interval(low, low_in, high, high_in)


def part_text(part: Interval, p: str, declared: Interval, spelled: Callable[[End], str]) -> str:
    """An interval as the region's text spells it."""
    below, above = ("<=" if included else "<" for included in (part.low_in, part.high_in))
    if part.low == part.high:
        return f"{p} = {spelled(part.low)}"
    if (part.low, part.low_in) == (declared.low, declared.low_in):
        return f"{p} {above} {spelled(part.high)}"
    if (part.high, part.high_in) == (declared.high, declared.high_in):
        return f"{p} {'>=' if part.low_in else '>'} {spelled(part.low)}"
    return f"{spelled(part.low)} {below} {p} {above} {spelled(part.high)}"


def shows_root(end: End, text: str) -> bool:
    """Whether the decimals are those of the root, cut toward zero."""
    cut = Fraction(text.partition("...")[0])
    step = Fraction(-1 if text.startswith("-") else 1, 10**6)
    near, far = end.side(cut), end.side(cut + step)
    return near * far < 0 or near == 0


# === Free parameters: what decides the claim, as polynomials

Point = Mapping[str, Fraction]
Condition = tuple[Quotient, bool]  # above 0 if the flag is set, otherwise at least 0


@dataclass(frozen=True)
class FormClass:
    """A class of a view, its numbers closed forms; the texts of prior and knowledge tell kinds."""

    likelihood: Quotient
    prior: Quotient
    knowledge: Quotient
    count: int
    member: tuple[bool, ...]
    texts: tuple[Any, ...]


def read_forms(described: Described, claim: Claim) -> list[list[FormClass]]:
    """The views with closed forms as quotients, whose sums must be right as closed forms."""
    family = isinstance(claim, BreachClaim) and claim.family is not None
    need(not family, "a family of priors is not decided with free parameters")
    names = list(described.parameters)
    units = [tuple(int(i == j) for j in range(len(names))) for i in range(len(names))]
    nothing = {(0,) * len(names): ONE}
    symbols = {
        name: Quotient({unit: ONE}, nothing) for name, unit in zip(names, units, strict=True)
    }
    known: dict[str, Quotient] = {}

    def form(text: str) -> Quotient:
        if text not in known:
            known[text] = next(iter(symbols.values())).lifted(evaluate(text, symbols))
        return known[text]

    views = [
        [
            FormClass(
                form(part["likelihood"]),
                form(part.get("prior", "1")),
                form(part.get("knowledge", "1")),
                read_count(part["count"]),
                tuple(part.get("member", ())),
                (part.get("prior"), part.get("knowledge")),
            )
            for part in raw["classes"]
        ]
        for raw in described.raw["views"]
    ]
    check_sums(described, claim, views)
    limits = [claim.limit] if isinstance(claim, BoundClaim) else [claim.rho1, claim.rho2]
    rational = all(type(limit) is Fraction for limit in limits)
    need(rational, "a bound with exponentials beside free parameters")
    return views


def raised(form: Quotient, reports: int) -> Quotient:
    """The likelihood of so many reports of one output."""
    degree = max(sum(powers) for part in (form.top, form.bottom) for powers in (*part, (0,)))
    need(reports == 1 or degree * reports <= MAX_DEGREE, "likelihoods of too many reports")
    found = form
    for _ in range(reports - 1):
        found = found * form
    return found


def check_sums(described: Described, claim: Claim, views: list[list[FormClass]]) -> None:
    """What read_views asks of sums of numbers, of sums of closed forms: for all parameters."""
    groups: dict[bytes, list[tuple[int, list[FormClass]]]] = {}
    for raw, view in zip(described.raw["views"], views, strict=True):
        known = canonical(raw.get("known"))
        groups.setdefault(known, []).append((read_count(raw["outputs"]), view))

    def sums(rows: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key, value in rows:
            found[key] = found[key] + value if key in found else value
        return found

    def counts(view: list[FormClass], kind: Callable[[FormClass], Any]) -> dict[Any, int]:
        return sums((kind(part), part.count) for part in view)

    def kind(part: FormClass) -> Any:
        return part.member, part.texts

    def before(part: FormClass) -> Any:
        return part.member, part.texts[0]

    for group in groups.values():
        kinds = counts(group[0][1], kind)
        good = all(counts(view, kind) == kinds for _, view in group)
        need(good, "kinds of inputs not as elsewhere, as closed forms")
        mass = sums(
            (kind(part), outputs * part.count * part.likelihood)
            for outputs, view in group
            for part in view
        )
        good = described.relative or all(equals(mass[key], n) for key, n in kinds.items())
        need(good, "likelihoods do not sum to 1 for all parameters")
        if claim.prior is not None:
            whole = sums((None, part.count * part.prior) for part in group[0][1])
            need(equals(whole[None], 1), "the prior does not sum to 1 for all parameters")
    firsts = [group[0][1] for group in groups.values()]
    told = sums((before(part), part.count * part.knowledge) for view in firsts for part in view)
    good = all(equals(told[key], n) for view in firsts for key, n in counts(view, before).items())
    need(claim.knowing is None or good, "what is known does not sum to 1 for all parameters")


def equals(form: Quotient, number: int) -> bool:
    """Whether a closed form is a number, whatever the parameters."""
    return not combined(1, form.top, -number, form.bottom)


def value_at(polynomial: Terms, point: Point) -> Fraction:
    """The value of a polynomial."""
    total = ZERO
    for powers, c in polynomial.items():
        total += c * math.prod(x**power for x, power in zip(point.values(), powers, strict=True))
    return total


def probabilities(views: list[list[FormClass]], relative: bool) -> Iterator[Quotient]:
    """What must be at least 0 for all parameters."""
    for part in (part for view in views for part in view):
        for number in (part.likelihood, part.prior, part.knowledge):
            yield number
            if not (relative and number is part.likelihood):
                yield 1 - number


def sides(view: list[FormClass], claim: Claim) -> Iterator[tuple[list[int], list[int]]]:
    """Which classes may be likely (inside the property) and which unlikely (outside it)."""
    places = [place for place, part in enumerate(view) if part.knowledge.top]
    if isinstance(claim, BoundClaim) or claim.about is None:
        yield places, places
        return
    for direction in claim.directions:
        upward = direction == "upward"
        inside = [place for place in places if view[place].member[claim.about] == upward]
        yield inside, [place for place in places if place not in inside]


def broken_if(likely: FormClass, unlikely: FormClass, claim: Claim) -> list[Condition]:
    """When two inputs break a claim under all priors, or on amplification: if all this holds."""
    most, least = (raised(part.likelihood, claim.reports) for part in (likely, unlikely))
    if isinstance(claim, BoundClaim):
        beyond = most.combined(1, least, -claim.limit)
        return [(likely.likelihood, True), (beyond, claim.relation == "<=")]
    more, less = claim.rho1 * (1 - claim.rho2), claim.rho2 * (1 - claim.rho1)
    return [(likely.likelihood, True), (most.combined(more, least, -less), False)]


def shifts_of_prior(view: list[FormClass], claim: BreachClaim) -> Iterator[list[Condition]]:
    """When a property breaks a claim under one prior: the output is seen, and beliefs move."""
    held = [part.prior * part.knowledge for part in view]
    seen = [mass * part.likelihood for mass, part in zip(held, view, strict=True)]
    counts = [part.count for part in view]
    choices: Iterable[Sequence[int]] = product(*(range(n + 1) for n in counts))
    if claim.about is not None:
        choices = [[n * part.member[claim.about] for n, part in zip(counts, view, strict=True)]]
    else:
        need(math.prod(n + 1 for n in counts) <= MAX_CHOICES, "too many properties to try")

    def total(chosen: Sequence[int], masses: list[Quotient]) -> Quotient:
        parts = [n * mass for n, mass in zip(chosen, masses, strict=True) if n]
        return sum(parts, masses[0].lifted(0))

    everything, output = total(counts, held), total(counts, seen)
    for chosen in choices:
        before, after = total(chosen, held), total(chosen, seen)
        for direction in claim.directions:
            low, high, of_low, of_high = before, after, everything, output
            if direction == "downward":
                low, high, of_low, of_high = after, before, output, everything
            yield [
                (output, True),
                (of_low.combined(claim.rho1, low, -1), False),
                (high.combined(1, of_high, -claim.rho2), False),
            ]


# === Evidence "region": one parameter, exactly. Between two neighbouring cuts no polynomial that
# decides the claim has a root (Sturm), so that one number between them speaks for all.


def verify_region(certificate: Certificate, region: Region) -> bool:
    """The claim holds in the region and nowhere else; whether it is vacuous where it was tried."""
    claim, described = certificate.claim, certificate.described
    evidence = Fields(certificate.evidence, "evidence", "kind cuts")
    cuts = [read_end(raw) for raw in evidence.list("cuts")]
    marks = [region.declared.low, *cuts, region.declared.high]
    need(len(cuts) <= MAX_INTERVALS, "region: too many cuts")
    good = all(one.high < two.low for one, two in pairwise(marks))
    need(good, "region: cuts in disorder")
    ends = {end for part in region.holds for end in (part.low, part.high)}
    need(ends <= set(marks), "region: an end that is no cut")
    forms, vacuous = read_forms(described, claim), True
    if claim.by_counts:
        # At a transcendental number closed forms are equal only if they are so everywhere: the
        # views are those of so many reports for every value.
        low, high = region.declared.low.low, region.declared.high.low
        beyond = {region.parameter: low + (high - low) * e_to(ONE) / 3}
        read_views(described, claim, functools.partial(evaluate, point=beyond))
    numbers = list(probabilities(forms, described.relative))
    numbers += [Quotient(number.bottom, {(0,): ONE}) for number in numbers]

    def decided(x: Fraction) -> tuple[bool, list[View]]:
        nonlocal vacuous
        at = functools.partial(evaluate, point={region.parameter: x})
        views = read_views(described, claim, at)
        found = breached_at(views, claim)
        need(found is not None, "such a claim is not decided with free parameters")
        said = region.contains(x)
        where = f"{region.parameter} = {spell(x)[:60]}"
        need(found != said, f"the claim {'fails' if found else 'holds'} at {where}")
        vacuous = vacuous and is_vacuous(views, claim)
        return bool(found), views

    for left, right in pairwise(marks):
        sample = (left.high + right.low) / 2
        _, views = decided(sample)
        cases, order = decisive(forms, views, claim)
        conditions = [form for case in cases for form, _ in case]
        for polynomial in distinct([*conditions, *order, *numbers]):
            where = f"between {end_text(left)} and {end_text(right)}"
            need(rootless(polynomial, left, right), f"what decides may change {where}")
        if right.polynomial:
            broken = broken_at(right, cases, forms)
            need(broken != region.contains_end(right), f"the region is wrong at {end_text(right)}")
    for mark in marks:
        if not mark.polynomial and region.declared.holds(mark.low):
            decided(mark.low)
    return vacuous


def decisive(
    forms: list[list[FormClass]], views: list[View], claim: Claim
) -> tuple[list[list[Condition]], list[Quotient]]:
    """The ways to break the claim, and what else must keep its sign between two cuts.

    Under all priors the classes that are the most and the least likely on views of numbers
    stand for all, as long as none overtakes them.
    """
    if isinstance(claim, BreachClaim) and claim.prior is not None:
        shifts = (case for form in forms for case in shifts_of_prior(form, claim))
        return [case for case in shifts if not any(never(*condition) for condition in case)], []
    cases, order = [], []
    for form, view in zip(forms, views, strict=True):
        for inside, outside in sides(form, claim):
            if inside and outside:
                most = max(inside, key=lambda place: view.classes[place].likelihood)
                least = min(outside, key=lambda place: view.classes[place].likelihood)
                cases.append(broken_if(form[most], form[least], claim))
                order += [form[most].likelihood - form[place].likelihood for place in inside]
                order += [form[place].likelihood - form[least].likelihood for place in outside]
    return cases, order


def never(form: Quotient, strict: bool) -> bool:
    """Whether a condition fails for all parameters, because its closed form is a number."""
    if any(map(sum, (*form.top, *form.bottom))):
        return False
    value = sum(form.top.values(), ZERO)  # the bottom is 1
    return value < 0 or (strict and value == 0)


def dense(polynomial: Terms) -> list[Fraction]:
    """The coefficients of a polynomial in one parameter, the constant first."""
    size = max(polynomial)[0] + 1 if polynomial else 0
    return [polynomial.get((i,), ZERO) for i in range(size)]


def distinct(forms: Iterable[Quotient]) -> Iterable[list[Fraction]]:
    """The polynomials above that are not 0, each once (up to a factor)."""
    tops = [dense(form.top) for form in forms if form.top]
    return {tuple(c / top[-1] for c in top): top for top in tops}.values()


def rootless(polynomial: Sequence[Fraction], left: End, right: End) -> bool:
    """Whether it has no root between two ends; roots at the ends are divided out."""
    found = list(polynomial)
    for end in (left, right):
        factor = end.polynomial or (-end.low, ONE)
        while len(quotient_and_rest := without_factor(found, factor)) == 1:
            (found,) = quotient_and_rest
    return one_sign(found, left.low, right.high)


def without_factor(polynomial: list[Fraction], factor: Sequence[Fraction]) -> list[list[Fraction]]:
    """The quotient by a factor; where a remainder is left, that as well."""
    rest, shown = list(polynomial), trimmed(factor)
    quotient: list[Fraction] = []
    while len(rest) >= len(shown):
        quotient.append(rest[-1] / shown[-1])
        shift_by = len(rest) - len(shown)
        for i, c in enumerate(shown):
            rest[shift_by + i] -= quotient[-1] * c
        rest.pop()
    return [quotient[::-1]] if quotient and not any(rest) else [quotient[::-1], rest]


def one_sign(polynomial: Sequence[Fraction], low: Fraction, high: Fraction) -> bool:
    """Whether a polynomial has no root from low to high, these included."""
    if len(polynomial) == 1:
        return True
    if low == high:
        return polynomial_at(polynomial, low) != 0
    if polynomial_at(polynomial, low) * polynomial_at(polynomial, high) <= 0:
        return False
    return roots_between(polynomial, low, high) == 0


def broken_at(end: End, cases: list[list[Condition]], forms: list[list[FormClass]]) -> bool:
    """Whether the claim fails at an irrational end, by what decides it next to it."""

    def sign(polynomial: Terms) -> int:
        found = dense(polynomial)
        if not found or len(without_factor(found, end.polynomial)) == 1:
            return 0
        need(one_sign(found, end.low, end.high), f"not decided at {end_text(end)}")
        return 1 if polynomial_at(found, end.low) > 0 else -1

    for part in (part for view in forms for part in view):
        for number in (part.likelihood, part.prior, part.knowledge):
            need(sign(number.bottom), f"a closed form divides by 0 at {end_text(end)}")
        good = not part.knowledge.top or sign(part.knowledge.top)
        need(good, f"what is known changes at {end_text(end)}")
    return any(
        all(sign(form.top) * sign(form.bottom) >= strict for form, strict in case) for case in cases
    )


def end_text(end: End) -> str:
    """An end, for people."""
    return spell(end.low)[:60] if not end.polynomial else f"{float(end.low):.6g}..."


# === Evidence "boxes": several parameters, exactly. What would break the claim is shown to fail on
# boxes, by coefficients: on a box scaled to 0 <= t <= 1 a polynomial is a mean of its coefficients
# in the Bernstein basis, C(d, i) t^i (1 - t)^(d - i) along each axis, with weights that are all
# positive inside the box. On a face of the box it is one of the coefficients of that face.


@dataclass(frozen=True)
class Table:
    """The coefficients of a polynomial on a box, times a positive number; the last axis runs."""

    shape: tuple[int, ...]
    entries: list[int]

    def halved(self, axis: int, upper: bool) -> Table:
        """On the lower or upper half of the box (de Casteljau)."""
        entries = list(self.entries)
        for line in lines(self.shape, axis):
            values = entries[line][::-1] if upper else entries[line]
            half = []
            while values:
                half.append(values[0] << (len(values) - 1))
                values = [a + b for a, b in pairwise(values)]
            entries[line] = half[::-1] if upper else half
        return Table(self.shape, entries)

    def face(self, sides_of: Sequence[int | None]) -> list[int]:
        """The entries of a face: 0 or -1 for an end of an axis, None for all of it."""
        places = [0]
        for size, side in zip(self.shape, sides_of, strict=True):
            kept = range(size) if side is None else [side % size]
            places = [place * size + i for place in places for i in kept]
        return [self.entries[place] for place in places]


def table(polynomial: Terms, box: Sequence[Interval]) -> Table:
    """The coefficients on a box, from those of the powers, one axis after the other."""
    shape = tuple(1 + max((p[i] for p in polynomial), default=0) for i in range(len(box)))
    need(math.prod(shape) <= MAX_TABLE, "a polynomial of too many coefficients")
    common = math.lcm(*(c.denominator for c in polynomial.values()))
    entries = [int(common * polynomial.get(p, ZERO)) for p in product(*map(range, shape))]
    for axis, interval in enumerate(box):
        low, high, degree = interval.low.low, interval.high.low, shape[axis] - 1
        scale = math.lcm(low.denominator, high.denominator)
        start, width = int(low * scale), int((high - low) * scale)
        whole = math.lcm(*(math.comb(degree, k) for k in range(degree + 1)))
        for line in lines(shape, axis):
            old = entries[line]
            # With x = (start + width t)/scale, in powers of t; then in the Bernstein basis.
            powers = [
                width**k
                * sum(
                    math.comb(j, k) * start ** (j - k) * scale ** (degree - j) * old[j]
                    for j in range(k, degree + 1)
                )
                for k in range(degree + 1)
            ]
            entries[line] = [
                sum(
                    math.comb(i, k) * (whole // math.comb(degree, k)) * powers[k]
                    for k in range(i + 1)
                )
                for i in range(degree + 1)
            ]
    return Table(shape, entries)


def lines(shape: Sequence[int], axis: int) -> Iterator[slice]:
    """The places of entries that lie behind each other along an axis."""
    stride = math.prod(shape[axis + 1 :])
    span = stride * shape[axis]
    for start in range(0, math.prod(shape), span):
        for first in range(start, start + stride):
            yield slice(first, first + span - stride + 1, stride)


Wrong = list[tuple[Table, bool]]  # something wrong: all are above 0 (flag), or at least 0


def refuted(wrong: Wrong, box: Sequence[tuple[bool, bool]]) -> bool:
    """Whether it cannot be anywhere on a box, whose lower and upper ends belong to it or not.

    The points of a box are those of its faces, each without its own border: on each of them one
    of the conditions must fail.
    """

    def fails(entries: list[int], strict: bool) -> bool:
        return max(entries) <= 0 and (strict or min(entries) < 0)

    if any(max(part.entries) < (1 if strict else 0) for part, strict in wrong):
        return True
    axes = [[None] + [0] * low + [-1] * high for low, high in box]
    return all(
        any(fails(part.face(face), strict) for part, strict in wrong) for face in product(*axes)
    )


def replay_boxes(
    tree: Any, wrongs: list[Wrong], box: tuple[tuple[bool, bool], ...], depth: int = 0
) -> None:
    """Nothing is wrong on the box: it shows at once, or on both halves."""
    need(depth <= MAX_DEPTH, "boxes split too often")
    left = [wrong for wrong in wrongs if not refuted(wrong, box)]
    if tree is None:
        need(not left, "the coefficients on a box do not show the claim")
        return
    fields = Fields(tree, "boxes", "axis below above")
    axis = fields.position("axis", len(box))
    low, high = box[axis]
    for key, upper, ends in (("below", False, (low, True)), ("above", True, (True, high))):
        half = [[(part.halved(axis, upper), strict) for part, strict in wrong] for wrong in left]
        replay_boxes(tree[key], half, (*box[:axis], ends, *box[axis + 1 :]), depth + 1)


def verify_boxes(certificate: Certificate) -> bool:
    """The claim holds for all parameters; whether it is vacuous in the middle of the ranges."""
    claim, described = certificate.claim, certificate.described
    fields = Fields(certificate.evidence, "evidence", "kind above below boxes")
    need(not claim.by_counts, "several reports under a prior are not checked on boxes")
    box = list(described.parameters.values())
    point = {n: (i.low.low + i.high.low) / 2 for n, i in described.parameters.items()}
    views = read_views(described, claim, functools.partial(evaluate, point=point))
    need(breached_at(views, claim) is False, "the claim fails in the middle of the ranges")
    forms = read_forms(described, claim)
    numbers = list(probabilities(forms, described.relative))
    above, below = (read_covers(fields.list(key), forms, claim) for key in ("above", "below"))
    cases = [[(-number, True)] for number in numbers]  # a probability below 0
    if isinstance(claim, BreachClaim) and claim.prior is not None:
        cases += [case for form in forms for case in shifts_of_prior(form, claim)]
    else:
        for form, over, under in zip(forms, above, below, strict=True):
            cases += [
                [(low.likelihood - form[place].likelihood, True)]
                for low, place in zip(form, over, strict=True)
            ]
            cases += [
                [(form[place].likelihood - high.likelihood, True)]
                for high, place in zip(form, under, strict=True)
            ]
            for inside, outside in sides(form, claim):
                pairs = product({over[i] for i in inside}, {under[i] for i in outside})
                cases += [broken_if(form[i], form[j], claim) for i, j in pairs]

    tables: dict[Any, Table] = {}

    def signed(polynomial: Terms, sign: int) -> Table:
        turned = {powers: sign * c for powers, c in polynomial.items()}
        key = frozenset(turned.items())
        if key not in tables:
            tables[key] = table(turned, box)
        return tables[key]

    wrongs: dict[Any, Wrong] = {}
    bottoms = {frozenset(form.bottom.items()): form.bottom for case in cases for form, _ in case}
    for bottom in bottoms.values():
        if len(bottom) > 1 or any(max(bottom)):  # not 1: a bottom that is 0 somewhere
            wrong = [(signed(bottom, -1 if value_at(bottom, point) > 0 else 1), False)]
            wrongs[tuple((id(part), strict) for part, strict in wrong)] = wrong
    for case in cases:
        if any(strict and not form.top for form, strict in case):
            continue  # 0 is not above 0
        wrong = [
            (signed(form.top, 1 if value_at(form.bottom, point) > 0 else -1), strict)
            for form, strict in case
        ]
        wrongs[tuple((id(part), strict) for part, strict in wrong)] = wrong
    ends = tuple((interval.low_in, interval.high_in) for interval in box)
    replay_boxes(certificate.evidence["boxes"], list(wrongs.values()), ends)
    return is_vacuous(views, claim)


def read_covers(rows: list[Any], forms: list[list[FormClass]], claim: Claim) -> list[list[int]]:
    """For each class of each view the one that is as likely (or as unlikely), on its side."""
    if isinstance(claim, BreachClaim) and claim.prior is not None:
        need(not rows, "under one prior no class stands for another")
        return []
    found = []
    for row, view in zip(read_list(rows, len(forms)), forms, strict=True):
        places = [read_position(place, len(view)) for place in read_list(row, len(view))]
        for part, place in zip(view, places, strict=True):
            other = view[place]
            about = claim.about if isinstance(claim, BreachClaim) else None
            same = about is None or part.member[about] == other.member[about]
            known = bool(other.knowledge.top) or part is other
            need(same and known, "a class stands for one that it cannot stand for")
        found.append(places)
    return found


# === Free parameters: what can be checked of a solver's word


def breached_at(views: list[View], claim: Claim) -> bool | None:
    """Whether the claim is broken on views of numbers, without evidence; None if undecided."""
    if isinstance(claim, BoundClaim):
        return ratio(views, claim).breached if claim.of_ratio else None
    if claim.prior is None and claim.family is None:
        return ratio(views, claim).breached
    if claim.prior is not None and claim.about is not None:
        return arithmetic(views, claim).breached
    decided = True
    for view in views:
        if claim.prior is None:
            tried, every = two_point_shifts(view, claim), False
        else:
            every = math.prod(part.count + 1 for part in view.classes) <= MAX_CHOICES
            tried = property_shifts(view, every)
        decided = decided and every
        for before, after in tried:
            if any(claim.breached(direction, before, after) for direction in claim.directions):
                return True
    return False if decided else None


def property_shifts(view: View, every: bool) -> Iterator[tuple[Fraction, Fraction]]:
    """One prior: every property by how many inputs of a class have it, or the likeliest inputs."""
    counts = [part.count for part in view.classes]
    choices: Iterable[Sequence[int]] = product(*(range(n + 1) for n in counts)) if every else ()
    if not every:
        ranked = sorted(range(len(counts)), key=lambda c: view.classes[c].likelihood)
        tops = [set(ranked[i:]) for i in range(len(ranked) + 1)]
        choices = [[n if c in top else 0 for c, n in enumerate(counts)] for top in tops]
    masses = [part.count * part.prior for part in view.classes]
    for chosen in choices:
        own = [n * part.prior for n, part in zip(chosen, view.classes, strict=True)]
        moved = shift(view, own, masses)
        if moved is not None:
            yield moved


def two_point_shifts(view: View, claim: BreachClaim) -> Iterator[tuple[Fraction, Fraction]]:
    """A family: priors on two classes, one inside Q and one outside, just at rho1 or at rho2."""
    for (i, one), (j, two) in product(enumerate(view.classes), repeat=2):
        apart = i != j and one.knowledge and two.knowledge
        own = claim.about is None or (one.member[claim.about] and not two.member[claim.about])
        if not (apart and own):
            continue
        for before in (claim.rho1, claim.rho2):
            odds = before / (1 - before) * two.knowledge / one.knowledge
            inside, everywhere = [ZERO] * len(view.classes), [ZERO] * len(view.classes)
            inside[i] = everywhere[i] = odds / (1 + odds)
            everywhere[j] = 1 / (1 + odds)
            moved = shift(view, inside, everywhere)
            if moved is not None and admitted(view, everywhere, claim):
                yield moved


def grid(parameters: Mapping[str, Interval]) -> Iterator[dict[str, Fraction]]:
    """Points of several parameters: ends that belong, places close to them, and in between."""
    places = []
    for interval in parameters.values():
        low, high = interval.low.low, interval.high.low
        steps = [Fraction(i, 1000) for i in (0, 1, 333, 500, 999, 1000)]
        found = [low + (high - low) * step for step in steps]
        places.append([x for x in found if interval.holds(x)])
    for i, chosen in enumerate(product(*places)):
        if i >= 300:
            return
        yield dict(zip(parameters, chosen, strict=True))


# === The certificate as a whole


@dataclass(frozen=True)
class Question:
    """A question that a solver was asked, and its answer."""

    file: str
    sha256: str
    solver: str
    answer: str


@dataclass(frozen=True)
class Certificate:
    """A certificate whose frame is right; what it proves is still to be checked."""

    claim: Claim
    described: Described
    verdict: str
    kind: str
    evidence: dict[str, Any]
    witness: dict[str, Any] | None
    questions: tuple[Question, ...]  # those on which the evidence rests
    trust: str
    raw: dict[str, Any]

    @property
    def breached(self) -> bool:
        """What it says."""
        return self.verdict == "breached"


def read_frame(fields: Fields) -> tuple[str, Any, Any]:
    """What every certificate has: a verdict, evidence, where it came from, and its own digest."""
    raw = fields.raw
    verdict = fields.text("verdict")
    need(verdict in ("certified", "breached"), "unknown verdict")
    witness, evidence = raw["witness"], raw["evidence"]
    need(type(witness) in (dict, type(None)), "witness is not an object")
    need((witness is None) == (verdict == "certified"), "a breach has a witness")
    body = {key: raw[key] for key in raw if key != "sha256"}
    good = fields.digest("sha256") == digest(canonical(body))
    need(good, "sha256 is not the certificate's digest")
    need(type(evidence) is dict and type(evidence.get("kind")) is str, "evidence has no kind")
    fields.text("reason")
    versions = raw["versions"]
    good = type(versions) is dict and {"ppdm_formal", "python"} <= set(versions)
    need(good, "versions are missing")
    if raw["model"] is not None:
        model = Fields(raw["model"], "model", "file sha256 set files", "read")
        if "read" in model.raw:
            Fields(model.raw["read"], "model.read", "way digits index")
        model.text("file")
        model.digest("sha256")
        for entry in model.list("files"):
            Fields(entry, "model.files", "file sha256").digest("sha256")
        need(type(model.raw["set"]) is dict, "model.set is not an object")
        for value in model.raw["set"].values():
            logarithm = type(value) is str and value.startswith("ln(")
            (read_exponent if logarithm else read_number)(value)
    return verdict, witness, evidence


def read_certificate(raw: Any, directory: Path | None) -> Certificate:
    """The frame: shape, digests, and that trust is what the evidence earns."""
    keys = "format claim model operator verdict trust reason evidence witness thresholds region"
    fields = Fields(raw, "certificate", keys + " smt versions sha256", "vacuous")
    need(fields.text("format") == "ppdm-certificate/1", "unknown format")
    verdict, witness, evidence = read_frame(fields)
    described = read_described(raw["operator"])
    asked = [read_question(entry) for entry in fields.list("smt")]
    questions = read_questions(evidence, asked)
    trust = EXACTLY
    if questions:
        solvers = dict.fromkeys(question.solver for question in questions)
        trust = f"solver-trusted ({', '.join(solvers)})"
    need(fields.text("trust") == trust, f"the evidence is {trust}")
    if directory is not None:
        for question in asked:
            check_question_file(question, directory, question in questions)
    claim = read_claim(raw["claim"])
    kind = evidence["kind"]
    return Certificate(claim, described, verdict, kind, evidence, witness, questions, trust, raw)


def read_question(raw: Any) -> Question:
    """A question that was asked."""
    fields = Fields(raw, "smt", "file sha256 solver answer")
    file, answer = fields.text("file"), fields.text("answer")
    need(answer in ("sat", "unsat", "unknown"), "smt: unknown answer")
    need(re.fullmatch(r"[^/\\:]+", file) and file.strip("."), "smt: not the name of a file")
    return Question(file, fields.digest("sha256"), fields.text("solver"), answer)


def read_questions(evidence: dict[str, Any], asked: list[Question]) -> tuple[Question, ...]:
    """The questions on which the evidence rests, all answered by unsat."""
    if evidence["kind"] != "solver" and not solver_region(evidence):
        return ()
    fields = Fields(evidence, "evidence", "kind questions")
    places = [read_position(place, len(asked)) for place in fields.list("questions")]
    need(places and len(set(places)) == len(places), "no question, or one twice")
    questions = tuple(asked[place] for place in places)
    good = all(question.answer == "unsat" for question in questions)
    need(good, "an answer that is not unsat")
    return questions


def solver_region(evidence: dict[str, Any]) -> bool:
    """Whether a region is a solver's word, as in older certificates: questions, and no cuts."""
    return evidence["kind"] == "region" and "questions" in evidence


def check_question_file(question: Question, directory: Path, needed: bool) -> None:
    """The file beside the certificate has the digest that is stated."""
    path = directory / question.file
    if not path.is_file():
        need(not needed, f"{path.name} is not beside the certificate")
        return
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    need(len(data) <= MAX_BYTES, f"{path.name} is longer than {MAX_BYTES} bytes")
    need(digest(data) == question.sha256, f"{path.name} is not the question that was asked")


def suitable_evidence(claim: Claim, parameters: int) -> list[str]:
    """What evidence suits a claim; where arithmetic decides, no solver is trusted."""
    if isinstance(claim, BoundClaim):
        if claim.formula is not None:
            return ["formula"] if not parameters else []
        if claim.factor is not None:
            return ["pairs"] if not parameters else []
        if not claim.of_ratio:
            return ["enclosure"] if not parameters else []
    if parameters:
        return ["region", "witness"] if parameters == 1 else ["boxes", "witness", "solver"]
    if isinstance(claim, BoundClaim):
        return ["ratio"]
    if claim.prior is None and claim.family is None:
        return ["ratio", "witness"]
    if claim.prior is not None and claim.about is not None:
        return ["arithmetic", "witness"]
    return ["farkas" if claim.prior is None else "knapsack", "witness", "solver"]


def decide(certificate: Certificate, views: list[View]) -> Decision:
    """What the views and the evidence say of a claim without free parameters."""
    claim, evidence, kind = certificate.claim, certificate.evidence, certificate.kind
    if kind in ("ratio", "arithmetic", "witness", "formula", "pairs"):
        Fields(evidence, "evidence", "kind")
    if kind == "ratio":
        return ratio(views, claim)
    if isinstance(claim, BoundClaim):
        if kind == "pairs":
            return pairs(views, claim)
        if kind == "enclosure":
            return enclosure(views, claim, evidence, certificate.witness)
        return formula(views, claim, certificate.witness)
    if kind == "arithmetic":
        return arithmetic(views, claim)
    if kind == "knapsack":
        return knapsack(views, claim, evidence)
    if kind == "farkas":
        return farkas(views, claim, evidence)
    if kind == "solver":
        need(not breached_at(views, claim), "the claim is broken, whatever a solver says")
        return Decision(False)
    return Decision(True)  # rests on the witness


def verify(certificate: Certificate) -> bool:
    """Check all that a certificate says of its operator; whether that is nothing (vacuous)."""
    claim, raw, described = certificate.claim, certificate.raw, certificate.described
    if raw["operator"]["likelihoods"] == "within":
        return verify_rounded(certificate)
    suits = suitable_evidence(claim, len(described.parameters))
    good = certificate.kind in suits
    need(good, f"the evidence of such a claim is {' or '.join(suits) or 'not known'}")
    need(certificate.kind == "region" or raw["region"] is None, "a region without its evidence")
    limits = None
    if described.parameters:
        vacuous = verify_parametric(certificate)
    else:
        views = read_views(described, claim)
        decision = decide(certificate, views)
        good = decision.breached == certificate.breached
        need(good, f"the views and the evidence do not say {certificate.verdict}")
        if certificate.breached:
            replay(certificate.witness, views, claim, certificate.evidence)
        limits = decision.limits
        vacuous = is_vacuous(views, claim)
    shown = thresholds_json(limits, claim)
    need(canonical(raw["thresholds"]) == canonical(shown), f"the thresholds are {shown}")
    if described.parameters and raw.get("vacuous") is False:
        vacuous = False  # a case at some other point is not ruled out by the points looked at
    check_vacuous(raw, vacuous)
    return vacuous


def check_vacuous(raw: dict[str, Any], vacuous: bool) -> None:
    """What the certificate says of it, if anything, is what was found."""
    stated = raw.get("vacuous")
    good = stated is None or (type(stated) is bool and stated == vacuous)
    need(good, "the claim is vacuous" if vacuous else "the claim is not vacuous")


def verify_parametric(certificate: Certificate) -> bool:
    """Free parameters, by their evidence; whether the claim is vacuous wherever it was tried."""
    claim, described, kind = certificate.claim, certificate.described, certificate.kind
    breached, vacuous, region = kind == "witness", kind != "witness", None
    if kind == "region":
        ((name, declared),) = described.parameters.items()
        interval = described.raw["parameters"][0]["interval"]
        region = read_region(certificate.raw["region"], name, declared, interval)
        breached = not region.complete
    elif kind == "witness":
        Fields(certificate.evidence, "evidence", "kind")
    good = certificate.breached == breached
    need(good, "the verdict is not that of the region or evidence")
    if certificate.breached:
        replay_at_point(certificate, region)
    if region is not None and not certificate.questions:
        return verify_region(certificate, region)
    if kind == "boxes":
        return verify_boxes(certificate)
    points: Iterable[dict[str, Fraction]] = ()  # at which a solver's word is tried
    if region is not None:
        points = [{region.parameter: x} for x in region.samples()]
    elif kind == "solver":
        points = grid(described.parameters)
    for point in points:
        views = read_views(described, claim, functools.partial(evaluate, point=point))
        found = breached_at(views, claim)
        need(found is not None, "such a claim is not decided with free parameters")
        said = region is not None and not region.contains(next(iter(point.values())))
        where = ", ".join(f"{name} = {spell(x)[:60]}" for name, x in point.items())
        need(found == said, f"the claim {'fails' if found else 'holds'} at {where}")
        vacuous = vacuous and is_vacuous(views, claim)
    return vacuous


def replay_at_point(certificate: Certificate, region: Region | None) -> None:
    """The witness at its values of the parameters, outside the region."""
    claim, described, witness = certificate.claim, certificate.described, certificate.witness
    assert witness is not None
    intervals = described.parameters
    stated = Fields(witness.get("parameters"), "witness.parameters", " ".join(intervals))
    point = {name: stated.number(name) for name in intervals}
    inside = all(interval.holds(point[name]) for name, interval in intervals.items())
    need(inside, "the witness's parameters are out of range")
    if region is not None:
        need(not region.contains(point[region.parameter]), "the witness is in the region")
    views = read_views(described, claim, functools.partial(evaluate, point=point))
    replay(witness, views, claim, certificate.evidence, " parameters instance")
    raw = described.raw["views"][witness["view"]]
    classes = []
    for part in raw["classes"]:
        shown = dict(part)
        for key in ("likelihood", "prior", "knowledge"):
            if key in part:
                shown[key] = spell(evaluate(part[key], point))
        classes.append(shown)
    same = canonical(witness["instance"]) == canonical({**raw, "classes": classes})
    need(same, "the witness's instance is not its view at these parameters")


# === Evidence "rounded": all matrices between two, whose rows sum to 1


@dataclass(frozen=True)
class Rounded:
    """An interval for every entry, and for each known z (one without knowledge) what inputs are.

    least and most are by row; outputs are the columns, as they are written.
    """

    inputs: dict[int | None, tuple[InputClass, ...]]
    least: tuple[tuple[Fraction, ...], ...]
    most: tuple[tuple[Fraction, ...], ...]
    outputs: tuple[Any, ...]

    def column(self, known: int | None, place: int) -> View:
        """An output, with every input a class of its own and its likelihood an interval."""
        ends = [(low[place], high[place]) for low, high in zip(self.least, self.most, strict=True)]
        parts = zip(self.inputs[known], ends, strict=True)
        classes = tuple(replace(part, likelihood=low, most=high) for part, (low, high) in parts)
        return View(classes, 1, canonical(self.outputs[place]), b"")

    def lowest(self, costs: Mapping[tuple[int, int], Fraction]) -> Fraction:
        """The least sum of cost * entry over all matrices: each row spends the cheapest first."""
        total = ZERO
        for row, (low, high) in enumerate(zip(self.least, self.most, strict=True)):
            own = [costs.get((row, column), ZERO) for column in range(len(low))]
            left = 1 - sum(low)
            for column in sorted(range(len(low)), key=own.__getitem__):
                step = min(left, high[column] - low[column])
                total += own[column] * (low[column] + step)
                left -= step
        return total


def read_rounded(certificate: Certificate) -> Rounded:
    """The intervals; every row must allow a distribution."""
    raw, claim, described = certificate.raw, certificate.claim, certificate.described
    block = raw["operator"]
    need("columns" in block and "rows" in block, "a rounded matrix has columns and rows")
    need(not described.parameters and not block["views"], "a rounded matrix has no views")
    need("one_report" not in block, "a rounded matrix has no one_report")
    columns = read_list(block["columns"], described.outputs)
    rows = read_list(block["rows"], described.inputs)
    need(columns and rows, "an empty matrix")
    need(len(set(map(canonical, columns))) == len(columns), "an output twice")
    known: list[Any] = [None]
    need(("known" in block) == (claim.knowing is not None), "known is there or not by claim")
    if claim.knowing is not None:
        known = read_list(block["known"])
        need(len(set(map(canonical, known))) == len(known) > 0, "what is known twice, or never")
    inputs: dict[int | None, list[InputClass]] = {}
    least, most = [], []
    for entry in rows:
        need(type(entry) is dict, "a row is not an object")
        ends = [read_list(entry.get(key), len(columns)) for key in ("least", "most")]
        low, high = (tuple(read_rational(number) for number in numbers) for numbers in ends)
        good = all(0 <= a <= b <= 1 for a, b in zip(low, high, strict=True))
        need(good and sum(low) <= 1 <= sum(high), "a row that no distribution can be")
        least.append(low)
        most.append(high)
        rest = {k: v for k, v in entry.items() if k not in ("least", "most", "knowledge")}
        chances: list[Any] = [None]
        if claim.knowing is not None:
            chances = read_list(entry.get("knowledge"), len(known))
            good = sum(map(read_rational, chances)) == 1
            need(good, "probabilities of what is known do not sum to 1")
        for place, chance in enumerate(chances):
            whole = {**rest, "likelihood": "0", "count": 1}
            whole |= {} if chance is None else {"knowledge": chance}
            part = read_class(whole, "rows", claim, read_rational)
            inputs.setdefault(None if chance is None else place, []).append(part)
    parts = {place: tuple(row) for place, row in inputs.items()}
    for row in parts.values():
        need(len({part.example for part in row}) == len(row), "an input twice")
        good = claim.prior is None or sum(part.prior for part in row) == 1
        need(good, "the prior does not sum to 1")
    return Rounded(parts, tuple(least), tuple(most), tuple(columns))


def read_rational(thing: Any) -> Fraction:
    """A rational number."""
    number = read_number(thing)
    need(type(number) is Fraction, f"{ascii(thing)[:40]} is not rational")
    return Fraction(number)


def verify_rounded(certificate: Certificate) -> bool:
    """Certified: no matrix within breaks the claim; breached: each one does. Whether vacuous."""
    claim, raw, evidence = certificate.claim, certificate.raw, certificate.evidence
    need(certificate.kind == "rounded", "the evidence of a rounded matrix is rounded")
    need(raw["region"] is None and raw["thresholds"] is None, "a rounded matrix has no thresholds")
    need(not claim.by_counts, "several reports of a rounded matrix: all priors only")
    matrix = read_rounded(certificate)
    if certificate.breached:
        place = every_matrix_breaks(matrix, claim, evidence)
        shown = {"column": place, "output": matrix.outputs[place]}
        need(canonical(certificate.witness) == canonical(shown), f"the witness is not {shown}")
    else:
        no_matrix_breaks(matrix, claim, evidence)
    views = [matrix.column(known, 0) for known in matrix.inputs]
    views = [replace(view, known=str(place).encode()) for place, view in enumerate(views)]
    vacuous = is_vacuous(views, claim)
    check_vacuous(raw, vacuous)
    return vacuous


def pair_breaks(claim: Claim, likely: Fraction, unlikely: Fraction) -> bool:
    """Whether an output breaks the claim under all priors that has these likelihoods of inputs."""
    if likely == 0 or (isinstance(claim, BoundClaim) and likely <= unlikely):
        return False  # that equal likelihoods keep a bound is checked apart
    classes = [InputClass(p, 1, (), ONE, ONE, b"") for p in (likely, unlikely)]
    view = View(tuple(classes), 1, b"", b"")
    if claim.reports > 1:
        view = to_power(view, claim.reports)
    most, least = (part.likelihood for part in view.classes)
    if isinstance(claim, BreachClaim):
        rho1, rho2 = claim.rho1, claim.rho2
        return bool(rho1 * (1 - rho2) * most >= rho2 * (1 - rho1) * least)
    if claim.formula is None:
        return not keeps_amplification(view, claim)
    return unlikely == 0 or formula([view], claim, None).breached


def ratio_sides(
    parts: Sequence[InputClass], claim: Claim, direction: str
) -> tuple[list[int], list[int]]:
    """Which inputs may lie inside the property, and which outside."""
    allowed = [row for row, part in enumerate(parts) if part.knowledge > 0]
    about = claim.about if isinstance(claim, BreachClaim) else None
    if about is None:
        return allowed, allowed
    upward = direction == "upward"
    inside = [row for row in allowed if parts[row].member[about] == upward]
    return inside, [row for row in allowed if parts[row].member[about] != upward]


def all_priors(claim: Claim) -> bool:
    """Whether ratios of likelihoods decide the claim."""
    if isinstance(claim, BreachClaim):
        return claim.prior is None and claim.family is None
    need(claim.of_ratio or claim.formula == LOG_RATIO, "not decided by ratios")
    one = claim.allows(0 if claim.formula else 1, claim.bound)
    need(one, "a bound that equal likelihoods break")
    return True


def no_matrix_breaks(matrix: Rounded, claim: Claim, evidence: Any) -> None:
    """Every output with the likelihoods that make the breach greatest."""
    directions = claim.directions if isinstance(claim, BreachClaim) else ("upward",)
    places = list(product(matrix.inputs, directions, range(len(matrix.outputs))))
    if all_priors(claim):
        Fields(evidence, "evidence", "kind")
        for known, direction, column in places:
            view = matrix.column(known, column)
            inside, outside = ratio_sides(view.classes, claim, direction)
            ranked = sorted(outside, key=lambda row: view.classes[row].likelihood)
            for row in inside:
                other = next((k for k in ranked if k != row), None)
                most = view.classes[row].most or ZERO
                if other is not None:
                    broken = pair_breaks(claim, most, view.classes[other].likelihood)
                    need(not broken, "some matrix within the rounding breaks the claim")
        return
    assert isinstance(claim, BreachClaim)
    if claim.family is not None:
        fields = Fields(evidence, "evidence", "kind prior " + " ".join(claim.directions))
        view = matrix.column(next(iter(matrix.inputs)), 0)
        prior = [read_rational(mass) for mass in fields.list("prior", len(view.classes))]
        need(admitted(view, prior, claim), "evidence.prior is not of the family")
    elif claim.about is None:
        fields = Fields(evidence, "evidence", "kind " + " ".join(claim.directions))
    else:
        fields = Fields(evidence, "evidence", "kind")
    width = len(matrix.outputs)
    for direction in claim.directions:
        trees = [None] * (len(matrix.inputs) * width)
        if direction in fields.raw:
            trees = fields.list(direction, len(trees))
        for place, known in enumerate(matrix.inputs):
            for column in range(width):
                view = matrix.column(known, column)
                tree = trees[place * width + column]
                if claim.family is not None:
                    refute(tree, view, breach_system(view, claim, direction))
                else:
                    no_property_breaks(view, claim, direction, tree)


def no_property_breaks(view: View, claim: BreachClaim, direction: str, tree: Any) -> None:
    """One prior: the claim's property, or every property by a branch tree."""
    # Downward is upward for the complement, from 1 - rho2 to 1 - rho1.
    upward = direction == "upward"
    rho1, rho2 = (claim.rho1, claim.rho2) if upward else (1 - claim.rho2, 1 - claim.rho1)
    held = [part.prior * part.knowledge for part in view.classes]
    tops = [h * (part.most or ZERO) for h, part in zip(held, view.classes, strict=True)]
    lows = [h * part.likelihood for h, part in zip(held, view.classes, strict=True)]
    if claim.about is not None:
        rows = range(len(held))
        inside = [row for row in rows if view.classes[row].member[claim.about] == upward]
        top = sum((tops[row] for row in inside), ZERO)
        rest = sum(lows, ZERO) - sum((lows[row] for row in inside), ZERO)
        before = sum((held[row] for row in inside), ZERO)
        broken = top > 0 and before <= rho1 * sum(held) and (1 - rho2) * top >= rho2 * rest
        need(not broken, "some matrix within the rounding breaks the claim")
        return
    worths = [(1 - rho2) * top + rho2 * low for top, low in zip(tops, lows, strict=True)]
    need((tree is None) == (not any(worths)), "a tree is null iff its output is never seen")
    if tree is None:
        return
    by_place = {id(part): place for place, part in enumerate(view.classes)}
    sack = Knapsack(
        view,
        whole_shares(view, lambda part: held[by_place[id(part)]]),
        whole_shares(view, lambda part: worths[by_place[id(part)]]),
    )
    none, every = (0,) * len(held), (1,) * len(held)
    units = sack.most_by_tree(tree, none, every, math.floor(rho1 * sack.weights.total))
    most = Fraction(units, sack.values.total) * sum(worths, ZERO)
    kept = most == 0 or most < rho2 * sum(lows, ZERO)
    need(kept, "a tree does not show that no matrix within the rounding breaks the claim")


def every_matrix_breaks(matrix: Rounded, claim: Claim, evidence: Any) -> int:
    """Two entries that break the claim wherever they lie, or cuts of which one always does.

    Returns the column of the first.
    """
    if "pair" in evidence:
        need(all_priors(claim), "a pair of entries decides for all priors only")
        pair = Fields(evidence, "evidence", "kind pair").raw["pair"]
        place, row, other, _ = read_pair(matrix, claim, pair)
        sure = pair_breaks(claim, matrix.least[row][place], matrix.most[other][place])
        need(sure, "the two entries need not break the claim")
        return place
    fields = Fields(evidence, "evidence", "kind cuts weights")
    cuts = fields.list("cuts")
    weights = [read_rational(w) for w in fields.list("weights", len(cuts))]
    need(cuts and all(w > 0 for w in weights), "no cut, or one without weight")
    costs: dict[tuple[int, int], Fraction] = {}
    even, first = True, None
    for raw, weight in zip(cuts, weights, strict=True):
        place, row_costs, at_zero, reaching = read_cut(matrix, claim, raw)
        first = place if first is None else first
        for row, cost in row_costs.items():
            costs[row, place] = costs.get((row, place), ZERO) + weight * cost
        # With a sum of 0 the cut is a breach too, if the output is possible in any case.
        even = even and at_zero and any(matrix.least[row][place] > 0 for row in reaching)
    least = matrix.lowest(costs)
    need(least > 0 or (least == 0 and even), "some matrix within the rounding breaks no cut")
    assert first is not None
    return first


def read_pair(
    matrix: Rounded, claim: Claim, raw: Any, more: str = ""
) -> tuple[int, int, int, Fields]:
    """Column, likely and unlikely row of two entries on different sides of the property."""
    keys = "column likely unlikely" + more
    keys += " direction" if isinstance(claim, BreachClaim) else ""
    keys += " known" if claim.knowing is not None else ""
    fields = Fields(raw, "pair", keys)
    place = fields.position("column", len(matrix.outputs))
    known = None
    if claim.knowing is not None:
        known = fields.position("known", len(matrix.inputs))
    direction = "upward"
    if isinstance(claim, BreachClaim):
        direction = fields.text("direction")
        need(direction in claim.directions, "a direction that the claim does not name")
    inside, outside = ratio_sides(matrix.inputs[known], claim, direction)
    row = fields.position("likely", len(matrix.least))
    other = fields.position("unlikely", len(matrix.least))
    good = row in inside and other in outside and row != other
    need(good, "two inputs that are not on different sides")
    return place, row, other, fields


def read_cut(
    matrix: Rounded, claim: Claim, raw: Any
) -> tuple[int, dict[int, Fraction], bool, Sequence[int]]:
    """A breach as: sum of cost * entry of a column above 0; whether at 0 too, if some row reaches.

    Returns the column, the costs by row, and the rows of which one makes the output possible.
    """
    if type(raw) is dict and "likely" in raw:
        need(all_priors(claim), "a pair of entries decides for all priors only")
        if "ratio" in raw:
            place, row, other, fields = read_pair(matrix, claim, raw, " ratio")
            limit = read_rational(fields.raw["ratio"])
            need(limit > 0 and pair_breaks(claim, limit, ONE), "a ratio that breaks nothing")
            return place, {row: ONE, other: -limit}, True, [row]
        place, row, other, _ = read_pair(matrix, claim, raw)
        exact = isinstance(claim, BoundClaim) and type(claim.limit) is Fraction
        need(exact and claim.reports == 1, "a cut without a ratio")
        assert isinstance(claim, BoundClaim)
        return place, {row: ONE, other: -claim.limit}, claim.relation == "<", [row]
    need(isinstance(claim, BreachClaim) and claim.reports == 1, "a bound is broken by a ratio")
    assert isinstance(claim, BreachClaim)
    keys = "column direction inside" + (" known" if claim.knowing is not None else "")
    keys += " masses" if claim.prior is None else ""
    fields = Fields(raw, "cut", keys)
    place = fields.position("column", len(matrix.outputs))
    known = fields.position("known", len(matrix.inputs)) if claim.knowing is not None else None
    direction = fields.text("direction")
    need(direction in claim.directions, "a direction that the claim does not name")
    view = matrix.column(known, place)
    rows = range(len(view.classes))
    inside = {read_position(row, len(rows)) for row in fields.list("inside")}
    if claim.about is not None:
        own = {row for row in rows if view.classes[row].member[claim.about]}
        need(inside == own, "the cut has another property than the claim")
    masses = [part.prior for part in view.classes]
    if claim.prior is None:
        masses = [read_rational(mass) for mass in fields.list("masses", len(rows))]
        need(admitted(view, masses, claim), "a prior that the claim does not admit")
    held = [mass * view.classes[row].knowledge for row, mass in enumerate(masses)]
    need(sum(held) > 0, "what is known excludes this prior")
    before = sum((held[row] for row in inside), ZERO) / sum(held)
    upward = direction == "upward"
    starts = before <= claim.rho1 if upward else before >= claim.rho2
    need(starts, "the cut does not start where the claim does")
    gains = [
        (row in inside) - claim.rho2 if upward else claim.rho1 - (row in inside) for row in rows
    ]
    costs = {row: held[row] * gains[row] for row in rows}
    return place, costs, True, [row for row in rows if held[row] > 0]


# === Continuous operators: z = x + noise on an interval, clamped or truncated to a window
#
# Numbers that are not rational lie between two Fractions, closer for more bits. Two facts are used,
# which docs/numeric.md proves: all these densities are log-concave, so that the top of the outputs
# says most, from the greatest x against the least; and the mass of an interval under noise with one
# peak rises and then falls as the noise is moved along.

Span = tuple[Fraction, Fraction]  # what a number lies between
CONTINUOUS_BITS = (192, 768, 3072)  # tried one after the other, until a comparison is decided
MAX_PIECES = 1000  # parts of a density, and intervals of a property
MAX_SPANS = 50_000  # intervals of x, and of z
FARTHEST = 60  # standard deviations; beyond, a normal tail is only known to be below e^-1800
HALF = Fraction(1, 2)


def outward(low: Fraction, high: Fraction, bits: int) -> Span:
    """The same to multiples of 2^-bits; what is exact stays as it is."""
    if low == high and low.denominator.bit_length() <= bits:
        return low, high
    unit = 2**bits
    return Fraction(math.floor(low * unit), unit), Fraction(math.ceil(high * unit), unit)


@functools.lru_cache(maxsize=1 << 16)
def exp_span(q: Fraction, bits: int) -> Span:
    """e^q: absolutely as close as 2^-bits where q < 0, relatively where q > 0."""
    need(q <= 10**5, "a power of e above 10^5")
    if q >= 0:
        low, high = exp_bounds(q, bits)
        return Fraction(low, 2**bits), Fraction(high, 2**bits)
    if -q > bits + 64:  # e^q < 2^-bits
        return ZERO, Fraction(1, 2**bits)
    low, high = exp_bounds(-q, bits)
    return outward(Fraction(2**bits, high), Fraction(2**bits, low), bits)


@functools.lru_cache(maxsize=8)
def root_two_pi(bits: int) -> Span:
    """The square root of 2 pi, pi by Machin's formula."""
    unit = 1 << (bits + 64)

    def arctan(n: int) -> tuple[int, int]:  # of 1/n: terms alternate and fall
        total, power, k = 0, unit // n, 0
        while power:
            total += power // (2 * k + 1) if k % 2 == 0 else -(power // (2 * k + 1))
            power //= n * n
            k += 1
        return total - 3 * k - 3, total + 3 * k + 3

    a, b = arctan(5), arctan(239)
    low, high = 2 * (16 * a[0] - 4 * b[1]), 2 * (16 * a[1] - 4 * b[0])  # 2 pi
    return Fraction(math.isqrt(low * unit), unit), Fraction(math.isqrt(high * unit) + 1, unit)


def phi_span(t: Fraction, bits: int) -> Span:
    """The density of the standard normal law."""
    above, root = exp_span(-t * t / 2, bits), root_two_pi(bits)
    return outward(above[0] / root[1], above[1] / root[0], bits)


@functools.lru_cache(maxsize=1 << 16)
def normal_span(t: Fraction, bits: int) -> Span:
    """Its distribution: 1/2 - phi(t) (s + s^3/3 + s^5/(3 5) + ...) for t = -s."""
    if t > 0:
        low, high = normal_span(-t, bits)
        return 1 - high, 1 - low
    if t < -FARTHEST:
        return ZERO, exp_span(-t * t / 2, bits)[1]
    u = t * t
    unit = 1 << (bits + math.ceil(u) + 64)  # the series grows like e^(u/2)
    term, lost, total, missing, n = math.floor(-t * unit), 1, 0, 0, 0
    while term or 2 * u > 2 * n + 1:
        total, missing, n = total + term, missing + lost, n + 1
        term = term * u.numerator // (u.denominator * (2 * n + 1))
        lost = math.ceil(lost * u / (2 * n + 1)) + 1  # what a term misses: each division up to 1
    # From here on each term is at most half of the one before.
    high = Fraction(total + missing + 2 * lost, unit)
    density = phi_span(t, bits + math.ceil(u) + 32)
    below = outward(Fraction(total, unit) * density[0], high * density[1], bits)
    return max(HALF - below[1], ZERO), HALF - below[0]


@dataclass(frozen=True)
class Noise:
    """A law of noise: a and b are its ends, or a is its scale or standard deviation."""

    law: str
    a: Fraction
    b: Fraction | None = None

    @property
    def support(self) -> tuple[Fraction | None, Fraction | None]:
        """Its ends, where it has some."""
        return (self.a, self.b) if self.b is not None else (None, None)

    @property
    def center(self) -> Fraction:
        """Its middle."""
        return ZERO if self.b is None else (self.a + self.b) / 2

    def mirrored(self) -> Noise:
        """The law of the negative number."""
        return self if self.b is None else Noise(self.law, -self.b, -self.a)

    def density(self, v: Fraction) -> Any:
        """Exactly, ends included; not of the normal law."""
        if self.b is None:
            return e_to(-abs(v) / self.a) / (2 * self.a)
        if not self.a <= v <= self.b:
            return ZERO
        half = (self.b - self.a) / 2
        flat = self.law == "uniform"
        return 1 / (2 * half) if flat else (half - abs(v - self.center)) / half**2

    def below(self, v: Fraction) -> Any:
        """The distribution, exactly; not of the normal law."""
        if self.b is None:
            tail = e_to(-abs(v) / self.a) / 2
            return tail if v < 0 else 1 - tail
        t = min(max((v - self.a) / (self.b - self.a), ZERO), ONE)
        if self.law == "uniform":
            return t
        return 2 * t * t if t < HALF else 1 - 2 * (1 - t) ** 2

    def distribution(self, v: Fraction, bits: int) -> Span:
        """The distribution."""
        if self.law == "normal":
            return normal_span(v / self.a, bits)
        if self.b is not None:
            return self.below(v), self.below(v)
        low, high = exp_span(-abs(v) / self.a, bits)
        return (low / 2, high / 2) if v < 0 else (1 - high / 2, 1 - low / 2)

    def between(self, low: Fraction, high: Fraction, bits: int) -> Span:
        """How likely it lies between two numbers."""
        one, two = self.distribution(low, bits), self.distribution(high, bits)
        return max(two[0] - one[1], ZERO), max(two[1] - one[0], ZERO)

    def integral(self, v: Fraction, bits: int) -> Span:
        """The integral of the distribution up to v."""
        if self.law == "normal":
            t = v / self.a
            share, density = normal_span(t, bits), phi_span(t, bits)
            ends = [t * end for end in share]
            return self.a * (min(ends) + density[0]), self.a * (max(ends) + density[1])
        if self.b is None:
            low, high = exp_span(-abs(v) / self.a, bits)
            rest = max(v, ZERO)
            return rest + self.a * low / 2, rest + self.a * high / 2
        first, last = max(v - self.a, ZERO), max(v - self.b, ZERO)
        middle = max(v - self.center, ZERO)
        if self.law == "uniform":
            found = (first**2 - last**2) / (2 * (self.b - self.a))
        else:
            found = 2 * (first**3 - 2 * middle**3 + last**3) / (3 * (self.b - self.a) ** 2)
        return found, found


@dataclass(frozen=True)
class Additive:
    """The operator of a certificate, and the density and the property of its claim."""

    name: str
    lo: Fraction
    hi: Fraction
    noise: Noise
    window: tuple[str, Fraction, Fraction] | None
    density: tuple[tuple[str, Fraction, Fraction, Fraction], ...] | None  # law, numbers, weight
    intervals: tuple[Span, ...] | None  # of the property

    def mirrored(self) -> Additive:
        """The same of -x and -z."""
        window = self.window and (self.window[0], -self.window[2], -self.window[1])
        return replace(self, lo=-self.hi, hi=-self.lo, noise=self.noise.mirrored(), window=window)

    @property
    def clamped(self) -> bool:
        """Whether the ends of the window are atoms."""
        return self.window is not None and self.window[0] == "clamped"


def read_fractions(things: Any, length: int | None = None) -> list[Fraction]:
    """A list of rationals."""
    return [read_rational(thing) for thing in read_list(things, length)]


def read_intervals(rows: list[Any]) -> tuple[Span, ...]:
    """Pairs of rationals."""
    return tuple((a, b) for a, b in (read_fractions(row, 2) for row in rows))


def read_additive(raw: Any) -> Additive:
    """The operator, with all that makes it one."""
    fields = Fields(raw, "operator", "name inputs noise window density property")
    lo, hi = read_fractions(raw["inputs"], 2)
    need(lo < hi, "inputs: not an interval")
    law = Fields(raw["noise"], "noise", "law parameters")
    word, numbers = law.text("law"), read_fractions(law.raw["parameters"])
    need(word in ("uniform", "triangular", "normal", "laplace"), "unknown noise")
    ends = word in ("uniform", "triangular")
    need(len(numbers) == 1 + ends, "noise: too many or too few numbers")
    need(numbers[0] < numbers[1] if ends else numbers[0] > 0, "noise: no such law")
    window = None
    if raw["window"] is not None:
        part = Fields(raw["window"], "window", "kind ends")
        kind, (low, high) = part.text("kind"), read_fractions(part.raw["ends"], 2)
        need(kind in ("clamped", "truncated") and low < high, "no such window")
        window = kind, low, high
    parts = None if raw["density"] is None else read_density(raw["density"], lo, hi)
    intervals = None
    if raw["property"] is not None:
        intervals = read_intervals(fields.list("property"))
        cuts = [lo, *(end for part in intervals for end in part), hi]
        rising = all(a <= b for a, b in pairwise(cuts)) and all(a < b for a, b in intervals)
        need(0 < len(intervals) <= MAX_PIECES and rising, "property: not intervals in order")
        need(len(intervals) > 1 or intervals[0] != (lo, hi), "property: everything")
    noise = Noise(word, numbers[0], numbers[1] if ends else None)
    found = Additive(fields.text("name"), lo, hi, noise, window, parts, intervals)
    if window is not None and window[0] == "truncated":
        for x in (lo, hi):
            least, most = noise.support
            inside = least is None or (x + least < window[2] and x + (most or ZERO) > window[1])
            need(inside, "window: from some x nothing is left")
    return found


def read_density(raw: Any, lo: Fraction, hi: Fraction) -> Any:
    """The parts of a mixture, whose weights sum to 1."""
    parts = []
    for entry in read_list(raw):
        part = Fields(entry, "density", "law parameters weight")
        word, (first, second) = part.text("law"), read_fractions(part.raw["parameters"], 2)
        weight = read_rational(part.raw["weight"])
        need(word in ("uniform", "normal") and weight > 0, "density: no such part")
        good = second > 0 if word == "normal" else lo <= first < second <= hi
        need(good, "density: no such part")
        parts.append((word, first, second, weight))
    good = 0 < len(parts) <= MAX_PIECES and sum(part[3] for part in parts) == 1
    need(good, "density: the weights do not sum to 1")
    return tuple(parts)


# -- all priors: the extremes


@dataclass(frozen=True)
class Top:
    """The greatest ratio of likelihoods of x1 > x2, at the top of the outputs.

    infinite, or exactly a number, or a Span for so many bits. reached: by outputs of positive
    probability, and not only approached.
    """

    infinite: bool
    reached: bool
    exact: Any = None
    span: Callable[[int], Span] | None = None

    def side(self, limit: Any) -> int:
        """-1, 0, 1: below, at or above a limit."""
        if self.infinite:
            return 1
        if self.exact is not None:
            return int(self.exact > limit) - int(self.exact < limit)
        assert self.span is not None
        for bits in CONTINUOUS_BITS:
            low, high = self.span(bits)
            least, most = limit.between(bits) if type(limit) is Exponential else (limit, limit)
            if high < least or low > most:
                return -1 if high < least else 1
        raise Rejected(f"{CONTINUOUS_BITS[-1]} bits do not tell a ratio from the limit")


def quotient_span(one: Span, other: Span) -> Span:
    """One positive number by another."""
    if other[0] <= 0:
        return ZERO, one[1] * 2 ** CONTINUOUS_BITS[-1] + 1  # too few bits: nothing is known yet
    return one[0] / other[1], one[1] / other[0]


def top_of(operator: Additive, x1: Fraction, x2: Fraction) -> Top:
    """What the top of the outputs says of x1 against x2, x1 > x2."""
    noise, window = operator.noise, operator.window
    most = noise.support[1]
    if most is not None and window is not None and window[1] >= x1 + most:
        return Top(False, True, ONE)  # all outputs are moved to one end
    if most is not None and (window is None or window[2] >= x1 + most):
        return Top(True, True)
    if window is None:
        gain = (x1 - x2) / noise.a
        return Top(False, True, e_to(gain)) if noise.law == "laplace" else Top(True, False)
    kind, lo, hi = window
    if kind == "clamped":
        if noise.law == "normal":
            flipped = noise.mirrored()
            return Top(
                False,
                True,
                span=lambda bits: quotient_span(
                    *(flipped.distribution(x - hi, bits) for x in (x1, x2))
                ),
            )
        over, under = (1 - noise.below(hi - x) for x in (x1, x2))
        return Top(False, True, over / under) if under != 0 else Top(True, True)
    if noise.law == "normal":
        gain = ((hi - x2) ** 2 - (hi - x1) ** 2) / (2 * noise.a**2)

        def span(bits: int) -> Span:
            shares = quotient_span(*(noise.between(lo - x, hi - x, bits) for x in (x2, x1)))
            factor = exp_span(gain, bits)
            return factor[0] * shares[0], factor[1] * shares[1]

        return Top(False, False, span=span)
    if most is not None and hi - x2 > most:
        return Top(True, True)
    over, under = (
        noise.density(hi - x) / (noise.below(hi - x) - noise.below(lo - x)) for x in (x1, x2)
    )
    constant = noise.law == "uniform" or (noise.law == "laplace" and (hi > x1 or hi <= x2))
    return Top(False, constant, over / under) if under != 0 else Top(True, False)


def tops(operator: Additive, inside: Span, outside: Span) -> Iterator[tuple[str, Top]]:
    """Both ends of the outputs, for the greatest and the least x inside and outside a property."""
    if inside[1] > outside[0]:
        yield "top", top_of(operator, inside[1], outside[0])
    if inside[0] < outside[1]:
        yield "bottom", top_of(operator.mirrored(), -inside[0], -outside[1])


def complement(operator: Additive) -> tuple[Span, ...]:
    """The intervals that do not have the property."""
    assert operator.intervals is not None
    cuts = [operator.lo, *(end for part in operator.intervals for end in part), operator.hi]
    return tuple((a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=True) if a < b)


def rising(operator: Additive, way: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The intervals whose probability rises in a breach of this direction, and the others."""
    assert operator.intervals is not None
    both = operator.intervals, complement(operator)
    return both if way == "upward" else both[::-1]


def extremes_decide(operator: Additive, claim: Claim, witness: Any) -> bool:
    """Whether the claim is broken, for all priors; a witness is replayed."""
    whole: tuple[Span, ...] = ((operator.lo, operator.hi),)
    if isinstance(claim, BoundClaim):
        limit, cases = claim.limit, [("", whole, whole)]
    else:
        limit = claim.rho2 * (1 - claim.rho1) / (claim.rho1 * (1 - claim.rho2))
        cases = [("", whole, whole)]
        if operator.intervals is not None:
            cases = [(way, *rising(operator, way)) for way in claim.directions]
    broken = []
    for way, inside, outside in cases:
        ends = (inside[0][0], inside[-1][1]), (outside[0][0], outside[-1][1])
        for side, top in tops(operator, *ends):
            where = top.side(limit)
            if isinstance(claim, BoundClaim):
                fails = where > 0 or (where == 0 and claim.relation == "<")
            else:
                need(where or operator.intervals is None, "a property at the very limit")
                fails = where > 0 or (where == 0 and top.reached)
            if fails:
                broken.append((way, side, top, ends, where))
    if witness is not None:
        replay_extreme(operator, claim, limit, witness, broken)
    return bool(broken)


def replay_extreme(
    operator: Additive, claim: Claim, limit: Any, witness: Any, broken: list[Any]
) -> None:
    """Two inputs, and outputs that tell them apart as far as the claim forbids."""
    breach = isinstance(claim, BreachClaim)
    fields = Fields(witness, "witness", "side likely unlikely at z" + " direction" * breach)
    side, at = fields.text("side"), fields.text("at")
    if isinstance(claim, BreachClaim):
        need(fields.text("direction") in claim.directions, "witness: not this direction")
    found = [
        case for case in broken if case[1] == side and case[0] in ("", witness.get("direction", ""))
    ]
    need(found, "witness: this end of the outputs breaks nothing")
    _, _, top, (inside, outside), where = found[0]
    x1, x2 = read_rational(witness["likely"]), read_rational(witness["unlikely"])
    ends = (inside[1], outside[0]) if side == "top" else (inside[0], outside[1])
    need((x1, x2) == ends, "witness: not the inputs that are told apart most")
    shown, sign = (operator, 1) if side == "top" else (operator.mirrored(), -1)
    if at == "limit":
        need(where == 0 and not top.reached and not breach, "witness: outputs can be named")
        need(witness["z"] is None, "witness: an output too many")
        return
    z = sign * read_rational(witness["z"])
    if at == "atom":
        need(shown.clamped and shown.window is not None, "witness: no output is an atom")
        need(shown.window is not None and z in shown.window[1:], "witness: not an end")
        return  # the atom's ratio is the extreme itself
    need(at == "from", "witness: unknown sort of outputs")
    a, b = sign * x1, sign * x2
    most = shown.noise.support[1]
    beyond = (most is None or z < a + most) and (shown.window is None or z < shown.window[2])
    need(beyond, "witness: no outputs lie beyond")
    need(ratio_reaches(shown, z, a, b, limit), "witness: the ratio there is too small")


def ratio_reaches(operator: Additive, z: Fraction, x1: Fraction, x2: Fraction, limit: Any) -> bool:
    """Whether p(z|x1) >= limit p(z|x2), p(z|x1) > 0: then so for all outputs further up."""
    noise = operator.noise
    if noise.b is not None:
        over, under = noise.density(z - x1), noise.density(z - x2)
        if operator.window is not None and not operator.clamped:
            _, lo, hi = operator.window
            shares = [noise.below(hi - x) - noise.below(lo - x) for x in (x1, x2)]
            over, under = over * shares[1], under * shares[0]
        return bool(over > 0 and over >= limit * under)
    if noise.law == "laplace":
        gain = (abs(z - x2) - abs(z - x1)) / noise.a
    else:
        gain = ((z - x2) ** 2 - (z - x1) ** 2) / (2 * noise.a**2)
    if operator.window is None or operator.clamped:
        if noise.law == "laplace":
            return bool(e_to(gain) >= limit)
        shares_at = None
    else:
        _, lo, hi = operator.window
        if noise.law == "laplace":
            one, two = (noise.below(hi - x) - noise.below(lo - x) for x in (x1, x2))
            return bool(e_to(gain) * two / one >= limit)
        shares_at = lambda bits: quotient_span(  # noqa: E731
            *(noise.between(lo - x, hi - x, bits) for x in (x2, x1))
        )
    for bits in CONTINUOUS_BITS:
        factor = exp_span(gain, bits)[0]
        share = ONE if shares_at is None else shares_at(bits)[0]
        most = limit.between(bits)[1] if type(limit) is Exponential else limit
        if factor * share >= most:
            return True
    return False


# -- one density: cells of x, and cuts between intervals of z


@dataclass(frozen=True)
class Slice:
    """An interval of x, whether it lies in the property that rises, and between what it weighs."""

    lo: Fraction
    hi: Fraction
    inside: bool
    weight: Span


def slices(operator: Additive, inside: Sequence[Span], parts: int, bits: int) -> list[Slice]:
    """Cells of x: the density's pieces, cut by the property, and each into so many parts."""
    assert operator.density is not None
    need(1 <= parts <= 1000, "parts: not from 1 to 1,000")
    bell = [part for part in operator.density if part[0] == "normal"]
    flat = [part for part in operator.density if part[0] == "uniform"]
    cuts = {end for part in flat for end in part[1:3]} | (
        {operator.lo, operator.hi} if bell else set()
    )
    ends = sorted(cuts | {end for part in inside for end in part})
    whole = {part: bell_share(operator, part, bits) for part in bell}
    truncated = operator.window is not None and not operator.clamped
    found: list[Slice] = []
    for a, b in pairwise(ends):
        height = sum((p[3] / (p[2] - p[1]) for p in flat if p[1] <= a and b <= p[2]), ZERO)
        if not height and not bell:
            continue
        held = any(p[0] <= a and b <= p[1] for p in inside)
        count = parts if bell or truncated else 1
        need(len(found) + count <= MAX_SPANS, "too many cells")
        for k in range(count):
            low, high = a + (b - a) * Fraction(k, count), a + (b - a) * Fraction(k + 1, count)
            weight = height, height
            for part in bell:
                of = bell_span(part, whole[part], low, high, bits)
                weight = weight[0] + of[0], weight[1] + of[1]
            if truncated:
                share = share_span(operator, low, high, bits)
                weight = quotient_span(weight, share)
            found.append(Slice(low, high, held, outward(*weight, bits)))
    return found


def bell_share(operator: Additive, part: Any, bits: int) -> Span:
    """How much of a normal law lies in the domain."""
    _, mean, deviation, _ = part
    return Noise("normal", deviation).between(operator.lo - mean, operator.hi - mean, bits)


def bell_span(part: Any, whole: Span, low: Fraction, high: Fraction, bits: int) -> Span:
    """Between what the density of a truncated normal law lies: it has one peak, its mean."""
    _, mean, deviation, weight = part
    points = [low, high, *([mean] if low < mean < high else [])]
    found = [phi_span((x - mean) / deviation, bits) for x in points]
    span = min(f[0] for f in found), max(f[1] for f in found)
    low_part, high_part = quotient_span(span, whole)
    return weight * low_part / deviation, weight * high_part / deviation


def share_span(operator: Additive, low: Fraction, high: Fraction, bits: int) -> Span:
    """How likely the output lies in the window, for x between two numbers: one peak again."""
    assert operator.window is not None
    _, lo, hi = operator.window
    peak = (lo + hi) / 2 - operator.noise.center
    points = [low, high, *([peak] if low < peak < high else [])]
    found = [operator.noise.between(lo - x, hi - x, bits) for x in points]
    return min(f[0] for f in found), max(f[1] for f in found)


def moved(noise: Noise, part: Slice, low: Fraction, high: Fraction, bits: int) -> Span:
    """How likely noise moves x from a cell to z, for z from low to high, times its width."""
    peak = (part.lo + part.hi) / 2 + noise.center
    points = [low, high, *([peak] if low < peak < high else [])]
    found = [noise.between(z - part.hi, z - part.lo, bits) for z in points]
    return min(f[0] for f in found), max(f[1] for f in found)


def at_atom(operator: Additive, part: Slice, end: str, bits: int) -> Span:
    """The same where outputs beyond an end of the window are moved to it."""
    assert operator.window is not None
    noise, (_, lo, hi) = operator.noise, operator.window
    if end == "hi":
        noise, a, b = noise.mirrored(), part.lo - hi, part.hi - hi
    else:
        a, b = lo - part.hi, lo - part.lo
    one, two = noise.integral(a, bits), noise.integral(b, bits)
    return max(two[0] - one[1], ZERO), max(two[1] - one[0], ZERO)


def odds_side(masses: Iterable[tuple[Slice, Span]], limit: Fraction) -> int:
    """-1: below the limit (or no such output); 1: at or above it, and possible; 0: open."""
    inside, outside = [ZERO, ZERO], [ZERO, ZERO]
    for part, mass in masses:
        total = inside if part.inside else outside
        total[0] += part.weight[0] * mass[0]
        total[1] += part.weight[1] * mass[1]
    if inside[1] < limit * outside[0] or inside[1] == 0:
        return -1
    return int(inside[0] > 0 and inside[0] >= limit * outside[1])


def in_bits(side: Callable[[int], int], wanted: int) -> bool:
    """Whether some number of bits shows this side."""
    return any(side(bits) == wanted for bits in CONTINUOUS_BITS[:2])


def mass_side(operator: Additive, inside: Sequence[Span], start: Fraction) -> int:
    """-1: the probability is above 0 and at most the start; 1: above it, or 0; 0: open."""
    assert operator.density is not None
    bits = CONTINUOUS_BITS[1]
    low = high = ZERO
    for part in operator.density:
        word, first, second, weight = part
        for a, b in inside:
            if word == "uniform":
                length = max(min(b, second) - max(a, first), ZERO)
                mass = (weight * length / (second - first),) * 2
            else:
                noise = Noise("normal", second)
                of = noise.between(a - first, b - first, bits)
                share = quotient_span(of, bell_share(operator, part, bits))
                mass = weight * share[0], weight * share[1]
            low, high = low + mass[0], high + mass[1]
    if low > start or high == 0:
        return 1
    return -1 if low > 0 and high <= start else 0


def cells_decide(
    operator: Additive, claim: BreachClaim, evidence: Any, witness: Any
) -> tuple[bool, bool]:
    """Whether the claim is broken, and whether no case tests it, under the density."""
    need(operator.density is not None, "the claim names no density")
    if witness is not None:
        Fields(evidence, "evidence", "kind")
        replay_cells(operator, claim, witness)
        return True, False
    fields = Fields(evidence, "evidence", "kind ways")
    need(operator.intervals is not None, "cells decide a claim for one property")
    rows = fields.list("ways", len(claim.directions))
    tested = False
    for way, row in zip(claim.directions, rows, strict=True):
        need(type(row) is dict and row.get("direction") == way, "evidence: not this direction")
        inside, _ = rising(operator, way)
        start, limit = start_and_limit(claim, way)
        side = mass_side(operator, inside, start)
        need(side != 0, "the property's probability is too close to where the claim starts")
        if side > 0:
            Fields(row, "ways", "direction starts")
            need(row["starts"] is False, "the claim does not start there")
            continue
        tested = True
        verify_cuts(operator, inside, limit, row)
    return False, not tested


def start_and_limit(claim: BreachClaim, way: str) -> Span:
    """Up to which probability the claim starts, and which odds are a breach."""
    need(type(claim.rho1) is Fraction and type(claim.rho2) is Fraction, "rationals are needed here")
    if way == "upward":
        return claim.rho1, claim.rho2 / (1 - claim.rho2)
    return 1 - claim.rho2, (1 - claim.rho1) / claim.rho1


def verify_cuts(operator: Additive, inside: Sequence[Span], limit: Fraction, row: Any) -> None:
    """Below the limit between any two cuts, beyond them, and at atoms."""
    fields = Fields(row, "ways", "direction starts parts cuts tails atoms")
    need(fields.flag("starts"), "the claim starts there")
    parts = fields.position("parts", 1001)
    cuts = read_fractions(row["cuts"])
    need(2 <= len(cuts) <= MAX_SPANS, "cuts: too many or too few")
    need(all(a <= b for a, b in pairwise(cuts)), "cuts: not in order")
    made = {bits: slices(operator, inside, parts, bits) for bits in CONTINUOUS_BITS[:2]}
    noise = operator.noise

    def below(low: Fraction, high: Fraction) -> bool:
        return in_bits(
            lambda bits: odds_side(
                ((p, moved(noise, p, low, high, bits)) for p in made[bits]), limit
            ),
            -1,
        )

    for a, b in pairwise(cuts):
        need(below(a, b), f"the odds are not below the limit from {spell(a)} to {spell(b)}")
    first, last = min(p.lo for p in made[192]), max(p.hi for p in made[192])
    for side, end in (("bottom", cuts[0]), ("top", cuts[-1])):
        if not covered(operator, side, end, first, last):
            need(side in read_list(row["tails"]), f"nothing is said of the {side} of the outputs")
            laplace = noise.law == "laplace" and (end >= last if side == "top" else end <= first)
            good = below(end, end) if laplace else tail_below(operator, made, side, end, limit)
            need(good, f"the odds are not below the limit at the {side} of the outputs")
    if operator.clamped:
        for atom in ("lo", "hi"):
            good = in_bits(
                lambda bits, atom=atom: odds_side(  # type: ignore[misc]
                    ((p, at_atom(operator, p, atom, bits)) for p in made[bits]), limit
                ),
                -1,
            )
            need(good, "the odds are not below the limit at an end of the window")


def covered(operator: Additive, side: str, end: Fraction, first: Fraction, last: Fraction) -> bool:
    """Whether no output with a density lies beyond an end."""
    least, most = operator.noise.support
    limits: list[Fraction] = []
    if operator.window is not None:
        limits.append(operator.window[1] if side == "bottom" else operator.window[2])
    if least is not None and most is not None:
        limits.append(first + least if side == "bottom" else last + most)
    return any(end <= limit if side == "bottom" else end >= limit for limit in limits)


def tail_below(
    operator: Additive, made: Mapping[int, list[Slice]], side: str, end: Fraction, limit: Fraction
) -> bool:
    """Against the cells beyond the property alone: their share grows the further z goes."""

    def at(bits: int) -> int:
        held = [part for part in made[bits] if part.inside]
        if side == "top":
            edge = max(part.hi for part in held)
            beyond = [part for part in made[bits] if not part.inside and part.lo >= edge]
        else:
            edge = min(part.lo for part in held)
            beyond = [part for part in made[bits] if not part.inside and part.hi <= edge]
        masses = [(p, moved(operator.noise, p, end, end, bits)) for p in (*held, *beyond)]
        return odds_side(masses, limit) if beyond else 0

    return in_bits(at, -1)


def replay_cells(operator: Additive, claim: BreachClaim, witness: Any) -> None:
    """A property (the claim's, or one named here) and outputs that take its odds too far."""
    every = operator.intervals is None
    fields = Fields(witness, "witness", "direction parts atom low high" + " property" * every)
    way = fields.text("direction")
    need(way in claim.directions, "witness: not this direction")
    if every:
        inside = read_intervals(fields.list("property"))
        cuts = [operator.lo, *(end for part in inside for end in part), operator.hi]
        need(inside and all(a <= b for a, b in pairwise(cuts)), "witness: not intervals in order")
    else:
        inside, _ = rising(operator, way)
    start, limit = start_and_limit(claim, way)
    need(mass_side(operator, inside, start) < 0, "witness: the claim does not start there")
    parts = fields.position("parts", 1001)
    if witness["atom"] is not None:
        end = fields.text("atom")
        need(operator.clamped and end in ("lo", "hi"), "witness: no such atom")
        good = in_bits(
            lambda bits: odds_side(
                (
                    (p, at_atom(operator, p, end, bits))
                    for p in slices(operator, inside, parts, bits)
                ),
                limit,
            ),
            1,
        )
    else:
        low, high = read_rational(witness["low"]), read_rational(witness["high"])
        if operator.window is not None:
            low, high = max(low, operator.window[1]), min(high, operator.window[2])
        need(low < high, "witness: not an interval of outputs")
        good = in_bits(
            lambda bits: odds_side(
                (
                    (p, moved(operator.noise, p, low, high, bits))
                    for p in slices(operator, inside, parts, bits)
                ),
                limit,
            ),
            1,
        )
    need(good, "witness: the odds there are too small")


@dataclass(frozen=True)
class ContinuousCertificate:
    """A certificate of a continuous operator that was read and verified."""

    claim: Claim
    operator: Additive
    vacuous: bool
    raw: dict[str, Any]
    questions: tuple[Question, ...] = ()


def verify_continuous(raw: dict[str, Any]) -> ContinuousCertificate:
    """The frame, and then what the evidence shows."""
    keys = "format claim model operator verdict vacuous trust reason evidence witness versions"
    fields = Fields(raw, "certificate", keys + " sha256")
    read_frame(fields)
    need(fields.text("trust") == EXACTLY, f"the evidence is {EXACTLY}")
    claim, shown = read_claim(raw["claim"]), read_additive(raw["operator"])
    need(claim.reports == 1 and claim.knowing is None, "of one report, without knowledge")
    if isinstance(claim, BoundClaim):
        need(claim.of_ratio, "no rule for this measure")
        need(shown.density is None and shown.intervals is None, "a density or property too many")
    else:
        need(claim.family is None, "a family of priors")
        need((claim.prior is None) == (shown.density is None), "a density too many or few")
        need((claim.about is None) == (shown.intervals is None), "a property too many or few")
    kind, witness = raw["evidence"]["kind"], raw["witness"]
    vacuous = False
    if kind == "extremes":
        Fields(raw["evidence"], "evidence", "kind")
        # Without a breach under any prior there is none under the claim's.
        need(shown.density is None or (witness is None and claim.about is None), "not decided so")  # type: ignore[union-attr]
        broken = extremes_decide(shown, claim, witness)
    else:
        need(kind == "cells" and isinstance(claim, BreachClaim), "no such evidence here")
        assert isinstance(claim, BreachClaim)
        broken, vacuous = cells_decide(shown, claim, raw["evidence"], witness)
    need(broken == (raw["verdict"] == "breached"), "the evidence shows the other verdict")
    check_vacuous(raw, vacuous)
    return ContinuousCertificate(claim, shown, vacuous, raw)


# === Checking against a model, and the command line


@dataclass(frozen=True)
class FromModel:
    """What was derived anew from the model: the operator (or its views), the claim and so on.

    None leaves out the comparison. questions: the texts that a solver must have been asked.
    """

    operator: dict[str, Any] | list[Any] | None = None
    claim: dict[str, Any] | None = None
    model: dict[str, Any] | None = None
    questions: Sequence[str] | None = None
    region: dict[str, Any] | None = None


def compare(certificate: Certificate | ContinuousCertificate, derived: FromModel) -> None:
    """Reject what is not what the model says, from the claim to the solver's questions."""
    raw = certificate.raw
    if derived.claim is not None:
        same = canonical(raw["claim"]) == canonical(derived.claim)
        need(same, "the claim is not the one that the model states by these names")
    if derived.operator is not None:
        whole = isinstance(derived.operator, dict)
        mine = raw["operator"] if whole else raw["operator"]["views"]
        need(canonical(mine) == canonical(derived.operator), "the views are not those of the model")
    if derived.model is not None:
        mine = {**(raw["model"] or {}), "file": ""}
        same = canonical(mine) == canonical({**derived.model, "file": ""})
        need(same, "made from another model")
    if derived.questions is not None and certificate.questions:
        expected = {digest(text.encode()) for text in derived.questions}
        asked = {question.sha256 for question in certificate.questions}
        need(asked == expected, "the solver was asked other questions than the claim's")
    if derived.region is not None:
        same = canonical(raw["region"]) == canonical(derived.region)
        need(same, "the region is not that of the model")


def check_certificate(
    data: bytes | dict[str, Any],
    *,
    views: list[Any] | dict[str, Any] | None = None,
    model: dict[str, Any] | None = None,
    claim: dict[str, Any] | None = None,
    directory: Path | None = None,
    allow_solver_trusted: bool = False,
    derive: Callable[[dict[str, Any]], FromModel] | None = None,
) -> CheckResult:
    """Check one certificate, whose solver questions lie in `directory`; never raises.

    `views` (or the whole `operator`), `claim` and `model` are what was derived anew from the
    model file; or `derive` derives them, once the certificate is right in itself, and may raise.
    """
    try:
        raw = parse(data if isinstance(data, bytes) else canonical(data) + b"\n")
        certificate: Certificate | ContinuousCertificate
        if type(raw) is dict and raw.get("format") == "ppdm-continuous/1":
            certificate = verify_continuous(raw)
            vacuous = certificate.vacuous
        else:
            certificate = read_certificate(raw, directory)
            vacuous = verify(certificate)
        compare(certificate, FromModel(views, claim, model))
    except Rejected as error:
        return CheckResult("rejected", str(error))
    except Exception as error:  # whatever cannot be read does not hold
        return CheckResult("rejected", f"cannot be read: {type(error).__name__}: {error}"[:200])
    derived = FromModel()
    if derive is not None:
        try:
            derived = derive(raw)
            compare(certificate, derived)
        except Rejected as error:
            return CheckResult("rejected", str(error))
    if isinstance(certificate, ContinuousCertificate):
        text, name = certificate.claim.text, certificate.operator.name
        return CheckResult("accepted", EXACTLY, text, raw["verdict"], name, vacuous)
    exact, said = certificate.trust == EXACTLY, certificate.claim
    return CheckResult(
        "accepted" if exact or allow_solver_trusted else "solver-trusted",
        certificate.trust,
        said.text,
        certificate.verdict,
        certificate.described.name,
        vacuous,
        formula_text(said.formula) if isinstance(said, BoundClaim) and said.formula else "",
        not exact and derived.questions is None,
        region_text(certificate),
    )


def region_text(certificate: Certificate) -> str:
    """For which values of free parameters a certificate speaks."""
    described, witness = certificate.described, certificate.witness
    if not described.parameters:
        return ""
    if certificate.kind == "region":
        return f"it holds exactly for {certificate.raw['region']['text']}"
    if witness is not None:
        point = witness["parameters"]
        return "it fails at " + ", ".join(
            f"{name} = {point[name]}" for name in described.parameters
        )
    rows = described.raw["parameters"]
    return "for every " + ", ".join(f"{row['name']} in {row['interval']}" for row in rows)


def remarks(result: CheckResult) -> str:
    """What else must be said of a result."""
    said = "; verified, but says nothing: no case can break it (vacuous)" if result.vacuous else ""
    if result.where:
        said += f"; {result.where}"
    if result.theorem:
        said += f"; a theorem covers it ({result.theorem})"
    if result.formula:
        said += f"; the measure is {result.formula}"
    if result.untied:
        said += "; the solver's questions were not compared with the claim, which needs the model"
    return said


def check_file(
    path: Path,
    allow_solver_trusted: bool = False,
    derive: Callable[[dict[str, Any]], FromModel] | None = None,
) -> CheckResult:
    """Check the certificate in a file."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        return CheckResult("unreadable", f"cannot be read: {error.strerror}")
    return check_certificate(
        data, directory=path.parent, allow_solver_trusted=allow_solver_trusted, derive=derive
    )


class Worker:
    """A process of its own that answers calls; one that overruns is ended and begun anew."""

    def __init__(self, function: Callable[..., CheckResult], memory: int = MAX_MEMORY) -> None:
        self.function, self.memory = function, memory
        self.process: Any = None
        self.pipe: Any = None

    def ask(self, seconds: float, *arguments: Any) -> CheckResult:
        """What the function answers, or that it took too long."""
        fresh = self.process is None
        if fresh:
            context = multiprocessing.get_context("spawn")
            self.pipe, theirs = context.Pipe()
            work = (theirs, self.function, self.memory)
            self.process = context.Process(target=serve, args=work, daemon=True)
            self.process.start()
            theirs.close()
        try:
            if fresh:
                self.pipe.recv()  # it has started: only now does the time count
            self.pipe.send(arguments)
            if self.pipe.poll(seconds):
                answer: CheckResult = self.pipe.recv()
                return answer
            why = f"not verified within {seconds:g} seconds"
        except (EOFError, OSError):
            why = "not verified: the process that checks it came to an end"
        self.close()
        return CheckResult("unknown", why)

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None


def serve(pipe: Any, function: Callable[..., CheckResult], memory: int) -> None:
    """The worker's side: answer until the other side is gone."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    except (ImportError, ValueError, OSError):
        pass  # no such limit on this system: time still ends it
    pipe.send("ready")
    while True:
        try:
            arguments = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(function(*arguments))


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the certificates that are named on the command line."""
    parser = argparse.ArgumentParser(description="Check certificates of ppdm_formal.")
    parser.add_argument("certificates", nargs="+", type=Path, metavar="CERTIFICATE")
    parser.add_argument("--allow-solver-trusted", action="store_true")
    parser.add_argument("--allow-vacuous", action="store_true")
    parser.add_argument("--timeout", type=float, default=MAX_SECONDS, metavar="SECONDS")
    options = parser.parse_args(arguments)
    if not 0 < options.timeout <= 10**6:
        parser.error("--timeout is not a number of seconds")
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    codes, worker = {0}, Worker(check_file)
    exits = {"accepted": 0, "unreadable": 2, "rejected": 4, "solver-trusted": 3, "unknown": 3}
    for path in options.certificates:
        result = worker.ask(options.timeout, path, options.allow_solver_trusted)
        codes.add(exits[result.status])
        if result.vacuous and not options.allow_vacuous:
            codes.add(3)
        said = f"{result.verdict}: {result.claim}; " if result.claim else ""
        print(f"{path}: {result.status}: {said}{result.reason}{remarks(result)}")
    worker.close()
    return next(code for code in (2, 4, 3, 0) if code in codes)


if __name__ == "__main__":
    sys.exit(main())

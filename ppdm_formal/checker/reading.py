"""Reading: numbers, names and lists of the right type; objects of which every key is known."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from .canonical import canonical
from .closed_form import evaluate
from .limits import LARGEST_PLAIN, MAX_HEXADECIMAL, MAX_SIDE
from .result import Rejected, need
from .spelling import read_integer, spell


def read_number(thing: Any) -> Any:
    """A number in its one spelling: a rational in lowest terms, or one with exponentials."""
    if type(thing) is not str:
        raise Rejected(f"{ascii(thing)[:40]} is not a number in text")
    if len(thing) <= SHORT:
        return _read_short(thing)
    return _read_long(thing) if len(thing) <= LONG else _read_number(thing)


def _read_number(thing: str) -> Any:
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


SHORT, LONG = 80, 20_000
_read_short = functools.lru_cache(1 << 14)(_read_number)
"""Short numbers, kept: views say the same ones over and over."""
_read_long = functools.lru_cache(1 << 8)(_read_number)
"""Fewer of the longer ones: sums of exponentials, which trees and thresholds say again."""


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


CLAIM_WORDS = {"under", "for", "knowing", "except", "after", "others"}


def read_name(thing: Any) -> str:
    """A name that cannot make the claim's text say something else.

    After "under", "knowing" and "for" stands one name. Where that is one word, any word will do;
    where it is several, none of them may be one of these three, "except", "after" or "others".
    """
    name = read_text(thing)
    words = name.split(" ")
    one_word = len(words) == 1
    plain = not any(character in "{}();" for character in name)
    clear = one_word or not CLAIM_WORDS & set(words)
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


@functools.lru_cache(256)
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Fields:
    """An object with exactly the keys named (and some of the optional ones), read one by one."""

    def __init__(self, thing: Any, where: str, keys: str, optional: str = "") -> None:
        if type(thing) is not dict:
            raise Rejected(f"{where} is not an object")
        must, may = _words(keys), _words(f"{keys} {optional}" if optional else keys)
        if not must <= thing.keys() <= may:
            wrong = (must - thing.keys()) | (thing.keys() - may)
            raise Rejected(f"{where}: missing or unknown: {ascii(sorted(wrong))[:99]}")
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


def read_rational(thing: Any) -> Fraction:
    """A rational number."""
    number = read_number(thing)
    need(type(number) is Fraction, f"{ascii(thing)[:40]} is not rational")
    return Fraction(number)

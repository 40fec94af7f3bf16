"""Printed numbers: what a paper prints, with its digits, against what is computed here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from ppdm_formal.certify.statement.outcome import EXACT, Outcome
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.value import Infinity

_PRINTED = re.compile(
    r"(?P<sign>-?)(?P<whole>\d+)(?:\.(?P<decimals>\d+))?(?P<percent>%?)", re.ASCII
)


@dataclass(frozen=True)
class Printed:
    """A number as printed ("71.6%", "3.90", "infinity") and as computed.

    rule: printed rounded to the nearest, cut off, or given as exact.

    >>> Printed("pi", "3.14", Enclosure(Fraction(3141, 1000), Fraction(3142, 1000))).agrees
    True
    >>> Printed("pi", "3.15", Enclosure(Fraction(3141, 1000), Fraction(3142, 1000))).agrees
    False
    """

    where: str
    text: str
    computed: Fraction | Enclosure | Infinity
    rule: Literal["rounded", "cut", "exact"] = "rounded"

    @property
    def agrees(self) -> bool | None:
        """Whether the digits are right; None where the enclosure is too wide to tell."""
        if self.text == "infinity" or isinstance(self.computed, Infinity):
            return self.text == "infinity" and isinstance(self.computed, Infinity)
        lo, hi = self._range()
        if isinstance(self.computed, Fraction):
            first = last = self.computed
        else:
            first, last = self.computed.lo, self.computed.hi
        inside = [self._within(end, lo, hi) for end in (first, last)]
        if all(inside):
            return True
        return None if any(inside) or (first < lo and last > hi) else False

    def _within(self, value: Fraction, lo: Fraction, hi: Fraction) -> bool:
        return lo <= value <= hi if self.rule != "cut" else lo <= value < hi

    def _range(self) -> tuple[Fraction, Fraction]:
        """The numbers that would be printed so."""
        number, unit = self._read()
        if self.rule == "exact":
            return number, number
        if self.rule == "cut":
            return (number, number + unit) if number >= 0 else (number - unit, number)
        return number - unit / 2, number + unit / 2

    def _read(self) -> tuple[Fraction, Fraction]:
        """The printed number and one unit of its last place."""
        match = _PRINTED.fullmatch(self.text)
        if match is None:
            raise ValueError(f"{self.where}: {self.text!r} is not a printed decimal")
        places = len(match["decimals"] or "")
        unit = Fraction(1, 10**places * (100 if match["percent"] else 1))
        number = int(match["whole"] + (match["decimals"] or "")) * unit
        return (-number if match["sign"] else number), unit

    def to_json(self) -> dict[str, Any]:
        """For `ppdm prove --json`."""
        computed = self.computed
        value: object = str(computed)
        if isinstance(computed, Enclosure):
            value = {"lo": str(computed.lo), "hi": str(computed.hi)}
        return {
            "where": self.where,
            "printed": self.text,
            "rule": self.rule,
            "computed": value,
            "agrees": self.agrees,
        }

    def misprints(self) -> Iterator[Printed]:
        """The same with its last digit moved up and down by one."""
        if self.text == "infinity":
            yield replace(self, text="0")
            return
        number, unit = self._read()
        percent = self.text.endswith("%")
        places = len(self.text.rstrip("%").partition(".")[2])
        for moved in (number - unit, number + unit):
            scaled = moved * (100 if percent else 1)
            digits = str(abs(round(scaled * 10**places))).rjust(places + 1, "0")
            whole, decimals = digits[: len(digits) - places], digits[len(digits) - places :]
            text = f"{'-' if scaled < 0 else ''}{whole}{'.' if places else ''}{decimals}"
            yield replace(self, text=text + "%" * percent)


def compare_printed(numbers: Sequence[Printed]) -> Outcome:
    """Every printed number agrees (checked, or enclosed where some are); refuted by any other."""
    kept = tuple(numbers)
    wrong = {n.where: f"printed {n.text}, computed {n.computed}" for n in kept if n.agrees is False}
    if wrong:
        detail = f"{len(wrong)} of {len(kept)} printed numbers disagree"
        return Outcome("refuted", detail, counterexample=wrong, trust=EXACT, printed=kept)
    open_ = [n.where for n in kept if n.agrees is None]
    if open_:
        return Outcome("unknown", f"not computed finely enough: {', '.join(open_)}", printed=kept)
    enclosed = any(isinstance(number.computed, Enclosure) for number in kept)
    return Outcome(
        "enclosed" if enclosed else "checked",
        f"{len(kept)} printed numbers agree in every digit",
        scope="the numbers printed",
        means=("enclosure",) if enclosed else ("exact arithmetic",),
        trust=EXACT,
        printed=kept,
    )


def refute_misprints(numbers: Sequence[Printed]) -> Outcome:
    """The false neighbours of printed numbers: each last digit moved by one must disagree."""
    moved = [misprint for number in numbers for misprint in number.misprints()]
    missed = [f"{m.where}: {m.text}" for m in moved if m.agrees is not False]
    if missed or not moved:
        return Outcome("unknown", f"misprints that pass: {', '.join(missed) or 'none were tried'}")
    return Outcome(
        "refuted",
        f"{len(moved)} misprints disagree",
        means=("exact arithmetic",),
        counterexample={moved[0].where: f"printed {moved[0].text}, computed {moved[0].computed}"},
        trust=EXACT,
    )

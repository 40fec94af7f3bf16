"""The synthetic benchmark: people with nine attributes, and the functions F1 to F5 of their class.

After Agrawal, Imielinski and Swami (1993), as Agrawal and Srikant (2000) use it. Money is in
thousands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.undoing.channel import Floats

Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Attribute:
    """A column: its name, its least and its greatest value, and how many cells it is cut into.

    Cells have round widths, which makes about 50 of them; whole numbers have a cell each.
    """

    name: str
    lo: int
    hi: int
    count: int
    whole: bool = False

    @property
    def range(self) -> int:
        """From the least value to the greatest."""
        return self.hi - self.lo

    def cells(self, finer: int = 1) -> Partition:
        """Where x can be; `finer` cuts each cell of numbers that are not whole once more."""
        if self.whole:
            half = Fraction(1, 2)
            return Partition(self.lo - half, self.hi + half, self.count)
        return Partition(Fraction(self.lo), Fraction(self.hi), self.count * finer)


ATTRIBUTES = (
    Attribute("salary", 20, 150, 52),
    Attribute("commission", 0, 75, 50),
    Attribute("age", 20, 80, 60),
    Attribute("elevel", 0, 4, 5, whole=True),
    Attribute("car", 1, 20, 20, whole=True),
    Attribute("zipcode", 0, 8, 9, whole=True),
    Attribute("hvalue", 50, 1350, 52),
    Attribute("hyears", 1, 30, 30, whole=True),
    Attribute("loan", 0, 500, 50),
)


def people(count: int, random: np.random.Generator) -> Floats:
    """So many records, a column an attribute."""
    salary = random.uniform(20, 150, count)
    commission = np.where(salary >= 75, 0.0, random.uniform(10, 75, count))
    age = random.uniform(20, 80, count)
    elevel = random.integers(0, 5, count)
    car = random.integers(1, 21, count)
    zipcode = random.integers(0, 9, count)
    hvalue = random.uniform(0.5, 1.5, count) * (zipcode + 1) * 100
    hyears = random.integers(1, 31, count)
    loan = random.uniform(0, 500, count)
    columns = (salary, commission, age, elevel, car, zipcode, hvalue, hyears, loan)
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


def _within(value: Floats, low: float, high: float) -> Truths:
    return (value >= low) & (value <= high)


def _by_age(age: Floats, young: Truths, middle: Truths, old: Truths) -> Truths:
    return np.where(age < 40, young, np.where(age < 60, middle, old))


def _f1(t: dict[str, Floats]) -> Truths:
    return (t["age"] < 40) | (t["age"] >= 60)


def _f2(t: dict[str, Floats]) -> Truths:
    s = t["salary"]
    return _by_age(t["age"], _within(s, 50, 100), _within(s, 75, 125), _within(s, 25, 75))


def _f3(t: dict[str, Floats]) -> Truths:
    s, e = t["salary"], t["elevel"]
    low, middle, high = _within(s, 25, 75), _within(s, 50, 100), _within(s, 75, 125)
    return _by_age(
        t["age"],
        (_within(e, 0, 1) & low) | (_within(e, 2, 3) & middle),
        (_within(e, 1, 3) & middle) | ((e == 4) & high),
        (_within(e, 2, 4) & middle) | ((e == 1) & low),
    )


def _disposable(t: dict[str, Floats]) -> Floats:
    return np.asarray(0.67 * (t["salary"] + t["commission"]) - 0.2 * t["loan"] - 10)


def _f4(t: dict[str, Floats]) -> Truths:
    return _disposable(t) > 0


def _f5(t: dict[str, Floats]) -> Truths:
    equity = 0.1 * t["hvalue"] * np.maximum(t["hyears"] - 20, 0)
    return np.asarray(_disposable(t) + 0.2 * equity > 0)


FUNCTIONS: dict[str, Callable[[dict[str, Floats]], Truths]] = {
    "F1": _f1,
    "F2": _f2,
    "F3": _f3,
    "F4": _f4,
    "F5": _f5,
}


def labels(function: str, records: Floats) -> Truths:
    """Whether each record is of class A.

    >>> someone = [60, 20, 45, 2, 7, 3, 400, 12, 100]
    >>> labels("F1", np.array([someone])).tolist(), labels("F4", np.array([someone])).tolist()
    ([False], [True])
    """
    named = {one.name: records[:, k] for k, one in enumerate(ATTRIBUTES)}
    return np.asarray(FUNCTIONS[function](named), dtype=bool)

"""EGS03 section 1: the numbers of its two first examples, ages and transactions."""

import math
from collections.abc import Mapping
from fractions import Fraction

from ppdm_formal.certify.statement import (
    Neighbour,
    Outcome,
    Printed,
    Statement,
    check_all,
    compare_printed,
    refute_misprints,
    together,
)
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.design.recovery import replacement_matrix

KEEP, SUPPORT = Fraction(1, 5), Fraction(1, 100)
ITEMS, INSERTED, SIZE = 10_000, 10, 3


def _numbers() -> tuple[Printed, ...]:
    oldest = Fraction(120) - 50  # the least age that noise of at most 50 makes 120
    return (
        Printed("the least age behind 120", "70", oldest, "exact"),
        Printed("A stays whole", "0.008", KEEP**SIZE, "exact"),
        Printed("the same in percent", "0.8%", KEEP**SIZE, "exact"),
        Printed("A before and after", "0.008%", SUPPORT * KEEP**SIZE, "exact"),
    )


def _too_likely(bound: Fraction) -> Mapping[str, object] | None:
    """P[A among 10 random items] by counting, and what replacement inserts, below a bound."""
    counted = Fraction(math.comb(ITEMS - SIZE, INSERTED - SIZE), math.comb(ITEMS, INSERTED))
    replaced = replacement_matrix(ITEMS, INSERTED, KEEP, SIZE)[SIZE][0]  # no item of A in t
    if counted < bound and replaced < bound:
        return None
    return {"by counting": str(counted), "by replacement": str(replaced), "bound": str(bound)}


def decide_introduction(deadline: Deadline) -> Outcome:
    """The numbers, and that A among 10 random items is less likely than 10^-7 percent."""
    rare = check_all([Fraction(1, 10**9)], _too_likely, "the numbers printed", deadline)
    return together((compare_printed(_numbers()), rare))


def misprints(deadline: Deadline) -> Outcome:
    """Each last digit moved by one."""
    return refute_misprints(_numbers())


def refute_rarer(deadline: Deadline) -> Outcome:
    """Below 10^-8 percent."""
    return check_all([Fraction(1, 10**10)], _too_likely, "", deadline)


STATEMENTS = (
    Statement(
        "egs03/introduction",
        "EGS03",
        "Ages and transactions of section 1",
        "Age 120 after noise of at most 50 means 70 or more. Of three items with support 1% that "
        "stay with probability 20% each, 0.008% of transactions hold all before and after; all "
        "three among 10 random ones of 10,000 have a probability below 10^-7 percent.",
        ("items are replaced with probability 80%",),
        decide_introduction,
        (
            Neighbour("any last digit moved by one", misprints),
            Neighbour("below 10^-8 percent", refute_rarer),
        ),
        section="1",
        formulas=(r"0.2^3 = 0.008, \quad 1\% \cdot 0.008 = 0.008\%",),
        expected="checked",
    ),
)

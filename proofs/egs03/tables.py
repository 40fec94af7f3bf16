"""EGS03 Tables 1 and 2: every number printed there, computed from the model of Example 1."""

from functools import cache

from ppdm_formal.certify.statement import (
    Neighbour,
    Outcome,
    Printed,
    Statement,
    compare_printed,
    refute_misprints,
)
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.derive.measures.information import information
from ppdm_formal.derive.measures.posterior import posterior

from ._example_1 import example_1

# Given R(X) = 0: X = 0, and X outside 200..800. Numbers without "about" are printed as exact.
TABLE_1 = {"R1": ("71.6%", "83.0%"), "R2": ("4.8%", "100%"), "R3": ("2.9%", "70.8%")}
PRIOR_ROW = ("1%", "40.5%")
EXACT = ("1%", "100%")

# I, I_w and J_w, in bits.
TABLE_2 = {
    "R1": ("1.27", "3.90", "1.72"),
    "R2": ("2.32", "2.33", "infinity"),
    "R3": ("0.55", "0.55", "0.49"),
}


@cache
def table_1() -> tuple[Printed, ...]:
    """Prior and posterior probabilities of the two properties."""
    model = example_1()
    prior = model.priors["X"]
    properties = [model.properties[name] for name in ("zero", "far")]
    found = [
        _share(f"nothing given, {about.name}", text, prior.mass(about))
        for about, text in zip(properties, PRIOR_ROW, strict=True)
    ]
    for name, row in TABLE_1.items():
        for about, text in zip(properties, row, strict=True):
            after = posterior(model.operator(name), prior, about, 0).after
            found.append(_share(f"{name}(X) = 0, {about.name}", text, after))
    return tuple(found)


def _share(where: str, text: str, computed: object) -> Printed:
    return Printed(where, text, computed, "exact" if text in EXACT else "rounded")  # type: ignore[arg-type]


@cache
def table_2() -> tuple[Printed, ...]:
    """Mutual, worst-case and inverse worst-case information of the three randomizations."""
    model = example_1()
    found = []
    for name, row in TABLE_2.items():
        measured = information(model.operator(name), model.priors["X"], "bit")
        values = (
            measured.mutual,
            measured.worst_case.value,
            measured.inverse_worst_case.value,
        )
        for what, text, value in zip(("I", "I_w", "J_w"), row, values, strict=True):
            found.append(Printed(f"{what}(X; {name}(X))", text, value))
    return tuple(found)


def decide_table_1(deadline: Deadline) -> Outcome:
    """Every number of Table 1."""
    return compare_printed(table_1())


def decide_table_2(deadline: Deadline) -> Outcome:
    """Every number of Table 2."""
    return compare_printed(table_2())


def misprints_1(deadline: Deadline) -> Outcome:
    """Each last digit of Table 1 moved by one."""
    return refute_misprints(table_1())


def misprints_2(deadline: Deadline) -> Outcome:
    """Each last digit of Table 2 moved by one."""
    return refute_misprints(table_2())


STATEMENTS = (
    Statement(
        "egs03/table_1",
        "EGS03",
        "Table 1",
        "Prior and posterior probabilities of X = 0 and of X outside 200..800, given R(X) = 0, "
        "for the three randomizations of Example 1, to the digits printed.",
        ("X and R1, R2, R3 as in Example 1",),
        decide_table_1,
        (Neighbour("the same with any last digit moved by one", misprints_1),),
        section="3",
        expected="checked",
    ),
    Statement(
        "egs03/table_2",
        "EGS03",
        "Table 2",
        "Mutual, worst-case and inverse worst-case information of the three randomizations of "
        "Example 1, in bits, to the digits printed.",
        ("X and R1, R2, R3 as in Example 1",),
        decide_table_2,
        (Neighbour("the same with any last digit moved by one", misprints_2),),
        section="6",
        uses=("egs03/definition_6", "egs03/definition_8"),
        expected="enclosed",
    ),
)

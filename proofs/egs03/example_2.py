"""EGS03 Example 2: every number printed there, from the model that comes along."""

from fractions import Fraction
from functools import cache

from ppdm_formal import load
from ppdm_formal.certify.statement import (
    Neighbour,
    Outcome,
    Printed,
    Statement,
    compare_printed,
    refute_misprints,
    together,
)
from ppdm_formal.declare.arithmetic.enclosure import Enclosure, log_of
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.machine.files import shipped
from ppdm_formal.derive.measures.information import information
from ppdm_formal.derive.measures.posterior import posterior

HALF = Fraction(1, 2)


@cache
def numbers() -> tuple[Printed, ...]:
    """Posteriors, logarithms, distances and mutual information, in bits."""
    model = load(str(shipped("models") / "example2.ppdm"))
    prior, one = model.priors["Fair"], model.properties["one"]
    after = {name: posterior(model.operator(name), prior, one, 1).after for name in model.operators}
    flip, erase = (information(model.operator(name), prior, "bit") for name in ("Flip", "Erase"))
    erased = model.operator("Erase")
    seen = sum(erased.probability(0, y) for y in (0, 1))
    found = [
        Printed("P[X = 1 | Y1 = 1]", "0.6", after["Flip"], "exact"),
        Printed("P[X = 1 | Y2 = 1]", "0.99", after["Erase"], "exact"),
    ]
    for text, share in (
        ("0.2630", after["Flip"]),
        ("-0.3219", 1 - after["Flip"]),
        ("0.9855", after["Erase"]),
        ("-5.6439", 1 - after["Erase"]),
    ):
        found.append(Printed(f"log {share}/0.5", text, log_of(share / HALF, "bit")))
    return (
        *found,
        Printed("KL(X | Y1 = y)", "0.02905", flip.worst_case.value),
        Printed("KL(X | Y2 = y)", "0.91921", erase.worst_case.value),
        Printed("I(X; Y1)", "0.02905", flip.mutual),
        Printed("P[Y2 is 0 or 1]", "0.01%", seen, "exact"),
    )


def decide_example(deadline: Deadline) -> Outcome:
    """The numbers, and that mutual information calls R2 the better one."""
    model = load(str(shipped("models") / "example2.ppdm"))
    flip, erase = (
        information(model.operator(name), model.priors["Fair"], "bit") for name in ("Flip", "Erase")
    )
    first, second = flip.mutual, erase.mutual
    assert isinstance(first, Enclosure)
    assert isinstance(second, Enclosure)
    if not second.hi * 100 < first.lo:
        return Outcome("refuted", "the mutual informations are not far apart")
    return together((compare_printed(numbers()),))


def misprints(deadline: Deadline) -> Outcome:
    """Each last digit moved by one."""
    return refute_misprints(numbers())


STATEMENTS = (
    Statement(
        "egs03/example_2",
        "EGS03",
        "Example 2",
        "Mutual information is far smaller for the randomization that gives x away with "
        "probability 0.99, if rarely, than for the one that leaves it at 0.6.",
        ("X a fair bit; R1 and R2 as in Example 2",),
        decide_example,
        (Neighbour("any last digit moved by one", misprints),),
        section="6",
        formulas=(r"I(X; Y_2) \approx 0.0001 \cdot 0.91921 \ll I(X; Y_1) \approx 0.02905",),
        expected="enclosed",
    ),
)

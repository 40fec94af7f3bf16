"""EGS03 Example 1: what is said of R1, R2 and R3 in words, by the model that comes along."""

from dataclasses import replace
from fractions import Fraction

from ppdm_formal import BreachClaim
from ppdm_formal.certify import Verdict, certify
from ppdm_formal.certify.statement import (
    EXACT,
    Neighbour,
    Outcome,
    PaperFinding,
    Printed,
    Statement,
    compare_printed,
    corrected,
)
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.derive.measures.amplification import amplification
from ppdm_formal.derive.measures.posterior import posterior

from ._example_1 import example_1

RHO1, RHO2 = Fraction(1, 7), Fraction(1, 2)


def _numbers() -> tuple[Printed, ...]:
    bound = RHO2 * (1 - RHO1) / (RHO1 * (1 - RHO2))
    return (
        Printed("condition (3) at 1/7 and 1/2", "6", bound, "exact"),
        Printed("1/7", "14%", RHO1),
    )


def decide_example(deadline: Deadline) -> Outcome:
    """R3 below 6 and certified; R1 breaches as said; R2 does not breach from 40%."""
    model = example_1()
    prior, zero, far = model.priors["X"], model.properties["zero"], model.properties["far"]
    numbers = compare_printed(_numbers())
    ratio = amplification(model.operator("R3")).value
    claim = BreachClaim(RHO1, RHO2)
    certified = certify(model.operator("R3"), claim, timeout=deadline.left)
    first = posterior(model.operator("R1"), prior, zero, 0)
    second = posterior(model.operator("R2"), prior, far, 0)
    said = (
        ratio == 1 + Fraction(1001, 201)
        and ratio < 6
        and certified.verdict is Verdict.CERTIFIED
        and first.before <= Fraction(1, 100)
        and first.after >= Fraction(7, 10)
        and second.after == 1
    )
    if numbers.kind != "checked" or not said:
        return numbers if numbers.kind != "checked" else Outcome("refuted", "R1 or R3 differ")
    if second.before <= Fraction(40, 100):
        return numbers
    finding = PaperFinding(
        "wrong",
        "3, after Example 1",
        "for R2 there is a 40%-to-100% privacy breach with respect to Q2.",
        f"There is a breach from rho1 = {second.before} (40.501%) to every rho2 < 1. From 40% "
        "there is none by Definition 1, which asks for P[Q] <= rho1, and rho2 must be below 1.",
        f"P[Q2(X)] = {second.before} > 2/5, and P[Q2(X) | R2(X) = 0] = {second.after}.",
    )
    detail = "R3 is below 6 and certified; R1 breaches from 1% to 70%, R2 from 40.501%, not 40%"
    return corrected(replace(numbers, scope="the example"), finding, detail=detail)


def refute_six(deadline: Deadline) -> Outcome:
    """At rho1 = 201/1403, where the bound is 1 + 1001/201 itself, R3 breaches."""
    model = example_1()
    ratio = 1 + Fraction(1001, 201)
    at = 1 / (1 + ratio)  # rho2 = 1/2: the bound is (1 - rho1)/rho1
    found = certify(model.operator("R3"), BreachClaim(at, RHO2), timeout=deadline.left)
    if found.verdict is not Verdict.BREACHED:
        return Outcome("unknown", "no breach was found")
    return Outcome(
        "refuted",
        found.reason,
        means=("exact arithmetic",),
        counterexample={"rho1": str(at), "rho2": "1/2"},
        trust=EXACT,
    )


STATEMENTS = (
    Statement(
        "egs03/example_1",
        "EGS03",
        "Example 1",
        "R3 amplifies less than 6 times, so that there is no breach from 1/7 to 1/2, whatever the "
        "prior; R1 has a breach from 1% to 70%, R2 one from 40% to 100%.",
        ("X and R1, R2, R3 as in Example 1",),
        decide_example,
        (Neighbour("R3 is safe down to equality in condition (3)", refute_six),),
        section="3 and 4.1",
        formulas=(r"1 + \frac{1001}{201} < 6",),
        uses=("egs03/statement_1", "egs03/table_1"),
        expected="corrected",
    ),
)

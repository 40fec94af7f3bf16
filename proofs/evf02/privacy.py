"""Evf02 sections 4 and 5: the 98% example, confidence intervals, entropy, and a rare disclosure."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import sympy

from ppdm_formal.certify.statement import (
    Neighbour,
    Outcome,
    PaperFinding,
    Printed,
    Statement,
    check_all,
    compare_printed,
    corrected,
    refute_misprints,
    together,
    with_findings,
)
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.design.recovery import replacement_matrix

from ..aa01._cells import em_step
from ._two_intervals import information, loss, mutual_bits, privacy

KEEP = Fraction(1, 5)


def _replacement() -> tuple[Printed, ...]:
    """The rough estimates of section 4, and the share of true ones by the exact law."""
    full, all_but_one = Fraction(100_000), Fraction(500_000)
    kept = full * KEEP**3
    one_new = all_but_one * KEEP**2 * Fraction(8 * (1 - KEEP), 10_000)
    two_new = Fraction(10**7) * KEEP * (Fraction(9 * (1 - KEEP)) / 10_000) ** 2
    total = kept + one_new + two_new
    return (
        Printed("A in t and in R(t)", "800", kept, "exact"),
        Printed("two items of A in t", "12.8", one_new, "exact"),
        Printed("at most one item of A in t", "1.04", two_new),
        Printed("all of them", "814", total),
        Printed("share of true ones", "98%", kept / total),
    )


def _exact_share(one: Fraction) -> Fraction:
    """P[A in t given A in R(t)] where a share `one` of transactions holds one item of A."""
    law = replacement_matrix(10_000, 10, KEEP, 3)
    supports = (Fraction(94, 100) - one, one, Fraction(5, 100), Fraction(1, 100))
    seen = [law[3][held] * supports[held] for held in range(4)]
    return seen[3] / sum(seen)


def decide_replacement(deadline: Deadline) -> Outcome:
    """Each intermediate number, and 98% by the exact law whatever s_0 and s_1 are."""
    numbers = compare_printed(_replacement())
    if numbers.kind != "checked":
        return numbers
    ends = [_exact_share(one) for one in (Fraction(0), Fraction(94, 100))]
    exact = [Printed(f"exact share, s_1 = {one}", "98%", share)
             for one, share in zip(("0", "94%"), ends, strict=True)]  # fmt: skip
    return together((numbers, compare_printed(exact)))


def misprints_replacement(deadline: Deadline) -> Outcome:
    """Each last digit moved by one."""
    return refute_misprints(_replacement())


def _interval(z: Fraction) -> tuple[Fraction, Fraction]:
    """All x in [0, 1] or [4, 5] with |z - x| <= 1: they lie in one of the two."""
    parts = [
        (max(lo, z - 1), min(hi, z + 1))
        for lo, hi in ((Fraction(0), Fraction(1)), (Fraction(4), Fraction(5)))
    ]
    inside = [(lo, hi) for lo, hi in parts if lo <= hi]
    return min(lo for lo, _ in inside), max(hi for _, hi in inside)


def decide_confidence(deadline: Deadline) -> Outcome:
    """Every z that can occur, on a grid that holds all ends; widths are linear in between."""

    def fails(z: Fraction) -> Mapping[str, object] | None:
        lo, hi = _interval(z)
        printed = (0, 1) if z <= 2 else (4, 5)
        if hi - lo <= 1 and printed[0] <= lo and hi <= printed[1]:
            return None
        return {"z": str(z), "interval": f"[{lo}, {hi}]"}

    grid = [Fraction(k, 4) for k in (*range(-4, 9), *range(12, 25))]
    found = check_all(grid, fails, "all z; the ends are linear between quarters", deadline)
    example = compare_printed(
        [Printed("width for z = -0.5", "0.5", _width(Fraction(-1, 2)), "exact"),
         Printed("without the domain of X", "2", Fraction(2), "exact")]
    )  # fmt: skip
    return together((found, example), scope="all z")


def _width(z: Fraction) -> Fraction:
    lo, hi = _interval(z)
    return hi - lo


def refute_shorter(deadline: Deadline) -> Outcome:
    """Intervals of size 1/2 for every z: z = 1/2 leaves all of [0, 1]."""

    def fails(z: Fraction) -> Mapping[str, object] | None:
        return {"z": str(z)} if _width(z) > Fraction(1, 2) else None

    return check_all([Fraction(1, 2)], fails, "", deadline)


def _entropy(corrected: bool) -> tuple[Printed, ...]:
    """What is printed, or the right digits."""
    found = [
        Printed("Pi(X)", "2", Fraction(2), "exact"),
        Printed("Pi(X | Z)", "0.78" if corrected else "0.84", privacy()),
        Printed("P(X | Z)", "0.61" if corrected else "0.58", loss()),
    ]
    if corrected:
        found.append(Printed("I(X; Z) in bits", "1.36", mutual_bits()))
    return tuple(found)


def decide_entropy(deadline: Deadline) -> Outcome:
    """The printed numbers disagree; e^(-1/4) and 1 - e^(-1/4)/2 are right."""
    if sympy.simplify(information() - sympy.log(2) - sympy.Rational(1, 4)) != 0:
        return Outcome("unknown", "the integral is not 1/4 + ln 2")
    printed, right = compare_printed(_entropy(False)), compare_printed(_entropy(True))
    if printed.kind != "refuted" or right.kind != "enclosed":
        return printed
    finding = PaperFinding(
        "wrong",
        "5, after equation (2), from AA01 section 2.1",
        "Pi(X|Z) is about 0.84 and P(X|Z) about 0.58.",
        f"Pi(X|Z) = e^(-1/4) = {privacy()} and P(X|Z) = 1 - e^(-1/4)/2 = {loss()}; I(X;Z) = "
        f"1 + 1/(4 ln 2) = {mutual_bits()} bits.",
        "The integral of -f log f over the ramps of the density of Z gives 1/4 nat. AA01 adds it "
        "to bits as 1/4 bit: 2^(-5/4) instead of 2^(-1 - 1/(4 ln 2)).",
    )
    return corrected(replace(right, means=("symbolic identity", "enclosure")), finding)


def refute_print(deadline: Deadline) -> Outcome:
    """0.84 and 0.58 as printed."""
    return compare_printed(_entropy(False))


def _rare() -> tuple[Printed, ...]:
    z, x = sympy.symbols("z x")
    quarter = sympy.Rational(1, 4)
    top = sympy.Rational(1, 100)
    value = sympy.integrate(sympy.integrate(quarter, (x, 0, z + 1)), (z, -1, -1 + top))
    before = Fraction(1, 2) * Fraction(1, 100)
    return (
        Printed("P[-1 <= Z <= -0.99]", "0.0000125", Fraction(int(value.p), int(value.q)), "exact"),
        Printed("P[X <= 0.01]", "0.5%", before, "exact"),
        Printed("of 100,000 records", "1", Fraction(100_000 * int(value.p), int(value.q))),
        Printed("P[X in [0, 1]]", "50%", Fraction(1, 2), "exact"),
    )


def decide_rare(deadline: Deadline) -> Outcome:
    """The integral, and that all x with |z - x| <= 1 are at most 0.01 there."""
    numbers = compare_printed(_rare())
    ends = [_interval(Fraction(-1)), _interval(Fraction(-99, 100))]
    if any(hi > Fraction(1, 100) for _, hi in ends):
        return Outcome("refuted", "X may exceed 0.01")
    return numbers


def misprints_rare(deadline: Deadline) -> Outcome:
    """Each last digit moved by one."""
    return refute_misprints(_rare())


Cells = tuple[tuple[Fraction, Fraction], ...]
EVEN: Cells = ((Fraction(0), Fraction(1)), (Fraction(1), Fraction(2)), (Fraction(2), Fraction(3)))
UNEVEN: Cells = (*EVEN[:2], (Fraction(2), Fraction(4)))
MASS = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))


def _triangle(at: Fraction) -> Fraction:
    """The density of the noise, on [-4, 4]."""
    return max(Fraction(0), (4 - abs(at)) / 16)


def _midpoint(cell: tuple[Fraction, Fraction]) -> Fraction:
    return (cell[0] + cell[1]) / 2


def _pointwise(cells: Cells, points: Sequence[Fraction]) -> list[Fraction]:
    """Formula (1), as masses: densities f(I_p) = mass / width, z as given."""
    widths = [hi - lo for lo, hi in cells]
    density = [part / width for part, width in zip(MASS, widths, strict=True)]
    middle = [_midpoint(cell) for cell in cells]
    found = []
    for p in range(len(cells)):
        total = Fraction(0)
        for z in points:
            terms = zip(middle, density, widths, strict=True)
            below = sum(_triangle(z - at) * f * width for at, f, width in terms)
            total += _triangle(z - middle[p]) * density[p] / below
        found.append(total / len(points) * widths[p])
    return found


def _binned(cells: Cells, data: Sequence[int]) -> list[Fraction]:
    """The formula with counts N(I_s) and differences of F."""
    middle = [_midpoint(cell) for cell in cells]
    found = [Fraction(0)] * len(cells)
    for s, z in enumerate(middle):
        below = sum(_triangle(z - at) * part for at, part in zip(middle, MASS, strict=True))
        share = Fraction(list(data).count(s), len(data))
        for p, at in enumerate(middle):
            found[p] += share * _triangle(z - at) * MASS[p] / below
    return found


Case = tuple[Cells, tuple[int, ...]]


def _em(cells: Cells, points: Sequence[Fraction]) -> list[Fraction]:
    """The third formula, as masses: probabilities of z - I_p in place of densities at midpoints."""
    widths = [hi - lo for lo, hi in cells]
    density = [part / width for part, width in zip(MASS, widths, strict=True)]
    found = [Fraction(0)] * len(cells)
    for z in points:
        chance = [_mass(z, cell) for cell in cells]
        below = sum(q * f for q, f in zip(chance, density, strict=True))
        for p in range(len(cells)):  # 1/(|I_p| N), and |I_p| once more for a mass
            found[p] += chance[p] * density[p] / below / len(points)
    return found


def _em_differs(case: Case) -> Mapping[str, object] | None:
    """The third formula against the EM step of AA01; the mass stays 1."""
    cells, data = case
    points = [_midpoint(cells[s]) for s in data]
    rows = [
        [_mass(z, cell) / (cell[1] - cell[0]) for cell in cells] for z in points
    ]  # densities of Z for X uniform on a cell
    one, other = _em(cells, points), em_step(rows, MASS)
    return None if one == other and sum(one) == 1 else {"data": str(data), "EM": _row(one)}


def _steps_differ(case: Case) -> Mapping[str, object] | None:
    """Formula (1) at midpoints, and the one in distribution functions; the mass stays 1."""
    cells, data = case
    one, other = _pointwise(cells, [_midpoint(cells[s]) for s in data]), _binned(cells, data)
    if one == other and sum(one) == 1:
        return None
    return {"data": str(data), "(1)": str(one), "in F": str(other)}


def decide_step(deadline: Deadline) -> Outcome:
    """Equal and unequal cells, all data of three values."""
    cases = list(itertools.product((EVEN, UNEVEN), itertools.product(range(3), repeat=3)))
    scope = "all data of three values in three cells"
    found = together(
        [check_all(cases, differ, scope, deadline) for differ in (_steps_differ, _em_differs)]
    )
    at_ends, binned = _pointwise(EVEN, [EVEN[0][0]] * 3), _binned(EVEN, (0, 0, 0))
    if found.kind != "checked" or at_ends == binned:
        return found if found.kind != "checked" else Outcome("refuted", "z itself serves as well")
    finding = PaperFinding(
        "ambiguous",
        "2, formula (1)",
        "m(z_i), where m is defined as the midpoint of an interval.",
        "m(z_i) must be the midpoint of the cell that holds z_i; then (1) and the formula in "
        "distribution functions are the same step, for cells of any widths. With z_i itself they "
        "are not.",
        f"Three values at 0 in the first of three cells: mass of that cell {at_ends[0]} with z_i "
        f"itself, {binned[0]} with the midpoint.",
    )
    return with_findings(found, finding)


def refute_em(deadline: Deadline) -> Outcome:
    """The EM formula is the same map: refuted, its noise is averaged over the cell of X."""

    def fails(data: tuple[int, ...]) -> Mapping[str, object] | None:
        em = _em(EVEN, [_midpoint(EVEN[s]) for s in data])
        return None if em == _binned(EVEN, data) else {"data": str(data), "EM": _row(em)}

    return check_all([(0, 0, 2)], fails, "", deadline)


def _row(values: Sequence[Fraction]) -> str:
    return " ".join(str(value) for value in values)


def _mass(z: Fraction, cell: tuple[Fraction, Fraction]) -> Fraction:
    """The noise's probability of z - cell."""

    def below(at: Fraction) -> Fraction:
        side = (4 - min(abs(at), Fraction(4))) ** 2 / 32
        return side if at <= 0 else 1 - side

    return below(z - cell[0]) - below(z - cell[1])


STATEMENTS = (
    Statement(
        "evf02/replacement_98",
        "Evf02",
        "The 98% example",
        "Of transactions that hold A after 80% of items were replaced, about 98% held it before.",
        ("10,000 items, 10 million transactions of 10", "s_3 = 1%, s_2 = 5%, |A| = 3"),
        decide_replacement,
        (Neighbour("any last digit moved by one", misprints_replacement),),
        section="4",
        expected="checked",
    ),
    Statement(
        "evf02/confidence_interval",
        "Evf02",
        "Confidence intervals and the domain",
        "Without X's domain the 100% interval has width 2; with it, width 1 or less for every z.",
        ("X in [0, 1] or [4, 5], Y uniform on [-1, 1]",),
        decide_confidence,
        (Neighbour("width 1/2 for every z", refute_shorter),),
        section="5",
        expected="checked",
    ),
    Statement(
        "evf02/entropy_example",
        "Evf02",
        "Privacy by entropy",
        "Pi(X) = 2, Pi(X|Z) is about 0.84 and the privacy loss about 0.58.",
        ("X uniform on [0, 1] and [4, 5], Y uniform on [-1, 1]",),
        decide_entropy,
        (Neighbour("as printed", refute_print),),
        section="5",
        formulas=(r"\Pi(X|Z) = 2^{h(X|Z)}, \quad \mathcal{P}(X|Z) = 1 - 2^{-I(X;Z)}",),
        expected="corrected",
    ),
    Statement(
        "evf02/rare_disclosure",
        "Evf02",
        "A rare disclosure",
        "With probability 0.0000125 Z lies in [-1, -0.99], and then X <= 0.01 for certain.",
        ("X uniform on [0, 1] and [4, 5], Y uniform on [-1, 1]",),
        decide_rare,
        (Neighbour("any last digit moved by one", misprints_rare),),
        section="5",
        formulas=(r"\int_{-1}^{-0.99} \int_0^{z+1} 0.5 \cdot 0.5\, dx\, dz = 0.0000125",),
        expected="checked",
    ),
    Statement(
        "evf02/as_step",
        "Evf02",
        "The update formulas of reconstruction",
        "Formula (1) with midpoints and the one with counts of cells are the same step; the third "
        "formula is the EM step of AA01.",
        ("each z stands for the midpoint of its cell",),
        decide_step,
        (Neighbour("the EM formula is the same step too", refute_em),),
        section="2",
        expected="checked",
    ),
)

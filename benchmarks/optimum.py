"""The best select-a-size for m = 3..10, each with evidence; up to m = 20 within 30 s and 1 GiB.

`python -m benchmarks.optimum docs/optimum.md` writes the tables of that document anew.
"""

from __future__ import annotations

import resource
import sys
import time
from fractions import Fraction
from pathlib import Path

from benchmarks.result import Result
from ppdm_formal.design.optimum import Optimum, best_form
from ppdm_formal.design.optimum_evidence import recheck
from ppdm_formal.design.paper_form import best_cutoffs

ITEMSETS, TRANSACTIONS, SIZES = (1, 2, 3), 5_000_000, range(3, 11)
GAMMAS = (6, 9, 19, 49, 99)
FIGURES = dict(
    zip(SIZES, (0.2309, 0.3377, 0.4956, 0.6870, 0.8822, 1.0980, 1.3332, 1.5865), strict=True)
)
"""The optimum at gamma = 19 in percent, for any real rho."""


def best_of(size: int, gamma: int) -> Optimum:
    """The best form for itemsets of up to three items; its evidence is gone through once more."""
    found = best_form(size, Fraction(gamma), ITEMSETS, TRANSACTIONS)
    if found.proof is not None:
        recheck(found.proof)
    return found


def measure() -> list[Result]:
    """The figures at gamma = 19, gaps, and what the longest takes."""
    found = {size: best_of(size, 19) for size in SIZES}
    wrong = [m for m, best in found.items() if round(100 * best.real.support, 4) != FIGURES[m]]
    widest = max(best.gap for best in found.values())
    start = time.perf_counter()
    longest = best_form(20, Fraction(19), ITEMSETS, TRANSACTIONS)
    taken = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return [
        Result(
            "optimum for m = 3..10 at gamma = 19",
            f"different for m in {wrong}" if wrong else "as expected",
            "four digits",
            not wrong,
        ),
        Result("the widest gap of these", f"{widest:.3%}", "at most 0.5%", widest <= 0.005),
        Result(
            "m = 20, with evidence",
            f"{taken:.1f} s, gap {longest.gap:.2%}, {memory:.2f} GiB",
            "30 s, 1 GiB",
            taken < 30 and memory < 1 and longest.evidence == "proved",
        ),
    ]


def shape(best: Optimum, gamma: int) -> str:
    """Which b[j] are above 1."""
    return ", ".join(
        f"b[{j}] = " + ("gamma" if b > 0.999 * gamma else f"{float(b):.2f}")
        for j, b in enumerate(best.ratios)
        if b > 1.005
    )


def table(gamma: int) -> list[str]:
    """The rows for one gamma."""
    lines = [
        f"gamma = {gamma}, N = 5 million, itemsets of 1 to 3 items; LDS in percent:",
        "",
        "| m | Statement 2 | best | lower by | rho | b[j] above 1 | no lower than | gap |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for size in SIZES:
        best = best_of(size, gamma)
        paper = best_cutoffs(size, float(gamma), ITEMSETS, TRANSACTIONS)[0].lds
        lower = 1 - best.real.support / paper
        lines.append(
            f"| {size} | {100 * paper:.4f} | {100 * best.real.support:.4f} | "
            + (f"{lower:.2%}" if lower > 5e-5 else "")
            + f" | {float(best.insert):.4f} | {shape(best, gamma)} | "
            f"{100 * best.lower_bound:.4f} | {1 - best.lower_bound / best.real.support:.2%} |"
        )
    return [*lines, ""]


def rewrite(path: Path) -> None:
    """Put the tables between the document's marks."""
    before, _, rest = path.read_text(encoding="utf-8").partition("<!-- tables -->\n")
    _, _, after = rest.partition("<!-- /tables -->\n")
    lines = [line for gamma in GAMMAS for line in table(gamma)]
    text = "\n".join(["<!-- tables -->", *lines, "<!-- /tables -->", ""])
    path.write_text(before + text + after, encoding="utf-8")


if __name__ == "__main__":
    rewrite(Path(sys.argv[1]))

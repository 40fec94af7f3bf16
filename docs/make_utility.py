"""Make the table of docs/utility.md: ten mechanisms, and how many people one point takes.

Run from anywhere: python docs/make_utility.py
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.arithmetic.value import Infinity
from ppdm_formal.declare.families.duchi_mean import duchi_mean
from ppdm_formal.declare.families.hadamard_response import hadamard_response
from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.rappor import rappor
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.truncated_geometric import truncated_geometric
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.utility import people, utility
from ppdm_formal.report.words.utility_words import about

PAGE = Path(__file__).parent / "utility.md"
BEGIN, END = "<!-- table: python docs/make_utility.py -->", "<!-- end of table -->"
EPSILONS, SIZES = (1, 2, 4), (10, 100, 1000)


def _k_ary(eps: int, k: int) -> Operator:
    t = exp_of(Fraction(eps))
    return randomized_response(k, t / (t + (k - 1)))


def _symmetric(eps: int, k: int) -> Operator:
    root = exp_of(Fraction(eps, 2))
    return unary_encoding(k, keep=root / (root + 1))


def _rappor(eps: int, k: int) -> Operator:
    return rappor(128, 2, 2 / (1 + exp_of(Fraction(eps, 4))))


MECHANISMS: Mapping[str, Callable[[int, int], Operator]] = {
    "k-ary response": _k_ary,
    "symmetric unary encoding": _symmetric,
    "optimized unary encoding": lambda eps, k: unary_encoding(k, epsilon=eps),
    "subset selection": lambda eps, k: subset_selection(k, epsilon=eps),
    "Hadamard response": lambda eps, k: hadamard_response(k, epsilon=eps),
    "local hashing, 2 buckets": lambda eps, k: local_hashing(k, 2, epsilon=eps),
    "local hashing, e^eps + 1": lambda eps, k: local_hashing(
        k, 1 + round(math.exp(eps)), epsilon=eps
    ),
    "RAPPOR (a): a bit of 128": _rappor,
    "geometric noise (b)": lambda eps, k: truncated_geometric(k, epsilon=Fraction(eps, k - 1)),
    "one-bit mean (c)": lambda eps, k: duchi_mean(k, epsilon=eps),
}


def cell(name: str, eps: int, k: int) -> str:
    """How many people, rounded up to three digits; with the published decoder behind a slash."""
    try:
        found = utility(MECHANISMS[name](eps, k))
    except TooLarge:
        return "-"
    if found.best.people is not None and not isinstance(found.best.people, Infinity):
        published = next((d.people for d in found.decoders[1:]), None)
        best = about(found.best.people)
        other = best if published is None else about(published)
        return best if best == other else f"{best} / {other}"
    assert found.mean is not None
    width = found.mean.width
    worst = found.mean.worst if found.mean.worst is not None else found.mean.error.hi  # type: ignore[union-attr]
    return about(people(worst / width**2))


def table() -> str:
    """The whole table as Markdown."""
    columns = [(eps, k) for eps in EPSILONS for k in SIZES]
    head = ["mechanism", *(f"eps {eps}, {k:,} values" for eps, k in columns)]
    rows = [head, ["---", *["---:"] * len(columns)]]
    rows += [[name, *(cell(name, eps, k) for eps, k in columns)] for name in MECHANISMS]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> int:
    """Write the table into the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

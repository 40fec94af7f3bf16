"""Exhaustive checks: every case of a finite list, by brute force, until one fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from ppdm_formal.certify.statement.outcome import EXACT, Outcome
from ppdm_formal.declare.machine.deadline import Deadline

Case = TypeVar("Case")


def check_all(
    cases: Iterable[Case],
    fails: Callable[[Case], Mapping[str, object] | None],
    scope: str,
    deadline: Deadline,
) -> Outcome:
    """Checked if no case fails; refuted by the first that does, with what it says of itself.

    >>> odd = lambda n: {"n": str(n)} if n % 2 else None
    >>> check_all([0, 2, 4], odd, "even n up to 4", Deadline.after(9)).detail
    '3 cases, none fails'
    >>> check_all([0, 1], odd, "n up to 1", Deadline.after(9)).counterexample
    {'n': '1'}
    """
    tried = 0
    for case in cases:
        deadline.check()
        tried += 1
        wrong = fails(case)
        if wrong is not None:
            return Outcome(
                "refuted",
                f"case {tried:,} fails",
                means=("exact arithmetic",),
                counterexample={name: spelled(value) for name, value in wrong.items()},
                trust=EXACT,
            )
    if not tried:
        return Outcome("unknown", "there was no case to check")
    detail = f"{tried:,} cases, none fails" if tried > 1 else "one case, which does not fail"
    return Outcome("checked", detail, scope, ("exhaustive",), trust=EXACT)


def spelled(value: object) -> str:
    """A value as counterexamples show it: numbers plainly, lists by commas, lists of lists in rows.

    >>> from fractions import Fraction
    >>> spelled((Fraction(1, 2), 3)), spelled([(1, 2), (3, 4)]), spelled(frozenset({2, 1}))
    ('1/2, 3', '1, 2; 3, 4', '{1, 2}')
    """
    if isinstance(value, frozenset | set):
        return "{" + ", ".join(spelled(one) for one in sorted(value)) + "}"
    if not isinstance(value, tuple | list):
        return str(value)
    nested = any(isinstance(one, tuple | list) for one in value)
    return ("; " if nested else ", ").join(spelled(one) for one in value)

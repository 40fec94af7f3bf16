"""Outcome: how a statement fared, for which sizes, by what means, and what must be trusted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from ppdm_formal.certify.statement.printed import Printed

Kind: TypeAlias = Literal["proved", "checked", "enclosed", "refuted", "corrected", "unknown"]
"""proved: for all that the scope names, by argument; checked: every case up to a size; enclosed:
numbers, by intervals that contain them; refuted: by a counterexample; corrected: what is printed
is wrong, and what is right instead is proved or checked."""

Means: TypeAlias = Literal[
    "symbolic identity",
    "exact arithmetic",
    "solver",
    "two solvers",
    "exact certificate",
    "induction",
    "exhaustive",
    "enclosure",
    "argument",
]

Slip: TypeAlias = Literal["wrong", "misprint", "ambiguous", "vacuous", "loose", "hypothesis"]
"""What is amiss at a place of a paper; hypothesis: it needs a stronger one than is printed."""

EXACT = "re-checked exactly"
"""The trust of what needs none beyond arithmetic."""


@dataclass(frozen=True)
class PaperFinding:
    """A place where a paper's text, formula or number is amiss; what is right, and the evidence.

    The sentences are ours, and their numbers come from the check that found it.
    """

    slip: Slip
    where: str
    printed: str
    right: str
    evidence: str

    def to_json(self) -> dict[str, str]:
        """For `ppdm prove --json`."""
        return {
            "slip": self.slip,
            "where": self.where,
            "printed": self.printed,
            "right": self.right,
            "evidence": self.evidence,
        }


@dataclass(frozen=True)
class Outcome:
    """How a statement fared, and one sentence about it.

    scope: the cases that are covered ("every finite set of inputs", "all m up to 8"); means: how
    it was decided; counterexample: what refutes it; trust: what must be trusted (EXACT, or
    solvers); correction: what holds instead of what is printed; printed: numbers of the paper
    beside those computed.
    """

    kind: Kind
    detail: str
    scope: str = ""
    means: tuple[Means, ...] = ()
    counterexample: Mapping[str, str] | None = None
    trust: str = ""
    correction: str = ""
    printed: tuple[Printed, ...] = ()
    findings: tuple[PaperFinding, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """For `ppdm prove --json`."""
        counterexample = self.counterexample
        return {
            "kind": self.kind,
            "detail": self.detail,
            "scope": self.scope or None,
            "means": list(self.means),
            "up_to": self.scope if self.kind == "checked" and self.scope else None,
            "counterexample": None if counterexample is None else dict(counterexample),
            "trust": self.trust or None,
            "correction": self.correction or None,
            "printed": [number.to_json() for number in self.printed],
            "findings": [finding.to_json() for finding in self.findings],
        }


DECIDED = ("proved", "checked", "enclosed")
"""Kinds of what holds as it was put to the check."""


def corrected(outcome: Outcome, *findings: PaperFinding, detail: str = "") -> Outcome:
    """What holds instead of the print, and what is amiss there; undecided outcomes stay so.

    The first finding says what is right.
    """
    if outcome.kind not in DECIDED:
        return outcome
    return replace(
        outcome,
        kind="corrected",
        detail=detail or outcome.detail,
        correction=findings[0].right,
        findings=(*outcome.findings, *findings),
    )


def argued(outcome: Outcome, scope: str, *means: Means) -> Outcome:
    """Proved for the scope by the argument in the file, of which the outcome decides the steps.

    What was not decided stays as it is. means: in place of the outcome's own.
    """
    if outcome.kind not in DECIDED:
        return outcome
    return replace(outcome, kind="proved", scope=scope, means=means or outcome.means)


def by_induction(outcome: Outcome) -> Outcome:
    """The same, of whose lemmas one is the step of an induction."""
    return replace(outcome, means=("induction", *outcome.means))


def with_findings(outcome: Outcome, *findings: PaperFinding) -> Outcome:
    """The same with findings about the paper; undecided outcomes have none."""
    if outcome.kind not in DECIDED:
        return outcome
    return replace(outcome, findings=(*outcome.findings, *findings))


_WEAKEST_FIRST: Sequence[Kind] = (
    "refuted",
    "unknown",
    "corrected",
    "enclosed",
    "checked",
    "proved",
)


def together(parts: Iterable[Outcome], detail: str = "", scope: str = "") -> Outcome:
    """Several outcomes as one: as strong as its weakest part, with all that each rests on.

    >>> both = together([Outcome("proved", "a", means=("solver",)), Outcome("checked", "b")])
    >>> both.kind, both.detail, both.means
    ('checked', 'a; b', ('solver',))
    """
    outcomes = list(parts)
    if not outcomes:
        return Outcome("unknown", "nothing was decided")
    weakest = min(outcomes, key=lambda part: _WEAKEST_FIRST.index(part.kind))
    failed = weakest.kind in ("refuted", "unknown")
    return Outcome(
        weakest.kind,
        weakest.detail if failed else detail or "; ".join(_distinct(p.detail for p in outcomes)),
        scope=scope or "; ".join(_distinct(part.scope for part in outcomes)),
        means=tuple(dict.fromkeys(one for part in outcomes for one in part.means)),
        counterexample=weakest.counterexample,
        trust=_trusted(part.trust for part in outcomes),
        correction=" ".join(_distinct(part.correction for part in outcomes)),
        printed=tuple(number for part in outcomes for number in part.printed),
        findings=tuple(finding for part in outcomes for finding in part.findings),
    )


def _distinct(words: Iterable[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if word]


def _trusted(trusts: Iterable[str]) -> str:
    """All that must be trusted; exactness is worth saying only where nothing else is needed."""
    named = _distinct(trusts)
    return "; ".join([trust for trust in named if trust != EXACT] or named)

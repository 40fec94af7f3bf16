"""Outcome: how a statement fared, with what refutes it or what must be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["proved", "checked", "refuted", "corrected", "unknown"]


@dataclass(frozen=True)
class Outcome:
    """How a statement fared, and one sentence about it.

    up_to: the size up to which it was checked; counterexample: what refutes it; trust: what
    must be trusted ("re-checked exactly", or solvers).
    """

    kind: Kind
    detail: str
    up_to: str = ""
    counterexample: Mapping[str, str] | None = None
    trust: str = ""

    def to_json(self) -> dict[str, Any]:
        """For `ppdm prove --json`."""
        counterexample = self.counterexample
        return {
            "kind": self.kind,
            "detail": self.detail,
            "up_to": self.up_to or None,
            "counterexample": None if counterexample is None else dict(counterexample),
            "trust": self.trust or None,
        }

"""Comparison: operators of several models audited, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, ClassVar

from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.certify.audit.audited import AuditResult, worst_exit
from ppdm_formal.declare.language.model import Model
from ppdm_formal.declare.result import Result
from ppdm_formal.derive.measures.record import Reading


@dataclass(frozen=True)
class Comparison(Result):
    """The audits of several models."""

    results: tuple[AuditResult, ...]
    shown_in: ClassVar[str] = "comparison"

    @property
    def exit_code(self) -> int:
        """That of the audit which goes worst."""
        return self.exit_code_if(allow_vacuous=False)

    def exit_code_if(self, *, allow_vacuous: bool) -> int:
        """The same; with allow_vacuous, claims that say nothing count as claims that hold."""
        return worst_exit([one.exit_code_if(allow_vacuous=allow_vacuous) for one in self.results])

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-compare/1: the audits, one after the other."""
        audits = [result.to_json() for result in self.results]
        return {"format": "ppdm-compare/1", "audits": audits}

    def to_pandas(self) -> Any:
        """A frame with a row for each operator and a column for each measure, as text."""
        import pandas as pd

        rows = []
        for result in self.results:
            for found in result.operators:
                taken = [one for one in found.readings if isinstance(one, Reading)]
                row = {"model": PurePath(result.model.file).name, "operator": found.operator.name}
                rows.append(row | {one.measure.name: one.text for one in taken})
        return pd.DataFrame(rows)

    def __repr__(self) -> str:
        names = [found.operator.name for result in self.results for found in result.operators]
        more = f" and {len(names) - 6} more" if len(names) > 6 else ""
        return f"<Comparison of {', '.join(names[:6])}{more}>"


@dataclass(frozen=True)
class Sweep(Comparison):
    """One model at several values of its parameters."""

    shown_in: ClassVar[str] = "sweep"

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-sweep/1: an audit for each value."""
        return {**super().to_json(), "format": "ppdm-sweep/1"}


def compare(*models: Model, **options: Any) -> Comparison:
    """Audit the models with the same options (those of `audit`) and set them side by side.

    >>> from ppdm_formal import compile_text
    >>> coin = "operator Coin = randomized_response(values: 2, keep: 3/4)"
    >>> compare(compile_text(coin), compile_text(coin.replace("Coin", "Other")))
    <Comparison of Coin, Other>
    """
    if not models or not all(isinstance(model, Model) for model in models):
        raise TypeError("compare needs models, one by one: compare(load('model.ppdm'))")
    return Comparison(tuple(audit(model, **options) for model in models))

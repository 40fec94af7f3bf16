"""Comparison: operators of several models audited, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ppdm_formal.audit import audit
from ppdm_formal.audited import AuditResult
from ppdm_formal.language.model import Model
from ppdm_formal.measures.record import Reading


@dataclass(frozen=True)
class Comparison:
    """The audits of several models."""

    results: tuple[AuditResult, ...]

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

    def _repr_html_(self) -> str:
        from ppdm_formal.report.formats.notebook import comparison_html

        return comparison_html(self)


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

"""Check: what came of verifying certificates again, of each one and of all claims."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ppdm_formal.certify.audit.audit import provenance
from ppdm_formal.checker import Permits, Survey
from ppdm_formal.checker.survey import Checked
from ppdm_formal.declare.language.model import Model
from ppdm_formal.declare.result import Result


@dataclass(frozen=True)
class Check(Result):
    """What came of each certificate, and of all claims; model: as it was stated."""

    shown_in: ClassVar[str] = "checked"
    survey: Survey
    model: Model | None
    permits: Permits

    @property
    def exit_code(self) -> int:
        """1 where a claim fails, 4 where a certificate is rejected or missing, 3 not verified."""
        return self.survey.exit_code(self.permits)

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-check/1."""
        survey = self.survey
        return {
            "format": "ppdm-check/1",
            "model": None if self.model is None else provenance(self.model),
            "certificates": [_checked_json(one, self.model is not None) for one in survey.checked],
            "claims": {
                "hold": survey.count("hold"),
                "hold_in_part": survey.count("hold in part"),
                "fail": survey.count("fail"),
                "say_nothing": survey.count("say nothing"),
                "not_verified": survey.count("are not verified"),
                "lack_certificate": len(survey.lacking),
            },
            "lacking": [
                {"operator": one.operator, "claim": one.claim, "undecided": one.undecided}
                for one in survey.lacking
            ],
            "faults": list(survey.faults),
            "notes": list(dict.fromkeys(survey.notes)),
            "exit_code": self.exit_code,
        }


def _checked_json(one: Checked, compared: bool) -> dict[str, Any]:
    """A certificate; null where it was not verified far enough to say."""
    result = one.result
    return {
        "file": str(one.path),
        "status": result.status,
        "reason": result.reason,
        "operator": result.operator or None,
        "claim": result.claim or None,
        "verdict": result.verdict or None,
        "vacuous": result.vacuous if result.claim else None,
        "taken_from_file": result.taken or None,
        "measure": result.formula or None,
        "where": result.where or None,
        "theorem": result.theorem or None,
        "questions_compared": not result.untied if result.claim else None,
        "stated": not result.unstated if compared and result.claim else None,
        "counted": one.listed,
        "model": result.origin,
        "sha256": result.sha256 or None,
    }

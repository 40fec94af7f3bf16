"""The JSON of a check, format ppdm-check/1: what came of each certificate, and of all claims."""

from __future__ import annotations

from typing import Any

from ppdm_formal.audit import provenance
from ppdm_formal.checker import Survey
from ppdm_formal.checker.survey import Checked
from ppdm_formal.language.model import Model


def check_json(found: Survey, model: Model | None, code: int) -> dict[str, Any]:
    """The result as JSON data; model: as it was stated, null where none was."""
    return {
        "format": "ppdm-check/1",
        "model": None if model is None else provenance(model),
        "certificates": [_checked_json(one, model is not None) for one in found.checked],
        "claims": {
            "hold": found.count("hold"),
            "hold_in_part": found.count("hold in part"),
            "fail": found.count("fail"),
            "say_nothing": found.count("say nothing"),
            "not_verified": found.count("are not verified"),
            "lack_certificate": len(found.lacking),
        },
        "lacking": [
            {"operator": one.operator, "claim": one.claim, "undecided": one.undecided}
            for one in found.lacking
        ],
        "faults": list(found.faults),
        "notes": list(dict.fromkeys(found.notes)),
        "exit_code": code,
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

"""How certificates are written: names of files, and what of a finding is the same for all kinds.

The format is that of docs/certificate.md.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from ppdm_formal.certify.finding import Finding, Question, Threshold
from ppdm_formal.certify.region import Region, point_json
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.spelling import number_text

FORMAT = "ppdm-certificate/2"

LONGEST_STEM = 100
"""Longer names of files are cut, and told apart by their digests."""


def file_stem(name: str) -> str:
    """A file's name without suffix: the name itself where it is plain, else with its digest.

    Plain are letters, digits, _, - and . (not at the start). Others become _; the digest keeps
    names apart that would then be one. No plain name ends like that: it would get a digest too.

    >>> file_stem("R3-1"), file_stem("\u00e9-1")
    ('R3-1', '_-1.ac09ccc36d141ca3')
    """
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name).lstrip(".")[:LONGEST_STEM] or "certificate"
    if plain == name and not re.search(r"\.[0-9a-f]{16}$", plain):
        return plain
    return f"{plain}.{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def thresholds_json(finding: Finding) -> dict[str, Any] | None:
    """Both thresholds: numbers, enclosures, or null where there is none; or how many clients."""
    thresholds = finding.thresholds
    if finding.clients_from is not None:
        return {"clients_from": finding.clients_from}
    if thresholds is None:
        return None
    return {
        "rho2_above": _threshold_json(thresholds.rho2_above),
        "rho1_below": _threshold_json(thresholds.rho1_below),
    }


def _threshold_json(threshold: Threshold) -> Any:
    if isinstance(threshold, Enclosure):
        return {"lo": number_text(threshold.lo), "hi": number_text(threshold.hi)}
    return None if threshold is None else number_text(threshold)


def region_json(region: Region) -> dict[str, Any]:
    """Where the claim holds: intervals between numbers or roots, and the same in words."""
    return {
        "parameter": region.parameter.name,
        "declared": region.parameter.interval,
        "holds": [
            {
                "from": point_json(interval.start),
                "from_included": interval.start_included,
                "to": point_json(interval.end),
                "to_included": interval.end_included,
            }
            for interval in region.intervals
        ],
        "text": region.text,
    }


def question_json(question: Question, file: str) -> dict[str, str]:
    """A question as a certificate names it: where its text is, and who answered what."""
    return {
        "file": file,
        "sha256": hashlib.sha256(question.text.encode()).hexdigest(),
        "solver": question.solver,
        "answer": question.answer,
    }

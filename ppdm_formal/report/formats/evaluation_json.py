"""The JSON of an evaluation, format ppdm-evaluate/1: decimals as text, counts as numbers."""

from __future__ import annotations

import json
from typing import Any

import ppdm_formal
from ppdm_formal.generate.evaluation import Evaluation, Measured
from ppdm_formal.generate.itemset_quality import Difference
from ppdm_formal.numbers.spelling import number_text

FORMAT = "ppdm-evaluate/1"


def evaluation_json(found: Evaluation, original: str, generated: str) -> str:
    """Everything that was measured."""
    value = {
        "format": FORMAT,
        "tool": {"name": "ppdm", "version": ppdm_formal.__version__},
        "original": {"file": original, "records": found.records, "items": found.items},
        "generated": {"file": generated},
        "min_support": number_text(found.min_support.share(found.records)),
        "class": found.target,
        "folds": found.folds if found.on_original is not None else None,
        "seed": found.seed,
        "accuracy_within_original": _shares(found.on_original),
        "databases": {name: measured_value(one) for name, one in found.measured.items()},
    }
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def measured_value(one: Measured) -> dict[str, Any]:
    """One database."""
    some = one.itemsets
    parts = {
        "common": some.common,
        "missed": some.missed,
        "invented": some.invented,
        "all_original": some.all_original,
    }
    return {
        "records": one.records,
        "itemsets": {
            "original": some.original,
            "here": some.generated,
            **{name: _difference(part) for name, part in parts.items()},
        },
        "accuracy": _shares(one.accuracy),
        "common_records": {
            "of_generated": decimal(one.common.generated),
            "of_original": decimal(one.common.original),
            "cdf": [[support, decimal(part)] for support, part in one.common.supports],
        },
        "rare_itemsets": {
            "drawn": one.rare.drawn,
            "absent": None if one.rare.absent is None else decimal(one.rare.absent),
            "by_length": [
                {"items": length, "drawn": drawn, "found": held}
                for length, drawn, held in one.rare.by_length
            ],
        },
        "compression": {
            name: decimal(getattr(one.compression, name))
            for name in (
                "original_by_original",
                "generated_by_original",
                "generated_by_generated",
                "original_by_generated",
            )
        },
    }


def _difference(part: Difference) -> dict[str, Any]:
    nfd = None if part.nfd is None else decimal(part.nfd)
    return {"itemsets": part.itemsets, "nfd": nfd, "never_in_original": part.never}


def _shares(found: Any) -> dict[str, str] | None:
    return None if found is None else {name: decimal(value) for name, value in found.items()}


def decimal(value: float) -> str:
    """Six decimals.

    >>> decimal(0.1 + 0.2)
    '0.300000'
    """
    return f"{value:.6f}"

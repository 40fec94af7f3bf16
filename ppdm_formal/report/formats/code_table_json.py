"""The JSON of a code table, format ppdm-krimp/1: elements in cover order, sizes in bits."""

from __future__ import annotations

import json

import ppdm_formal
from ppdm_formal.generate.code_table import CodeTable, code_lengths
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.report.formats.evaluation_json import decimal
from ppdm_formal.run.mine.threshold import Threshold

FORMAT = "ppdm-krimp/1"


def code_table_json(
    table: CodeTable, source: str, algorithm: str, min_support: Threshold, *, prune: bool
) -> str:
    """Sizes are decimals as text, in bits, computed in floating point."""
    lengths = code_lengths(table.usages).tolist()
    value = {
        "format": FORMAT,
        "tool": {"name": "ppdm", "version": ppdm_formal.__version__},
        "source": {"file": source},
        "algorithm": algorithm,
        "prune": prune,
        "min_support": number_text(min_support.share(table.transactions)),
        "min_count": min_support.least(table.transactions),
        "transactions": table.transactions,
        "items": len(table.labels),
        "bits": {
            "data": decimal(table.data_bits()),
            "table": decimal(table.table_bits()),
            "total": decimal(table.bits()),
            "standard": decimal(table.standard_bits()),
        },
        "ratio": decimal(table.ratio()),
        "elements": [
            {
                "items": [table.labels[item] for item in one.items],
                "support": one.support,
                "usage": one.usage,
                "bits": decimal(length) if one.usage else None,
            }
            for one, length in zip(table.elements, lengths, strict=True)
        ],
    }
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"

"""Formulas of measures that are known by name: what a certificate defines must be the same."""

from __future__ import annotations

from typing import Any

_GAINED = ["sum", ["*", "prior", "likelihood", ["log", ["/", "likelihood", "evidence"]]]]
_MEAN_SHIFT = [
    "-",
    ["sum", ["*", "prior", "likelihood", "value"]],
    ["*", "evidence", ["sum", ["*", "prior", "value"]]],
]

FORMULAS: dict[str, Any] = {
    "mutual_information": {"over": "sum", "of": _GAINED},
    "event_leakage": {"over": "sum", "of": _GAINED, "each": "person"},
    "inverse_worst_case_information": {
        "over": "max",
        "of": ["sum", ["*", "prior", ["log", ["/", "evidence", "likelihood"]]]],
    },
    "vulnerability": {"over": "sum", "of": ["max", ["*", "prior", "likelihood"]]},
    "total_variation": {
        "over": "max",
        "of": [
            "*",
            "1/2",
            ["sum", ["*", "prior", ["abs", ["-", ["/", "likelihood", "evidence"], "1"]]]],
        ],
    },
    "bayes_risk_gain": {
        "over": "sum",
        "of": ["-", ["max", ["*", "prior", "likelihood"]], ["*", "evidence", ["max", "prior"]]],
    },
    "variance_gain": {
        "over": "sum",
        "of": ["/", ["*", _MEAN_SHIFT, _MEAN_SHIFT], "evidence"],
        "each": "input",
    },
}

OTHER_NAMES = {
    "local_dp",  # epsilon
    "capacity",
    "min_entropy_capacity",
    "utility",
    "utility_under",
}
"""What measures are called that no formula of this kind defines."""

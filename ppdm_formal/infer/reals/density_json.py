"""The JSON of a reconstruction, format ppdm-density/1: decimals as text, all sampled."""

from __future__ import annotations

import math
from typing import Any

import ppdm_formal
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.with_error import sampled, share
from ppdm_formal.infer.reals.lattice import EquallySpaced
from ppdm_formal.infer.reals.result import Reconstruction, Sent

FORMAT = "ppdm-density/1"


def density_json(found: Reconstruction) -> dict[str, Any]:
    """One document: the cells first of all."""
    return {
        "format": FORMAT,
        "tool": {"name": "ppdm_formal", "version": ppdm_formal.__version__},
        "kind": "sampled",
        "column": found.column,
        "records": found.records,
        "noise": None if isinstance(found.applied, Sent) else str(found.applied),
        "sent": _sent(found.applied) if isinstance(found.applied, Sent) else None,
        "method": found.method,
        "cells": _cells(found),
        "se_is": _meaning(found),
        "iterations": found.iterations,
        "log_likelihood": _finite(found.log_likelihood),
        "gap": None if found.gap is None else sampled(found.gap, found.gap),
        "stop": {"rule": found.rule.kind, "value": f"{found.rule.value:g}", "met": found.met},
        "accelerated": found.accelerated,
        "rank": found.rank,
        "left_out": found.left_out,
        "fit": {
            "chi_square": _finite(found.fit.statistic),
            "freedom": found.fit.freedom,
            "p_value": share(found.fit.p_value),
        },
        "mismatched": found.mismatched,
        "family": _family(found),
    }


def _cells(found: Reconstruction) -> list[dict[str, Any]]:
    ends = found.cells.ends
    errors = [None] * found.cells.count if found.se is None else [float(e) for e in found.se]
    held: list[Any] = [None] * found.cells.count
    if found.low is not None and found.high is not None:
        held = [
            {"lo": sampled(low, (high - low) / 10), "hi": sampled(high, (high - low) / 10)}
            for low, high in zip(found.low.tolist(), found.high.tolist(), strict=True)
        ]
    return [
        {
            "lo": number_text(lo),
            "hi": number_text(hi),
            "mass": sampled(float(mass), error or 0.0),
            "se": None if error is None else sampled(error, error),
            "interval_95": interval,
        }
        for lo, hi, mass, error, interval in zip(
            ends[:-1], ends[1:], found.masses, errors, held, strict=True
        )
    ]


def _meaning(found: Reconstruction) -> str:
    """What `se` of the cells is."""
    if found.family is not None:
        return "standard error, if x is distributed as the family says"
    return "scatter of the smoothed mass; the bias of smoothing is not in it"


def _sent(sent: Sent) -> dict[str, Any]:
    """The operator, and the release that it was read from."""
    release = sent.release
    return {
        "operator": sent.operator.name,
        "inputs": _line(sent.inputs),
        "outputs": _line(sent.outputs),
        "release": None
        if release is None
        else {
            "file": release.file,
            "sha256": release.sha256,
            "claims": list(release.claims),
            "simulated": release.simulated,
        },
    }


def _line(numbers: EquallySpaced) -> dict[str, Any]:
    return {
        "first": number_text(numbers.first),
        "step": number_text(numbers.step),
        "count": numbers.size,
    }


def _family(found: Reconstruction) -> dict[str, Any] | None:
    if found.family is None:
        return None
    return {
        "name": found.family.name,
        "parameters": [
            {
                "name": one.name,
                "value": sampled(one.value, one.se or 0.0),
                "se": None if one.se is None else sampled(one.se, one.se),
            }
            for one in found.family.parameters
        ],
        "outside": sampled(found.family.outside),
    }


def _finite(value: float) -> str | None:
    return sampled(value) if math.isfinite(value) else None

"""Discovery: the measures of this folder, found by their place; there is no list to edit."""

from __future__ import annotations

import difflib
import pkgutil
from functools import cache
from importlib import import_module

import ppdm_formal.derive.measures
from ppdm_formal.derive.measures.record import Measure


@cache
def _records() -> tuple[Measure, ...]:
    """Every record, in the order of tables."""
    found: dict[str, Measure] = {}
    for module in pkgutil.iter_modules(ppdm_formal.derive.measures.__path__):
        found_there = import_module(f"{ppdm_formal.derive.measures.__name__}.{module.name}")
        record = getattr(found_there, "MEASURE", None)
        if record is None:
            continue
        if record.name in found:
            raise ValueError(f"two files in measures/ define {record.name}")
        found[record.name] = record
    return tuple(sorted(found.values(), key=lambda measure: (measure.order, measure.name)))


def all_measures() -> tuple[Measure, ...]:
    """Every measure that has a value by itself, in the order of tables."""
    return tuple(measure for measure in _records() if not measure.argument)


def claimable() -> tuple[Measure, ...]:
    """Those on which a bound can be required."""
    return tuple(measure for measure in _records() if measure.claimable)


def claim_names() -> dict[str, Measure]:
    """Every name by which a claim may call a measure."""
    return {name: measure for measure in claimable() for name in (measure.name, *measure.also)}


def measure_named(name: str) -> Measure:
    """The measure that a claim names; ValueError where there is none that can be claimed.

    >>> measure_named("dependence").prior
    True
    >>> measure_named("dependance")
    Traceback (most recent call last):
    ...
    ValueError: unknown measure dependance: did you mean dependence?
    """
    known = claim_names()
    if name in known:
        return known[name]
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
    raise ValueError(f"unknown measure {name}: {hint}")

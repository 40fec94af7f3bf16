"""The JSON and the CSV of an estimate, format ppdm-estimate/1: decimals as text, all sampled."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import ppdm_formal
from ppdm_formal.declare.arithmetic.people import brief_count
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.with_error import sampled, share
from ppdm_formal.declare.operators.canonical import value_json
from ppdm_formal.infer.tables.result import (
    AlikeValues,
    ColumnFacts,
    Estimate,
    EstimatedTable,
    Independence,
    LostCell,
    Quantity,
)
from ppdm_formal.run.cells import spelled

FORMAT = "ppdm-estimate/1"


def estimate_json(found: Estimate) -> dict[str, Any]:
    """One document, whatever was asked: each cell names its columns."""
    source = found.source
    return {
        "format": FORMAT,
        "tool": {"name": "ppdm_formal", "version": ppdm_formal.__version__},
        "release": None if source is None else {"file": source.file, "sha256": source.sha256},
        "simulated": found.simulated,
        "kind": "sampled",
        "rows": found.rows,
        "columns": list(dict.fromkeys(name for part in found.tables for name in part.names)),
        "method": found.method,
        "level": number_text(found.level),
        "cells": [one for part in found.tables for one in _cells(part)],
        "groups": [_group(part, group) for part in found.tables for group in part.groups],
        "means": [
            _quantity(part, q) for part in found.tables for q in part.quantities if q.at is None
        ],
        "quantiles": [
            _quantity(part, q) for part in found.tables for q in part.quantities if q.at is not None
        ],
        "independence": [_test(test) for part in found.tables for test in part.tests],
        "lost": [
            {
                "column": direction.column,
                "direction": [[value_json(value), size] for value, size in direction.terms],
            }
            for part in found.tables
            for direction in part.lost
        ],
        "likelihood": [_likelihood(part) for part in found.tables if part.likelihood is not None],
        "discovered": [_discovered(part) for part in found.tables if part.discovered is not None],
        "operators": list({c.name: _column(c) for p in found.tables for c in p.columns}.values()),
    }


def _cells(part: EstimatedTable) -> Iterator[dict[str, Any]]:
    for cell, numbers in zip(part.cells, _numbers(part), strict=True):
        head = {"columns": list(part.names), "value": [value_json(value) for value in cell.value]}
        yield {**head, **dict(zip(_NUMBERS, numbers, strict=True))}


_NUMBERS = ("estimate", "se", "se_coins", "lo", "hi", "lo_all", "hi_all", "consistent")


def _numbers(part: EstimatedTable) -> Iterator[list[str | None]]:
    """Of each cell, as text; nothing of one that is lost."""
    nearest = part.consistent
    for place, cell in enumerate(part.cells):
        if isinstance(cell, LostCell):
            yield [None] * len(_NUMBERS)
            continue
        numbers = (
            cell.estimate, cell.se, cell.se_coins, cell.low, cell.high, cell.low_all, cell.high_all,
        )  # fmt: skip
        texts: list[str | None] = [sampled(number, cell.se) for number in numbers]
        yield [*texts, None if nearest is None else sampled(nearest[place], cell.se)]


def _discovered(part: EstimatedTable) -> dict[str, Any]:
    assert part.discovered is not None
    found = part.discovered
    return {
        "columns": list(part.names),
        "false_at_most": number_text(found.level),
        "least": found.least,
        "values": [
            {"value": [value_json(value) for value in part.cells[place].value], "p_value": share(p)}
            for place, p in zip(found.places.tolist(), found.p_values, strict=True)
        ],
    }


def _group(part: EstimatedTable, group: AlikeValues) -> dict[str, Any]:
    numbers = {"estimate": group.estimate, "se": group.se, "lo": group.low, "hi": group.high}
    return {
        "column": part.names[0],
        "values": [value_json(value) for value in group.values],
        **{name: sampled(number, group.se) for name, number in numbers.items()},
    }


def _quantity(part: EstimatedTable, found: Quantity) -> dict[str, Any]:
    coins = None if found.se_coins is None else sampled(found.se_coins, found.se)
    head: dict[str, Any] = {"column": part.names[0]}
    if found.at is not None:
        head["at"] = number_text(found.at)
    return {
        **head,
        "estimate": sampled(found.estimate, found.se),
        "se": sampled(found.se, found.se),
        "se_coins": coins,
        "lo": sampled(found.low, found.se),
        "hi": sampled(found.high, found.se),
    }


def _test(test: Independence) -> dict[str, Any]:
    return {
        "columns": list(test.columns),
        "mutual": test.mutual,
        "statistic": sampled(test.statistic),
        "freedom": test.freedom,
        "p_value": share(test.p_value),
    }


def _likelihood(part: EstimatedTable) -> dict[str, Any]:
    assert part.likelihood is not None
    ended = part.likelihood
    return {
        "columns": list(part.names),
        "log_likelihood": sampled(ended.log_likelihood),
        "gap": sampled(ended.gap, ended.gap),
        "steps": ended.steps,
        "se_from": "observed information" if ended.information else "fixed decoder",
    }


def _column(column: ColumnFacts) -> dict[str, Any]:
    prior = None
    if column.prior is not None:
        name, masses = column.prior
        prior = {"name": name, "masses": [number_text(mass) for mass in masses]}
    return {
        "column": column.name,
        "operator": column.operator,
        "inputs": column.inputs,
        "outputs": brief_count(column.outputs),
        "decoder": "exact" if column.exact else "rounded",
        "bias": sampled(column.bias, column.bias),
        "prior": prior,
    }


def estimate_csv(found: Estimate) -> str:
    """The cells as a table: a column a randomized column, then the numbers."""
    names = list(dict.fromkeys(name for part in found.tables for name in part.names))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*names, *_NUMBERS])
    for part in found.tables:
        for cell, numbers in zip(part.cells, _numbers(part), strict=True):
            shown = dict(zip(part.names, map(spelled, cell.value), strict=True))
            writer.writerow([*(shown.get(name, "") for name in names), *(n or "" for n in numbers)])
    return out.getvalue()

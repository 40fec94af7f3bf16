"""Items that a first phase found: from a mining result (ppdm-mine/1), or a list with one a line."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.run.basket_files import Items
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.streams import compression_of, reading

FORMAT = "ppdm-mine/1"

MAX_BYTES = 1 << 28


@dataclass(frozen=True)
class FoundItems:
    """Positions of the items that were found, rising, and their supports where these are known."""

    positions: tuple[int, ...]
    supports: tuple[float, ...] | None


def read_found_items(path: Path, items: Items) -> FoundItems:
    """The 1-itemsets of a result, or the items that a text lists; each must be one of `items`."""
    with reading(path, compression_of(path)) as source:
        raw = source.stream.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise DataError(f"{path}: more than {MAX_BYTES >> 20} MiB")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{path}: this is not text in UTF-8") from None
    found = _of_result(text, path) if text.lstrip().startswith("{") else _of_lines(text)
    if not found:
        raise DataError(f"{path}: there are no items")
    names = [name for name, _, _ in found]
    positions = items.cells.positions(names).tolist()
    chosen: dict[int, float | None] = {}
    for position, (_, support, place) in zip(positions, found, strict=True):
        if position < 0:
            # A plan knows how many items there are, not their names.
            named = "" if items.names is not None else " (names of items are given by --items FILE)"
            raise DataError(f"{path}, {place}: this is not one of the {items.count} items{named}")
        if position in chosen:
            raise DataError(f"{path}, {place}: an item again")
        chosen[position] = support
    ordered = sorted(chosen)
    supports = [chosen[position] for position in ordered]
    known = tuple(support for support in supports if support is not None)
    return FoundItems(tuple(ordered), known if len(known) == len(supports) else None)


def _of_lines(text: str) -> list[tuple[str, float | None, str]]:
    return [
        (line.strip(), None, f"line {number}")
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    ]


def _of_result(text: str, path: Path) -> list[tuple[str, float | None, str]]:
    try:
        content = json.loads(text)
    except json.JSONDecodeError as wrong:
        where = f"line {wrong.lineno}, column {wrong.colno}"
        raise DataError(f"{path}: not JSON from {where} on") from None
    except RecursionError:
        raise DataError(f"{path}: nested too deeply") from None
    if content.get("format") != FORMAT or not isinstance(content.get("itemsets"), list):
        raise DataError(f"{path}: this is not a result of format {FORMAT}, nor a list of items")
    # what estimates reach the least support, as the plan counts on, where a release was mined
    reaching = content.get("reaching")
    found = []
    entries = reaching if isinstance(reaching, list) else content["itemsets"]
    for number, entry in enumerate(entries, start=1):
        items = entry.get("items") if isinstance(entry, dict) else None
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise DataError(f"{path}, itemset {number}: items is not a list of names")
        if len(items) == 1:
            place = f"itemset {number}"
            found.append((items[0], _support(entry.get("support"), path, place), place))
    return found


def _support(written: Any, path: Path, place: str) -> float | None:
    if written is None:
        return None
    try:
        if not isinstance(written, str):
            raise ValueError("not a number as text")
        return float(parse_number(written))
    except (ValueError, OverflowError) as wrong:
        raise DataError(f"{path}, {place}: its support: {wrong}") from None

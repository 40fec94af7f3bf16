"""Files of what was mined: JSON (format ppdm-mine/1), CSV and Parquet, written piece by piece."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import IO, Any

import ppdm_formal
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.run.mine.mined import Itemset, Mined, Rule

FORMAT = "ppdm-mine/1"

AT_ONCE = 1 << 16
"""Rows that are made into text or columns at a time."""

_ITEMSET = ("items", "count", "support")
_RULE = ("antecedent", "consequent", "count", "support", "confidence", "lift")


def decimal(above: int, below: int) -> str:
    """A share or a ratio with twelve decimals, without zeros at its end.

    >>> decimal(501, 100_000), decimal(1, 3), decimal(2, 1)
    ('0.00501', '0.333333333333', '2')
    """
    shown = f"{above / below:.12f}".rstrip("0")
    return shown.removesuffix(".")


def mined_json(found: Mined, file: str) -> Iterator[str]:
    """The whole document, an itemset or a rule a line; numbers are exact, the counts say so."""
    head = {
        "format": FORMAT,
        "tool": {"name": "ppdm_formal", "version": ppdm_formal.__version__},
        "source": {"file": file},
        "kind": "exact",
        "transactions": found.transactions,
        "min_support": number_text(found.min_support.share(found.transactions)),
        "min_count": found.least,
        "max_size": found.max_size,
        "min_confidence": None
        if found.min_confidence is None
        else number_text(found.min_confidence),
    }
    yield json.dumps(head, indent=2, ensure_ascii=False).removesuffix("\n}")
    yield ',\n  "itemsets": ['
    yield from _listed(_itemset(one) for one in found.itemsets())
    yield '],\n  "rules": '
    if found.rule_nodes is None:
        yield "null"
    else:
        yield "["
        yield from _listed(_rule(rule) for rule in found.rules())
        yield "]"
    yield "\n}\n"


def _listed(entries: Iterable[dict[str, Any]]) -> Iterator[str]:
    mark = "\n    "
    for entry in entries:
        yield mark + json.dumps(entry, ensure_ascii=False)
        mark = ",\n    "
    if mark.startswith(","):
        yield "\n  "


def _itemset(one: Itemset) -> dict[str, Any]:
    return {
        "items": list(one.items),
        "count": one.count,
        "support": decimal(one.count, one.transactions),
        "se": "0",
        "significant": True,
    }


def _rule(rule: Rule) -> dict[str, Any]:
    first, second = rule.antecedent, rule.consequent
    return {
        "antecedent": list(first.items),
        "consequent": list(second.items),
        "count": rule.count,
        **dict(zip(("support", "confidence", "lift"), _shares(rule), strict=True)),
    }


def _shares(rule: Rule) -> list[str]:
    number = rule.antecedent.transactions
    confidence = rule.count, rule.antecedent.count
    lift = rule.count * number, rule.antecedent.count * rule.consequent.count
    return [decimal(rule.count, number), decimal(*confidence), decimal(*lift)]


def itemsets_csv(found: Mined) -> Iterator[str]:
    """A row an itemset; its items are a line of CSV in one cell."""
    yield from _table(
        _ITEMSET,
        (
            [_cell(one.items), one.count, decimal(one.count, one.transactions)]
            for one in found.itemsets()
        ),
    )


def rules_csv(found: Mined) -> Iterator[str]:
    """A row a rule."""
    yield from _table(
        _RULE,
        (
            [_cell(rule.antecedent.items), _cell(rule.consequent.items), rule.count, *_shares(rule)]
            for rule in found.rules()
        ),
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow(row)
        if text.tell() > AT_ONCE:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


def _cell(items: Sequence[str]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="").writerow(items)
    return text.getvalue()


def itemsets_parquet(found: Mined, raw: IO[bytes]) -> None:
    """Columns items (lists), count and support."""
    rows = ((list(one.items), one.count, one.count / one.transactions) for one in found.itemsets())
    _parquet(raw, dict(zip(_ITEMSET, ("list", "int", "real"), strict=True)), rows)


def rules_parquet(found: Mined, raw: IO[bytes]) -> None:
    """The columns of the CSV file."""
    rows = (
        (
            list(rule.antecedent.items),
            list(rule.consequent.items),
            rule.count,
            float(rule.support),
            float(rule.confidence),
            float(rule.lift),
        )
        for rule in found.rules()
    )
    kinds = ("list", "list", "int", "real", "real", "real")
    _parquet(raw, dict(zip(_RULE, kinds, strict=True)), rows)


def _parquet(raw: IO[bytes], columns: dict[str, str], rows: Iterator[tuple[Any, ...]]) -> None:
    from ppdm_formal.run.parquet_table import guarded

    with guarded("Parquet output") as pa:
        kinds = {"list": pa.list_(pa.string()), "int": pa.int64(), "real": pa.float64()}
        schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
        with pa.parquet.ParquetWriter(raw, schema) as writer:
            while some := list(islice(rows, AT_ONCE)):
                arrays = [
                    pa.array(values, field.type)
                    for values, field in zip(zip(*some, strict=True), schema, strict=True)
                ]
                writer.write_batch(pa.record_batch(arrays, schema=schema))

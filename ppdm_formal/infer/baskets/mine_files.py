"""Files of what was mined: JSON (format ppdm-mine/1), CSV and Parquet, written piece by piece."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import IO, Any, TypeAlias

import ppdm_formal
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.arithmetic.with_error import sampled
from ppdm_formal.infer.baskets.compare import AgainstOriginal
from ppdm_formal.infer.baskets.mined import AssociationRule, Itemset, Mined
from ppdm_formal.infer.baskets.mined_rounds import MeasuredSet, MinedRounds
from ppdm_formal.infer.baskets.randomized import (
    EstimatedItemset,
    EstimatedLink,
    EstimatedRule,
    MinedRelease,
)

FORMAT = "ppdm-mine/1"

AT_ONCE = 1 << 16
"""Rows that are made into text or columns at a time."""

Found: TypeAlias = Mined | MinedRelease | MinedRounds


@dataclass(frozen=True)
class Number:
    """A number of a row: as text in JSON and CSV, as a double in Parquet."""

    value: float
    text: str


Row: TypeAlias = dict[str, list[str] | int | bool | Number]
"""What a file says of an itemset or a rule, by column."""


def decimal(value: Fraction) -> str:
    """An exact share or ratio with twelve decimals, without zeros at its end.

    >>> decimal(Fraction(501, 100_000)), decimal(Fraction(1, 3)), decimal(Fraction(2))
    ('0.00501', '0.333333333333', '2')
    """
    shown = f"{float(value):.12f}".rstrip("0")
    return shown.removesuffix(".")


def _exact(value: Fraction) -> Number:
    return Number(float(value), decimal(value))


def _estimated(value: float, error: float) -> Number:
    return Number(value, sampled(value, error))


def itemset_row(one: Itemset | EstimatedItemset) -> Row:
    """The columns of an itemset."""
    if isinstance(one, Itemset):
        return {
            "items": list(one.items),
            "count": one.count,
            "support": _exact(one.support),
            "se": _exact(Fraction(0)),
            "significant": True,
        }
    row: Row = {
        "items": list(one.items),
        "support": _estimated(one.support, one.se),
        "se": _estimated(one.se, one.se),
        "se_population": _estimated(one.se_population, one.se),
        "lo": _estimated(one.low, one.se),
        "hi": _estimated(one.high, one.se),
        "consistent": _estimated(one.consistent, one.se),
        "significant": one.significant,
    }
    if isinstance(one, MeasuredSet):
        for name in ("kept", "shrunken", "shrunken_low", "shrunken_high"):
            row[name.replace("low", "lo").replace("high", "hi")] = _estimated(
                getattr(one, name), one.se
            )
    return row


def rule_row(rule: AssociationRule | EstimatedRule) -> Row:
    """The columns of a rule."""
    sides: Row = {
        "antecedent": list(rule.antecedent.items),
        "consequent": list(rule.consequent.items),
    }
    if isinstance(rule, AssociationRule):
        numbers = {"support": rule.support, "confidence": rule.confidence, "lift": rule.lift}
        exact = {name: _exact(value) for name, value in numbers.items()}
        return {**sides, "count": rule.count, **exact}
    return {
        **sides,
        "support": _estimated(rule.whole.support, rule.whole.se),
        "se": _estimated(rule.whole.se, rule.whole.se),
        "confidence": _estimated(rule.confidence, rule.confidence_se),
        "confidence_se": _estimated(rule.confidence_se, rule.confidence_se),
        "lift": _estimated(rule.lift, rule.lift_se),
        "lift_se": _estimated(rule.lift_se, rule.lift_se),
        "leverage": _estimated(rule.leverage, rule.leverage_se),
        "leverage_se": _estimated(rule.leverage_se, rule.leverage_se),
    }


LINKS = 1000
"""Links that are written, the surest."""


def link_row(one: EstimatedLink) -> dict[str, Any]:
    """A link as JSON has it."""
    return {
        "items": list(one.items),
        "leverage": sampled(one.leverage, one.se),
        "se": sampled(one.se, one.se),
        "lo": sampled(one.low, one.se),
        "hi": sampled(one.high, one.se),
        "lift": f"{one.lift:.3g}",
        "lift_lo": f"{one.lift_low:.3g}",
        "lift_hi": f"{one.lift_high:.3g}",
        "chance": f"{one.chance:.3g}",
        "sure": one.sure,
        "kind": "measured",
    }


def _columns(found: Found, *, rules: bool) -> Row:
    """An example of a row, which says what columns there are."""
    one: Itemset | EstimatedItemset
    if isinstance(found, Mined):
        one = Itemset((), 1, 1)
        return rule_row(AssociationRule(one, one, 1)) if rules else itemset_row(one)
    one = EstimatedItemset((), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if isinstance(found, MinedRounds) and not rules:
        numbers = (0.0,) * 10
        return itemset_row(MeasuredSet((), *numbers, None, 1.0, False))
    return rule_row(EstimatedRule(one, one, one, 0, 0, 0, 0, 0, 0)) if rules else itemset_row(one)


def json_head(found: Found) -> dict[str, Any]:
    """All of the document but its lists."""
    limit = found.min_confidence
    head: dict[str, Any] = {
        "format": FORMAT,
        "tool": {"name": "ppdm_formal", "version": ppdm_formal.__version__},
        "source": {"files": list(found.files)},
        "kind": "exact" if isinstance(found, Mined) else "sampled",
        "transactions": found.transactions,
        "min_support": number_text(found.min_support.share(found.transactions)),
        "max_size": found.max_size,
        "min_confidence": None if limit is None else number_text(limit),
    }
    if isinstance(found, Mined):
        head["min_count"] = found.least
        return head
    if isinstance(found, MinedRounds):
        return head | _of_rounds(found)
    truth = {} if found.truth is None else {"truth": _truth(found.truth)}
    return head | _of_release(found) | truth


def mined_json(found: Found) -> dict[str, Any]:
    """The whole document."""
    return {
        **json_head(found),
        "itemsets": [_plain(row) for row in _rows(found, False)],
        "rules": None
        if found.min_confidence is None
        else [_plain(row) for row in _rows(found, True)],
    }


def mined_text(found: Found) -> Iterator[str]:
    """The same as text, an itemset or a rule a line, none of which are kept."""
    yield json.dumps(json_head(found), indent=2, ensure_ascii=False).removesuffix("\n}")
    yield ',\n  "itemsets": ['
    yield from _listed(_rows(found, False))
    yield '],\n  "rules": '
    if found.min_confidence is None:
        yield "null"
    else:
        yield "["
        yield from _listed(_rows(found, True))
        yield "]"
    yield "\n}\n"


def _of_release(found: MinedRelease) -> dict[str, Any]:
    return {
        "reports": found.reports,
        "simulated": found.simulated,
        "left_out": found.left_out,
        "cut": found.cut,
        "lowered": str(found.lowered),
        "beyond": found.beyond,
        "false_discoveries": f"{found.false_discoveries:g}",
        "links": [link_row(one) for one in found.links(LINKS)],
        "reaching": [
            {"items": list(one.items), "support": sampled(one.support, one.se)}
            for one in found.reaching()
        ],
        "sizes": [
            {
                "size": seen.size,
                "candidates": seen.candidates,
                "pursued": seen.pursued,
                "listed": seen.listed,
                "credible": f"{seen.credible:.2f}",
                "visible": None if seen.visible is None else sampled(seen.visible),
                "unclear": seen.unclear,
            }
            for seen in found.seen
        ],
    }


def _of_rounds(found: MinedRounds) -> dict[str, Any]:
    """Measured and guessed pairs stand in different lists."""
    return {
        "reports": found.reports,
        "simulated": found.simulated,
        "whole_baskets": found.uncut,
        "false_discoveries": f"{found.false_discoveries:g}",
        "promised": list(found.promised),
        "sizes": [
            {
                "size": seen.size,
                "asked": seen.asked,
                "people": seen.people,
                "listed": seen.listed,
                "unclear": seen.unclear,
                "visible": sampled(seen.visible),
                "unlisted": f"{seen.lacking.unlisted:.1f}",
                "clients_for_ten_more": seen.lacking.more_clients,
            }
            for seen in found.seen
        ],
        "measured": [_measured(one, found) for one in found.measured if len(one.items) > 1],
        "links": [link_row(one) for one in found.links(LINKS)],
        "guesses": [
            {
                "items": list(one.items),
                "guess": f"{one.guess:.6f}",
                "kind": "guess from items alone",
            }
            for one in found.guesses
        ],
        **({} if found.truth is None else {"truth": _true_of_rounds(found)}),
    }


def _measured(one: MeasuredSet, found: MinedRounds) -> dict[str, Any]:
    guess = None if one.guess is None else f"{one.guess:.6f}"
    row = _plain(itemset_row(one)) | {"guess": guess, "listed": one.listed, "kind": "measured"}
    if found.truth is not None:
        row["true"] = decimal(found.truth[frozenset(one.items)])
    return row


def _true_of_rounds(found: MinedRounds) -> dict[str, Any]:
    """By size: how many truly reach the least support, and how many of those listed do."""
    truth, frequent = found.truth or {}, found.frequent or {}
    least = found.min_support.share(found.transactions)
    sizes = []
    for size in sorted(frequent):
        listed = [truth[frozenset(one.items)] for one in found.itemsets() if len(one.items) == size]
        right = sum(one >= least for one in listed)
        sizes.append(
            {
                "size": size,
                "frequent": frequent[size],
                "listed": len(listed),
                "true_positives": right,
                "below_half": sum(2 * one < least for one in listed),
                "smallest_listed": None if not listed else decimal(min(listed)),
            }
        )
    return {"sizes": sizes}


def _truth(truth: AgainstOriginal) -> dict[str, Any]:
    def shown(value: Fraction | None) -> str | None:
        return None if value is None else decimal(value)

    return {
        "transactions": truth.transactions,
        "sizes": [
            {
                "size": one.size,
                "frequent": one.frequent,
                "listed": one.listed,
                "true_positives": one.true_positives,
                "false_drops": one.false_drops,
                "false_positives": one.false_positives,
                "largest_dropped": shown(one.largest_dropped),
                "median_dropped": shown(one.median_dropped),
                "smallest_invented": shown(one.smallest_invented),
                "median_invented": shown(one.median_invented),
                "estimated": list(one.estimated),
                "supported": list(one.supported),
            }
            for one in truth.sizes
        ],
    }


def _plain(row: Row) -> dict[str, Any]:
    return {key: cell.text if isinstance(cell, Number) else cell for key, cell in row.items()}


def _listed(rows: Iterable[Row]) -> Iterator[str]:
    mark = "\n    "
    for row in rows:
        yield mark + json.dumps(_plain(row), ensure_ascii=False)
        mark = ",\n    "
    if mark.startswith(","):
        yield "\n  "


def mined_csv(found: Found, *, rules: bool) -> Iterator[str]:
    """A row an itemset, or a rule; items are a line of CSV in one cell."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_columns(found, rules=rules))
    for row in _rows(found, rules):
        writer.writerow(map(_cell, row.values()))
        if text.tell() > AT_ONCE:
            yield text.getvalue()
            text.seek(0)
            text.truncate()
    yield text.getvalue()


def _rows(found: Found, rules: bool) -> Iterator[Row]:
    return map(rule_row, found.rules()) if rules else map(itemset_row, found.itemsets())


def _cell(cell: list[str] | int | bool | Number) -> str:
    if isinstance(cell, Number):
        return cell.text
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int):
        return str(cell)
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="").writerow(cell)
    return text.getvalue()


def mined_parquet(found: Found, raw: IO[bytes], *, rules: bool) -> None:
    """The columns of the CSV file; items are lists, numbers doubles."""
    from ppdm_formal.run.parquet_table import guarded

    rows = _rows(found, rules)
    with guarded("Parquet output") as pa:
        kinds = {list: pa.list_(pa.string()), int: pa.int64(), bool: pa.bool_()}
        columns = _columns(found, rules=rules)
        schema = pa.schema(
            [(name, kinds.get(type(cell), pa.float64())) for name, cell in columns.items()]
        )
        with pa.parquet.ParquetWriter(raw, schema) as writer:
            while some := list(islice(rows, AT_ONCE)):
                arrays = [
                    pa.array([_double(row[field.name]) for row in some], field.type)
                    for field in schema
                ]
                writer.write_batch(pa.record_batch(arrays, schema=schema))


def _double(cell: list[str] | int | bool | Number) -> Any:
    return cell.value if isinstance(cell, Number) else cell

"""How each record of a plan is written in its file, and read again, from one description.

Numbers that must stay as they are written are text; what is not as we write it is `Unread`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ppdm_formal.declare.arithmetic.decimals import decimal_text
from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.design.cut import Around, Remains
from ppdm_formal.design.item_breach import ItemGoal
from ppdm_formal.design.plan_facts import (
    BestFacts,
    Certified,
    CheaperForm,
    Complemented,
    Continued,
    FormSeen,
    ItemFacts,
    MissedItem,
    OtherForm,
    PooledForecast,
    ProjectedForecast,
    RealForm,
    TwoPhaseForecast,
    Way,
)

_DECIMAL = re.compile("[0-9]{1,30}([.][0-9]{1,30})?")


class Unread(ValueError):
    """A part of a file is not as it is written."""


@dataclass(frozen=True)
class PlanPart:
    """A kind of value: what is written of it, and how that is read. optional: None is left out."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    optional: bool = False


def _same(value: Any) -> Any:
    return value


def _must(held: bool) -> None:
    if not held:
        raise Unread


def _whole(found: Any) -> int:
    _must(type(found) is int and found >= 0)
    return int(found)


def _text(found: Any) -> str:
    _must(isinstance(found, str))
    return str(found)


def _truth(found: Any) -> bool:
    _must(isinstance(found, bool))
    return bool(found)


def _exact(found: Any) -> Fraction:
    try:
        return parse_number(_text(found))
    except (ValueError, ArithmeticError):
        raise Unread from None


def _float(found: Any) -> float:
    try:
        value = float(_text(found))
    except ValueError:
        raise Unread from None
    _must(math.isfinite(value))
    return value


def _decimal(found: Any) -> Decimal:
    _must(_DECIMAL.fullmatch(_text(found)) is not None)
    return Decimal(found)


WHOLE = PlanPart(_same, _whole)
TEXT = PlanPart(_same, _text)
TRUTH = PlanPart(_same, _truth)
EXACT = PlanPart(number_text, _exact)
FLOAT = PlanPart(repr, _float)
DECIMAL = PlanPart(lambda value: format(value, "f"), _decimal)
"""With as many digits as it has, as for figures that are rounded."""

ENDING = PlanPart(decimal_text, _exact)
"""A fraction that ends as a decimal."""


def one_of(*words: str) -> PlanPart:
    """One of these words."""

    def read(found: Any) -> str:
        _must(found in words)
        return str(found)

    return PlanPart(_same, read)


def nullable(part: PlanPart) -> PlanPart:
    """None is null."""
    return PlanPart(
        lambda value: None if value is None else part.write(value),
        lambda found: None if found is None else part.read(found),
    )


def optional(part: PlanPart) -> PlanPart:
    """None is left out of a record."""
    return PlanPart(part.write, part.read, optional=True)


def many(part: PlanPart) -> PlanPart:
    """A tuple, as a list."""

    def read(found: Any) -> tuple[Any, ...]:
        _must(isinstance(found, list))
        return tuple(map(part.read, found))

    return PlanPart(lambda values: [part.write(value) for value in values], read)


def by_number(part: PlanPart) -> PlanPart:
    """Values by whole numbers, as an object whose keys are these as text."""

    def read(found: Any) -> dict[int, Any]:
        _must(isinstance(found, dict))
        _must(all(key.isascii() and key.isdigit() and len(key) < 8 for key in found))
        return {int(key): part.read(value) for key, value in found.items()}

    return PlanPart(
        lambda values: {str(key): part.write(value) for key, value in values.items()}, read
    )


def record(made: Callable[..., Any], **fields: PlanPart) -> PlanPart:
    """A frozen record, as an object with the fields' names as keys; other keys are not read."""

    def write(value: Any) -> dict[str, Any]:
        held = {name: getattr(value, name) for name in fields}
        return {
            name: part.write(held[name])
            for name, part in fields.items()
            if not (part.optional and held[name] is None)
        }

    def read(found: Any) -> Any:
        _must(isinstance(found, dict))
        _must(all(name in found or part.optional for name, part in fields.items()))
        return made(
            **{name: part.read(found[name]) for name, part in fields.items() if name in found}
        )

    return PlanPart(write, read)


def _count(found: Any) -> int:
    if not WHOLE.read(found):
        raise Unread
    return int(found)


def _support(found: Any) -> float:
    value: float = FLOAT.read(found)
    if not 0 <= value <= 1:
        raise Unread
    return value


def _by_hidden(found: Any) -> tuple[ProjectedForecast, ...]:
    if not isinstance(found, dict) or not set(found) <= {"hidden", "public"}:
        raise Unread
    return tuple(
        ProjectedForecast(hidden=how == "hidden", **_FIGURES.read(figures))
        for how, figures in found.items()
    )


def _pooled(itemset: int, remains: Mapping[str, Any] | None, **fields: Any) -> PooledForecast:
    kept = None if remains is None else Remains(itemset, **remains)
    return PooledForecast(itemset=itemset, remains=kept, **fields)


_SUPPORTS = by_number(nullable(DECIMAL))
_FLOATS = by_number(nullable(FLOAT))
_LIKELY = by_number(nullable(PlanPart(repr, _support)))
COUNTS = by_number(WHOLE)
HISTOGRAM = by_number(PlanPart(WHOLE.write, _count))
_MEAN_SIZE = PlanPart(
    lambda value: (EXACT if isinstance(value, Fraction) else DECIMAL).write(value),
    lambda found: (DECIMAL if "." in TEXT.read(found) else EXACT).read(found),
)

FACTS = record(
    dict,
    amplification=EXACT,
    lds=_SUPPORTS,
    cutoff=nullable(WHOLE),
    expected_size=nullable(_MEAN_SIZE),
    compressed_bits=nullable(WHOLE),
)
FORM_FACTS = record(
    dict,
    itemsets=WHOLE,
    form=one_of("best", "paper"),
    lds_worst=_SUPPORTS,
    best_real=record(RealForm, insert=FLOAT, lds=FLOAT),
    cheaper=many(record(CheaperForm, bits=WHOLE, insert=EXACT, cutoff=nullable(WHOLE), lds=FLOAT)),
    complement_of=optional(record(Complemented, insert=EXACT, cutoff=nullable(WHOLE))),
    searched_with=optional(WHOLE),
)
BEST_FACTS = record(
    BestFacts,
    largest=FLOAT,
    lower_bound=FLOAT,
    gap=FLOAT,
    evidence=one_of("proved", "best found"),
    paper_form=record(OtherForm, insert=EXACT, cutoff=WHOLE, largest=FLOAT),
)
ITEM_FACTS = record(
    ItemFacts,
    itemsets=WHOLE,
    cut_and_paste=WHOLE,
    item_posteriors=by_number(ENDING),
    item_posterior_any_size=ENDING,
    lds_worst=_SUPPORTS,
)
CERTIFIED = record(Certified, claim=TEXT, verdict=TEXT, trust=TEXT)
ITEM_GOAL = record(ItemGoal, level=EXACT, bounds=many(EXACT))
POOLED = many(
    record(
        _pooled,
        group=TEXT,
        itemset=WHOLE,
        clients=EXACT,
        deviation=FLOAT,
        lds=nullable(DECIMAL),
        remains=nullable(record(dict, evenly=EXACT, least=EXACT)),
    )
)
WAYS = many(
    record(
        Way,
        sizes=one_of("public", "pad", "cut"),
        size=nullable(WHOLE),
        lds=_LIKELY,
        needed=_LIKELY,
    )
)
COMPARED = many(
    record(FormSeen, size=nullable(WHOLE), form=TEXT, largest=nullable(FLOAT), why=nullable(TEXT))
)
_FIGURES = record(
    dict,
    most=WHOLE,
    share=EXACT,
    largest=FLOAT,
    reports=one_of("items", "sets"),
    lds=_FLOATS,
    remains=by_number(FLOAT),
)
TWO_PHASE = record(
    TwoPhaseForecast,
    threshold=FLOAT,
    strictness=FLOAT,
    let_in=FLOAT,
    chosen=nullable(FLOAT),
    missed=many(
        record(
            MissedItem,
            support=FLOAT,
            chance=FLOAT,
            between=optional(many(FLOAT)),
            remains=optional(record(Around, least=FLOAT, mean=FLOAT, most=FLOAT)),
        )
    ),
    items_lds=DECIMAL,
    sizes=COUNTS,
    projected=PlanPart(
        lambda parts: {"hidden" if p.hidden else "public": _FIGURES.write(p) for p in parts},
        _by_hidden,
    ),
    continued=optional(record(Continued, items=WHOLE, sizes=COUNTS)),
)


def _keys(words: str) -> tuple[str, ...]:
    return tuple(words.split())


FORM_ORDER = _keys(
    "size transactions itemsets form insert bits keep balance amplification lds lds_worst cutoff "
    "best_real cheaper largest lower_bound gap evidence paper_form expected_size compressed_bits "
    "baskets searched_with certificate"
)
MIRRORED_ORDER = _keys(
    "size transactions itemsets form insert bits amplification lds lds_worst cutoff best_real "
    "cheaper largest lower_bound gap evidence paper_form expected_size compressed_bits baskets "
    "complement_of keep balance searched_with certificate"
)
ITEM_ORDER = _keys(
    "size transactions itemsets insert bits cutoff cut_and_paste keep balance amplification "
    "item_posteriors item_posterior_any_size lds lds_worst cheaper expected_size compressed_bits "
    "baskets certificate"
)
GROUP_ORDER = _keys(
    "size baskets transactions insert bits cutoff keep balance amplification lds expected_size "
    "compressed_bits certificate"
)
"""In which order the keys of a size stand: files stay as they are, to the byte."""

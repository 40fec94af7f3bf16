"""A measure that a certificate defines: its formula as a tree, its words and its degree."""

from __future__ import annotations

import math
from typing import Any

from .limits import MAX_FORMULA
from .reading import Fields, read_list, read_number
from .result import need

INFINITY = math.inf
Range = tuple[Any, Any]  # what a value lies between: Fractions, or -infinity and infinity
OVER_CLASSES = ("sum", "max", "min")
OPERANDS = {"sum": 1, "max": 1, "min": 1, "abs": 1, "log": 1, "-": 2, "/": 2}


def check_formula(formula: Any, has_prior: bool) -> None:
    """Reject what is not a formula."""
    fields = Fields(formula, "formula", "over of", "each")
    need(fields.text("over") in ("max", "sum"), "formula.over is neither max nor sum")
    each = fields.text("each") if "each" in formula else None
    need(each in (None, "input", "person"), "formula.each is neither input nor person")
    need(each != "person" or has_prior, "what people's values tell depends on a prior")
    left: list[tuple[Any, bool]] = [(formula["of"], False)]
    parts = 0
    while left:
        part, of_class = left.pop()
        parts += 1
        need(parts <= MAX_FORMULA, f"a formula of more than {MAX_FORMULA} parts")
        if type(part) is str:
            if part in ("likelihood", "prior", "value"):
                need(of_class, f"formula: {part} is of a class, not of a view")
            if part in ("prior", "evidence"):
                need(has_prior, f"formula: {part} without a prior")
            if part == "value":
                need(each == "input", "formula: value where inputs are not told apart")
            elif part not in ("likelihood", "prior", "evidence"):
                read_number(part)
            continue
        entries = read_list(part)
        need(entries and type(entries[0]) is str, "formula: no operation")
        name, arguments = entries[0], entries[1:]
        good = len(arguments) == OPERANDS.get(name, len(arguments)) and arguments
        known = name in OPERANDS or name in ("+", "*")
        need(known and good, f"formula: {ascii(name)[:20]} with {len(arguments)} parts")
        over_classes = name in OVER_CLASSES
        need(not (over_classes and of_class), "formula: sums or maxima in each other")
        left += [(argument, of_class or over_classes) for argument in arguments]


def formula_text(part: Any) -> str:
    """A formula as people read it."""
    if type(part) is dict:
        over = {"max": "the greatest over outputs of", "sum": "the sum over outputs of"}
        most = "the greatest over people of " if part.get("each") == "person" else ""
        return f"{most}{over[part['over']]} {formula_text(part['of'])}"
    if type(part) is str:
        return part
    name, arguments = part[0], [formula_text(argument) for argument in part[1:]]
    if name in OVER_CLASSES:
        return f"{name} over inputs of ({arguments[0]})"
    if name in ("abs", "log"):
        return f"{name}({arguments[0]})"
    return "(" + f" {name} ".join(arguments) + ")"


def scale_free(formula: Any) -> bool:
    """Whether likelihoods up to a factor are enough: a maximum of degree 0 in them, no counts."""
    return formula["over"] == "max" and degree(formula["of"]) == 0


def degree(part: Any) -> int | None:
    """The power of a common factor of the likelihoods; None where there is none, or a sum."""
    if type(part) is str:
        return {"likelihood": 1, "evidence": None}.get(part, 0)
    name, degrees = part[0], [degree(argument) for argument in part[1:]]
    first = degrees[0]
    if name == "sum" or first is None or None in degrees:
        return None
    if name == "*":
        return sum(d for d in degrees if d is not None)
    if name == "/" and degrees[1] is not None:
        return first - degrees[1]
    alike = all(d == first for d in degrees) and (name != "log" or first == 0)
    return first if alike else None

"""A sweep: one model at several values of its parameters, as one table and one picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from ppdm_formal.certify.audit.audited import AuditResult, OperatorAudit
from ppdm_formal.certify.audit.comparison import Sweep
from ppdm_formal.declare.arithmetic.enclosure import Enclosure, log_of
from ppdm_formal.declare.arithmetic.exact import is_number
from ppdm_formal.declare.arithmetic.exponential import Ln
from ppdm_formal.declare.arithmetic.people import brief
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.derive.measures.utility import Utility
from ppdm_formal.report.parts.blocks import (
    Block,
    Document,
    Gallery,
    Section,
    Table,
    tables_only,
)
from ppdm_formal.report.parts.measure_tables import Entry
from ppdm_formal.report.parts.sections.utility import HEAD, cost_row
from ppdm_formal.report.pictures.axes import Plot, covering, line_sign, mark
from ppdm_formal.report.pictures.cost import CostCurve, cost_pictures
from ppdm_formal.report.pictures.svg import Picture, path
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.definitions import ASSUMPTIONS
from ppdm_formal.report.words.measure_words import cell
from ppdm_formal.report.words.standing import badge, shade
from ppdm_formal.report.words.utility_words import utility_of
from ppdm_formal.report.words.visible import clean


def swept(results: Sequence[AuditResult], one: AuditResult) -> dict[str, Any]:
    """The values that tell a result from others of the same model."""
    same = [result.model.values for result in results if result.model.file == one.model.file]
    return {
        name: value
        for name, value in one.model.values.items()
        if any(other.get(name) != value for other in same)
    }


def document(found: Sweep, *, brief: bool = False) -> Document:
    """A row for each operator at each value, and epsilon and cost as curves."""
    made = _whole(found.results)
    return tables_only(made) if brief else made


def _whole(results: Sequence[AuditResult]) -> Document:
    names = _names(results)
    blocks: list[Block] = [_table(results, names)]
    sections = [Section("Over the values", blocks, 2, "values")]
    pictures = sweep_pictures(results)
    if pictures:
        sections.append(Section("Pictures", [Gallery(pictures)], 2, "pictures"))
    file = clean(PurePath(results[0].model.file).name, 60)
    shown = ", ".join(clean(name, 20) for name in names)
    return Document(
        f"{file} at {counted(len(results), 'value')} of {shown}",
        "Lower amplification and epsilon are safer, fewer people are cheaper. All numbers are "
        "exact or proven bounds. " + ASSUMPTIONS[2],
        "",
        "",
        sections,
        f"Model {file}, SHA-256 {results[0].model.sha256}",
    )


def _table(results: Sequence[AuditResult], names: Sequence[str]) -> Table:
    rows: list[list[str]] = []
    for number, one in enumerate(results[0].operators):
        mine = [_row(result.operators[number]) for result in results]
        name = clean(one.operator.name, 30)
        if _steady(results, number):
            rows.append([*["any"] * len(names), name, *mine[0]])
            continue
        for result, row in zip(results, mine, strict=True):
            rows.append([*(_value(result.model.values[key]) for key in names), name, *row])
    head = [*(clean(name, 20) for name in names), "operator", "amplification", "epsilon (nat)"]
    head += [*HEAD[1:3], "claims"]
    first = len(names)
    return Table(head, rows, "", (*range(first), *range(first + 1, first + 5)))


def _steady(results: Sequence[AuditResult], number: int) -> bool:
    """Whether an operator does not depend on the values that change."""
    return len({tuple(_row(result.operators[number])) for result in results}) == 1


def _row(found: OperatorAudit) -> list[str]:
    known = {one.measure.name: cell(one) for one in found.readings}
    cost = cost_row(Entry("", found)) or [""] * len(HEAD)
    return [
        known.get("amplification", ""),
        known.get("epsilon", ""),
        *cost[1:3],
        _claims(found),
    ]


def _value(value: Any) -> str:
    return number_text(value) if isinstance(value, Ln) else brief(value)


def _claims(found: OperatorAudit) -> str:
    """How its claims went, those that do not hold by their number."""
    if not found.certificates:
        return ""
    held = sum(shade(one) == "certified" for one in found.certificates)
    if held == len(found.certificates):
        return "holds" if held == 1 else f"all {held} hold"
    others = [
        f"{number}: {badge(one).lower()}"
        for number, one in enumerate(found.certificates, start=1)
        if shade(one) != "certified"
    ]
    return ", ".join(others)


def _number(value: Any) -> float:
    if isinstance(value, Ln):
        return float(log_of(value.of).hi)
    return float(value)


def _names(results: Sequence[AuditResult]) -> list[str]:
    return list(dict.fromkeys(name for result in results for name in swept(results, result)))


def sweep_pictures(results: Sequence[AuditResult]) -> list[Picture]:
    """Epsilon along the one parameter, and cost against epsilon; nothing for several parameters."""
    names = _names(results)
    if len(names) != 1:
        return []
    lines: dict[str, list[tuple[float, float, str]]] = {}
    costs: dict[str, tuple[int, list[tuple[float, float]]]] = {}
    for result in results:
        at = _number(result.model.values[names[0]])
        for number, found in enumerate(result.operators):
            epsilon = _epsilon(found)
            if epsilon is None or _steady(results, number):
                continue
            name = clean(found.operator.name, 30)
            lines.setdefault(name, []).append((at, epsilon, _worst(found)))
            known = utility_of(found)
            if isinstance(known, Utility) and not known.items:
                factor = known.best.errors.factor
                upper = factor.hi if isinstance(factor, Enclosure) else factor
                if is_number(upper) and upper > 0:
                    points = costs.setdefault(name, (known.cells, []))[1]
                    points.append((epsilon, math.log10(float(upper))))
    shown = [_along(names[0], lines)] if any(len(line) > 1 for line in lines.values()) else []
    curves = [
        CostCurve(name, cells, tuple(sorted(points)))
        for name, (cells, points) in costs.items()
        if len(points) > 1
    ]
    return [*shown, *cost_pictures(curves)]


def _epsilon(found: OperatorAudit) -> float | None:
    gain = found.gain
    return float(log_of(gain).hi) if is_number(gain) and gain >= 1 else None


def _worst(found: OperatorAudit) -> str:
    """The verdict that a point shows: that of the claim that went worst."""
    met = {shade(one) for one in found.certificates}
    order = ("breached", "partly", "unknown", "vacuous")
    return next((word for word in order if word in met), "certified")


def _along(name: str, lines: dict[str, list[tuple[float, float, str]]]) -> Picture:
    title = f"Epsilon along {clean(name, 20)}"
    points = [point for line in lines.values() for point in line]
    low, high = min(x for x, _, _ in points), max(x for x, _, _ in points)
    plot = Plot(
        (low, high) if high > low else (low, low + 1),
        covering(0, max(y for _, y, _ in points) or 1.0),
        clean(name, 20),
        "epsilon = ln(amplification)",
    )
    for number, (operator, line) in enumerate(list(lines.items())[:6]):
        class_ = f"line c{number % 6}"
        plot.parts.append(path([plot.at(x, y) for x, y, _ in line], class_))
        plot.parts += [mark(*plot.at(x, y), verdict) for x, y, verdict in line]
        plot.note(line_sign(class_), operator)
    for verdict, words in (("certified", "every claim holds"), ("breached", "some claim fails")):
        if any(point[2] == verdict for point in points):
            plot.note(mark(10, 0, verdict), words)
    caption = (
        "Each point is an operator at one value, with how its claims went there: a ring where "
        "every claim holds, a cross where one fails, a square where one is open or says nothing."
    )
    return Picture(title, plot.drawn(title), caption)
